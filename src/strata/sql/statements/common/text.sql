-- What a search filters by, and the words that the text index has seen.

-- name: versions_by_tag
SELECT version FROM item_tags WHERE tag = ?;

-- name: words_from
SELECT word FROM words WHERE word >= ? AND word < ? ORDER BY word LIMIT ?;

-- name: delete_word
DELETE FROM words WHERE word = ?;
