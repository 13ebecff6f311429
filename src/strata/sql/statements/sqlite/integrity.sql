-- All rows of a table, whose name is put in place of `:table`: there is one statement for all.
-- name: every_row
SELECT * FROM ":table";
