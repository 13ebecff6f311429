-- name: version_at
SELECT look.changes, found.* FROM catalog AS look LEFT JOIN LATERAL (
    SELECT version, timestamp, flags, value, meta FROM versions
    WHERE ws = :ws AND branch = ? AND keyspace = ? AND key = ? AND version <= ?
    ORDER BY version DESC LIMIT 1
) AS found ON true WHERE look.ws = :ws;

-- What a state shows for a key is written alike everywhere: for each ancestor, the nearest first,
-- one seek for its newest version up to the bound; the first hit ends it. As a plain join,
-- PostgreSQL would read all versions of the key and sort them.

-- name: version_through_lineage
SELECT look.changes, found.* FROM catalog AS look LEFT JOIN LATERAL (
    SELECT v.version, v.timestamp, v.flags, v.value, v.meta FROM lineage AS l, LATERAL (
        SELECT v.version, v.timestamp, v.flags, v.value, v.meta FROM versions AS v
        WHERE v.ws = :ws AND v.branch = l.ancestor AND v.keyspace = ?2 AND v.key = ?3
            AND v.version <= least(l.upto, ?4)
        ORDER BY v.version DESC LIMIT 1) AS v
    WHERE l.ws = :ws AND l.branch = ?1 ORDER BY l.depth LIMIT 1
) AS found ON true WHERE look.ws = :ws;

-- The branch's own version is the newer one of the two.
-- name: version_on_either
SELECT look.changes, found.* FROM catalog AS look LEFT JOIN LATERAL (
    SELECT version, timestamp, flags, value, meta FROM ((
        SELECT version, timestamp, flags, value, meta FROM versions
        WHERE ws = :ws AND branch = ?1 AND keyspace = ?2 AND key = ?3 AND version <= ?4
        ORDER BY version DESC LIMIT 1
    ) UNION ALL (
        SELECT version, timestamp, flags, value, meta FROM versions
        WHERE ws = :ws AND branch = ?5 AND keyspace = ?2 AND key = ?3 AND version <= ?6 AND version <= ?4
        ORDER BY version DESC LIMIT 1
    )) AS either ORDER BY version DESC LIMIT 1
) AS found ON true WHERE look.ws = :ws;

-- name: key_history
SELECT v.version, v.timestamp, v.flags, v.value, v.meta FROM lineage AS l, LATERAL (
    SELECT v.version, v.timestamp, v.flags, v.value, v.meta FROM versions AS v
    WHERE v.ws = :ws AND v.branch = l.ancestor AND v.keyspace = ?2 AND v.key = ?3
        AND v.version <= least(l.upto, ?4)
    ORDER BY v.version DESC LIMIT ?5) AS v
WHERE l.ws = :ws AND l.branch = ?1 ORDER BY l.depth, v.version DESC LIMIT ?5;

-- name: newest_of_keys
SELECT DISTINCT ON (key) key, version, flags FROM versions
WHERE ws = :ws AND branch = ?1 AND keyspace = ?2 AND key >= ?3 AND key < ?4 AND version <= ?5
ORDER BY key, version DESC LIMIT ?6;

-- name: count_keys
SELECT count(*) FROM (
    SELECT DISTINCT ON (key) flags FROM versions
    WHERE ws = :ws AND branch = ? AND keyspace = ? AND key >= ? AND key < ? AND version <= ?
    ORDER BY key, version DESC
) AS newest WHERE flags & 5 = 0;

-- By commit first, although their versions follow each other: so it ends at the limit.
-- name: versions_since
SELECT v.version, v.timestamp, v.flags, v.value, v.meta, v.branch, v.keyspace, v.key, v.digest
FROM commits AS c JOIN versions AS v ON v.ws = :ws AND v.version BETWEEN c.first AND c.version
WHERE c.ws = :ws AND c.branch = ?1 AND c.version > ?2 AND c.version <= ?3 AND v.version > ?2
ORDER BY c.version, v.version LIMIT ?4;

