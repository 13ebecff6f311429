-- All rows of a table, whose name is put in place of `:table`: there is one statement for all.
-- name: every_row
SELECT * FROM ":table";

-- What the file defines; SQLite itself keeps this table.
-- name: schema_objects
SELECT type, name, sql FROM sqlite_schema;
