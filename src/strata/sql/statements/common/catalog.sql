-- A small write, for the sync that ends it. It must change something, or nothing is written.
-- name: count_sync
UPDATE catalog SET syncs = syncs + 1 WHERE ws = :ws;

-- name: branches
SELECT id, name, parent, fork_version, created, deleted, actor, metadata, digest
FROM branches WHERE ws = :ws ORDER BY id;

-- The branches whose rows a later generation than one has written. The plus keeps SQLite from
-- reading all branches in the order of their numbers.
-- name: branches_changed_since
SELECT id, name, parent, fork_version, created, deleted, actor, metadata
FROM branches WHERE ws = :ws AND changed > ? ORDER BY +id;

-- name: branch
SELECT name, parent, fork_version, created, deleted, actor, metadata, digest
FROM branches WHERE ws = :ws AND id = ?;

-- name: insert_branch_itself
INSERT INTO lineage (ws, branch, depth, ancestor, upto)
VALUES (:ws, ?1, 0, ?1, 9223372036854775807);

-- name: lineage
SELECT ancestor, upto FROM lineage WHERE ws = :ws AND branch = ? ORDER BY depth;

-- name: update_branch
UPDATE branches
SET name = ?, deleted = ?, digest = ?, changed = (SELECT generation + 1 FROM catalog WHERE ws = :ws)
WHERE ws = :ws AND id = ?;

-- name: keyspaces
SELECT id, space, kind FROM keyspaces WHERE ws = :ws;

-- name: keyspace_branches
SELECT id FROM branches WHERE ws = :ws AND EXISTS (
    SELECT 1 FROM versions AS v WHERE v.ws = :ws AND v.branch = branches.id AND v.keyspace = ?);

-- name: store_id
SELECT store_id FROM catalog WHERE ws = :ws;
