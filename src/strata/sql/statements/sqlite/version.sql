-- What a branch that was never forked shows for a key.
-- name: version_at
SELECT version, timestamp, flags, value, meta FROM versions
WHERE branch = ? AND keyspace = ? AND key = ? AND version <= ?
ORDER BY version DESC LIMIT 1;

-- What a branch shows for a key through all its ancestors. A nearer ancestor's versions are always
-- newer than a farther one's, so the first hit in order of depth is the greatest version.
-- name: version_through_lineage
SELECT v.version, v.timestamp, v.flags, v.value, v.meta
FROM lineage AS l CROSS JOIN versions AS v
    ON v.branch = l.ancestor AND v.keyspace = ?2 AND v.key = ?3 AND v.version <= min(l.upto, ?4)
WHERE l.branch = ?1
ORDER BY l.depth, v.version DESC LIMIT 1;

-- The same where only one ancestor (?5, up to ?6) can hold the key, beside the branch itself,
-- whose version comes first.
-- name: version_on_either
SELECT * FROM (
    SELECT version, timestamp, flags, value, meta FROM versions
    WHERE branch = ?1 AND keyspace = ?2 AND key = ?3 AND version <= ?4
    ORDER BY version DESC LIMIT 1)
UNION ALL SELECT * FROM (
    SELECT version, timestamp, flags, value, meta FROM versions
    WHERE branch = ?5 AND keyspace = ?2 AND key = ?3 AND version <= min(?6, ?4)
    ORDER BY version DESC LIMIT 1)
LIMIT 1;

-- name: key_history
SELECT v.version, v.timestamp, v.flags, v.value, v.meta
FROM lineage AS l CROSS JOIN versions AS v
    ON v.branch = l.ancestor AND v.keyspace = ?2 AND v.key = ?3 AND v.version <= min(l.upto, ?4)
WHERE l.branch = ?1
ORDER BY l.depth, v.version DESC LIMIT ?5;

-- All keys of a range in one pass, for a caller who wants most of them.
-- name: newest_of_keys
SELECT key, max(version), flags FROM versions
WHERE branch = ?1 AND keyspace = ?2 AND key >= ?3 AND key < ?4 AND version <= ?5
GROUP BY key ORDER BY key LIMIT ?6;

-- How many keys of a range are live. Where the first of them have many versions each, it seeks from
-- key to key; elsewhere reading all versions is several times as quick.
-- name: count_keys
WITH RECURSIVE walk (key) AS (
    SELECT min(key) FROM versions WHERE branch = ?1 AND keyspace = ?2 AND key >= ?3 AND key < ?4
    UNION ALL
    SELECT (SELECT min(n.key) FROM versions AS n
            WHERE n.branch = ?1 AND n.keyspace = ?2 AND n.key > walk.key AND n.key < ?4)
    FROM walk WHERE walk.key IS NOT NULL
), beginning (key) AS (
    SELECT key FROM versions WHERE branch = ?1 AND keyspace = ?2 AND key >= ?3 AND key < ?4
    LIMIT 4096
)
SELECT CASE
    WHEN (SELECT count(*) = 4096 AND count(DISTINCT key) < 400 FROM beginning) THEN (
        SELECT count(*) FROM walk WHERE EXISTS (
            SELECT 1 FROM versions AS v WHERE v.branch = ?1 AND v.keyspace = ?2
                AND v.key = walk.key AND v.flags & 5 = 0
                AND v.version = (SELECT max(n.version) FROM versions AS n
                    WHERE n.branch = ?1 AND n.keyspace = ?2 AND n.key = walk.key
                        AND n.version <= ?5)
        )
    ) ELSE (
        SELECT count(*) FROM (
            SELECT max(version), flags FROM versions
            WHERE branch = ?1 AND keyspace = ?2 AND key >= ?3 AND key < ?4 AND version <= ?5
            GROUP BY key
        ) AS newest WHERE flags & 5 = 0
    )
END;

-- name: versions_since
SELECT v.version, v.timestamp, v.flags, v.value, v.meta, v.branch, v.keyspace, v.key, v.digest
FROM commits AS c CROSS JOIN versions AS v ON v.version BETWEEN c.first AND c.version
WHERE c.branch = ?1 AND c.version > ?2 AND c.version <= ?3 AND v.version > ?2
ORDER BY v.version LIMIT ?4;

-- The keys that a state (?1, ?2) shows and whose value retention has removed.
-- name: trimmed_keys_at
SELECT v.keyspace, v.key FROM lineage AS l CROSS JOIN versions AS v
    ON v.branch = l.ancestor AND v.flags & 2 AND v.version <= min(l.upto, ?2)
WHERE l.branch = ?1 AND v.version = (
    SELECT n.version FROM lineage AS m CROSS JOIN versions AS n
        ON n.branch = m.ancestor AND n.keyspace = v.keyspace AND n.key = v.key
        AND n.version <= min(m.upto, ?2)
    WHERE m.branch = ?1 ORDER BY m.depth, n.version DESC LIMIT 1);

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

