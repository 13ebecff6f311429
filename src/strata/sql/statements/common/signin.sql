-- name: insert_code
INSERT INTO sign_in_codes (digest, person, created, expires) VALUES (?, ?, ?, ?);

-- A code is gone the moment that somebody brings it, so that no two can use it.
-- name: use_code
DELETE FROM sign_in_codes WHERE digest = ? RETURNING person, expires;

-- What has expired, and of one person all but the newest.
-- name: delete_old_codes
DELETE FROM sign_in_codes WHERE expires <= ?1 OR (person = ?2 AND digest NOT IN (
    SELECT digest FROM sign_in_codes WHERE person = ?2 ORDER BY created DESC LIMIT ?3
));

-- name: delete_codes_of_person
DELETE FROM sign_in_codes WHERE person = ?;

-- name: insert_browser
INSERT INTO browsers (id, digest, person, token, label, created, expires, last_used)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: browser
SELECT b.id, b.person, b.token, b.label, b.created, b.expires, b.last_used, u.is_owner
FROM browsers AS b JOIN users AS u ON u.id = b.person
WHERE b.digest = ? AND u.removed IS NULL;

-- name: browsers
SELECT b.id, b.person, b.token, b.label, b.created, b.expires, b.last_used, u.is_owner
FROM browsers AS b JOIN users AS u ON u.id = b.person
WHERE u.removed IS NULL AND b.expires > ? ORDER BY b.last_used DESC, b.id;

-- name: touch_browser
UPDATE browsers SET last_used = ?2, expires = ?3 WHERE id = ?1 AND last_used < ?2;

-- name: delete_browser
DELETE FROM browsers WHERE id = ? RETURNING person;

-- name: delete_browsers_of_person
DELETE FROM browsers WHERE person = ? RETURNING id;

-- What has expired, and of one person all but those used last.
-- name: delete_old_browsers
DELETE FROM browsers WHERE expires <= ?1 OR (person = ?2 AND id NOT IN (
    SELECT id FROM browsers WHERE person = ?2 ORDER BY last_used DESC LIMIT ?3
));
