-- When versions were written and what is noted beside them, without their values, which may be
-- large. The numbers are given as a list in JSON.
-- name: notes_of_versions
SELECT version, timestamp, meta FROM versions
WHERE version IN (SELECT value FROM json_each(?));

-- Which of some documents, given as a list in JSON, lie nowhere.
-- name: documents_without_place
SELECT given.value FROM json_each(?) AS given
WHERE NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.document = given.value);
