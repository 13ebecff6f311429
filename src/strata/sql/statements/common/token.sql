-- name: insert_token
INSERT INTO tokens
    (ws, id, label, digest, scopes, read_only, created, expires, user_id, suggest_only)
VALUES (:ws, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: token
SELECT id, label, scopes, read_only, created, expires, last_used, revoked, user_id,
    suggest_only, digest
FROM tokens WHERE ws = :ws AND id = ?;

-- name: tokens
SELECT id, label, scopes, read_only, created, expires, last_used, revoked, user_id,
    suggest_only
FROM tokens WHERE ws = :ws ORDER BY created, id;

-- name: revoke_token
UPDATE tokens SET revoked = ?2 WHERE ws = :ws AND id = ?1 AND revoked IS NULL RETURNING id;

-- name: touch_token
UPDATE tokens SET last_used = ?2 WHERE ws = :ws AND id = ?1 AND coalesce(last_used, 0) < ?2;
