-- A small write, for the sync that ends it. It must change something, or nothing is written.
-- name: count_sync
UPDATE catalog SET syncs = syncs + 1;

-- name: insert_catalog
INSERT INTO catalog (id, generation, removals, syncs, store_id, created)
VALUES (1, 1, 0, 0, ?, ?);

-- name: branches
SELECT id, name, parent, fork_version, created, deleted, actor, metadata, digest
FROM branches ORDER BY id;

-- The branches whose rows a later generation than one has written. The plus keeps SQLite from
-- reading all branches in the order of their numbers.
-- name: branches_changed_since
SELECT id, name, parent, fork_version, created, deleted, actor, metadata
FROM branches WHERE changed > ? ORDER BY +id;

-- name: branch
SELECT name, parent, fork_version, created, deleted, actor, metadata, digest
FROM branches WHERE id = ?;

-- name: insert_branch
INSERT INTO branches
    (name, parent, fork_version, created, deleted, actor, metadata, digest, changed)
SELECT ?, ?, ?, ?, ?, ?, ?, ?, generation + 1 FROM catalog RETURNING id;

-- name: insert_branch_itself
INSERT INTO lineage (branch, depth, ancestor, upto) VALUES (?1, 0, ?1, 9223372036854775807);

-- What a fork sees of its ancestors: all that its parent sees, up to the fork.
-- name: insert_branch_ancestors
INSERT INTO lineage (branch, depth, ancestor, upto)
SELECT ?1, depth + 1, ancestor, min(upto, ?3) FROM lineage WHERE branch = ?2;

-- name: lineage
SELECT ancestor, upto FROM lineage WHERE branch = ? ORDER BY depth;

-- name: update_branch
UPDATE branches
SET name = ?, deleted = ?, digest = ?, changed = (SELECT generation + 1 FROM catalog)
WHERE id = ?;

-- name: keyspaces
SELECT id, space, kind FROM keyspaces;

-- name: keyspace
SELECT id FROM keyspaces WHERE space = ? AND kind = ?;

-- name: insert_keyspace
INSERT INTO keyspaces (space, kind) VALUES (?, ?) RETURNING id;

-- name: keyspace_branches
SELECT id FROM branches WHERE EXISTS (
    SELECT 1 FROM versions AS v WHERE v.branch = branches.id AND v.keyspace = ?);

-- name: store_id
SELECT store_id FROM catalog;
