-- name: cards_and_notes
SELECT version, timestamp, flags, CASE WHEN keyspace <> ?2 THEN value END, meta FROM versions
WHERE ws = :ws AND version = ANY (ARRAY(
    SELECT value::bigint FROM jsonb_array_elements_text(?1::jsonb) AS wanted (value)))
ORDER BY version;

-- name: documents_without_place
SELECT given.value FROM jsonb_array_elements_text(?::jsonb) AS given (value)
WHERE NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.ws = :ws AND p.document = given.value);
