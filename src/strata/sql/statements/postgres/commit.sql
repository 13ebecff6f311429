-- The last version of a commit (?18) is also noted as the newest one of the workspace and its branch.
-- name: insert_version
WITH newest AS (
    UPDATE catalog SET version = ?1 WHERE ws = :ws AND ?18::bytea IS NOT NULL
), tip AS (
    UPDATE branches SET tip_time = ?6, tip_hash = ?18
    WHERE ws = :ws AND id = ?2 AND ?18::bytea IS NOT NULL
)
INSERT INTO versions
    (ws, version, branch, keyspace, key, flags, timestamp, meta, digest, value, text,
     first, actor, operation, message, second_branch, second_version, second_hash, hash, declared)
VALUES (:ws, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19);

-- A commit of one version by itself, numbered, dated and chained here: ?5 is the caller's clock, ?13
-- the body of the hash, ?15 a list of words in JSON. It writes nothing when branches have changed
-- since the caller looked (?14). Writers that come together wait for each other's rows and see what
-- these have left there. ?16 is the id of this request, ?17 that of the writer's last one.
-- name: append_version
WITH counted AS (
    UPDATE catalog SET changes = changes + 1, version = version + 1
    WHERE ws = :ws AND generation = ?14 RETURNING changes, version
), tip AS (
    UPDATE branches AS b SET tip_time = greatest(?5, b.tip_time + 1),
        tip_hash = sha256(b.tip_hash || int8send(greatest(?5, b.tip_time + 1)) || ?13::bytea)
    FROM counted WHERE b.ws = :ws AND b.id = ?1 RETURNING b.tip_time, b.tip_hash
), new_words AS (
    INSERT INTO words (ws, word)
    SELECT :ws, value FROM counted, jsonb_array_elements_text(?15::jsonb) AS new (value)
    ON CONFLICT DO NOTHING
), noted AS (
    INSERT INTO commit_requests (ws, id, change, version)
    SELECT :ws, ?16::bytea, changes, version FROM counted
), forgotten AS (
    DELETE FROM commit_requests WHERE ws = :ws AND id = ?17::bytea
)
INSERT INTO versions
    (ws, version, branch, keyspace, key, flags, timestamp, meta, digest, value, text,
     first, actor, operation, message, hash)
SELECT :ws, counted.version, ?1, ?2, ?3, ?4, tip.tip_time, ?6::bytea, ?7::bytea, ?8::bytea,
    ?9::bytea, counted.version, ?10, ?11, ?12, tip.tip_hash
FROM counted, tip
RETURNING (SELECT changes FROM counted), version, timestamp, hash;

-- PostgreSQL sorts what a join gives, however its tables are ordered. So each ancestor is asked for
-- its one newest row by itself, the nearest first: that is a seek in an index, and the first ends it.
-- name: branch_tips
SELECT b.id, c.version, c.timestamp FROM branches AS b, LATERAL (
    SELECT t.version, t.timestamp FROM lineage AS l, LATERAL (
        SELECT t.version, t.timestamp FROM commits AS t
        WHERE t.ws = :ws AND t.branch = l.ancestor AND t.version <= l.upto
        ORDER BY t.version DESC LIMIT 1) AS t
    WHERE l.ws = :ws AND l.branch = b.id ORDER BY l.depth LIMIT 1) AS c
WHERE b.ws = :ws;

-- name: commit_of
SELECT c.version, c.branch, c.timestamp, c.first, c.actor, c.operation, c.message,
       c.second_branch, c.second_version, c.second_hash, c.hash
FROM versions AS v, LATERAL (
    SELECT c.version, c.branch, c.timestamp, c.first, c.actor, c.operation, c.message,
        c.second_branch, c.second_version, c.second_hash, c.hash
    FROM commits AS c WHERE c.ws = :ws AND c.branch = v.branch AND c.version >= v.version
    ORDER BY c.version LIMIT 1) AS c
WHERE v.ws = :ws AND v.version = ?;

-- Many versions at once that end no commit.
-- name: copy_versions
COPY versions
    (ws, version, branch, keyspace, key, flags, timestamp, meta, digest, value, text)
FROM STDIN (FORMAT BINARY);

-- name: visible_tip
SELECT t.version, t.timestamp, t.hash FROM lineage AS l, LATERAL (
    SELECT t.version, t.timestamp, t.hash FROM commits AS t
    WHERE t.ws = :ws AND t.branch = l.ancestor AND t.version <= least(l.upto, ?2)
    ORDER BY t.version DESC LIMIT 1) AS t
WHERE l.ws = :ws AND l.branch = ?1 ORDER BY l.depth LIMIT 1;

-- name: tip_at_version
SELECT t.version, t.timestamp FROM versions AS v, LATERAL (
    SELECT c.version AS upto FROM commits AS c
    WHERE c.ws = :ws AND c.branch = v.branch AND c.version >= v.version
    ORDER BY c.version LIMIT 1) AS whole, LATERAL (
    SELECT t.version, t.timestamp FROM lineage AS l, LATERAL (
        SELECT t.version, t.timestamp FROM commits AS t
        WHERE t.ws = :ws AND t.branch = l.ancestor AND t.version <= least(l.upto, whole.upto)
        ORDER BY t.version DESC LIMIT 1) AS t
    WHERE l.ws = :ws AND l.branch = ?1 ORDER BY l.depth LIMIT 1) AS t
WHERE v.ws = :ws AND v.version = ?2;
