-- name: all_versions
SELECT version, timestamp, flags, value, meta, branch, keyspace, key, digest
FROM versions WHERE version > ? ORDER BY version LIMIT ?;
