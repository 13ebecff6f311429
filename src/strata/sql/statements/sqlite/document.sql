-- name: keys_of_kind
SELECT DISTINCT v.key FROM keyspaces AS h, branches AS b
    JOIN versions AS v ON v.branch = b.id AND v.keyspace = h.id
WHERE h.space = ?1 AND h.kind = ?2 AND v.flags & 4 = 0;

-- Every version of what belongs to a document (?2), or of the key itself, that has its value.
-- name: versions_of_document
SELECT v.version, h.kind, v.key FROM keyspaces AS h, branches AS b
    JOIN versions AS v ON v.branch = b.id AND v.keyspace = h.id
WHERE h.space = ?1 AND (v.key = ?2 OR (v.key > ?2 || '/' AND v.key < ?2 || '0'))
    AND v.flags & 4 = 0
ORDER BY v.version;
