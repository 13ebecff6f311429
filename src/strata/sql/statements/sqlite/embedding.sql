-- name: insert_model
INSERT INTO models (role, name, embedder, dimension, state, position, revision, embedded,
    failed, tokens, rate, created)
VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0.0, ?) RETURNING id;

-- What a model has of them: vectors, failures, and what is to be made again.
-- name: count_guarded_vectors
SELECT coalesce(sum(e.number IS NOT NULL), 0),
    coalesce(sum(e.number IS NULL AND e.reason IS NOT NULL), 0),
    coalesce(sum(e.number IS NULL AND e.reason IS NULL), 0)
FROM embedded AS e JOIN versions AS v ON v.version = e.version
    JOIN keyspaces AS s ON s.id = v.keyspace
WHERE e.model = ? AND s.kind IN ('document', 'section');

-- Marks a version to be embedded, unless something is known of it.
-- name: insert_to_redo
INSERT OR IGNORE INTO embedded (model, version, before, number, chunks, reason)
VALUES (?, ?, NULL, NULL, 0, NULL);

-- name: count_embedding_token
INSERT INTO embedding_frequencies (model, token, embeddings) VALUES (?, ?, ?)
ON CONFLICT (model, token) DO UPDATE SET embeddings = embeddings + excluded.embeddings;

-- Many rows by their numbers, given as one JSON list: a third of the time of single look-ups.
-- name: embeddings_by_number
SELECT e.number, e.chunk, e.scale, e.vector
FROM json_each(?1) AS wanted CROSS JOIN embeddings AS e ON e.number = wanted.value;

-- The same by versions, in the order in which these are given: all chunks of each.
-- name: embeddings_of_versions
SELECT wanted.key, e.number, e.scale, e.vector
FROM json_each(?2) AS wanted
    CROSS JOIN embedded AS d ON d.model = ?1 AND d.version = wanted.value
    CROSS JOIN embeddings AS e ON e.number >= d.number AND e.number < d.number + d.chunks
ORDER BY wanted.key, e.number;

-- The versions that have the vectors from some number on.
-- name: versions_of_embeddings
SELECT d.number, d.version
FROM json_each(?1) AS wanted CROSS JOIN embedded AS d ON d.number = wanted.value;

-- name: tokens_by_number
SELECT t.number, t.ids IS NULL, t.tokens
FROM json_each(?1) AS wanted CROSS JOIN embedding_tokens AS t ON t.number = wanted.value;

-- name: token_frequencies
SELECT f.token, f.embeddings
FROM json_each(?2) AS wanted CROSS JOIN embedding_frequencies AS f
    ON f.model = ?1 AND f.token = wanted.value;

-- The texts that a model follows: the wide ones (1), the others (0), or all (NULL).
-- name: texts_after
SELECT version FROM texts
WHERE version > ?1 AND (?3 IS NULL OR wide = ?3) ORDER BY version LIMIT ?2;
