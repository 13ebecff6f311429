-- name: settings
SELECT name, value, digest FROM settings WHERE ws = :ws ORDER BY name;

-- name: upsert_setting
INSERT INTO settings (ws, name, value, digest) VALUES (:ws, ?, ?, ?)
ON CONFLICT (ws, name) DO UPDATE SET value = excluded.value, digest = excluded.digest;

-- name: delete_setting
DELETE FROM settings WHERE ws = :ws AND name = ? RETURNING name;
