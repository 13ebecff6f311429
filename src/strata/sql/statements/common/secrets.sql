-- name: all_versions
SELECT version, timestamp, flags, value, meta, branch, keyspace, key, digest
FROM versions WHERE ws = :ws AND version > ? ORDER BY version LIMIT ?;
