-- name: insert_attribute
INSERT OR IGNORE INTO attributes (keyspace, name, value, version) VALUES (?, ?, ?, ?);

-- name: insert_link
INSERT OR IGNORE INTO links (version, type, target) VALUES (?, ?, ?);

-- name: insert_word
INSERT OR IGNORE INTO words (word) VALUES (?);

-- name: insert_item_tag
INSERT OR IGNORE INTO item_tags (tag, version) VALUES (?, ?);

-- A row found by attribute, tag or link counts only where it is what the branch shows.
-- name: keys_by_attribute
SELECT v.key, v.version
FROM attributes AS a CROSS JOIN versions AS v ON v.version = a.version
WHERE a.keyspace = ?2 AND a.name = ?3 AND a.value = ?4 AND a.version = (
    SELECT n.version FROM lineage AS l CROSS JOIN versions AS n
        ON n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
        AND n.version <= min(l.upto, ?1)
    WHERE l.branch = ?5 ORDER BY l.depth, n.version DESC LIMIT 1)
ORDER BY v.key;

-- Those whose version is greater than ?6 and not greater than ?7, the newest ones first.
-- name: newest_by_attribute
SELECT v.key
FROM attributes AS a CROSS JOIN versions AS v ON v.version = a.version
WHERE a.keyspace = ?2 AND a.name = ?3 AND a.value = ?4
    AND a.version > ?6 AND a.version <= min(?1, ?7) AND a.version = (
    SELECT n.version FROM lineage AS l CROSS JOIN versions AS n
        ON n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
        AND n.version <= min(l.upto, ?1)
    WHERE l.branch = ?5 ORDER BY l.depth, n.version DESC LIMIT 1)
ORDER BY a.version DESC LIMIT ?8;

-- The same, the oldest ones first.
-- name: oldest_by_attribute
SELECT v.key
FROM attributes AS a CROSS JOIN versions AS v ON v.version = a.version
WHERE a.keyspace = ?2 AND a.name = ?3 AND a.value = ?4
    AND a.version > ?6 AND a.version <= min(?1, ?7) AND a.version = (
    SELECT n.version FROM lineage AS l CROSS JOIN versions AS n
        ON n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
        AND n.version <= min(l.upto, ?1)
    WHERE l.branch = ?5 ORDER BY l.depth, n.version DESC LIMIT 1)
ORDER BY a.version LIMIT ?8;

-- The same with what the keys hold.
-- name: items_by_attribute
SELECT v.key, v.version, v.timestamp, v.flags, v.value, v.meta
FROM attributes AS a CROSS JOIN versions AS v ON v.version = a.version
WHERE a.keyspace = ?2 AND a.name = ?3 AND a.value = ?4 AND a.version = (
    SELECT n.version FROM lineage AS l CROSS JOIN versions AS n
        ON n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
        AND n.version <= min(l.upto, ?1)
    WHERE l.branch = ?5 ORDER BY l.depth, n.version DESC LIMIT 1)
ORDER BY v.key;

-- Downwards from a value and, where several keys have it, from one of these.
-- name: keys_by_attribute_down
SELECT v.key, a.value
FROM attributes AS a CROSS JOIN versions AS v ON v.version = a.version
WHERE a.keyspace = ?2 AND a.name = ?3 AND a.value <= ?4 AND (a.value < ?4 OR v.key < ?5)
    AND a.value >= ?6 AND a.version = (
    SELECT n.version FROM lineage AS l CROSS JOIN versions AS n
        ON n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
        AND n.version <= min(l.upto, ?1)
    WHERE l.branch = ?7 ORDER BY l.depth, n.version DESC LIMIT 1)
ORDER BY a.value DESC, v.key DESC LIMIT ?8;

-- name: keys_by_tag
SELECT v.key, v.version
FROM item_tags AS t CROSS JOIN versions AS v ON v.version = t.version
WHERE t.tag = ?3 AND v.keyspace = ?2 AND t.version = (
    SELECT n.version FROM lineage AS l CROSS JOIN versions AS n
        ON n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
        AND n.version <= min(l.upto, ?1)
    WHERE l.branch = ?4 ORDER BY l.depth, n.version DESC LIMIT 1)
ORDER BY v.key;

-- name: links_to
SELECT v.keyspace, v.key, k.type, v.version
FROM links AS k CROSS JOIN versions AS v ON v.version = k.version
WHERE k.target = ?2 AND k.version = (
    SELECT n.version FROM lineage AS l CROSS JOIN versions AS n
        ON n.branch = l.ancestor AND n.keyspace = v.keyspace AND n.key = v.key
        AND n.version <= min(l.upto, ?1)
    WHERE l.branch = ?3 ORDER BY l.depth, n.version DESC LIMIT 1)
ORDER BY v.keyspace, v.key, k.type;
