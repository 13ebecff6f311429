-- Points that must stay readable on a branch: where other branches leave it (unless they
-- were deleted before ?2), tags, and the bases that merges will start from.
-- name: needed_points
SELECT l.upto FROM lineage AS l JOIN branches AS b ON b.id = l.branch
    WHERE l.ancestor = ?1 AND l.branch <> ?1 AND (b.deleted IS NULL OR b.deleted > ?2)
UNION SELECT min(t.version, l.upto) FROM tags AS t JOIN lineage AS l
    ON l.branch = t.branch AND l.ancestor = ?1
UNION SELECT min(c.second_version, l.upto) FROM commits AS c JOIN lineage AS l
    ON l.branch = c.second_branch AND l.ancestor = ?1
    WHERE c.second_branch IS NOT NULL
UNION SELECT c.version FROM commits AS c WHERE c.branch = ?1 AND c.second_branch IS NOT NULL;

-- Where the commits with some hashes are, given in hexadecimal.
-- name: commits_of_hashes
SELECT lower(hex(hash)), branch, min(version) FROM commits
WHERE lower(hex(hash)) IN (SELECT value FROM json_each(?)) GROUP BY hash;
