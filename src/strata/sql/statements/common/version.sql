-- name: keys_written
SELECT keyspace, key, version FROM versions WHERE ws = :ws AND branch = ? LIMIT ?;

-- name: version_number
SELECT version, timestamp, flags, value, meta, branch, keyspace, key, digest
FROM versions WHERE ws = :ws AND version = ?;

-- name: last_key
SELECT key FROM versions WHERE ws = :ws AND branch = ? AND keyspace = ? ORDER BY key DESC LIMIT 1;

-- name: places_of_commit
SELECT keyspace, key FROM versions WHERE ws = :ws AND version BETWEEN ? AND ? ORDER BY version;

-- name: versions_of_commit
SELECT version, timestamp, flags, value, meta, branch, keyspace, key, digest
FROM versions WHERE ws = :ws AND version BETWEEN ? AND ? ORDER BY version;
