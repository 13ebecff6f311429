-- Reading a store from before the first release, which is attached as `earlier`.

-- name: attach_earlier
ATTACH ? AS earlier;

-- name: detach_earlier
DETACH earlier;

-- name: columns_of
SELECT name FROM pragma_table_info(?);

-- The names of the table and its columns are put in place of `:table` and `:columns`, and what
-- they were called in the earlier store in place of `:earlier_table` and `:earlier_columns`.
-- name: delete_rows
DELETE FROM main.":table";

-- name: copy_rows
INSERT INTO main.":table" (:columns) SELECT :earlier_columns FROM earlier.":earlier_table";

-- name: copy_catalog
UPDATE main.catalog SET
    store_id = (SELECT store_id FROM earlier.catalog),
    created = (SELECT created FROM earlier.catalog),
    generation = generation + 1, removals = removals + 1;
