-- A task that another transaction is changing is passed over.
-- name: next_task
SELECT t.id FROM tasks AS t
WHERE t.ws = :ws AND t.ended IS NULL AND t.status IN ('pending', 'running')
    AND (t.status = 'pending' OR t.leased_until <= ?1)
    AND t.user_id = (
        SELECT w.user_id FROM (
            SELECT user_id, min(created) AS first FROM tasks
            WHERE ws = :ws AND ended IS NULL AND status IN ('pending', 'running')
                AND (status = 'pending' OR leased_until <= ?1)
            GROUP BY user_id
        ) AS w
        ORDER BY
            (SELECT count(*) FROM tasks AS r WHERE r.ws = :ws AND r.ended IS NULL
                AND r.status = 'running' AND r.user_id = w.user_id AND r.leased_until > ?1),
            coalesce((SELECT max(s.started) FROM tasks AS s
                WHERE s.ws = :ws AND s.user_id = w.user_id AND s.started IS NOT NULL), 0),
            w.first, w.user_id
        LIMIT 1)
ORDER BY t.created, t.id LIMIT 1 FOR UPDATE OF t SKIP LOCKED;

-- name: tasks_of_status
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE ws = :ws AND user_id = ?1 AND status = ?5 AND (?6::text IS NULL OR agent = ?6)
    AND created <= ?2 AND (created < ?2 OR id < ?3)
ORDER BY created DESC, id DESC LIMIT ?4;

-- name: tasks_mark
SELECT (SELECT max(created) FROM tasks WHERE ws = :ws AND user_id = ?1),
    (SELECT max(started) FROM tasks WHERE ws = :ws AND user_id = ?1 AND started IS NOT NULL),
    (SELECT max(ended) FROM tasks WHERE ws = :ws AND user_id = ?1 AND ended IS NOT NULL),
    count(*), sum(leased_until)::bigint, sum(is_cancelled)::bigint
FROM tasks
WHERE ws = :ws AND ended IS NULL AND status IN ('pending', 'running') AND user_id = ?1;

-- name: end_tasks_without_worker
UPDATE tasks SET
    status = CASE WHEN is_cancelled <> 0 THEN 'cancelled' WHEN deadline <= ?1 THEN 'timedOut'
        ELSE 'failed' END,
    error = CASE WHEN is_cancelled <> 0 THEN NULL WHEN deadline <= ?1
        THEN CASE WHEN started IS NULL THEN ?4 ELSE ?5 END ELSE ?3 END,
    ended = ?1, worker = NULL, leased_until = NULL
WHERE ws = :ws AND ended IS NULL AND (
    (status = 'pending' AND (is_cancelled <> 0 OR deadline <= ?1))
    OR (status = 'running' AND leased_until <= ?1
        AND (is_cancelled <> 0 OR deadline <= ?1 OR attempts >= ?2)));

-- name: claim_task
UPDATE tasks SET status = 'running', worker = ?2, leased_until = ?3, attempts = attempts + 1,
    deadline = CASE WHEN started IS NULL THEN ?4 + allowed ELSE deadline END,
    started = coalesce(started, ?4), tool_calls = 0
WHERE ws = :ws AND id = ?1 AND ended IS NULL AND is_cancelled = 0 AND deadline > ?4
    AND (status = 'pending' OR (status = 'running' AND leased_until <= ?4))
RETURNING id;

-- name: delete_steps_about
DELETE FROM task_steps
WHERE ws = :ws AND (strpos(arguments, ?1) > 0 OR strpos(answer, ?1) > 0 OR task IN (
    SELECT id FROM tasks WHERE ws = :ws AND (document = ?1
        OR strpos(coalesce(output, ''), ?1) > 0 OR strpos(instruction, ?1) > 0)));

-- name: delete_tasks_about
DELETE FROM tasks WHERE ws = :ws AND (document = ?1 OR strpos(coalesce(output, ''), ?1) > 0
    OR strpos(instruction, ?1) > 0);
