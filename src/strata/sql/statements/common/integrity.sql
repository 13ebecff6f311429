-- name: table_sum
SELECT rows, sum FROM digests WHERE name = ?;

-- name: set_table_sum
INSERT INTO digests (name, rows, sum) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, sum = excluded.sum;

-- What the versions of a commit declare, each row with the version that it belongs to.
-- name: declared_between
SELECT 'tag', version, 0, tag, '' FROM item_tags WHERE version BETWEEN ?1 AND ?2
UNION ALL SELECT 'attribute', version, shelf, name, value FROM attributes
    WHERE version BETWEEN ?1 AND ?2
UNION ALL SELECT 'link', version, 0, type, target FROM links WHERE version BETWEEN ?1 AND ?2;

-- name: set_declared
UPDATE versions SET declared = ? WHERE version = ?;

-- name: declared_digest
SELECT declared FROM versions WHERE version = ?;

-- The commit that a version belongs to.
-- name: commit_of_version
SELECT first, version FROM versions WHERE version >= ? AND hash IS NOT NULL ORDER BY version LIMIT 1;

-- How many rows of each kind there are in the whole store.
-- name: count_declared
SELECT (SELECT count(*) FROM item_tags) + (SELECT count(*) FROM attributes)
    + (SELECT count(*) FROM links);

-- name: all_words
SELECT word FROM words;
