-- name: open_upload_bytes
SELECT coalesce(sum(length), 0) FROM uploads
WHERE user_id = ?1 AND finished IS NULL AND (received IS NOT NULL OR expires > ?2);

-- name: delete_uploads_of_document
DELETE FROM uploads WHERE document = ?1 OR instr(coalesce(finished, ''), ?1) > 0;
