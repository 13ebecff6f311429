-- Reading a database of another program. {names} in braces stand for quoted names of tables and
-- columns, which cannot be bound.

-- name: begin
BEGIN

-- name: tables
SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid

-- name: count
SELECT count(*) FROM {table}

-- name: columns
SELECT name FROM pragma_table_info(?) ORDER BY cid

-- name: rows
SELECT rowid, * FROM {table} ORDER BY rowid

-- name: rows_back
SELECT rowid, * FROM {table} ORDER BY rowid DESC

-- name: rows_without_number
SELECT NULL, * FROM {table}

-- name: numbers
SELECT rowid FROM {table} ORDER BY rowid

-- name: cell
SELECT typeof({column}), CAST({column} AS BLOB) FROM {table} WHERE rowid = ?
