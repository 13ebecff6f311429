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

-- As a number, whatever damage has made of it.
-- name: last_count
SELECT CAST(live AS INTEGER) FROM counts WHERE branch = ? AND keyspace = ? AND version <= ?
ORDER BY version DESC LIMIT 1;

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
