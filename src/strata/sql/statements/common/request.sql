-- Requests that carried a key, and what was answered: so that a repeated one changes nothing.

-- name: request
SELECT answer FROM requests WHERE ws = :ws AND user_id = ?1 AND key = ?2;

-- name: insert_request
INSERT INTO requests (ws, user_id, key, answer, created) VALUES (:ws, ?1, ?2, ?3, ?4);

-- name: delete_old_requests
DELETE FROM requests WHERE ws = :ws AND created < ?1;
