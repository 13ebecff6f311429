-- name: insert_version
INSERT INTO versions (version, branch, keyspace, key, flags, timestamp, meta, digest, value, text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- What a branch that was never forked shows for a key.
-- name: version_at
SELECT version, timestamp, flags, value, meta FROM versions
WHERE branch = ? AND keyspace = ? AND key = ? AND version <= ?
ORDER BY version DESC LIMIT 1;

-- The same through all ancestors. A nearer ancestor's versions are always newer than a
-- farther one's, so the first hit in order of depth is the greatest version.
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

-- name: keys_written
SELECT keyspace, key, version FROM versions WHERE branch = ? LIMIT ?;

-- name: version_number
SELECT version, timestamp, flags, value, meta, branch, keyspace, key, digest
FROM versions WHERE version = ?;

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

-- name: last_key
SELECT key FROM versions WHERE branch = ? AND keyspace = ? ORDER BY key DESC LIMIT 1;

-- name: places_of_commit
SELECT keyspace, key FROM versions WHERE version BETWEEN ? AND ? ORDER BY version;

-- name: versions_of_commit
SELECT version, timestamp, flags, value, meta, branch, keyspace, key, digest
FROM versions WHERE version BETWEEN ? AND ? ORDER BY version;

-- name: versions_since
SELECT v.version, v.timestamp, v.flags, v.value, v.meta, v.branch, v.keyspace, v.key, v.digest
FROM commits AS c CROSS JOIN versions AS v ON v.version BETWEEN c.first AND c.version
WHERE c.branch = ?1 AND c.version > ?2 AND c.version <= ?3 AND v.version > ?2
ORDER BY v.version LIMIT ?4;

-- What a branch, or one that it grew from, wrote on a keyspace between two versions. More than it
-- shows, when an ancestor went on after the fork; who asks looks each key up.
-- name: keys_written_between
SELECT DISTINCT key FROM versions
WHERE version > ?1 AND version <= ?2 AND keyspace = ?3
    AND branch IN (SELECT ancestor FROM lineage WHERE branch = ?4)
ORDER BY key;

-- The keys that a state (?1, ?2) shows and whose value retention has removed.
-- name: trimmed_keys_at
SELECT v.keyspace, v.key FROM lineage AS l CROSS JOIN versions AS v
    ON v.branch = l.ancestor AND v.flags & 2 AND v.version <= min(l.upto, ?2)
WHERE l.branch = ?1 AND v.version = (
    SELECT n.version FROM lineage AS m CROSS JOIN versions AS n
        ON n.branch = m.ancestor AND n.keyspace = v.keyspace AND n.key = v.key
        AND n.version <= min(m.upto, ?2)
    WHERE m.branch = ?1 ORDER BY m.depth, n.version DESC LIMIT 1);
