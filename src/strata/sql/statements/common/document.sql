-- What documents ask of the versions that hold them.

-- The rows of keys whose versions build on each other.
-- name: chain_rows
SELECT version, key, flags, meta FROM versions WHERE branch = ? AND keyspace = ?
ORDER BY key, version;

-- name: keys_of_kind
SELECT DISTINCT v.key FROM keyspaces AS h, branches AS b
    JOIN versions AS v ON v.branch = b.id AND v.keyspace = h.id
WHERE h.space = ?1 AND h.kind = ?2 AND v.flags & 4 = 0;

-- Documents of a branch that no folder has.
-- name: unplaced_documents
SELECT DISTINCT v.key FROM keyspaces AS h
    JOIN versions AS v ON v.branch = ?1 AND v.keyspace = h.id
WHERE h.space = ?2 AND h.kind = ?3 AND v.flags & 4 = 0
    AND NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.document = v.key);

-- Every version of what belongs to a document (?2), or of the key itself, that has its value.
-- name: versions_of_document
SELECT v.version, h.kind, v.key FROM keyspaces AS h, branches AS b
    JOIN versions AS v ON v.branch = b.id AND v.keyspace = h.id
WHERE h.space = ?1 AND (v.key = ?2 OR (v.key > ?2 || '/' AND v.key < ?2 || '0'))
    AND v.flags & 4 = 0
ORDER BY v.version;

-- The first version of a key, on any branch, that declares an attribute.
-- name: version_with_attribute
SELECT v.version, v.timestamp, v.flags, v.value, v.meta, v.branch
FROM attributes AS a CROSS JOIN versions AS v ON v.version = a.version
WHERE a.keyspace = ?1 AND a.name = ?2 AND a.value = ?3 AND v.key = ?4
ORDER BY a.version LIMIT 1;
