-- The numbers of a shelf (?2) on a branch (?1) as its versions give them: after each commit that
-- changes how many live keys the branch shows. The migration's triggers keep the same.
-- name: counted_keys
SELECT version, live FROM (
    SELECT version, gain, sum(gain) OVER (ORDER BY version) + coalesce((
        SELECT c.live FROM lineage AS l CROSS JOIN counts AS c
            ON c.branch = l.ancestor AND c.shelf = ?2 AND c.version <= l.upto
        WHERE l.branch = ?1 AND l.depth > 0 ORDER BY l.depth, c.version DESC LIMIT 1), 0) AS live
    FROM (
        SELECT (SELECT min(c.version) FROM commits AS c
                WHERE c.branch = ?1 AND c.version >= v.version) AS version,
            sum((v.flags & 5 = 0) - coalesce((
                SELECT p.flags & 5 = 0 FROM lineage AS l CROSS JOIN versions AS p
                    ON p.branch = l.ancestor AND p.shelf = ?2 AND p.key = v.key
                    AND p.version <= min(l.upto, v.version - 1)
                WHERE l.branch = ?1 ORDER BY l.depth, p.version DESC LIMIT 1), 0)) AS gain
        FROM versions AS v WHERE v.branch = ?1 AND v.shelf = ?2 GROUP BY 1
    ) AS gains
) AS numbers WHERE gain <> 0 ORDER BY version;

-- name: counts_on
SELECT version, live FROM counts WHERE branch = ? AND shelf = ? ORDER BY version;

-- name: delete_counts
DELETE FROM counts WHERE branch = ? AND shelf = ?;

-- name: insert_count
INSERT INTO counts (branch, shelf, version, live) VALUES (?, ?, ?, ?);

-- name: branch_ids
SELECT id FROM branches ORDER BY id;

-- Versions of a branch that do not say which one they replaced.
-- name: wrong_replacements
SELECT version FROM (
    SELECT version, replaces,
        lag(version) OVER (PARTITION BY shelf, key ORDER BY version) AS before
    FROM versions WHERE branch = ?1
) AS pairs WHERE replaces IS NOT before LIMIT ?2;
