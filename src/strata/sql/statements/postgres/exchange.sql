-- Which versions there are, by the index alone: their rows may be damaged.
-- name: versions_in_index
SELECT branch, keyspace, key, version, flags FROM versions WHERE ws = :ws
ORDER BY branch, keyspace, key, version DESC;
