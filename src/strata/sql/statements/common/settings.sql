-- name: settings
SELECT name, value, digest FROM settings ORDER BY name;

-- name: upsert_setting
INSERT INTO settings (name, value, digest) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET value = excluded.value, digest = excluded.digest;

-- name: delete_setting
DELETE FROM settings WHERE name = ? RETURNING name;
