-- name: insert_model
INSERT INTO models (ws, id, role, name, embedder, dimension, state, position, revision, embedded,
    failed, tokens, rate, created)
SELECT :ws, coalesce(max(id), 0) + 1, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0.0, ?
FROM models WHERE ws = :ws RETURNING id;

-- name: count_guarded_vectors
SELECT count(*) FILTER (WHERE e.number IS NOT NULL),
    count(*) FILTER (WHERE e.number IS NULL AND e.reason IS NOT NULL),
    count(*) FILTER (WHERE e.number IS NULL AND e.reason IS NULL)
FROM embedded AS e JOIN versions AS v ON v.ws = :ws AND v.version = e.version
    JOIN keyspaces AS s ON s.ws = :ws AND s.id = v.keyspace
WHERE e.ws = :ws AND e.model = ? AND s.kind IN ('document', 'section');

-- name: insert_to_redo
INSERT INTO embedded (ws, model, version, before, number, chunks, reason)
VALUES (:ws, ?, ?, NULL, NULL, 0, NULL) ON CONFLICT DO NOTHING;

-- name: count_embedding_token
INSERT INTO embedding_frequencies AS f (ws, model, token, embeddings) VALUES (:ws, ?, ?, ?)
ON CONFLICT (ws, model, token) DO UPDATE SET embeddings = f.embeddings + excluded.embeddings;

-- name: embeddings_by_number
SELECT number, chunk, scale, vector FROM embeddings
WHERE ws = :ws AND number = ANY (ARRAY(
    SELECT value::bigint FROM jsonb_array_elements_text(?1::jsonb) AS wanted (value)))
ORDER BY number;

-- name: embeddings_of_versions
SELECT wanted.key - 1, e.number, e.scale, e.vector
FROM jsonb_array_elements_text(?2::jsonb) WITH ORDINALITY AS wanted (value, key)
    JOIN embedded AS d ON d.ws = :ws AND d.model = ?1 AND d.version = wanted.value::bigint
    JOIN embeddings AS e ON e.ws = :ws AND e.number >= d.number AND e.number < d.number + d.chunks
ORDER BY wanted.key, e.number;

-- name: versions_of_embeddings
SELECT number, version FROM embedded
WHERE ws = :ws AND number = ANY (ARRAY(
    SELECT value::bigint FROM jsonb_array_elements_text(?1::jsonb) AS wanted (value)))
ORDER BY number;

-- name: tokens_by_number
SELECT number, (ids IS NULL)::int, tokens FROM embedding_tokens
WHERE ws = :ws AND number = ANY (ARRAY(
    SELECT value::bigint FROM jsonb_array_elements_text(?1::jsonb) AS wanted (value)))
ORDER BY number;

-- name: token_frequencies
SELECT token, embeddings FROM embedding_frequencies
WHERE ws = :ws AND model = ?1 AND token = ANY (ARRAY(
    SELECT value::bigint FROM jsonb_array_elements_text(?2::jsonb) AS wanted (value)));

-- name: texts_after
SELECT version FROM texts
WHERE ws = :ws AND version > ?1 AND (?3::boolean IS NULL OR wide = ?3::boolean::int)
ORDER BY version LIMIT ?2;
