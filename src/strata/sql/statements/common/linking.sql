-- Versions of one keyspace in the order of writing, on whatever branch.
-- name: keyspace_versions_between
SELECT version, branch, key FROM versions
WHERE ws = :ws AND version > ?1 AND version <= ?2 AND keyspace = ?3 AND flags & 7 = 0
ORDER BY version LIMIT ?4;

-- name: count_keyspace_versions_between
SELECT count(*) FROM versions
WHERE ws = :ws AND version > ?1 AND version <= ?2 AND keyspace = ?3 AND flags & 7 = 0;