-- Such a version has no value. PostgreSQL would read the index of all keys, which holds the flags, but
-- not whether there is a value.
-- name: trimmed_keys_at
SELECT v.keyspace, v.key FROM lineage AS l JOIN versions AS v
    ON v.ws = :ws AND v.branch = l.ancestor AND v.flags & 2 <> 0 AND v.value IS NULL
    AND v.version <= least(l.upto, ?2)
WHERE l.ws = :ws AND l.branch = ?1 AND v.version = (
    SELECT n.version FROM lineage AS m, LATERAL (
        SELECT n.version FROM versions AS n
        WHERE n.ws = :ws AND n.branch = m.ancestor AND n.keyspace = v.keyspace AND n.key = v.key
            AND n.version <= least(m.upto, ?2)
        ORDER BY n.version DESC LIMIT 1) AS n
    WHERE m.ws = :ws AND m.branch = ?1 ORDER BY m.depth LIMIT 1);

-- name: changed_pairs
SELECT n.keyspace, n.key, n.version, n.timestamp, n.flags, n.value, n.meta,
       o.version, o.timestamp, o.flags, o.value, o.meta
FROM (
    SELECT DISTINCT ON (v.keyspace, v.key)
        v.keyspace, v.key, v.version, v.timestamp, v.flags, v.value, v.meta
    FROM commits AS c JOIN versions AS v ON v.ws = :ws AND v.version BETWEEN c.first AND c.version
    WHERE c.ws = :ws AND c.branch = ?1 AND c.version > ?2 AND c.version <= ?3
    ORDER BY v.keyspace, v.key, v.version DESC
) AS n LEFT JOIN LATERAL (
    SELECT p.version, p.timestamp, p.flags, p.value, p.meta FROM lineage AS l, LATERAL (
        SELECT p.version, p.timestamp, p.flags, p.value, p.meta FROM versions AS p
        WHERE p.ws = :ws AND p.branch = l.ancestor AND p.keyspace = n.keyspace AND p.key = n.key
            AND p.version <= least(l.upto, ?5)
        ORDER BY p.version DESC LIMIT 1) AS p
    WHERE l.ws = :ws AND l.branch = ?4 ORDER BY l.depth LIMIT 1
) AS o ON true;

-- Each number by itself: for a list, the server may choose an index in which it has to look at all
-- versions of the workspace.
-- name: versions_by_number
SELECT v.version, v.timestamp, v.flags, v.value, v.meta, v.keyspace, v.key
FROM jsonb_array_elements_text(?::jsonb) AS wanted (number), LATERAL (
    SELECT o.version, o.timestamp, o.flags, o.value, o.meta, o.keyspace, o.key
    FROM versions AS o WHERE o.ws = :ws AND o.version = wanted.number::bigint LIMIT 1) AS v
ORDER BY v.version;

-- name: tags_among
SELECT wanted.value FROM jsonb_array_elements_text(?::jsonb) AS wanted (value), LATERAL (
    SELECT 1 FROM item_tags AS t WHERE t.ws = :ws AND t.tag = wanted.value COLLATE "C" LIMIT 1) AS t;

-- From 128 entries of the index to the next 128: the keys that these hold, without those behind the
-- last one that belong to it. That takes a fourth of the time of going from key to key.
-- The rows come in order because the server cannot but go from run to run, in this statement and in
-- the next two listings (tests/unit/sql/test_order_of_listings.py); an ORDER BY at the end would read
-- all runs before the limit.
-- name: keys_in_order
WITH RECURSIVE walk (keys) AS (
    SELECT ARRAY(
        SELECT DISTINCT n.key FROM (
            SELECT key FROM versions
            WHERE ws = :ws AND branch = ?1 AND keyspace = ?2 AND key >= ?3 AND key < ?4
            ORDER BY key LIMIT 128) AS n
        ORDER BY n.key)
    UNION ALL
    SELECT ARRAY(
        SELECT DISTINCT n.key FROM (
            SELECT key FROM versions
            WHERE ws = :ws AND branch = ?1 AND keyspace = ?2
                AND key > walk.keys[cardinality(walk.keys)] AND key < ?4
            ORDER BY key LIMIT 128) AS n
        ORDER BY n.key)
    FROM walk WHERE cardinality(walk.keys) > 0
)
SELECT found.key, v.version, v.flags FROM walk, LATERAL unnest(walk.keys) AS found (key), LATERAL (
    SELECT v.version, v.flags FROM versions AS v
    WHERE v.ws = :ws AND v.branch = ?1 AND v.keyspace = ?2 AND v.key = found.key AND v.version <= ?5
    ORDER BY v.version DESC LIMIT 1) AS v
