-- Many rows by their numbers, given as one JSON list: a third of the time of single look-ups.
-- name: embeddings_by_number
SELECT e.number, e.scale, e.vector, e.rest
FROM json_each(?1) AS wanted CROSS JOIN embeddings AS e ON e.number = wanted.value;

-- name: tokens_by_number
SELECT t.number, t.tokens
FROM json_each(?2) AS wanted CROSS JOIN embedding_tokens AS t
    ON t.model = ?1 AND t.number = wanted.value;

-- The texts that a model follows. Its scope is 1 for those that need the multilingual model, 0 for
-- the others, NULL for all. Memories need it, since they are linked across languages, and texts
-- in scripts that the main model cannot read: the second byte of an entry has the traits of its
-- text, and of those the bit of 64, so that the first hexadecimal digit is 4 to 7, or C to F.

-- name: texts_after
SELECT version FROM versions
WHERE version > ?1 AND text IS NOT NULL AND flags & 7 = 0
    AND (?3 IS NULL OR ?3 = (substr(hex(substr(text, 2, 1)), 1, 1) IN ('4', '5', '6', '7',
        'C', 'D', 'E', 'F') OR keyspace IN (SELECT id FROM keyspaces WHERE kind = 'memory')))
ORDER BY version LIMIT ?2;

-- name: count_texts_between
SELECT count(*) FROM versions
WHERE version > ?1 AND version <= ?2 AND text IS NOT NULL AND flags & 7 = 0
    AND (?3 IS NULL OR ?3 = (substr(hex(substr(text, 2, 1)), 1, 1) IN ('4', '5', '6', '7',
        'C', 'D', 'E', 'F') OR keyspace IN (SELECT id FROM keyspaces WHERE kind = 'memory')));

-- The same without the texts of documents, which have a search of their own.
-- name: count_open_texts_between
SELECT count(*) FROM versions
WHERE version > ?1 AND version <= ?2 AND text IS NOT NULL AND flags & 7 = 0
    AND keyspace NOT IN (SELECT id FROM keyspaces WHERE kind IN ('document', 'section'))
    AND (?3 IS NULL OR ?3 = (substr(hex(substr(text, 2, 1)), 1, 1) IN ('4', '5', '6', '7',
        'C', 'D', 'E', 'F') OR keyspace IN (SELECT id FROM keyspaces WHERE kind = 'memory')));

-- The texts of documents alone.
-- name: count_guarded_texts
SELECT count(*) FROM versions AS v JOIN keyspaces AS s ON s.id = v.keyspace
WHERE v.version > ?1 AND v.text IS NOT NULL AND v.flags & 7 = 0
    AND s.kind IN ('document', 'section')
    AND (?2 IS NULL OR ?2 = (substr(hex(substr(v.text, 2, 1)), 1, 1) IN ('4', '5', '6', '7',
        'C', 'D', 'E', 'F') OR v.keyspace IN (SELECT id FROM keyspaces WHERE kind = 'memory')));
