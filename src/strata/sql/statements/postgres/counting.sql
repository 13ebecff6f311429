-- Each ancestor's versions since its checkpoint are summed by themselves: as a join, PostgreSQL would
-- read the whole index.
-- name: live_keys
WITH seen AS MATERIALIZED (
    SELECT l.depth, l.ancestor, least(l.upto, ?2) AS upto, coalesce((
        SELECT max(c.version) FROM count_checkpoints AS c
        WHERE c.ws = :ws AND c.version <= least(l.upto, ?2)), 0) AS since
    FROM lineage AS l WHERE l.ws = :ws AND l.branch = ?1
), recent AS MATERIALIZED (
    SELECT s.depth, g.keyspace, g.gain FROM seen AS s, LATERAL (
        SELECT g.keyspace, sum(g.gain) AS gain FROM gains AS g
        WHERE g.ws = :ws AND g.version > s.since AND g.version <= s.upto
            AND +g.branch = s.ancestor AND (?3::bigint IS NULL OR g.keyspace = ?3)
        GROUP BY g.keyspace) AS g
)
SELECT k.id, coalesce(known.live, 0) + coalesce((
    SELECT sum(r.gain) FROM recent AS r
    WHERE r.keyspace = k.id AND r.depth <= coalesce(known.depth, r.depth)), 0)::bigint
FROM keyspaces AS k LEFT JOIN LATERAL (
    SELECT l.depth, c.live FROM lineage AS l, LATERAL (
        SELECT c.live FROM counts AS c
        WHERE c.ws = :ws AND c.branch = l.ancestor AND c.keyspace = k.id
            AND c.version <= least(l.upto, ?2)
        ORDER BY c.version DESC LIMIT 1) AS c
    WHERE l.ws = :ws AND l.branch = ?1 ORDER BY l.depth LIMIT 1
) AS known ON true
WHERE k.ws = :ws AND (?3::bigint IS NULL OR k.id = ?3);

-- name: last_count
SELECT live FROM counts WHERE ws = :ws AND branch = ? AND keyspace = ? AND version <= ?
ORDER BY version DESC LIMIT 1;

-- name: last_text_count
SELECT version, plain, wide, guarded_plain, guarded_wide FROM text_counts
WHERE ws = :ws AND version <= ? ORDER BY version DESC LIMIT 1;

-- name: texts_between
SELECT count(*) FILTER (WHERE guarded = 0 AND wide = 0),
    count(*) FILTER (WHERE guarded = 0 AND wide <> 0),
    count(*) FILTER (WHERE guarded <> 0 AND wide = 0),
    count(*) FILTER (WHERE guarded <> 0 AND wide <> 0)
FROM texts WHERE ws = :ws AND version > ? AND version <= ?;
