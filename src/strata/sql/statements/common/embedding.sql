-- name: models
SELECT id, role, name, embedder, dimension, state, position, revision, embedded, failed,
       tokens, rate, created, sealed
FROM models ORDER BY id;

-- name: insert_model
INSERT INTO models (role, name, embedder, dimension, state, position, revision, embedded,
    failed, tokens, rate, created)
VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0.0, ?) RETURNING id;

-- name: set_model_state
UPDATE models SET state = ?2 WHERE id = ?1;

-- Moves on from the position the caller started at; nothing when another process has moved it.
-- name: move_model
UPDATE models SET position = ?3, rate = ?4
WHERE id = ?1 AND position = ?2 AND state <> 'retired' RETURNING id;

-- name: count_model
UPDATE models SET embedded = embedded + ?2, failed = failed + ?3, tokens = tokens + ?4,
    revision = revision + ?5
WHERE id = ?1;

-- name: delete_model
DELETE FROM models WHERE id = ?;

-- What a model has of them: vectors, failures, and what is to be made again.
-- name: count_guarded_vectors
SELECT coalesce(sum(e.number IS NOT NULL), 0),
    coalesce(sum(e.number IS NULL AND e.reason IS NOT NULL), 0),
    coalesce(sum(e.number IS NULL AND e.reason IS NULL), 0)
FROM embedded AS e JOIN versions AS v ON v.version = e.version
    JOIN keyspaces AS s ON s.id = v.keyspace
WHERE e.model = ? AND s.kind IN ('document', 'section');

-- name: version_flags
SELECT flags FROM versions WHERE version = ?;

-- name: embedding_of_content
SELECT min(number), count(*) FROM embeddings WHERE model = ? AND content = ?;

-- Numbers of a part that is made are not given again.
-- name: last_embedding
SELECT coalesce(max(number), 0), (SELECT coalesce(max(sealed), 0) FROM models) FROM embeddings;

-- name: insert_embedding
INSERT INTO embeddings (number, model, content, chunk, scale, vector)
VALUES (?, ?, ?, ?, ?, ?);

-- name: insert_embedding_tokens
INSERT INTO embedding_tokens (number, model, ids, tokens) VALUES (?, ?, ?, ?);

-- name: insert_embedded
INSERT INTO embedded (model, version, before, number, chunks, reason)
VALUES (?, ?, ?, ?, ?, ?);

-- Marks a version to be embedded, unless something is known of it.
-- name: insert_to_redo
INSERT OR IGNORE INTO embedded (model, version, before, number, chunks, reason)
VALUES (?, ?, NULL, NULL, 0, NULL);

-- name: delete_embedded
DELETE FROM embedded WHERE model = ? AND version = ? RETURNING number, chunks, reason;

-- name: embedded_behind
SELECT model, version FROM embedded WHERE before = ? AND number IS NOT NULL;

-- name: versions_to_redo
SELECT version FROM embedded
WHERE model = ? AND number IS NULL AND reason IS NULL ORDER BY version LIMIT ?;

-- name: count_to_redo
SELECT count(*) FROM embedded WHERE model = ? AND number IS NULL AND reason IS NULL;

-- name: count_open_to_redo
SELECT count(*) FROM embedded AS e JOIN versions AS v ON v.version = e.version
WHERE e.model = ? AND e.number IS NULL AND e.reason IS NULL
    AND v.keyspace NOT IN (SELECT id FROM keyspaces WHERE kind IN ('document', 'section'));

-- name: failures
SELECT version, reason FROM embedded
WHERE model = ? AND number IS NULL AND reason IS NOT NULL ORDER BY version LIMIT ?;

-- name: redo_failures
UPDATE embedded SET reason = NULL
WHERE model = ? AND number IS NULL AND reason IS NOT NULL RETURNING version;

-- name: embedding_user
SELECT version FROM embedded WHERE number = ? LIMIT 1;

-- name: delete_embedding
DELETE FROM embeddings WHERE number = ?;

-- name: delete_embedding_tokens
DELETE FROM embedding_tokens WHERE number = ? RETURNING ids;

-- name: delete_oldest_tokens
DELETE FROM embedding_tokens WHERE number IN (
    SELECT number FROM embedding_tokens WHERE model = ?1 ORDER BY number LIMIT ?2)
RETURNING ids;

-- name: delete_some_embedded
DELETE FROM embedded WHERE model = ?1 AND version IN (
    SELECT version FROM embedded WHERE model = ?1 ORDER BY version LIMIT ?2)
RETURNING number;

-- name: delete_some_embeddings
DELETE FROM embeddings WHERE number IN (
    SELECT number FROM embeddings WHERE model = ?1 LIMIT ?2)
RETURNING number;

-- name: active_model
SELECT id, position, revision, dimension, embedder, name, tokens, sealed FROM models
WHERE role = ? AND state = 'active';

-- The sign before `model` keeps the database from choosing an index that is not in this order.
-- name: embeddings_after
SELECT number, scale, vector FROM embeddings
WHERE number > ?2 AND +model = ?1 ORDER BY number LIMIT ?3;

-- name: embedded_after
SELECT version, number, chunks FROM embedded
WHERE model = ? AND version > ? AND number IS NOT NULL ORDER BY version LIMIT ?;

-- name: count_embedding_token
INSERT INTO embedding_frequencies (model, token, embeddings) VALUES (?, ?, ?)
ON CONFLICT (model, token) DO UPDATE SET embeddings = embeddings + excluded.embeddings;

-- name: delete_unused_tokens
DELETE FROM embedding_frequencies WHERE model = ? AND embeddings <= 0;

-- name: delete_frequencies
DELETE FROM embedding_frequencies WHERE model = ?;

-- name: vectors_of_part
SELECT number, vector FROM embeddings
WHERE number >= ?2 AND number < ?3 AND +model = ?1 ORDER BY number;

-- name: insert_codes
INSERT INTO embedding_codes (model, part, codes) VALUES (?, ?, ?);

-- name: codes_of_part
SELECT codes FROM embedding_codes WHERE model = ? AND part = ?;

-- name: codes_after
SELECT part, codes FROM embedding_codes WHERE model = ? AND part > ? ORDER BY part LIMIT ?;

-- name: last_codes
SELECT part FROM embedding_codes WHERE model = ? ORDER BY part DESC LIMIT 1;

-- name: delete_codes_of_part
DELETE FROM embedding_codes WHERE model = ? AND part = ?;

-- name: delete_codes
DELETE FROM embedding_codes WHERE model = ?;

-- name: set_sealed
UPDATE models SET sealed = ?2 WHERE id = ?1;
