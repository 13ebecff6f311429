-- Live keys and commits: what was counted up to a checkpoint, and what came after it.

-- name: last_checkpoint
SELECT max(version) FROM count_checkpoints;

-- How many commits the store holds up to a version, from a checkpoint before it.
-- name: commits_upto
WITH known AS MATERIALIZED (
    SELECT version, commits FROM count_checkpoints WHERE version < ?1 ORDER BY version DESC LIMIT 1
)
SELECT coalesce((SELECT commits FROM known), 0) + count(*) FROM versions
WHERE version > coalesce((SELECT version FROM known), 0) AND version <= ?1 AND hash IS NOT NULL;

-- How many live keys a state (?1, ?2) shows on every keyspace, or on one (?3): the number of the nearest
-- ancestor that has one, and what it and those nearer than it have changed since a checkpoint. The
-- plus keeps SQLite from reading all versions of a branch instead of all since then.
-- name: live_keys
WITH seen AS MATERIALIZED (
    SELECT depth, ancestor, min(upto, ?2) AS upto, coalesce((
        SELECT max(c.version) FROM count_checkpoints AS c WHERE c.version <= min(l.upto, ?2)), 0) AS since
    FROM lineage AS l WHERE branch = ?1
), recent AS MATERIALIZED (
    SELECT g.keyspace, s.depth, sum(g.gain) AS gain
    FROM seen AS s CROSS JOIN gains AS g
        ON g.version > s.since AND g.version <= s.upto AND +g.branch = s.ancestor
    WHERE ?3 IS NULL OR g.keyspace = ?3
    GROUP BY g.keyspace, s.depth
), known AS MATERIALIZED (
    SELECT id AS keyspace, (
        SELECT l.depth FROM lineage AS l CROSS JOIN counts AS c
            ON c.branch = l.ancestor AND c.keyspace = keyspaces.id AND c.version <= min(l.upto, ?2)
        WHERE l.branch = ?1 ORDER BY l.depth LIMIT 1) AS depth, (
        SELECT c.live FROM lineage AS l CROSS JOIN counts AS c
            ON c.branch = l.ancestor AND c.keyspace = keyspaces.id AND c.version <= min(l.upto, ?2)
        WHERE l.branch = ?1 ORDER BY l.depth, c.version DESC LIMIT 1) AS live
    FROM keyspaces WHERE ?3 IS NULL OR id = ?3
)
SELECT keyspace, coalesce(live, 0) + coalesce((
    SELECT sum(r.gain) FROM recent AS r
    WHERE r.keyspace = known.keyspace AND r.depth <= coalesce(known.depth, r.depth)), 0)
FROM known;

-- How many live keys more each branch has in each keyspace through its versions after ?1 up to ?2.
-- name: gained_keys
SELECT branch, keyspace, sum(gain) FROM gains WHERE version > ?1 AND version <= ?2
GROUP BY branch, keyspace ORDER BY branch, keyspace;

-- As a number, whatever damage has made of it.
-- name: last_count
SELECT CAST(live AS INTEGER) FROM counts WHERE branch = ? AND keyspace = ? AND version <= ?
ORDER BY version DESC LIMIT 1;

-- name: checkpoints
SELECT version, commits FROM count_checkpoints ORDER BY version;

-- name: insert_checkpoint
INSERT INTO count_checkpoints (version, commits) VALUES (?, ?);

-- name: all_counts
SELECT branch, keyspace, version, live FROM counts ORDER BY version, branch, keyspace;

-- name: insert_count
INSERT INTO counts (branch, keyspace, version, live) VALUES (?, ?, ?, ?);

-- As numbers, whatever damage has made of them.
-- name: last_text_count
SELECT version, CAST(plain AS INTEGER), CAST(wide AS INTEGER), CAST(guarded_plain AS INTEGER),
    CAST(guarded_wide AS INTEGER)
FROM text_counts
WHERE version <= ? ORDER BY version DESC LIMIT 1;

-- How many texts came after one version up to another.
-- name: texts_between
SELECT coalesce(sum(NOT guarded AND NOT wide), 0), coalesce(sum(NOT guarded AND wide), 0),
    coalesce(sum(guarded AND NOT wide), 0), coalesce(sum(guarded AND wide), 0)
FROM texts WHERE version > ? AND version <= ?;

-- name: all_text_counts
SELECT version, plain, wide, guarded_plain, guarded_wide FROM text_counts ORDER BY version;

-- name: insert_text_count
INSERT INTO text_counts (version, plain, wide, guarded_plain, guarded_wide) VALUES (?, ?, ?, ?, ?);

-- name: delete_text_counts
DELETE FROM text_counts WHERE version >= ?;

-- name: delete_counts
DELETE FROM counts WHERE version >= ?;

-- name: delete_checkpoints
DELETE FROM count_checkpoints WHERE version >= ?;
