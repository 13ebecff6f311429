-- name: needed_points
SELECT l.upto FROM lineage AS l JOIN branches AS b ON b.ws = :ws AND b.id = l.branch
    WHERE l.ws = :ws AND l.ancestor = ?1 AND l.branch <> ?1
        AND (b.deleted IS NULL OR b.deleted > ?2)
UNION SELECT least(t.version, l.upto) FROM tags AS t JOIN lineage AS l
    ON l.ws = :ws AND l.branch = t.branch AND l.ancestor = ?1
    WHERE t.ws = :ws
UNION SELECT least(c.second_version, l.upto) FROM commits AS c JOIN lineage AS l
    ON l.ws = :ws AND l.branch = c.second_branch AND l.ancestor = ?1
    WHERE c.ws = :ws AND c.second_branch IS NOT NULL
UNION SELECT c.version FROM commits AS c
    WHERE c.ws = :ws AND c.branch = ?1 AND c.second_branch IS NOT NULL;

-- name: commits_of_hashes
SELECT DISTINCT ON (hash) encode(hash, 'hex'), branch, version FROM commits
WHERE ws = :ws AND hash = ANY (ARRAY(
    SELECT decode(value, 'hex') FROM jsonb_array_elements_text(?::jsonb) AS wanted (value)))
ORDER BY hash, version;
