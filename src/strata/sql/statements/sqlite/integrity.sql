-- Which versions there are, without touching the rows themselves: those may be damaged.
-- name: versions_in_index
SELECT branch, shelf, key, version, flags FROM versions INDEXED BY versions_by_key;

-- All rows of a table, whose name is put in place of `:table`: there is one statement for all.
-- name: every_row
SELECT * FROM ":table";
