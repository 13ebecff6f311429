-- The tables that show the decisions of the branch `default`; see the migration that made them.

-- name: upsert_memory
INSERT INTO memories (ws, id, type, content, topic, metadata, created_at, updated_at)
VALUES (:ws, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (ws, id) DO UPDATE SET type = excluded.type, content = excluded.content,
    topic = excluded.topic, metadata = excluded.metadata, embedding_vector = NULL,
    created_at = excluded.created_at, updated_at = excluded.updated_at;

-- name: delete_memory
DELETE FROM memories WHERE ws = :ws AND id = ?;

-- What should be empty comes last.
-- name: memories_between
SELECT id, type, content, topic, metadata, created_at, updated_at, embedding_vector
FROM memories WHERE ws = :ws AND id >= ? AND id < ? ORDER BY id;

-- name: upsert_memory_link
INSERT INTO memory_links
    (ws, id, from_id, to_id, link_type, confidence, created_by, metadata, created_at)
VALUES (:ws, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (ws, id) DO UPDATE SET from_id = excluded.from_id, to_id = excluded.to_id,
    link_type = excluded.link_type, confidence = excluded.confidence,
    created_by = excluded.created_by, metadata = excluded.metadata,
    created_at = excluded.created_at;

-- name: delete_memory_link
DELETE FROM memory_links WHERE ws = :ws AND id = ?;

-- name: memory_links_between
SELECT id, from_id, to_id, link_type, confidence, created_by, metadata, created_at
FROM memory_links WHERE ws = :ws AND id >= ? AND id < ? ORDER BY id;
