-- name: insert_tag
INSERT INTO tags (name, branch, version, timestamp, actor, message, digest)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: tag
SELECT name, branch, version, timestamp, actor, message FROM tags WHERE name = ?;

-- name: tags
SELECT name, branch, version, timestamp, actor, message, digest FROM tags ORDER BY name;

-- name: delete_tag
DELETE FROM tags WHERE name = ? RETURNING name;
