-- name: texts_before
SELECT version, branch, keyspace, key, text FROM versions
WHERE ws = :ws AND version < ?1 AND text IS NOT NULL AND flags & 7 = 0 AND keyspace NOT IN (
    SELECT value::bigint FROM jsonb_array_elements_text(?3::jsonb) AS hidden (value))
ORDER BY version DESC LIMIT ?2;

-- name: keys_by_number
SELECT v.version, v.key FROM jsonb_array_elements_text(?::jsonb) AS wanted (number), LATERAL (
    SELECT o.version, o.key FROM versions AS o
    WHERE o.ws = :ws AND o.version = wanted.number::bigint LIMIT 1) AS v
ORDER BY v.version;
