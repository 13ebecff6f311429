-- Entries of some keyspaces, which are given as a list in JSON, each with the version that it
-- replaced on its branch or took over from an ancestor. Every inner look-up is one seek.
-- name: entries_between
SELECT v.version, v.branch, v.keyspace, v.key, v.flags, v.timestamp, v.text,
    (SELECT max((SELECT max(p.version) FROM versions AS p
        WHERE p.branch = l.ancestor AND p.keyspace = v.keyspace AND p.key = v.key
            AND p.version < min(v.version, l.upto + 1)))
    FROM lineage AS l WHERE l.branch = v.branch)
FROM versions AS v
WHERE v.version > ?1 AND v.version <= ?2 AND v.keyspace IN (SELECT value FROM json_each(?4))
ORDER BY v.version LIMIT ?3;

-- The newest version, and what tells whether segments were added, replaced or dropped since.
-- name: index_mark
SELECT (SELECT coalesce(max(version), 0) FROM versions), count(*), coalesce(sum(stamp), 0)
FROM segments;

-- name: segment_parts_among
SELECT id, data FROM segment_parts WHERE id IN (SELECT value FROM json_each(?));

-- name: insert_segment
INSERT INTO segments (first, last, items, summary, stamp) VALUES (?, ?, ?, ?, ?) RETURNING id;

-- name: delete_segment_parts
DELETE FROM segment_parts WHERE id >= ?1 * 65536 AND id < (?1 + 1) * 65536;

-- name: entry_place
SELECT branch, keyspace, key, timestamp, substr(text, 1, ?2) FROM versions WHERE version = ?1;

-- Versions of a run that a branch has replaced by newer ones, up to a version: one seek each.
-- name: replaced_between
SELECT v.version FROM versions AS v
WHERE v.version >= ?2 AND v.version <= ?3 AND v.branch = ?1
    AND (SELECT min(n.version) FROM versions AS n
        WHERE n.branch = ?1 AND n.keyspace = v.keyspace AND n.key = v.key
            AND n.version > v.version) <= ?4
ORDER BY v.version;
