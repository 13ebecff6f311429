-- name: contexts_after
SELECT conversation, context, confidence, expires FROM contexts
WHERE expires > ? ORDER BY expires DESC, conversation LIMIT ?;

-- name: upsert_context
INSERT INTO contexts (conversation, context, confidence, expires) VALUES (?, ?, ?, ?)
ON CONFLICT (conversation) DO UPDATE SET context = excluded.context,
    confidence = excluded.confidence, expires = excluded.expires;

-- name: delete_context
DELETE FROM contexts WHERE conversation = ? RETURNING conversation;

-- name: has_context
SELECT 1 FROM contexts WHERE conversation = ?;

-- name: delete_old_contexts
DELETE FROM contexts WHERE expires <= ?;

-- name: listener
SELECT listens FROM listeners WHERE client = ? AND seen > ?;

-- name: upsert_listener
INSERT INTO listeners (client, listens, seen) VALUES (?, ?, ?)
ON CONFLICT (client) DO UPDATE SET listens = excluded.listens, seen = excluded.seen;

-- name: delete_old_listeners
DELETE FROM listeners WHERE seen <= ?;
