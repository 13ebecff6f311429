-- The newest version of every key that a branch itself wrote in (?2, ?3], each beside what
-- the state (?4, ?5) shows for it. SQLite takes the other columns of the inner query from
-- the row that has the maximum.
-- name: changed_pairs
SELECT n.keyspace, n.key, n.version, n.timestamp, n.flags, n.value, n.meta,
       o.version, o.timestamp, o.flags, o.value, o.meta
FROM (
    SELECT v.keyspace, v.key, max(v.version) AS version, v.timestamp, v.flags, v.value, v.meta
    FROM commits AS c CROSS JOIN versions AS v ON v.version BETWEEN c.first AND c.version
    WHERE c.branch = ?1 AND c.version > ?2 AND c.version <= ?3
    GROUP BY v.keyspace, v.key
) AS n LEFT JOIN versions AS o ON o.version = (
    SELECT p.version FROM lineage AS l CROSS JOIN versions AS p
        ON p.branch = l.ancestor AND p.keyspace = n.keyspace AND p.key = n.key
        AND p.version <= min(l.upto, ?5)
    WHERE l.branch = ?4 ORDER BY l.depth, p.version DESC LIMIT 1);

-- Versions by their numbers, which are given as a list in JSON.
-- name: versions_by_number
SELECT version, timestamp, flags, value, meta, keyspace, key FROM versions
WHERE version IN (SELECT value FROM json_each(?));

-- Which of some tags, given as a list in JSON, any version carries.
-- name: tags_among
SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM item_tags WHERE tag = value);

-- Keys of one branch in order, each with its newest version up to a bound. It seeks from
-- key to key, so a key with ten thousand versions costs what a key with one costs.
-- The index has all that is asked for; by themselves versions would be read with their values.
-- name: keys_in_order
WITH RECURSIVE walk (key) AS (
    SELECT min(key) FROM versions WHERE branch = ?1 AND keyspace = ?2 AND key >= ?3 AND key < ?4
    UNION ALL
    SELECT (SELECT min(n.key) FROM versions AS n
            WHERE n.branch = ?1 AND n.keyspace = ?2 AND n.key > walk.key AND n.key < ?4)
    FROM walk WHERE walk.key IS NOT NULL
)
SELECT walk.key, v.version, v.flags
FROM walk CROSS JOIN versions AS v INDEXED BY versions_by_key
    ON v.branch = ?1 AND v.keyspace = ?2 AND v.key = walk.key
    AND v.version = (SELECT max(n.version) FROM versions AS n
        WHERE n.branch = ?1 AND n.keyspace = ?2 AND n.key = walk.key AND n.version <= ?5)
WHERE walk.key IS NOT NULL LIMIT ?6;
