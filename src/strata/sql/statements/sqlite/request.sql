-- What was answered about a document.
-- name: delete_requests_about
DELETE FROM requests WHERE instr(answer, ?1) > 0;
