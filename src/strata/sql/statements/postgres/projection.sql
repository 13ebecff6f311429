-- name: insert_attribute
INSERT INTO attributes (ws, keyspace, name, value, version) VALUES (:ws, ?, ?, ?, ?)
ON CONFLICT DO NOTHING;

-- name: insert_link
INSERT INTO links (ws, version, type, target) VALUES (:ws, ?, ?, ?) ON CONFLICT DO NOTHING;

-- name: insert_word
INSERT INTO words (ws, word) VALUES (:ws, ?) ON CONFLICT DO NOTHING;

-- name: insert_item_tag
INSERT INTO item_tags (ws, tag, version) VALUES (:ws, ?, ?) ON CONFLICT DO NOTHING;

-- name: keys_by_attribute
SELECT v.key, v.version
FROM attributes AS a JOIN versions AS v ON v.ws = :ws AND v.version = a.version
WHERE a.ws = :ws AND a.keyspace = ?2 AND a.name = ?3 AND a.value = ?4 AND a.version = (
    SELECT n.version FROM lineage AS l, LATERAL (
        SELECT n.version FROM versions AS n
        WHERE n.ws = :ws AND n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
            AND n.version <= least(l.upto, ?1)
        ORDER BY n.version DESC LIMIT 1) AS n
    WHERE l.ws = :ws AND l.branch = ?5 ORDER BY l.depth LIMIT 1)
ORDER BY v.key;

-- name: newest_by_attribute
SELECT v.key
FROM attributes AS a JOIN versions AS v ON v.ws = :ws AND v.version = a.version
WHERE a.ws = :ws AND a.keyspace = ?2 AND a.name = ?3 AND a.value = ?4
    AND a.version > ?6 AND a.version <= ?1 AND a.version <= ?7 AND a.version = (
    SELECT n.version FROM lineage AS l, LATERAL (
        SELECT n.version FROM versions AS n
        WHERE n.ws = :ws AND n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
            AND n.version <= least(l.upto, ?1)
        ORDER BY n.version DESC LIMIT 1) AS n
    WHERE l.ws = :ws AND l.branch = ?5 ORDER BY l.depth LIMIT 1)
ORDER BY a.version DESC LIMIT ?8;

-- name: oldest_by_attribute
SELECT v.key
FROM attributes AS a JOIN versions AS v ON v.ws = :ws AND v.version = a.version
WHERE a.ws = :ws AND a.keyspace = ?2 AND a.name = ?3 AND a.value = ?4
    AND a.version > ?6 AND a.version <= ?1 AND a.version <= ?7 AND a.version = (
    SELECT n.version FROM lineage AS l, LATERAL (
        SELECT n.version FROM versions AS n
        WHERE n.ws = :ws AND n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
            AND n.version <= least(l.upto, ?1)
        ORDER BY n.version DESC LIMIT 1) AS n
    WHERE l.ws = :ws AND l.branch = ?5 ORDER BY l.depth LIMIT 1)
ORDER BY a.version LIMIT ?8;

-- name: items_by_attribute
SELECT v.key, v.version, v.timestamp, v.flags, v.value, v.meta
FROM attributes AS a JOIN versions AS v ON v.ws = :ws AND v.version = a.version
WHERE a.ws = :ws AND a.keyspace = ?2 AND a.name = ?3 AND a.value = ?4 AND a.version = (
    SELECT n.version FROM lineage AS l, LATERAL (
        SELECT n.version FROM versions AS n
        WHERE n.ws = :ws AND n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
            AND n.version <= least(l.upto, ?1)
        ORDER BY n.version DESC LIMIT 1) AS n
    WHERE l.ws = :ws AND l.branch = ?5 ORDER BY l.depth LIMIT 1)
ORDER BY v.key;

-- name: keys_by_attribute_down
SELECT v.key, a.value
FROM attributes AS a JOIN versions AS v ON v.ws = :ws AND v.version = a.version
WHERE a.ws = :ws AND a.keyspace = ?2 AND a.name = ?3 AND a.value <= ?4
    AND (a.value < ?4 OR v.key < ?5) AND a.value >= ?6 AND a.version = (
    SELECT n.version FROM lineage AS l, LATERAL (
        SELECT n.version FROM versions AS n
        WHERE n.ws = :ws AND n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
            AND n.version <= least(l.upto, ?1)
        ORDER BY n.version DESC LIMIT 1) AS n
    WHERE l.ws = :ws AND l.branch = ?7 ORDER BY l.depth LIMIT 1)
ORDER BY a.value DESC, v.key DESC LIMIT ?8;

-- name: keys_by_tag
SELECT v.key, v.version
FROM item_tags AS t JOIN versions AS v ON v.ws = :ws AND v.version = t.version
WHERE t.ws = :ws AND t.tag = ?3 AND v.keyspace = ?2 AND t.version = (
    SELECT n.version FROM lineage AS l, LATERAL (
        SELECT n.version FROM versions AS n
        WHERE n.ws = :ws AND n.branch = l.ancestor AND n.keyspace = ?2 AND n.key = v.key
            AND n.version <= least(l.upto, ?1)
        ORDER BY n.version DESC LIMIT 1) AS n
    WHERE l.ws = :ws AND l.branch = ?4 ORDER BY l.depth LIMIT 1)
ORDER BY v.key;

-- name: links_to
SELECT v.keyspace, v.key, k.type, v.version
FROM links AS k JOIN versions AS v ON v.ws = :ws AND v.version = k.version
WHERE k.ws = :ws AND k.target = ?2 AND k.version = (
    SELECT n.version FROM lineage AS l, LATERAL (
        SELECT n.version FROM versions AS n
        WHERE n.ws = :ws AND n.branch = l.ancestor AND n.keyspace = v.keyspace AND n.key = v.key
            AND n.version <= least(l.upto, ?1)
        ORDER BY n.version DESC LIMIT 1) AS n
    WHERE l.ws = :ws AND l.branch = ?3 ORDER BY l.depth LIMIT 1)
ORDER BY v.keyspace, v.key, k.type;