LIMIT ?6;

-- The plus keeps PostgreSQL from reading all versions of a branch instead of those of the run.
-- name: keys_written_between
SELECT DISTINCT key FROM versions
WHERE ws = :ws AND version > ?1 AND version <= ?2 AND keyspace = ?3
    AND +branch IN (SELECT ancestor FROM lineage WHERE ws = :ws AND branch = ?4)
ORDER BY key;

-- OFFSET 0 keeps PostgreSQL from reading a whole table where it takes the table for small.
-- name: declared_by_number
WITH wanted AS MATERIALIZED (
    SELECT value::bigint AS version FROM jsonb_array_elements_text(?1::jsonb) AS given (value)
)
SELECT w.version, 'tag', t.tag, '' FROM wanted AS w, LATERAL (
    SELECT t.tag FROM item_tags AS t WHERE t.ws = :ws AND t.version = w.version OFFSET 0) AS t
UNION ALL SELECT w.version, 'attribute', a.name, a.value FROM wanted AS w, LATERAL (
    SELECT a.name, a.value FROM attributes AS a
    WHERE a.ws = :ws AND a.version = w.version OFFSET 0) AS a
UNION ALL SELECT w.version, 'link', l.type, l.target FROM wanted AS w, LATERAL (
    SELECT l.type, l.target FROM links AS l
    WHERE l.ws = :ws AND l.version = w.version OFFSET 0) AS l;

-- From 128 entries of the index to the next 128, as above. All keys before the last one of such a run
-- have all their entries in it, so one range of the index has their versions; the last key, which
-- may have any number of them, is looked up by itself. A key followed by the character 1 is the next
-- one that there may be.
-- name: items_in_order
WITH RECURSIVE mine AS MATERIALIZED (
    SELECT l.ancestor, l.upto, l.depth FROM lineage AS l WHERE l.ws = :ws AND l.branch = ?1
), walk (first, last) AS (
    SELECT ?3::text COLLATE "C", (SELECT max(n.key) FROM (
        SELECT n.key FROM mine AS l, LATERAL (
            SELECT n.key FROM versions AS n
            WHERE n.ws = :ws AND n.branch = l.ancestor AND n.keyspace = ?2
                AND n.key >= ?3 AND n.key < ?4
            ORDER BY n.key LIMIT 128) AS n
        ORDER BY n.key LIMIT 128) AS n)
    UNION ALL
    SELECT walk.last || chr(1), (SELECT max(n.key) FROM (
        SELECT n.key FROM mine AS l, LATERAL (
            SELECT n.key FROM versions AS n
            WHERE n.ws = :ws AND n.branch = l.ancestor AND n.keyspace = ?2
                AND n.key > walk.last AND n.key < ?4
            ORDER BY n.key LIMIT 128) AS n
        ORDER BY n.key LIMIT 128) AS n)
    FROM walk WHERE walk.last IS NOT NULL
)
SELECT v.key, v.version, v.timestamp, v.flags, v.value, v.meta FROM walk, LATERAL ((
    SELECT DISTINCT ON (p.key) p.key, p.version, p.timestamp, p.flags, p.value, p.meta
    FROM mine AS l, LATERAL (
        SELECT p.key, p.version, p.timestamp, p.flags, p.value, p.meta FROM versions AS p
        WHERE p.ws = :ws AND p.branch = l.ancestor AND p.keyspace = ?2
            AND p.key >= walk.first AND p.key < walk.last AND p.version <= least(l.upto, ?5)
    ) AS p
    ORDER BY p.key, l.depth, p.version DESC
) UNION ALL (
    SELECT p.key, p.version, p.timestamp, p.flags, p.value, p.meta FROM mine AS l, LATERAL (
        SELECT p.key, p.version, p.timestamp, p.flags, p.value, p.meta FROM versions AS p
        WHERE p.ws = :ws AND p.branch = l.ancestor AND p.keyspace = ?2 AND p.key = walk.last
            AND p.version <= least(l.upto, ?5)
        ORDER BY p.version DESC LIMIT 1) AS p
    ORDER BY l.depth LIMIT 1
)) AS v
WHERE v.flags & ?6 = 0 LIMIT ?7;