-- What a branch, or one that it grew from, wrote on a keyspace between two versions. More than it
-- shows, when an ancestor went on after the fork; who asks looks each key up.
-- name: keys_written_between
SELECT DISTINCT key FROM versions
WHERE version > ?1 AND version <= ?2 AND keyspace = ?3
    AND branch IN (SELECT ancestor FROM lineage WHERE branch = ?4)
ORDER BY key;

-- Tags, attributes and links of versions, whose numbers are given as a list in JSON.
-- name: declared_by_number
SELECT t.version, 'tag', t.tag, ''
FROM json_each(?1) AS wanted CROSS JOIN item_tags AS t ON t.version = wanted.value
UNION ALL SELECT a.version, 'attribute', a.name, a.value
FROM json_each(?1) AS wanted CROSS JOIN attributes AS a ON a.version = wanted.value
UNION ALL SELECT l.version, 'link', l.type, l.target
FROM json_each(?1) AS wanted CROSS JOIN links AS l ON l.version = wanted.value;

-- What a state (?1, ?5) shows of a range of keys in order, without versions that have one of the
-- marks ?6. It seeks from key to key, as keys_in_order does, over all ancestors at once.
-- name: items_in_order
WITH RECURSIVE walk (key) AS (
    SELECT min((SELECT min(n.key) FROM versions AS n
        WHERE n.branch = l.ancestor AND n.keyspace = ?2 AND n.key >= ?3 AND n.key < ?4))
    FROM lineage AS l WHERE l.branch = ?1
    UNION ALL
    SELECT (SELECT min((SELECT min(n.key) FROM versions AS n
            WHERE n.branch = l.ancestor AND n.keyspace = ?2 AND n.key > walk.key AND n.key < ?4))
        FROM lineage AS l WHERE l.branch = ?1)
    FROM walk WHERE walk.key IS NOT NULL
)
SELECT walk.key, v.version, v.timestamp, v.flags, v.value, v.meta
FROM walk CROSS JOIN versions AS v ON v.version = (
    SELECT p.version FROM lineage AS l CROSS JOIN versions AS p
        ON p.branch = l.ancestor AND p.keyspace = ?2 AND p.key = walk.key
        AND p.version <= min(l.upto, ?5)
    WHERE l.branch = ?1 ORDER BY l.depth, p.version DESC LIMIT 1)
WHERE walk.key IS NOT NULL AND v.flags & ?6 = 0 LIMIT ?7;

-- The same for a branch without ancestors.
-- name: items_of_branch
WITH RECURSIVE walk (key) AS (
    SELECT min(n.key) FROM versions AS n
    WHERE n.branch = ?1 AND n.keyspace = ?2 AND n.key >= ?3 AND n.key < ?4
    UNION ALL
    SELECT (SELECT min(n.key) FROM versions AS n
        WHERE n.branch = ?1 AND n.keyspace = ?2 AND n.key > walk.key AND n.key < ?4)
    FROM walk WHERE walk.key IS NOT NULL
)
SELECT walk.key, v.version, v.timestamp, v.flags, v.value, v.meta
FROM walk CROSS JOIN versions AS v ON v.version = (
    SELECT p.version FROM versions AS p
    WHERE p.branch = ?1 AND p.keyspace = ?2 AND p.key = walk.key AND p.version <= ?5
    ORDER BY p.version DESC LIMIT 1)
WHERE walk.key IS NOT NULL AND v.flags & ?6 = 0 LIMIT ?7;

-- What a state (?1, ?4) shows of keys, which are given as a list in JSON.
-- name: versions_of_keys
SELECT wanted.value, v.version, v.timestamp, v.flags, v.value, v.meta
FROM json_each(?3) AS wanted CROSS JOIN versions AS v ON v.version = (
    SELECT p.version FROM lineage AS l CROSS JOIN versions AS p
        ON p.branch = l.ancestor AND p.keyspace = ?2 AND p.key = wanted.value
        AND p.version <= min(l.upto, ?4)
    WHERE l.branch = ?1 ORDER BY l.depth, p.version DESC LIMIT 1);

-- The newest versions of keys, at most ?5 of each, that a state (?1, ?4) can see.
-- name: histories_of_keys
SELECT wanted.value, v.version, v.timestamp, v.flags, v.value, v.meta
FROM json_each(?3) AS wanted CROSS JOIN versions AS v ON v.version IN (
    SELECT p.version FROM lineage AS l CROSS JOIN versions AS p
        ON p.branch = l.ancestor AND p.keyspace = ?2 AND p.key = wanted.value
        AND p.version <= min(l.upto, ?4)
    WHERE l.branch = ?1 ORDER BY l.depth, p.version DESC LIMIT ?5)
ORDER BY wanted.key, v.version DESC;
