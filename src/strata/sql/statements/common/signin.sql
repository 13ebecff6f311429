-- name: insert_code
INSERT INTO sign_in_codes (ws, digest, user_id, created, expires) VALUES (:ws, ?, ?, ?, ?);

-- A code is deleted when it is used, so that it cannot be used twice.
-- name: use_code
DELETE FROM sign_in_codes WHERE ws = :ws AND digest = ? RETURNING user_id, expires;

-- What has expired, and of one user all but the newest.
-- name: delete_old_codes
DELETE FROM sign_in_codes WHERE ws = :ws AND expires <= ?1
    OR (ws = :ws AND user_id = ?2 AND digest NOT IN (
        SELECT digest FROM sign_in_codes WHERE ws = :ws AND user_id = ?2
        ORDER BY created DESC LIMIT ?3
    ));

-- name: delete_codes_of_user
DELETE FROM sign_in_codes WHERE ws = :ws AND user_id = ?;

-- name: insert_browser
INSERT INTO browsers (ws, id, digest, user_id, token, label, created, expires, last_used)
VALUES (:ws, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: browser
SELECT b.id, b.user_id, b.token, b.label, b.created, b.expires, b.last_used, u.is_owner
FROM browsers AS b JOIN users AS u ON u.ws = :ws AND u.id = b.user_id
WHERE b.ws = :ws AND b.digest = ? AND u.removed IS NULL;

-- name: browsers
SELECT b.id, b.user_id, b.token, b.label, b.created, b.expires, b.last_used, u.is_owner
FROM browsers AS b JOIN users AS u ON u.ws = :ws AND u.id = b.user_id
WHERE b.ws = :ws AND u.removed IS NULL AND b.expires > ? ORDER BY b.last_used DESC, b.id;

-- name: touch_browser
UPDATE browsers SET last_used = ?2, expires = ?3 WHERE ws = :ws AND id = ?1 AND last_used < ?2;

-- name: delete_browser
DELETE FROM browsers WHERE ws = :ws AND id = ? RETURNING user_id;

-- All but one, if one is named.
-- name: delete_browsers_of_user
DELETE FROM browsers WHERE ws = :ws AND user_id = ?1 AND id <> ?2 RETURNING id;

-- What has expired, and of one user all but those used last.
-- name: delete_old_browsers
DELETE FROM browsers WHERE ws = :ws AND expires <= ?1
    OR (ws = :ws AND user_id = ?2 AND id NOT IN (
        SELECT id FROM browsers WHERE ws = :ws AND user_id = ?2 ORDER BY last_used DESC LIMIT ?3
    ));
