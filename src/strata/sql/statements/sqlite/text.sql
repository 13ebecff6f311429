-- The newest texts before a version, for a look that must not take long, without those on some
-- keyspaces, which are given as a list in JSON.
-- name: texts_before
SELECT version, branch, keyspace, key, text FROM versions
WHERE version < ?1 AND text IS NOT NULL AND flags & 7 = 0
    AND keyspace NOT IN (SELECT value FROM json_each(?3))
ORDER BY version DESC LIMIT ?2;

-- name: keys_by_number
SELECT version, key FROM versions WHERE version IN (SELECT value FROM json_each(?));
