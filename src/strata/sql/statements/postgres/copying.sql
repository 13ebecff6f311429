-- Whole stores, copied table by table. The name of a table is put in place of `:table`, and those of
-- its columns in place of `:columns`.

-- name: workspace_rows
SELECT :columns FROM ":table" WHERE ws = :ws;

-- name: count_workspace_rows
SELECT count(*) FROM ":table" WHERE ws = :ws;

-- The columns of a table with the types that COPY sends, in the order of their names.
-- name: column_types
SELECT a.attname, t.typname FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attname;

-- name: copy_workspace_rows
COPY ":table" (ws, :columns) FROM STDIN (FORMAT BINARY);

-- The same for a role that row-level security limits, which may not COPY. `:values` are numbered
-- parameters behind that of the workspace.
-- name: insert_workspace_row
INSERT INTO ":table" (ws, :columns) VALUES ($1, :values);

-- `:key` are conditions for the columns that tell a row from others, numbered likewise.
-- name: delete_workspace_row
DELETE FROM ":table" WHERE ws = $1 AND :key;

-- name: rename_workspace
UPDATE workspaces SET name = ? WHERE ws = :ws;

-- Lets one process at a time fill a workspace, until it ends or is cut off; the first number has no
-- meaning.
-- name: hold_unfinished
SELECT set_config('lock_timeout', ?, false), pg_advisory_lock(5374726174000000000 + ?::bigint);

-- name: is_limited_by_rows
SELECT row_security_active('versions');

-- Locks the name of a workspace until the transaction ends; the catalog tells whether it was used.
-- name: lock_workspace
SELECT w.ws, EXISTS (SELECT 1 FROM catalog AS c WHERE c.ws = :ws AND c.generation > 0)
FROM workspaces AS w WHERE w.ws = :ws FOR UPDATE OF w;

-- What the rows that were copied say of the newest version, and of the newest commit of each branch.
-- name: set_newest_version
UPDATE catalog SET version = coalesce(
    (SELECT max(v.version) FROM versions AS v WHERE v.ws = :ws), 0) WHERE ws = :ws;

-- name: set_tips
UPDATE branches AS b SET tip_time = tip.timestamp, tip_hash = tip.hash FROM (
    SELECT o.id, t.timestamp, t.hash FROM branches AS o, LATERAL (
        SELECT t.timestamp, t.hash FROM lineage AS l, LATERAL (
            SELECT t.timestamp, t.hash FROM commits AS t
            WHERE t.ws = :ws AND t.branch = l.ancestor AND t.version <= l.upto
            ORDER BY t.version DESC LIMIT 1) AS t
        WHERE l.ws = :ws AND l.branch = o.id ORDER BY l.depth LIMIT 1) AS t
    WHERE o.ws = :ws) AS tip
WHERE b.ws = :ws AND b.id = tip.id;
