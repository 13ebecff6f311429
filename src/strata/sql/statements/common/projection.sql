-- From one value to the next: a value of a hundred thousand versions costs what one of one costs.
-- name: attribute_values
WITH RECURSIVE walk (value) AS (
    SELECT min(value) FROM attributes WHERE ws = :ws AND keyspace = ?1 AND name = ?2 AND value > ?3
    UNION ALL
    SELECT (SELECT min(n.value) FROM attributes AS n
            WHERE n.ws = :ws AND n.keyspace = ?1 AND n.name = ?2 AND n.value > walk.value)
    FROM walk WHERE walk.value IS NOT NULL
)
SELECT value FROM walk WHERE value IS NOT NULL LIMIT ?4;

-- Tags, attributes and links of a version, in one go.
-- name: declared
SELECT 'tag', tag, '' FROM item_tags WHERE ws = :ws AND version = ?1
UNION ALL SELECT 'attribute', name, value FROM attributes WHERE ws = :ws AND version = ?1
UNION ALL SELECT 'link', type, target FROM links WHERE ws = :ws AND version = ?1;

-- name: links_of_version
SELECT type, target FROM links WHERE ws = :ws AND version = ? ORDER BY type, target;

-- The keys at which some version declares an attribute, on whatever branch.
-- name: keys_of_attribute
SELECT DISTINCT v.key
FROM attributes AS a CROSS JOIN versions AS v ON v.ws = :ws AND v.version = a.version
WHERE a.ws = :ws AND a.keyspace = ? AND a.name = ? AND a.value = ? ORDER BY v.key;
