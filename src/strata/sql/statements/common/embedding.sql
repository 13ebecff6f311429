-- name: models
SELECT id, role, name, embedder, dimension, state, position, revision, embedded, failed,
       tokens, rate, created, sealed
FROM models WHERE ws = :ws ORDER BY id;

-- name: set_model_state
UPDATE models SET state = ?2 WHERE ws = :ws AND id = ?1;

-- Moves on from the position the caller started at; nothing when another process has moved it.
-- name: move_model
UPDATE models SET position = ?3, rate = ?4
WHERE ws = :ws AND id = ?1 AND position = ?2 AND state <> 'retired' RETURNING id;

-- name: count_model
UPDATE models SET embedded = embedded + ?2, failed = failed + ?3, tokens = tokens + ?4,
    revision = revision + ?5
WHERE ws = :ws AND id = ?1;

-- name: delete_model
DELETE FROM models WHERE ws = :ws AND id = ?;

-- name: version_flags
SELECT flags FROM versions WHERE ws = :ws AND version = ?;

-- name: embedding_of_content
SELECT min(number), count(*) FROM embeddings WHERE ws = :ws AND model = ? AND content = ?;

-- Numbers of a part that is made are not given again.
-- name: last_embedding
SELECT coalesce(max(number), 0), (SELECT coalesce(max(sealed), 0) FROM models WHERE ws = :ws)
FROM embeddings WHERE ws = :ws;

-- name: insert_embedding
INSERT INTO embeddings (ws, number, model, content, chunk, scale, vector)
VALUES (:ws, ?, ?, ?, ?, ?, ?);

-- name: insert_embedding_tokens
INSERT INTO embedding_tokens (ws, number, model, ids, tokens) VALUES (:ws, ?, ?, ?, ?);

-- name: insert_embedded
INSERT INTO embedded (ws, model, version, before, number, chunks, reason)
VALUES (:ws, ?, ?, ?, ?, ?, ?);

-- name: delete_embedded
DELETE FROM embedded WHERE ws = :ws AND model = ? AND version = ? RETURNING number, chunks, reason;

-- name: embedded_behind
SELECT model, version FROM embedded WHERE ws = :ws AND before = ? AND number IS NOT NULL;

-- name: versions_to_redo
SELECT version FROM embedded
WHERE ws = :ws AND model = ? AND number IS NULL AND reason IS NULL ORDER BY version LIMIT ?;

-- name: count_to_redo
SELECT count(*) FROM embedded WHERE ws = :ws AND model = ? AND number IS NULL AND reason IS NULL;

-- name: count_open_to_redo
SELECT count(*) FROM embedded AS e JOIN versions AS v ON v.ws = :ws AND v.version = e.version
WHERE e.ws = :ws AND e.model = ? AND e.number IS NULL AND e.reason IS NULL
    AND v.keyspace NOT IN (SELECT id FROM keyspaces
        WHERE ws = :ws AND kind IN ('document', 'section'));

-- name: failures
SELECT version, reason FROM embedded
WHERE ws = :ws AND model = ? AND number IS NULL AND reason IS NOT NULL ORDER BY version LIMIT ?;

-- name: redo_failures
UPDATE embedded SET reason = NULL
WHERE ws = :ws AND model = ? AND number IS NULL AND reason IS NOT NULL RETURNING version;

-- name: embedding_user
SELECT version FROM embedded WHERE ws = :ws AND number = ? LIMIT 1;

-- name: delete_embedding
DELETE FROM embeddings WHERE ws = :ws AND number = ?;

-- name: delete_embedding_tokens
DELETE FROM embedding_tokens WHERE ws = :ws AND number = ? RETURNING ids;

-- name: delete_oldest_tokens
DELETE FROM embedding_tokens WHERE ws = :ws AND number IN (
    SELECT number FROM embedding_tokens WHERE ws = :ws AND model = ?1 ORDER BY number LIMIT ?2)
RETURNING ids;

-- name: delete_some_embedded
DELETE FROM embedded WHERE ws = :ws AND model = ?1 AND version IN (
    SELECT version FROM embedded WHERE ws = :ws AND model = ?1 ORDER BY version LIMIT ?2)
RETURNING number;

-- name: delete_some_embeddings
DELETE FROM embeddings WHERE ws = :ws AND number IN (
    SELECT number FROM embeddings WHERE ws = :ws AND model = ?1 LIMIT ?2)
RETURNING number;

-- name: active_model
SELECT id, position, revision, dimension, embedder, name, tokens, sealed FROM models
WHERE ws = :ws AND role = ? AND state = 'active';

-- The sign before `model` keeps the database from choosing an index that is not in this order.
-- name: embeddings_after
SELECT number, scale, vector FROM embeddings
WHERE ws = :ws AND number > ?2 AND +model = ?1 ORDER BY number LIMIT ?3;

-- name: embedded_after
SELECT version, number, chunks FROM embedded
WHERE ws = :ws AND model = ? AND version > ? AND number IS NOT NULL ORDER BY version LIMIT ?;

-- name: delete_unused_tokens
DELETE FROM embedding_frequencies WHERE ws = :ws AND model = ? AND embeddings <= 0;

-- name: delete_frequencies
DELETE FROM embedding_frequencies WHERE ws = :ws AND model = ?;

-- name: vectors_of_part
SELECT number, vector FROM embeddings
WHERE ws = :ws AND number >= ?2 AND number < ?3 AND +model = ?1 ORDER BY number;

-- name: insert_codes
INSERT INTO embedding_codes (ws, model, part, codes) VALUES (:ws, ?, ?, ?);

-- name: codes_of_part
SELECT codes FROM embedding_codes WHERE ws = :ws AND model = ? AND part = ?;

-- name: codes_after
SELECT part, codes FROM embedding_codes
WHERE ws = :ws AND model = ? AND part > ? ORDER BY part LIMIT ?;

-- name: last_codes
SELECT part FROM embedding_codes WHERE ws = :ws AND model = ? ORDER BY part DESC LIMIT 1;

-- name: delete_codes_of_part
DELETE FROM embedding_codes WHERE ws = :ws AND model = ? AND part = ?;

-- name: delete_codes
DELETE FROM embedding_codes WHERE ws = :ws AND model = ?;

-- name: set_sealed
UPDATE models SET sealed = ?2 WHERE ws = :ws AND id = ?1;
