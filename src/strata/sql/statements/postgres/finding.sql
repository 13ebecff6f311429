-- name: cards_and_notes
SELECT v.version, v.timestamp, v.flags, CASE WHEN v.keyspace <> ?2 THEN v.value END, v.meta
FROM jsonb_array_elements_text(?1::jsonb) AS wanted (number), LATERAL (
    SELECT o.version, o.timestamp, o.flags, o.value, o.meta, o.keyspace
    FROM versions AS o WHERE o.ws = :ws AND o.version = wanted.number::bigint LIMIT 1) AS v
ORDER BY v.version;

-- name: documents_without_place
SELECT given.value FROM jsonb_array_elements_text(?::jsonb) AS given (value)
WHERE NOT EXISTS (
    SELECT 1 FROM placements AS p WHERE p.ws = :ws AND p.document = given.value COLLATE "C");
