-- A statement that begins with `look.changes` also tells how often the workspace was changed, which
-- is the number of its state. The driver takes that column off; NULL behind it is no row.

-- What tells a process whether what it remembers is still so.
-- name: look
SELECT look.changes, look.generation, look.removals, look.version,
    coalesce((SELECT max(k.id) FROM keyspaces AS k WHERE k.ws = :ws), 0),
    (SELECT a.mark FROM access AS a WHERE a.ws = :ws),
    (SELECT sha256(string_agg(s.digest, ''::bytea ORDER BY s.name))
        FROM settings AS s WHERE s.ws = :ws)
FROM catalog AS look WHERE look.ws = :ws;

-- Tell listeners of a workspace, after the commit, that something was written.
-- name: send_hint
SELECT pg_notify('strata_' || (:ws)::bigint, ?);

-- The number of the state alone, for a read that does not tell it.
-- name: state
SELECT changes FROM catalog WHERE ws = :ws;

-- The database's clock, in microseconds.
-- name: database_time
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
