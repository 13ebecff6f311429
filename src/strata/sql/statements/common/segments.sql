-- The text index: entries that no segment holds yet, and the segments.

-- name: segments
SELECT id, first, last, items, summary, stamp FROM segments WHERE ws = :ws ORDER BY first;

-- name: insert_segment_part
INSERT INTO segment_parts (ws, id, data) VALUES (:ws, ?, ?);

-- name: segment_part
SELECT data FROM segment_parts WHERE ws = :ws AND id = ?;

-- name: segment_parts_between
SELECT id, data FROM segment_parts WHERE ws = :ws AND id >= ? AND id < ? ORDER BY id;

-- name: segments_overlapping
SELECT id FROM segments WHERE ws = :ws AND first <= ?2 AND last >= ?1;

-- name: delete_segment
DELETE FROM segments WHERE ws = :ws AND id = ?;

-- Versions of a run that a branch has replaced by newer ones, up to a version: one seek each.
-- name: replaced_between
SELECT v.version FROM versions AS v
WHERE v.ws = :ws AND v.version >= ?2 AND v.version <= ?3 AND v.branch = ?1
    AND (SELECT min(n.version) FROM versions AS n
        WHERE n.ws = :ws AND n.branch = ?1 AND n.keyspace = v.keyspace AND n.key = v.key
            AND n.version > v.version) <= ?4
ORDER BY v.version;

-- name: sealed_upto
SELECT coalesce(max(last), 0) FROM segments WHERE ws = :ws;

-- name: segment_of_stamp
SELECT id FROM segments WHERE ws = :ws AND stamp = ?;
