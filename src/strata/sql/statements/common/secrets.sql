-- name: all_versions
SELECT version, timestamp, flags, value, meta, branch, keyspace, key, digest
FROM versions WHERE ws = :ws AND version > ? ORDER BY version LIMIT ?;

-- name: count_refused_secret
INSERT INTO refused_secrets (ws, day, kind, actor, times, last) VALUES (:ws, ?1, ?2, ?3, 1, ?4)
ON CONFLICT (ws, day, kind, actor)
DO UPDATE SET times = refused_secrets.times + 1, last = excluded.last;

-- name: refused_secrets
SELECT kind, actor, sum(times), max(last) FROM refused_secrets WHERE ws = :ws AND day >= ?1
GROUP BY kind, actor ORDER BY max(last) DESC, kind, actor;

-- name: forget_refused_secrets
DELETE FROM refused_secrets WHERE ws = :ws AND day < ?1;
