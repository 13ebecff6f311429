-- The tables of opencode's database that hold conversations. Sessions of subagents have a parent.

-- name: begin
BEGIN

-- name: sessions
SELECT id, title, directory FROM session WHERE parent_id IS NULL ORDER BY time_created, id

-- name: messages
SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id

-- name: parts
SELECT data FROM part WHERE message_id = ? ORDER BY id

-- name: tables
SELECT name FROM sqlite_schema WHERE type = 'table'
