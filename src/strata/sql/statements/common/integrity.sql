-- name: table_sums
SELECT name, rows, sum FROM digests WHERE ws = :ws;

-- name: set_table_sum
INSERT INTO digests (ws, name, rows, sum) VALUES (:ws, ?, ?, ?)
ON CONFLICT (ws, name) DO UPDATE SET rows = excluded.rows, sum = excluded.sum;

-- What the versions of a commit declare, each row with the version that it belongs to.
-- name: declared_between
SELECT 'tag', version, 0, tag, '' FROM item_tags WHERE ws = :ws AND version BETWEEN ?1 AND ?2
UNION ALL SELECT 'attribute', version, keyspace, name, value FROM attributes
    WHERE ws = :ws AND version BETWEEN ?1 AND ?2
UNION ALL SELECT 'link', version, 0, type, target FROM links
    WHERE ws = :ws AND version BETWEEN ?1 AND ?2;

-- name: set_declared
UPDATE versions SET declared = ? WHERE ws = :ws AND version = ?;