-- The same for a branch without ancestors, in runs of somewhat more entries than are wanted. The
-- index gives its keys in order, so only the versions of a key are sorted, and what is behind the
-- limit is not read.
-- name: items_of_branch
SELECT look.changes, found.* FROM catalog AS look LEFT JOIN LATERAL (
    WITH RECURSIVE walk (first, last) AS (
        SELECT ?3::text COLLATE "C", (SELECT n.key FROM versions AS n
            WHERE n.ws = :ws AND n.branch = ?1 AND n.keyspace = ?2
                AND n.key >= ?3 AND n.key < ?4
            ORDER BY n.key OFFSET ?7 + 63 LIMIT 1)
        UNION ALL
        SELECT walk.last || chr(1), (SELECT n.key FROM versions AS n
            WHERE n.ws = :ws AND n.branch = ?1 AND n.keyspace = ?2
                AND n.key > walk.last AND n.key < ?4
            ORDER BY n.key OFFSET ?7 + 63 LIMIT 1)
        FROM walk WHERE walk.last IS NOT NULL
    )
    SELECT v.key, v.version, v.timestamp, v.flags, v.value, v.meta FROM walk, LATERAL ((
        SELECT DISTINCT ON (p.key) p.key, p.version, p.timestamp, p.flags, p.value, p.meta
        FROM versions AS p
        WHERE p.ws = :ws AND p.branch = ?1 AND p.keyspace = ?2
            AND p.key >= walk.first AND p.key < coalesce(walk.last, ?4) AND p.version <= ?5
        ORDER BY p.key, p.version DESC
    ) UNION ALL (
        SELECT p.key, p.version, p.timestamp, p.flags, p.value, p.meta FROM versions AS p
        WHERE p.ws = :ws AND p.branch = ?1 AND p.keyspace = ?2 AND p.key = walk.last
            AND p.version <= ?5
        ORDER BY p.version DESC LIMIT 1
    )) AS v
    WHERE v.flags & ?6 = 0 LIMIT ?7
) AS found ON true WHERE look.ws = :ws;

-- name: versions_of_keys
SELECT wanted.value, v.version, v.timestamp, v.flags, v.value, v.meta
FROM jsonb_array_elements_text(?3::jsonb) AS wanted (value), LATERAL (
    SELECT p.version, p.timestamp, p.flags, p.value, p.meta FROM lineage AS l, LATERAL (
        SELECT p.version, p.timestamp, p.flags, p.value, p.meta FROM versions AS p
        WHERE p.ws = :ws AND p.branch = l.ancestor AND p.keyspace = ?2
            AND p.key = wanted.value COLLATE "C" AND p.version <= least(l.upto, ?4)
        ORDER BY p.version DESC LIMIT 1) AS p
    WHERE l.ws = :ws AND l.branch = ?1 ORDER BY l.depth LIMIT 1) AS v;

-- name: histories_of_keys
SELECT wanted.value, v.version, v.timestamp, v.flags, v.value, v.meta
FROM jsonb_array_elements_text(?3::jsonb) WITH ORDINALITY AS wanted (value, place), LATERAL (
    SELECT p.version, p.timestamp, p.flags, p.value, p.meta FROM lineage AS l, LATERAL (
        SELECT p.version, p.timestamp, p.flags, p.value, p.meta FROM versions AS p
        WHERE p.ws = :ws AND p.branch = l.ancestor AND p.keyspace = ?2
            AND p.key = wanted.value COLLATE "C" AND p.version <= least(l.upto, ?4)
        ORDER BY p.version DESC LIMIT ?5) AS p
    WHERE l.ws = :ws AND l.branch = ?1 ORDER BY l.depth, p.version DESC LIMIT ?5) AS v
ORDER BY wanted.place, v.version DESC;
