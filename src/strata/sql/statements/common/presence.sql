-- name: delete_presence
DELETE FROM presence WHERE ws = :ws AND document = ? AND branch = ? AND session = ? AND user_id = ?;

-- name: delete_old_presence
DELETE FROM presence WHERE ws = :ws AND seen < ?;

-- name: presence_of_document
SELECT user_id, via, status, section, seen, edited FROM presence
WHERE ws = :ws AND document = ?1 AND branch = ?2 AND seen >= ?3;
