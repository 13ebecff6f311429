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
