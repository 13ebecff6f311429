-- Reading a store from before the first release, which is attached as `earlier`.

-- name: attach_earlier
ATTACH ? AS earlier;

-- name: detach_earlier
DETACH earlier;

-- The columns of a table in `main` or in `earlier`.
-- name: columns_of
SELECT name FROM pragma_table_info(?, ?);

-- The names of the table and its columns are put in place of `:table` and `:columns`, and what
-- they were called in the earlier store in place of `:earlier_table` and `:earlier_columns`.
-- name: delete_rows
DELETE FROM main.":table";

-- name: copy_rows
INSERT INTO main.":table" (:columns) SELECT :earlier_columns FROM earlier.":earlier_table";

-- Rows that were copied count as changed, so that a process which knew others reads them.
-- name: mark_copied_branches
UPDATE main.branches SET changed = (SELECT generation FROM main.catalog);

-- name: copy_catalog
UPDATE main.catalog SET
    store_id = (SELECT store_id FROM earlier.catalog),
    created = (SELECT created FROM earlier.catalog),
    generation = generation + 1, removals = removals + 1;
