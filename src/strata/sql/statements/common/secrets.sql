-- name: all_versions
SELECT version, timestamp, flags, value, meta, branch, shelf, key, digest
FROM versions WHERE version > ? ORDER BY version LIMIT ?;
