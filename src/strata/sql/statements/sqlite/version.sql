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
