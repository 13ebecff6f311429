-- name: table_sums
SELECT name, rows, sum FROM digests;

-- name: set_table_sum
INSERT INTO digests (name, rows, sum) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, sum = excluded.sum;

-- What the versions of a commit declare, each row with the version that it belongs to.
-- name: declared_between
SELECT 'tag', version, 0, tag, '' FROM item_tags WHERE version BETWEEN ?1 AND ?2
UNION ALL SELECT 'attribute', version, keyspace, name, value FROM attributes
    WHERE version BETWEEN ?1 AND ?2
UNION ALL SELECT 'link', version, 0, type, target FROM links WHERE version BETWEEN ?1 AND ?2;

-- name: set_declared
UPDATE versions SET declared = ? WHERE version = ?;
