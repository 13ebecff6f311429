-- What any version of any branch carries.
-- name: tags_between
SELECT tag FROM item_tags WHERE ws = :ws AND tag >= ? AND tag < ? ORDER BY tag LIMIT ?;

-- name: insert_tag
INSERT INTO tags (ws, name, branch, version, timestamp, actor, message, digest)
VALUES (:ws, ?, ?, ?, ?, ?, ?, ?);

-- name: tag
SELECT name, branch, version, timestamp, actor, message FROM tags WHERE ws = :ws AND name = ?;

-- name: tags
SELECT name, branch, version, timestamp, actor, message, digest FROM tags WHERE ws = :ws
ORDER BY name;

-- name: delete_tag
DELETE FROM tags WHERE ws = :ws AND name = ? RETURNING name;
