-- What a search filters by, and the words that the text index has seen.

-- name: versions_by_tag
SELECT version FROM item_tags WHERE ws = :ws AND tag = ?;

-- name: words_from
SELECT word FROM words WHERE ws = :ws AND word >= ? AND word < ? ORDER BY word LIMIT ?;

-- name: delete_word
DELETE FROM words WHERE ws = :ws AND word = ?;
