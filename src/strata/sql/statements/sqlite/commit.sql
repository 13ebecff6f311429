-- A version. The last one of a commit has the commit's header and hash, the others have none.
-- name: insert_version
INSERT INTO versions
    (version, branch, keyspace, key, flags, timestamp, meta, digest, value, text,
     first, actor, operation, message, second_branch, second_version, second_hash, hash, declared)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- A commit of one version, by itself: it writes nothing when branches have changed since the
-- caller looked, and fails when another writer has used its number.
-- name: insert_lone_version
INSERT INTO versions
    (version, branch, keyspace, key, flags, timestamp, meta, digest, value, text,
     first, actor, operation, message, hash)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?1, ?11, ?12, ?13, ?14
WHERE (SELECT generation FROM catalog) = ?15;

-- Version and time of the newest commit that each branch shows; none for one that shows no commit.
-- name: branch_tips
SELECT b.id, c.version, c.timestamp FROM branches AS b CROSS JOIN commits AS c ON c.version = (
    SELECT t.version FROM lineage AS l CROSS JOIN commits AS t
        ON t.branch = l.ancestor AND t.version <= l.upto
    WHERE l.branch = b.id ORDER BY l.depth, t.version DESC LIMIT 1);

-- The commit that a version belongs to.
-- name: commit_of
SELECT c.version, c.branch, c.timestamp, c.first, c.actor, c.operation, c.message,
       c.second_branch, c.second_version, c.second_hash, c.hash
FROM versions AS v CROSS JOIN commits AS c ON c.branch = v.branch AND c.version >= v.version
WHERE v.version = ? ORDER BY c.version LIMIT 1;

-- The newest commit that a state (?1, ?2) shows.
-- name: visible_tip
SELECT c.version, c.timestamp, c.hash FROM lineage AS l CROSS JOIN commits AS c ON c.version = (
    SELECT max(t.version) FROM commits AS t
    WHERE t.branch = l.ancestor AND t.version <= min(l.upto, ?2))
WHERE l.branch = ?1 ORDER BY l.depth LIMIT 1;

-- The newest commit that a branch (?1) shows at the end of the commit that a version (?2) belongs
-- to: no state ever lay inside a commit.
-- name: tip_at_version
WITH whole AS MATERIALIZED (
    SELECT c.version AS upto FROM versions AS v CROSS JOIN commits AS c
        ON c.branch = v.branch AND c.version >= v.version
    WHERE v.version = ?2 ORDER BY c.version LIMIT 1
)
SELECT c.version, c.timestamp FROM whole AS w CROSS JOIN lineage AS l CROSS JOIN commits AS c
    ON c.version = (SELECT max(t.version) FROM commits AS t
        WHERE t.branch = l.ancestor AND t.version <= min(l.upto, w.upto))
WHERE l.branch = ?1 ORDER BY l.depth LIMIT 1;
