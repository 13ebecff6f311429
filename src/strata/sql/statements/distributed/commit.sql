-- Forms for a database whose workspaces are spread over several nodes. A statement there reads and
-- writes rows of one node, and no part of it may insert what another part has numbered. So each is
-- several statements of one transaction, divided by a line `-- then`. Rows come from the first one.

-- The row of the workspace stays locked by the first statement, so that the others see its number.
-- name: append_version
WITH counted AS (
    UPDATE catalog SET changes = changes + 1, version = version + 1
    WHERE ws = :ws AND generation = ?14 RETURNING changes, version
)
UPDATE branches AS b SET tip_time = greatest(?5, b.tip_time + 1),
    tip_hash = sha256(b.tip_hash || int8send(greatest(?5, b.tip_time + 1)) || ?13::bytea)
FROM counted WHERE b.ws = :ws AND b.id = ?1
RETURNING counted.changes, counted.version, b.tip_time, b.tip_hash
-- then
INSERT INTO versions
    (ws, version, branch, keyspace, key, flags, timestamp, meta, digest, value, text,
     first, actor, operation, message, hash)
SELECT c.ws, c.version, ?1::bigint, ?2::bigint, ?3::text, ?4::bigint, b.tip_time, ?6::bytea,
    ?7::bytea, ?8::bytea, ?9::bytea, c.version, ?10::text, ?11::text, ?12::text, b.tip_hash
FROM catalog AS c, branches AS b
WHERE c.ws = :ws AND c.generation = ?14 AND b.ws = :ws AND b.id = ?1
-- then
INSERT INTO words (ws, word)
SELECT c.ws, new.value FROM catalog AS c, jsonb_array_elements_text(?15::jsonb) AS new (value)
WHERE c.ws = :ws AND c.generation = ?14 ON CONFLICT DO NOTHING
-- then
INSERT INTO commit_requests (ws, id, change, version)
SELECT c.ws, ?16::bytea, c.changes, c.version FROM catalog AS c
WHERE c.ws = :ws AND c.generation = ?14
-- then
DELETE FROM commit_requests WHERE ws = :ws AND id = ?17::bytea;

-- name: insert_version
INSERT INTO versions
    (ws, version, branch, keyspace, key, flags, timestamp, meta, digest, value, text,
     first, actor, operation, message, second_branch, second_version, second_hash, hash, declared)
VALUES (:ws, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
-- then
UPDATE catalog SET version = ?1 WHERE ws = :ws AND ?18::bytea IS NOT NULL
-- then
UPDATE branches SET tip_time = ?6, tip_hash = ?18
WHERE ws = :ws AND id = ?2 AND ?18::bytea IS NOT NULL;

-- name: note_request
INSERT INTO commit_requests (ws, id, change) VALUES (:ws, ?1::bytea, ?2)
-- then
DELETE FROM commit_requests WHERE ws = :ws AND id = ?3::bytea;
