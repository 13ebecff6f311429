-- A session that has edited stays marked as such, whatever it does next.
-- name: upsert_presence
INSERT INTO presence (document, branch, session, user_id, via, status, section, seen, edited)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT (document, branch, session) DO UPDATE SET
    user_id = ?4, via = ?5, status = ?6, section = ?7, seen = ?8, edited = coalesce(?9, edited);
