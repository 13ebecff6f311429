-- name: insert_share_link
INSERT INTO share_links
    (ws, id, digest, kind, document, team, role, newcomers, user_id, created, expires, most_uses)
VALUES (:ws, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: share_link_by_digest
SELECT id, kind, document, team, role, newcomers, user_id, created, expires, most_uses, uses
FROM share_links WHERE ws = :ws AND digest = ?;

-- name: share_link
SELECT id, kind, document, team, role, newcomers, user_id, created, expires, most_uses, uses
FROM share_links WHERE ws = :ws AND id = ?;

-- The newest first; one of the two is NULL.
-- name: share_links
SELECT id, kind, document, team, role, newcomers, user_id, created, expires, most_uses, uses
FROM share_links WHERE ws = :ws AND document = ?1 OR ws = :ws AND team = ?2
ORDER BY created DESC, id;

-- name: use_share_link
UPDATE share_links SET uses = uses + 1 WHERE ws = :ws AND id = ?;

-- name: delete_share_link
DELETE FROM share_links WHERE ws = :ws AND id = ?;

-- name: delete_links_of_document
DELETE FROM share_links WHERE ws = :ws AND document = ?;

-- name: delete_links_of_team
DELETE FROM share_links WHERE ws = :ws AND team = ?;

-- name: upsert_link_reader
INSERT INTO link_readers (ws, user_id, document, link, role) VALUES (:ws, ?, ?, ?, ?)
ON CONFLICT (ws, user_id, document) DO UPDATE SET link = excluded.link, role = excluded.role;

-- name: link_readers
SELECT u.id, u.name, u.email, r.role
FROM link_readers AS r JOIN users AS u ON u.ws = :ws AND u.id = r.user_id
WHERE r.ws = :ws AND r.document = ? ORDER BY u.match;

-- name: delete_link_readers
DELETE FROM link_readers WHERE ws = :ws AND link = ?;

-- name: delete_link_readers_of_document
DELETE FROM link_readers WHERE ws = :ws AND document = ?;

-- name: delete_link_readers_of_user
DELETE FROM link_readers WHERE ws = :ws AND user_id = ?;
