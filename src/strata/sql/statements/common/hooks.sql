-- name: contexts_after
SELECT conversation, context, confidence, expires FROM contexts
WHERE ws = :ws AND expires > ? ORDER BY expires DESC, conversation LIMIT ?;

-- name: upsert_context
INSERT INTO contexts (ws, conversation, context, confidence, expires) VALUES (:ws, ?, ?, ?, ?)
ON CONFLICT (ws, conversation) DO UPDATE SET context = excluded.context,
    confidence = excluded.confidence, expires = excluded.expires;

-- name: delete_context
DELETE FROM contexts WHERE ws = :ws AND conversation = ? RETURNING conversation;

-- name: has_context
SELECT 1 FROM contexts WHERE ws = :ws AND conversation = ?;

-- name: delete_old_contexts
DELETE FROM contexts WHERE ws = :ws AND expires <= ?;

-- name: listener
SELECT listens FROM listeners WHERE ws = :ws AND client = ? AND seen > ?;

-- name: upsert_listener
INSERT INTO listeners (ws, client, listens, seen) VALUES (:ws, ?, ?, ?)
ON CONFLICT (ws, client) DO UPDATE SET listens = excluded.listens, seen = excluded.seen;

-- name: delete_old_listeners
DELETE FROM listeners WHERE ws = :ws AND seen <= ?;
