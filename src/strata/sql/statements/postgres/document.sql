-- The places come first, each with one range of the index: PostgreSQL joins no two tables that have
-- no condition in common, and would read all versions of a branch.
-- name: keys_of_kind
WITH places AS MATERIALIZED (
    SELECT b.id AS branch, h.id AS keyspace FROM keyspaces AS h, branches AS b
    WHERE h.ws = :ws AND b.ws = :ws AND h.space = ?1 AND h.kind = ?2
)
SELECT DISTINCT v.key FROM places AS p
    JOIN versions AS v ON v.ws = :ws AND v.branch = p.branch AND v.keyspace = p.keyspace
WHERE v.flags & 4 = 0;

-- The first two conditions on the key are the range to read.
-- name: versions_of_document
WITH places AS MATERIALIZED (
    SELECT b.id AS branch, h.id AS keyspace, h.kind FROM keyspaces AS h, branches AS b
    WHERE h.ws = :ws AND b.ws = :ws AND h.space = ?1
)
SELECT v.version, p.kind, v.key FROM places AS p
    JOIN versions AS v ON v.ws = :ws AND v.branch = p.branch AND v.keyspace = p.keyspace
WHERE v.key >= ?2 AND v.key < ?2 || '0' AND (v.key = ?2 OR v.key > ?2 || '/') AND v.flags & 4 = 0
ORDER BY v.version;
