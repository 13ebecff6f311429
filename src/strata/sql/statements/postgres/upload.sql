-- name: open_upload_bytes
SELECT coalesce(sum(length), 0)::bigint FROM uploads
WHERE ws = :ws AND user_id = ?1 AND finished IS NULL AND (received IS NOT NULL OR expires > ?2);

-- name: delete_uploads_of_document
DELETE FROM uploads
WHERE ws = :ws AND (document = ?1 OR strpos(coalesce(finished, ''), ?1) > 0);
