-- What the text index follows, and the words that it has seen.

-- What the text index has to follow.
-- name: texts_since
SELECT version, branch, keyspace, key, flags, timestamp, text FROM versions
WHERE version > ? ORDER BY version LIMIT ?;

-- name: versions_by_tag
SELECT version FROM item_tags WHERE tag = ?;

-- name: words_from
SELECT word FROM words WHERE word >= ? AND word < ? ORDER BY word LIMIT ?;

-- name: delete_word
DELETE FROM words WHERE word = ?;
