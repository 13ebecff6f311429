-- Versions of one shelf in the order of writing, on whatever branch.
-- name: shelf_versions_between
SELECT version, branch, key FROM versions
WHERE version > ?1 AND version <= ?2 AND shelf = ?3 AND flags & 7 = 0 ORDER BY version LIMIT ?4;

-- name: count_shelf_versions_between
SELECT count(*) FROM versions
WHERE version > ?1 AND version <= ?2 AND shelf = ?3 AND flags & 7 = 0;
