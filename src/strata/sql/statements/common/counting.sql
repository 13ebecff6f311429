-- Live keys and commits: what was counted up to a checkpoint, and what came after it.

-- name: last_checkpoint
SELECT max(version) FROM count_checkpoints WHERE ws = :ws;

-- How many commits the store holds up to a version, from a checkpoint before it.
-- name: commits_upto
WITH known AS MATERIALIZED (
    SELECT version, commits FROM count_checkpoints
    WHERE ws = :ws AND version < ?1 ORDER BY version DESC LIMIT 1
)
SELECT coalesce((SELECT commits FROM known), 0) + count(*) FROM versions
WHERE ws = :ws AND version > coalesce((SELECT version FROM known), 0)
    AND version <= ?1 AND hash IS NOT NULL;

-- How many live keys more each branch has in each keyspace through its versions after ?1 up to ?2.
-- name: gained_keys
SELECT branch, keyspace, sum(gain) FROM gains WHERE ws = :ws AND version > ?1 AND version <= ?2
GROUP BY branch, keyspace ORDER BY branch, keyspace;

-- name: checkpoints
SELECT version, commits FROM count_checkpoints WHERE ws = :ws ORDER BY version;

-- name: insert_checkpoint
INSERT INTO count_checkpoints (ws, version, commits) VALUES (:ws, ?, ?);

-- name: all_counts
SELECT branch, keyspace, version, live FROM counts WHERE ws = :ws
ORDER BY version, branch, keyspace;

-- name: insert_count
INSERT INTO counts (ws, branch, keyspace, version, live) VALUES (:ws, ?, ?, ?, ?);

-- name: all_text_counts
SELECT version, plain, wide, guarded_plain, guarded_wide FROM text_counts
WHERE ws = :ws ORDER BY version;

-- name: insert_text_count
INSERT INTO text_counts (ws, version, plain, wide, guarded_plain, guarded_wide)
VALUES (:ws, ?, ?, ?, ?, ?);

-- name: delete_text_counts
DELETE FROM text_counts WHERE ws = :ws AND version >= ?;

-- name: delete_counts
DELETE FROM counts WHERE ws = :ws AND version >= ?;

-- name: delete_checkpoints
DELETE FROM count_checkpoints WHERE ws = :ws AND version >= ?;
