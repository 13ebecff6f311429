-- name: signing_key
SELECT key FROM signing WHERE ws = :ws AND id = 1;

-- name: insert_signing_key
INSERT INTO signing (ws, id, key) VALUES (:ws, 1, ?) ON CONFLICT (ws, id) DO NOTHING;

-- name: insert_upload
INSERT INTO uploads (ws, id, user_id, document, title, folder, content_type, length, created,
    expires, place)
VALUES (:ws, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: upload
SELECT id, user_id, document, title, folder, content_type, length, created, expires, place,
    received, sha256, finished
FROM uploads WHERE ws = :ws AND id = ?;

-- name: upload_data
SELECT data FROM uploads WHERE ws = :ws AND id = ?;

-- What has arrived once stays as it is.
-- name: receive_upload
UPDATE uploads SET received = ?2, sha256 = ?3, data = ?4
WHERE ws = :ws AND id = ?1 AND received IS NULL AND finished IS NULL
RETURNING id;

-- name: finish_upload
UPDATE uploads SET finished = ?2, received = coalesce(received, ?3), sha256 = ?4, data = NULL
WHERE ws = :ws AND id = ?1;

-- Uploads that were not finalized and ended before ?1, and all that ended before ?2.
-- name: old_uploads
SELECT id, place FROM uploads
WHERE ws = :ws AND (expires <= ?1 AND finished IS NULL) OR ws = :ws AND expires <= ?2;

-- name: delete_upload
DELETE FROM uploads WHERE ws = :ws AND id = ?;
