-- Note the request (?1) of a transaction that makes a change (?2), and forget the last one (?3).
-- name: note_request
WITH forgotten AS (
    DELETE FROM commit_requests WHERE ws = :ws AND id = ?3::bytea
)
INSERT INTO commit_requests (ws, id, change) VALUES (:ws, ?1::bytea, ?2);

-- Keep a request from being committed later. This waits while it is being committed.
-- name: refuse_request
INSERT INTO commit_requests (ws, id) VALUES (:ws, ?::bytea) ON CONFLICT DO NOTHING;

-- What became of a request: the number of its change, NULL if it was refused, and its version.
-- name: outcome_of_request
SELECT r.change, v.version, v.timestamp, v.hash FROM commit_requests AS r
LEFT JOIN versions AS v ON v.ws = :ws AND v.version = r.version
WHERE r.ws = :ws AND r.id = ?::bytea;

-- Forget the requests of writers that ended long ago (? microseconds).
-- name: forget_requests
DELETE FROM commit_requests WHERE ws = :ws AND id IN (
    SELECT r.id FROM commit_requests AS r WHERE r.ws = :ws
        AND r.made < (extract(epoch FROM statement_timestamp()) * 1000000)::bigint - ?
    ORDER BY r.made LIMIT 1000 FOR UPDATE SKIP LOCKED);
