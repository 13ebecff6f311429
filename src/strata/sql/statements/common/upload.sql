-- name: signing_key
SELECT key FROM signing WHERE id = 1;

-- name: insert_signing_key
INSERT INTO signing (id, key) VALUES (1, ?) ON CONFLICT (id) DO NOTHING;

-- name: insert_upload
INSERT INTO uploads (id, user_id, document, title, folder, content_type, length, created, expires,
    place)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: upload
SELECT id, user_id, document, title, folder, content_type, length, created, expires, place,
    received, sha256, finished
FROM uploads WHERE id = ?;

-- name: upload_data
SELECT data FROM uploads WHERE id = ?;

-- What has arrived once stays as it is.
-- name: receive_upload
UPDATE uploads SET received = ?2, sha256 = ?3, data = ?4
WHERE id = ?1 AND received IS NULL AND finished IS NULL
RETURNING id;

-- name: finish_upload
UPDATE uploads SET finished = ?2, received = coalesce(received, ?3), sha256 = ?4, data = NULL
WHERE id = ?1;

-- name: open_upload_bytes
SELECT coalesce(sum(length), 0) FROM uploads
WHERE user_id = ?1 AND finished IS NULL AND (received IS NOT NULL OR expires > ?2);

-- Uploads that were not finalized and ended before ?1, and all that ended before ?2.
-- name: old_uploads
SELECT id, place FROM uploads WHERE (expires <= ?1 AND finished IS NULL) OR expires <= ?2;

-- name: delete_upload
DELETE FROM uploads WHERE id = ?;

-- name: delete_uploads_of_document
DELETE FROM uploads WHERE document = ?1 OR instr(coalesce(finished, ''), ?1) > 0;
