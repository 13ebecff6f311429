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

-- Every readable version of a branch's keyspace with the one that replaced it, if any, and how
-- many newer ones the key has.
-- name: version_spans
SELECT version, next_version, next_timestamp, newer, bytes FROM (
    SELECT v.version, v.flags, length(v.value) AS bytes,
        lead(v.version) OVER key_order AS next_version,
        lead(v.timestamp) OVER key_order AS next_timestamp,
        count(*) OVER (PARTITION BY v.key ORDER BY v.version DESC) - 1 AS newer
    FROM versions AS v WHERE v.branch = ?1 AND v.keyspace = ?2
    WINDOW key_order AS (PARTITION BY v.key ORDER BY v.version)
) AS spans WHERE flags & 7 = 0;

-- What is left of a trimmed or erased version: its place, its time and its digest. An
-- event keeps its meta, which holds the link of its chain.
-- name: strip_version
UPDATE versions SET value = NULL, text = NULL, flags = (flags & 1) | ?1,
    meta = CASE WHEN ?2 THEN meta ELSE NULL END
WHERE version = ?3;

-- name: set_digest
UPDATE versions SET digest = ? WHERE version = ?;

-- name: versions_of_key
SELECT version, branch, flags FROM versions
WHERE branch = ? AND keyspace = ? AND key = ? ORDER BY version;

-- name: entries_after
SELECT version, timestamp, flags, value, meta, branch, keyspace, key, digest, text
FROM versions WHERE version > ? ORDER BY version LIMIT ?;

-- Not where the value has gone meanwhile.
-- name: set_entry
UPDATE versions SET text = ?2 WHERE version = ?1 AND flags & 7 = 0;

-- name: count_versions
SELECT count(*) FROM versions;

-- name: count_commits
SELECT count(*) FROM commits;

-- name: versions_by_attribute
SELECT version FROM attributes WHERE keyspace = ? AND name = ? AND value = ?;

-- name: all_words
SELECT word FROM words;

-- How many rows of each kind there are in the whole store.
-- name: count_declared
SELECT (SELECT count(*) FROM item_tags) + (SELECT count(*) FROM attributes)
    + (SELECT count(*) FROM links);

-- name: declared_digest
SELECT declared FROM versions WHERE version = ?;

-- The commit that a version belongs to.
-- name: commit_of_version
SELECT first, version FROM versions WHERE version >= ? AND hash IS NOT NULL ORDER BY version LIMIT 1;

-- name: delete_attributes
DELETE FROM attributes WHERE version = ?;

-- name: delete_item_tags
DELETE FROM item_tags WHERE version = ?;

-- name: delete_links
DELETE FROM links WHERE version = ?;

-- Tell what an imported merge took in, where this store has it.
-- name: set_second_parent
UPDATE versions SET second_branch = ?, second_version = ? WHERE version = ?;

-- Both, because a commit of one version checks the generation only.
-- name: bump_removals
UPDATE catalog SET removals = removals + 1, generation = generation + 1;
