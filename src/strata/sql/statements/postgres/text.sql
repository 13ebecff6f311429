-- name: texts_before
SELECT version, branch, keyspace, key, text FROM versions
WHERE ws = :ws AND version < ?1 AND text IS NOT NULL AND flags & 7 = 0 AND keyspace NOT IN (
    SELECT value::bigint FROM jsonb_array_elements_text(?3::jsonb) AS hidden (value))
ORDER BY version DESC LIMIT ?2;

-- name: keys_by_number
SELECT version, key FROM versions WHERE ws = :ws AND version = ANY (ARRAY(
    SELECT value::bigint FROM jsonb_array_elements_text(?::jsonb) AS wanted (value)))
ORDER BY version;
