-- What a database of many workspaces needs beside the statements of one.

-- The write lock of a workspace, which the end of the transaction gives back; it gives the number of
-- this change.
-- name: begin_change
UPDATE catalog SET changes = changes + 1 WHERE ws = :ws RETURNING changes;

-- Hear what `send_hint` tells; a name is put in place of `:name`.
-- name: listen
LISTEN ":name";

-- name: workspace_number
SELECT ws FROM workspaces WHERE name = ? AND deleted IS NULL;

-- name: workspaces
SELECT ws, name, created FROM workspaces WHERE deleted IS NULL ORDER BY name;

-- name: insert_workspace
INSERT INTO workspaces (ws, name, created)
SELECT coalesce(max(ws), 0) + 1, ?, ? FROM workspaces RETURNING ws;

-- name: delete_workspace
UPDATE workspaces SET deleted = ? WHERE ws = :ws;

-- All rows that a workspace has in a table, whose name is put in place of `:table`.
-- name: delete_workspace_rows
DELETE FROM ":table" WHERE ws = :ws;

-- What a workspace begins with, as the end of sqlite/migrations/0001_store.sql has it: the mark of
-- rights (?1), the user who owns it (?2), the team of all (?3) and the owner's folder (?4). The
-- caller draws the ids and the mark, and gives the time (?5).
-- name: seed_workspace
WITH lock AS (
    INSERT INTO catalog (ws, id, generation, removals, syncs, store_id, created)
    VALUES (:ws, 1, 0, 0, 0, '', ?5)
), mark AS (
    INSERT INTO access (ws, id, mark) VALUES (:ws, 1, ?1)
), owner AS (
    INSERT INTO users (ws, id, email, match, name, is_owner, created)
    VALUES (:ws, ?2, 'owner@localhost', 'owner@localhost', 'owner', 1, ?5)
), team AS (
    INSERT INTO teams (ws, id, name, parent, created) VALUES (:ws, ?3, 'workspace', NULL, ?5)
), member AS (
    INSERT INTO members (ws, team, user_id, role) VALUES (:ws, ?3, ?2, 4)
)
INSERT INTO folders (ws, id, name, owner, team, parent, templates, created)
VALUES (:ws, ?4, 'Personal', ?2, NULL, NULL, 0, ?5);

-- Whether workspaces are spread over several nodes: a setting of the database says so.
-- name: is_distributed
SELECT current_setting('strata.distributed', true);

-- Whether the tables were made.
-- name: has_tables
SELECT to_regclass('strata.formats') IS NOT NULL;

-- name: last_format
SELECT max(number) FROM formats;

-- The same for a connection of a workspace, which gives its number to every statement.
-- name: format
SELECT f.number FROM formats AS f, workspaces AS w WHERE w.ws = :ws
ORDER BY f.number DESC LIMIT 1;

-- name: insert_format
INSERT INTO formats (number, migrated) VALUES (?, ?);

-- Lets one process at a time make or change the tables, until its transaction ends. The number has
-- no meaning.
-- name: lock_format
SELECT pg_advisory_xact_lock(5374726174);

-- The tables that hold rows of workspaces.
-- name: workspace_tables
SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = 'strata'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'ws'
    AND c.relname <> 'workspaces' ORDER BY c.relname;

-- Let the rest of a transaction see the rows of one workspace, or delete it.
-- name: choose_workspace
SELECT set_config('strata.ws', ?, true), set_config('strata.deleting', ?, true);

-- How much room the tables of all workspaces take. A workspace's share is not known.
-- name: size
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class AS c, workspaces AS w
WHERE w.ws = :ws AND c.relnamespace = 'strata'::regnamespace AND c.relkind IN ('r', 'p');
