-- name: entries_between
SELECT v.version, v.branch, v.keyspace, v.key, v.flags, v.timestamp, v.text, (
    SELECT p.version FROM lineage AS l, LATERAL (
        SELECT p.version FROM versions AS p
        WHERE p.ws = :ws AND p.branch = l.ancestor AND p.keyspace = v.keyspace AND p.key = v.key
            AND p.version <= least(v.version - 1, l.upto)
        ORDER BY p.version DESC LIMIT 1) AS p
    WHERE l.ws = :ws AND l.branch = v.branch ORDER BY l.depth LIMIT 1)
FROM versions AS v
WHERE v.ws = :ws AND v.version > ?1 AND v.version <= ?2 AND v.keyspace = ANY (ARRAY(
    SELECT value::bigint FROM jsonb_array_elements_text(?4::jsonb) AS wanted (value)))
ORDER BY v.version LIMIT ?3;

-- name: index_mark
SELECT (SELECT coalesce(max(version), 0) FROM versions WHERE ws = :ws), count(*),
    coalesce(sum(stamp), 0)::bigint
FROM segments WHERE ws = :ws;

-- name: segment_parts_among
SELECT p.id, p.data FROM jsonb_array_elements_text(?::jsonb) AS wanted (value), LATERAL (
    SELECT p.id, p.data FROM segment_parts AS p
    WHERE p.ws = :ws AND p.id = wanted.value::bigint LIMIT 1) AS p;

-- name: insert_segment
INSERT INTO segments (ws, id, first, last, items, summary, stamp)
SELECT :ws, coalesce(max(id), 0) + 1, ?, ?, ?, ?, ? FROM segments WHERE ws = :ws RETURNING id;

-- name: delete_segment_parts
DELETE FROM segment_parts
WHERE ws = :ws AND id >= ?1::bigint * 65536 AND id < (?1::bigint + 1) * 65536;

-- name: entry_place
SELECT branch, keyspace, key, timestamp, substr(text, 1, ?2::int) FROM versions
WHERE ws = :ws AND version = ?1;

-- The plus keeps PostgreSQL from reading all versions of a branch instead of those of the run.
-- name: replaced_between
SELECT v.version FROM versions AS v
WHERE v.ws = :ws AND v.version >= ?2 AND v.version <= ?3 AND +v.branch = ?1
    AND (SELECT min(n.version) FROM versions AS n
        WHERE n.ws = :ws AND n.branch = ?1 AND n.keyspace = v.keyspace AND n.key = v.key
            AND n.version > v.version) <= ?4
ORDER BY v.version;
