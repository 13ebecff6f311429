-- name: insert_share_link
INSERT INTO share_links
    (id, digest, kind, document, team, role, newcomers, user_id, created, expires, most_uses)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: share_link_by_digest
SELECT id, kind, document, team, role, newcomers, user_id, created, expires, most_uses, uses
FROM share_links WHERE digest = ?;

-- name: share_link
SELECT id, kind, document, team, role, newcomers, user_id, created, expires, most_uses, uses
FROM share_links WHERE id = ?;

-- The newest first; one of the two is NULL.
-- name: share_links
SELECT id, kind, document, team, role, newcomers, user_id, created, expires, most_uses, uses
FROM share_links WHERE document = ?1 OR team = ?2 ORDER BY created DESC, id;

-- name: use_share_link
UPDATE share_links SET uses = uses + 1 WHERE id = ?;

-- name: delete_share_link
DELETE FROM share_links WHERE id = ?;

-- name: delete_links_of_document
DELETE FROM share_links WHERE document = ?;

-- name: delete_links_of_team
DELETE FROM share_links WHERE team = ?;

-- name: upsert_link_reader
INSERT INTO link_readers (user_id, document, link, role) VALUES (?, ?, ?, ?)
ON CONFLICT (user_id, document) DO UPDATE SET link = excluded.link, role = excluded.role;

-- name: link_readers
SELECT u.id, u.name, u.email, r.role
FROM link_readers AS r JOIN users AS u ON u.id = r.user_id WHERE r.document = ? ORDER BY u.match;

-- name: delete_link_readers
DELETE FROM link_readers WHERE link = ?;

-- name: delete_link_readers_of_document
DELETE FROM link_readers WHERE document = ?;

-- name: delete_link_readers_of_user
DELETE FROM link_readers WHERE user_id = ?;
