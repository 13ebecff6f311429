-- Many rows by their numbers, given as one JSON list: a third of the time of single look-ups.
-- name: embeddings_by_number
SELECT e.number, e.scale, e.vector, e.rest
FROM json_each(?1) AS wanted CROSS JOIN embeddings AS e ON e.number = wanted.value;

-- name: tokens_by_number
SELECT t.number, t.tokens
FROM json_each(?2) AS wanted CROSS JOIN embedding_tokens AS t
    ON t.model = ?1 AND t.number = wanted.value;

-- The texts that a model follows: the wide ones (1), the others (0), or all (NULL).
-- name: texts_after
SELECT version FROM texts
WHERE version > ?1 AND (?3 IS NULL OR wide = ?3) ORDER BY version LIMIT ?2;
