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

-- name: sealed_upto
SELECT coalesce(max(last), 0) FROM segments WHERE ws = :ws;

-- name: segment_of_stamp
SELECT id FROM segments WHERE ws = :ws AND stamp = ?;
