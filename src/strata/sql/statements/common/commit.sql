-- The newest commit that a branch itself wrote, at or below a version.
-- name: branch_tip
SELECT version, timestamp, hash FROM commits
WHERE ws = :ws AND branch = ? AND version <= ? ORDER BY version DESC LIMIT 1;

-- name: branch_oldest
SELECT version, timestamp FROM commits
WHERE ws = :ws AND branch = ? AND version <= ? ORDER BY version LIMIT 1;

-- With the place of the version that seals each: of a commit of one version, that is all it wrote.
-- name: branch_commits
SELECT version, branch, timestamp, first, actor, operation, message,
       second_branch, second_version, second_hash, hash, keyspace, key
FROM versions WHERE ws = :ws AND hash IS NOT NULL AND branch = ? AND version <= ? AND version > ?
ORDER BY version DESC LIMIT ?;

-- name: branch_commits_forward
SELECT version, branch, timestamp, first, actor, operation, message,
       second_branch, second_version, second_hash, hash
FROM commits WHERE ws = :ws AND branch = ? AND version <= ? AND version > ?
ORDER BY version LIMIT ?;

-- The commits of all branches after a version, oldest first.
-- name: commits_after
SELECT version, branch, timestamp, first, actor, operation, message,
       second_branch, second_version, second_hash, hash
FROM commits WHERE ws = :ws AND version > ? ORDER BY version LIMIT ?;

-- name: branch_merges
SELECT version, second_branch, second_version, hash FROM commits
WHERE ws = :ws AND branch = ? AND second_branch IS NOT NULL ORDER BY version;

-- The commits of a branch, newest first, that take another commit back.
-- name: branch_undoings
SELECT version, branch, timestamp, first, actor, operation, message,
       second_branch, second_version, second_hash, hash
FROM commits
WHERE ws = :ws AND branch = ? AND version <= ?
    AND (operation BETWEEN 'undo ' AND 'undo!' OR operation BETWEEN 'revert ' AND 'revert!')
ORDER BY version DESC;
