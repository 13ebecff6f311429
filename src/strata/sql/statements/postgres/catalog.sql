-- Numbers of rows are handed out here: every writer holds the lock of its workspace.

-- name: insert_branch
INSERT INTO branches
    (ws, id, name, parent, fork_version, created, deleted, actor, metadata, digest, changed)
SELECT :ws, (SELECT coalesce(max(b.id), 0) + 1 FROM branches AS b WHERE b.ws = :ws),
    ?, ?, ?, ?, ?, ?, ?, ?, generation + 1
FROM catalog WHERE ws = :ws RETURNING id;

-- name: insert_branch_ancestors
INSERT INTO lineage (ws, branch, depth, ancestor, upto)
SELECT :ws, ?1, depth + 1, ancestor, least(upto, ?3) FROM lineage WHERE ws = :ws AND branch = ?2;

-- name: insert_keyspace
INSERT INTO keyspaces (ws, id, space, kind)
SELECT :ws, coalesce(max(id), 0) + 1, ?, ? FROM keyspaces WHERE ws = :ws RETURNING id;

-- A statement that begins with `look.changes` also tells how often the workspace was changed, and
-- saves a reader from asking. The driver takes that column off; NULL behind it is no row.

-- name: generation
SELECT look.changes, look.generation, look.removals FROM catalog AS look WHERE look.ws = :ws;

-- name: keyspace
SELECT look.changes, k.id FROM catalog AS look LEFT JOIN keyspaces AS k
    ON k.ws = :ws AND k.space = ? AND k.kind = ?
WHERE look.ws = :ws;
