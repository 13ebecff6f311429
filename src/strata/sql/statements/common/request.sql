-- Requests that carried a key, and what was answered: so that a repeated one changes nothing.

-- name: request
SELECT answer FROM requests WHERE user_id = ?1 AND key = ?2;

-- name: insert_request
INSERT INTO requests (user_id, key, answer, created) VALUES (?1, ?2, ?3, ?4);

-- name: delete_old_requests
DELETE FROM requests WHERE created < ?1;

-- What was answered about a document.
-- name: delete_requests_about
DELETE FROM requests WHERE instr(answer, ?1) > 0;
