-- It also counts the change, which locks the workspace: a writer that waits for the lock sees the
-- generation that the other one has left. A number that is used already violates the primary key.
-- name: insert_lone_version
WITH counted AS (
    UPDATE catalog SET changes = changes + 1 WHERE ws = :ws AND generation = ?15 RETURNING changes
)
INSERT INTO versions
    (ws, version, branch, keyspace, key, flags, timestamp, meta, digest, value, text,
     first, actor, operation, message, hash)
SELECT :ws, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?1, ?11, ?12, ?13, ?14 FROM counted
RETURNING (SELECT changes FROM counted);

-- PostgreSQL sorts what a join gives, however its tables are ordered. So each ancestor is asked for
-- its one newest row by itself, the nearest first: that is a seek in an index, and the first ends it.
-- name: branch_tips
SELECT b.id, c.version, c.timestamp FROM branches AS b, LATERAL (
    SELECT t.version, t.timestamp FROM lineage AS l, LATERAL (
        SELECT t.version, t.timestamp FROM commits AS t
        WHERE t.ws = :ws AND t.branch = l.ancestor AND t.version <= l.upto
        ORDER BY t.version DESC LIMIT 1) AS t
    WHERE l.ws = :ws AND l.branch = b.id ORDER BY l.depth LIMIT 1) AS c
WHERE b.ws = :ws;

-- name: commit_of
SELECT c.version, c.branch, c.timestamp, c.first, c.actor, c.operation, c.message,
       c.second_branch, c.second_version, c.second_hash, c.hash
FROM versions AS v, LATERAL (
    SELECT c.version, c.branch, c.timestamp, c.first, c.actor, c.operation, c.message,
        c.second_branch, c.second_version, c.second_hash, c.hash
    FROM commits AS c WHERE c.ws = :ws AND c.branch = v.branch AND c.version >= v.version
    ORDER BY c.version LIMIT 1) AS c
WHERE v.ws = :ws AND v.version = ?;

-- Many versions at once; the columns are those of insert_version.
-- name: copy_versions
COPY versions
    (ws, version, branch, keyspace, key, flags, timestamp, meta, digest, value, text)
FROM STDIN (FORMAT BINARY);
