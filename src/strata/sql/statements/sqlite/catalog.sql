-- name: insert_branch
INSERT INTO branches
    (name, parent, fork_version, created, deleted, actor, metadata, digest, changed)
SELECT ?, ?, ?, ?, ?, ?, ?, ?, generation + 1 FROM catalog RETURNING id;

-- What a fork sees of its ancestors: all that its parent sees, up to the fork.
-- name: insert_branch_ancestors
INSERT INTO lineage (branch, depth, ancestor, upto)
SELECT ?1, depth + 1, ancestor, min(upto, ?3) FROM lineage WHERE branch = ?2;

-- name: insert_keyspace
INSERT INTO keyspaces (space, kind) VALUES (?, ?) RETURNING id;

-- name: keyspace
SELECT id FROM keyspaces WHERE space = ? AND kind = ?;

-- name: insert_catalog
INSERT INTO catalog (id, generation, removals, syncs, store_id, created)
VALUES (1, 1, 0, 0, ?, ?);
