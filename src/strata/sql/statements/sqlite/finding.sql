-- Versions of two keyspaces in one pass, since a commit writes both side by side. The values of one
-- keyspace (?2) are left out, because they may be large. The numbers are given as a list in JSON.
-- name: cards_and_notes
SELECT version, timestamp, flags, CASE WHEN keyspace <> ?2 THEN value END, meta FROM versions
WHERE version IN (SELECT value FROM json_each(?1));

-- Which of some documents, given as a list in JSON, lie nowhere.
-- name: documents_without_place
SELECT given.value FROM json_each(?) AS given
WHERE NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.document = given.value);
