-- name: insert_tag
INSERT INTO tags (name, branch, version, timestamp, actor, message, digest)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: tag
SELECT name, branch, version, timestamp, actor, message FROM tags WHERE name = ?;

-- name: tags
SELECT name, branch, version, timestamp, actor, message, digest FROM tags ORDER BY name;

-- name: delete_tag
DELETE FROM tags WHERE name = ? RETURNING name;

-- name: setting
SELECT value FROM settings WHERE name = ?;

-- name: settings
SELECT name, value, digest FROM settings ORDER BY name;

-- name: upsert_setting
INSERT INTO settings (name, value, digest) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET value = excluded.value, digest = excluded.digest;

-- name: delete_setting
DELETE FROM settings WHERE name = ? RETURNING name;

-- name: leases
SELECT name, holder, token, expires FROM leases ORDER BY name;

-- A lease is taken when it is free, silent for too long, or already ours.
-- name: take_lease
INSERT INTO leases (name, holder, token, expires) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, token = excluded.token,
    expires = excluded.expires
WHERE leases.expires <= ?5
RETURNING name;

-- name: renew_lease
UPDATE leases SET expires = ?3 WHERE name = ?1 AND token = ?2 AND expires > ?4 RETURNING name;

-- name: release_lease
DELETE FROM leases WHERE name = ? AND token = ? RETURNING name;

-- Points that must stay readable on a branch: where other branches leave it (unless they
-- were deleted before ?2), tags, and the bases that merges will start from.
-- name: needed_points
SELECT l.upto FROM lineage AS l JOIN branches AS b ON b.id = l.branch
    WHERE l.ancestor = ?1 AND l.branch <> ?1 AND (b.deleted IS NULL OR b.deleted > ?2)
UNION SELECT min(t.version, l.upto) FROM tags AS t JOIN lineage AS l
    ON l.branch = t.branch AND l.ancestor = ?1
UNION SELECT min(c.second_version, l.upto) FROM commits AS c JOIN lineage AS l
    ON l.branch = c.second_branch AND l.ancestor = ?1
    WHERE c.second_branch IS NOT NULL
UNION SELECT c.version FROM commits AS c WHERE c.branch = ?1 AND c.second_branch IS NOT NULL;

-- Every readable version of a branch's shelf with the one that replaced it, if any, and how
-- many newer ones the key has.
-- name: version_spans
SELECT version, next_version, next_timestamp, newer, bytes FROM (
    SELECT v.version, v.flags, length(v.value) AS bytes,
        lead(v.version) OVER key_order AS next_version,
        lead(v.timestamp) OVER key_order AS next_timestamp,
        count(*) OVER (PARTITION BY v.key ORDER BY v.version DESC) - 1 AS newer
    FROM versions AS v WHERE v.branch = ?1 AND v.shelf = ?2
    WINDOW key_order AS (PARTITION BY v.key ORDER BY v.version)
) AS spans WHERE flags & 7 = 0;

-- What is left of a trimmed or erased version: its place, its time and its digest. An
-- event keeps its meta, in which the link of its chain stands.
-- name: strip_version
UPDATE versions SET value = NULL, text = NULL, flags = (flags & 1) | ?1,
    meta = CASE WHEN ?2 THEN meta ELSE NULL END
WHERE version = ?3;

-- The keys that a state (?1, ?2) shows and whose value retention has removed.
-- name: trimmed_keys_at
SELECT v.shelf, v.key FROM lineage AS l CROSS JOIN versions AS v
    ON v.branch = l.ancestor AND v.flags & 2 AND v.version <= min(l.upto, ?2)
WHERE l.branch = ?1 AND v.version = (
    SELECT n.version FROM lineage AS m CROSS JOIN versions AS n
        ON n.branch = m.ancestor AND n.shelf = v.shelf AND n.key = v.key
        AND n.version <= min(m.upto, ?2)
    WHERE m.branch = ?1 ORDER BY m.depth, n.version DESC LIMIT 1);

-- name: set_digest
UPDATE versions SET digest = ? WHERE version = ?;

-- name: versions_of_key
SELECT version, branch, flags FROM versions
WHERE branch = ? AND shelf = ? AND key = ? ORDER BY version;

-- The rows of keys whose versions build on each other.
-- name: chain_rows
SELECT version, key, flags, meta FROM versions WHERE branch = ? AND shelf = ?
ORDER BY key, version;

-- Every version of what belongs to a document (?2), or of the key itself, that has its value.
-- name: versions_of_document
SELECT v.version, h.kind, v.key FROM shelves AS h, branches AS b
    JOIN versions AS v ON v.branch = b.id AND v.shelf = h.id
WHERE h.space = ?1 AND (v.key = ?2 OR (v.key > ?2 || '/' AND v.key < ?2 || '0'))
    AND v.flags & 4 = 0
ORDER BY v.version;

-- name: keys_of_kind
SELECT DISTINCT v.key FROM shelves AS h, branches AS b
    JOIN versions AS v ON v.branch = b.id AND v.shelf = h.id
WHERE h.space = ?1 AND h.kind = ?2 AND v.flags & 4 = 0;

-- Documents of a branch that no folder has.
-- name: unplaced_documents
SELECT DISTINCT v.key FROM shelves AS h
    JOIN versions AS v ON v.branch = ?1 AND v.shelf = h.id
WHERE h.space = ?2 AND h.kind = ?3 AND v.flags & 4 = 0
    AND NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.document = v.key);

-- name: shelf_branches
SELECT id FROM branches WHERE EXISTS (
    SELECT 1 FROM versions AS v WHERE v.branch = branches.id AND v.shelf = ?);

-- name: entries_after
SELECT version, timestamp, flags, value, meta, branch, shelf, key, digest, text
FROM versions WHERE version > ? ORDER BY version LIMIT ?;

-- Not where the value has gone meanwhile.
-- name: set_entry
UPDATE versions SET text = ?2 WHERE version = ?1 AND flags & 7 = 0;

-- name: all_versions
SELECT version, timestamp, flags, value, meta, branch, shelf, key, digest
FROM versions WHERE version > ? ORDER BY version LIMIT ?;
