-- Numbers of rows are handed out here: every writer holds the lock of its workspace.

-- A fork begins with the newest commit that its parent shows at that point.
-- name: insert_branch
INSERT INTO branches
    (ws, id, name, parent, fork_version, created, deleted, actor, metadata, digest, changed,
     tip_time, tip_hash)
SELECT :ws, (SELECT coalesce(max(b.id), 0) + 1 FROM branches AS b WHERE b.ws = :ws),
    ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, c.generation + 1,
    coalesce(tip.timestamp, 0), coalesce(tip.hash, '')
FROM catalog AS c LEFT JOIN LATERAL (
    SELECT t.timestamp, t.hash FROM lineage AS l, LATERAL (
        SELECT t.timestamp, t.hash FROM commits AS t
        WHERE t.ws = :ws AND t.branch = l.ancestor AND t.version <= least(l.upto, ?3::bigint)
        ORDER BY t.version DESC LIMIT 1) AS t
    WHERE l.ws = :ws AND l.branch = ?2 ORDER BY l.depth LIMIT 1) AS tip ON true
WHERE c.ws = :ws RETURNING id;

-- A fork by itself, if no branch has changed (?10) and nothing was written (?11) since the caller
-- looked: so the number (?1) is free, and what the parent shows is what this statement sees. ?12 is
-- the id of this request, ?13 that of the writer's last one.
-- name: append_branch
WITH counted AS (
    UPDATE catalog SET changes = changes + 1, generation = generation + 1
    WHERE ws = :ws AND generation = ?10 AND version = ?11 RETURNING changes, generation
), itself AS (
    INSERT INTO lineage (ws, branch, depth, ancestor, upto)
    SELECT :ws, ?1, 0, ?1, 9223372036854775807 FROM counted
), ancestors AS (
    INSERT INTO lineage (ws, branch, depth, ancestor, upto)
    SELECT :ws, ?1, l.depth + 1, l.ancestor, least(l.upto, ?4) FROM counted, lineage AS l
    WHERE l.ws = :ws AND l.branch = ?3
), noted AS (
    INSERT INTO commit_requests (ws, id, change)
    SELECT :ws, ?12::bytea, changes FROM counted
), forgotten AS (
    DELETE FROM commit_requests WHERE ws = :ws AND id = ?13::bytea
)
INSERT INTO branches
    (ws, id, name, parent, fork_version, created, deleted, actor, metadata, digest, changed,
     tip_time, tip_hash)
SELECT :ws, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, counted.generation,
    coalesce(tip.timestamp, 0), coalesce(tip.hash, '')
FROM counted LEFT JOIN LATERAL (
    SELECT t.timestamp, t.hash FROM lineage AS l, LATERAL (
        SELECT t.timestamp, t.hash FROM commits AS t
        WHERE t.ws = :ws AND t.branch = l.ancestor AND t.version <= least(l.upto, ?4::bigint)
        ORDER BY t.version DESC LIMIT 1) AS t
    WHERE l.ws = :ws AND l.branch = ?3 ORDER BY l.depth LIMIT 1) AS tip ON true
RETURNING (SELECT changes FROM counted), id;

-- name: insert_branch_ancestors
INSERT INTO lineage (ws, branch, depth, ancestor, upto)
SELECT :ws, ?1, depth + 1, ancestor, least(upto, ?3) FROM lineage WHERE ws = :ws AND branch = ?2;

-- name: insert_keyspace
INSERT INTO keyspaces (ws, id, space, kind)
SELECT :ws, coalesce(max(id), 0) + 1, ?, ? FROM keyspaces WHERE ws = :ws RETURNING id;

-- name: keyspace
SELECT look.changes, k.id FROM catalog AS look LEFT JOIN keyspaces AS k
    ON k.ws = :ws AND k.space = ? AND k.kind = ?
WHERE look.ws = :ws;

-- The row is there since the workspace was made, so that its first writers wait for each other.
-- name: insert_catalog
UPDATE catalog SET generation = 1, store_id = ?, created = ? WHERE ws = :ws;
