-- name: leases
SELECT name, holder, token, expires FROM leases WHERE ws = :ws ORDER BY name;

-- A lease is taken when it is free, silent for too long, or already ours.
-- name: take_lease
INSERT INTO leases (ws, name, holder, token, expires) VALUES (:ws, ?1, ?2, ?3, ?4)
ON CONFLICT (ws, name) DO UPDATE SET holder = excluded.holder, token = excluded.token,
    expires = excluded.expires
WHERE leases.expires <= ?5
RETURNING name;

-- name: renew_lease
UPDATE leases SET expires = ?3
WHERE ws = :ws AND name = ?1 AND token = ?2 AND expires > ?4 RETURNING name;

-- name: release_lease
DELETE FROM leases WHERE ws = :ws AND name = ? AND token = ? RETURNING name;

-- Every readable version of a branch's keyspace with the one that replaced it, if any, and how
-- many newer ones the key has.
-- name: version_spans
SELECT version, next_version, next_timestamp, newer, bytes FROM (
    SELECT v.version, v.flags, length(v.value) AS bytes,
        lead(v.version) OVER key_order AS next_version,
        lead(v.timestamp) OVER key_order AS next_timestamp,
        count(*) OVER (PARTITION BY v.key ORDER BY v.version DESC) - 1 AS newer
    FROM versions AS v WHERE v.ws = :ws AND v.branch = ?1 AND v.keyspace = ?2
    WINDOW key_order AS (PARTITION BY v.key ORDER BY v.version)
) AS spans WHERE flags & 7 = 0;

-- What is left of a trimmed or erased version: its place, its time and its digest. An
-- event keeps its meta, which holds the link of its chain.
-- name: strip_version
UPDATE versions SET value = NULL, text = NULL, flags = (flags & 1) | ?1,
    meta = CASE WHEN ?2 <> 0 THEN meta ELSE NULL END
WHERE ws = :ws AND version = ?3;

-- name: set_digest
UPDATE versions SET digest = ? WHERE ws = :ws AND version = ?;

-- name: versions_of_key
SELECT version, branch, flags FROM versions
WHERE ws = :ws AND branch = ? AND keyspace = ? AND key = ? ORDER BY version;

-- name: entries_after
SELECT version, timestamp, flags, value, meta, branch, keyspace, key, digest, text
FROM versions WHERE ws = :ws AND version > ? ORDER BY version LIMIT ?;

-- Not where the value has gone meanwhile.
-- name: set_entry
UPDATE versions SET text = ?2 WHERE ws = :ws AND version = ?1 AND flags & 7 = 0;

-- name: count_versions
SELECT count(*) FROM versions WHERE ws = :ws;

-- name: count_commits
SELECT count(*) FROM commits WHERE ws = :ws;

-- name: versions_by_attribute
SELECT version FROM attributes WHERE ws = :ws AND keyspace = ? AND name = ? AND value = ?;

-- What an erased version was known by, so that it never comes back.
-- name: insert_purged
INSERT INTO attributes (ws, keyspace, name, value, version) VALUES (:ws, ?, ?, ?, ?)
ON CONFLICT (ws, keyspace, name, value, version) DO NOTHING;

-- name: purged_contents
SELECT v.key, a.value FROM attributes AS a CROSS JOIN versions AS v
    ON v.ws = :ws AND v.version = a.version
WHERE a.ws = :ws AND a.keyspace = ? AND a.name = ?;

-- name: all_words
SELECT word FROM words WHERE ws = :ws;

-- How many rows of each kind there are in the whole store.
-- name: count_declared
SELECT (SELECT count(*) FROM item_tags WHERE ws = :ws)
    + (SELECT count(*) FROM attributes WHERE ws = :ws)
    + (SELECT count(*) FROM links WHERE ws = :ws);

-- name: declared_digest
SELECT declared FROM versions WHERE ws = :ws AND version = ?;

-- The commit that a version belongs to.
-- name: commit_of_version
SELECT first, version FROM versions
WHERE ws = :ws AND version >= ? AND hash IS NOT NULL ORDER BY version LIMIT 1;

-- name: delete_attributes
DELETE FROM attributes WHERE ws = :ws AND version = ?;

-- name: delete_item_tags
DELETE FROM item_tags WHERE ws = :ws AND version = ?;

-- name: delete_links
DELETE FROM links WHERE ws = :ws AND version = ?;

-- Tell what an imported merge took in, where this store has it.
-- name: set_second_parent
UPDATE versions SET second_branch = ?, second_version = ? WHERE ws = :ws AND version = ?;

-- Both, because a commit of one version checks the generation only.
-- name: bump_removals
UPDATE catalog SET removals = removals + 1, generation = generation + 1 WHERE ws = :ws;
