-- Whole stores, copied table by table. The name of a table is put in place of `:table`, those of its
-- columns in place of `:columns`, and a mark for each in place of `:values`.

-- name: table_rows
SELECT :columns FROM ":table";

-- name: count_table_rows
SELECT count(*) FROM ":table";

-- name: insert_table_row
INSERT INTO ":table" (:columns) VALUES (:values);

-- `:key` are conditions for the columns that tell a row from others.
-- name: delete_table_row
DELETE FROM ":table" WHERE :key;

-- name: primary_key
SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk;
