-- What documents ask of the versions that hold them.

-- The rows of keys whose versions build on each other.
-- name: chain_rows
SELECT version, key, flags, meta FROM versions WHERE ws = :ws AND branch = ? AND keyspace = ?
ORDER BY key, version;

-- Documents of a branch that no folder has.
-- name: unplaced_documents
SELECT DISTINCT v.key FROM keyspaces AS h
    JOIN versions AS v ON v.ws = :ws AND v.branch = ?1 AND v.keyspace = h.id
WHERE h.ws = :ws AND h.space = ?2 AND h.kind = ?3 AND v.flags & 4 = 0
    AND NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.ws = :ws AND p.document = v.key);

-- The first version of a key, on any branch, that declares an attribute.
-- name: version_with_attribute
SELECT v.version, v.timestamp, v.flags, v.value, v.meta, v.branch
FROM attributes AS a CROSS JOIN versions AS v ON v.ws = :ws AND v.version = a.version
WHERE a.ws = :ws AND a.keyspace = ?1 AND a.name = ?2 AND a.value = ?3 AND v.key = ?4
ORDER BY a.version LIMIT 1;
