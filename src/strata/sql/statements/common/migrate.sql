-- Let every process look at the catalog again before its next write.
-- name: bump_generation
UPDATE catalog SET generation = generation + 1 WHERE ws = :ws;
