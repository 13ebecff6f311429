-- What exports and imports ask for.

-- Whether a store holds nothing yet but what it was made with.
-- name: is_untouched
SELECT NOT EXISTS (SELECT 1 FROM versions) AND NOT EXISTS (SELECT 1 FROM audit)
    AND (SELECT count(*) FROM branches) = 1;

-- name: earlier_commits
SELECT version, branch, timestamp, first, actor, operation, message,
    second_branch, second_version, second_hash, hash, declared
FROM earlier.versions WHERE hash IS NOT NULL AND version > ? ORDER BY version LIMIT ?;

-- name: earlier_versions
SELECT version, branch, shelf, key, flags, timestamp, meta, digest, value, text
FROM earlier.versions WHERE version BETWEEN ? AND ? ORDER BY version;

-- Commits that speak of another one by the beginning of its hash.
-- name: earlier_references
SELECT DISTINCT operation FROM earlier.versions WHERE hash IS NOT NULL AND operation LIKE '% %';

-- name: earlier_last_version
SELECT max(version) FROM earlier.versions;

-- The newest commit that a branch itself wrote, at or below a version.
-- name: earlier_tip
SELECT hash FROM earlier.versions WHERE branch = ? AND version <= ? AND hash IS NOT NULL
ORDER BY version DESC LIMIT 1;

-- Which versions there are, without touching the rows themselves: those may be damaged.
-- name: versions_in_index
SELECT branch, keyspace, key, version, flags FROM versions INDEXED BY versions_by_key;
