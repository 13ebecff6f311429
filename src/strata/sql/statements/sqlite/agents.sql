-- The next task: the oldest one of the user who has the fewest running and was served longest ago.
-- The index is named: the other index by user also leads through the tasks that have ended.
-- name: next_task
SELECT t.id FROM tasks AS t INDEXED BY tasks_open
WHERE t.ended IS NULL AND (t.status = 'pending' OR (t.status = 'running' AND t.leased_until <= ?1))
    AND t.user_id = (
        SELECT w.user_id FROM (
            SELECT user_id, min(created) AS first FROM tasks INDEXED BY tasks_open
            WHERE ended IS NULL
                AND (status = 'pending' OR (status = 'running' AND leased_until <= ?1))
            GROUP BY user_id
        ) AS w
        ORDER BY
            (SELECT count(*) FROM tasks AS r WHERE r.ended IS NULL AND r.status = 'running'
                AND r.user_id = w.user_id AND r.leased_until > ?1),
            coalesce((SELECT max(s.started) FROM tasks AS s
                WHERE s.user_id = w.user_id AND s.started IS NOT NULL), 0),
            w.first, w.user_id
        LIMIT 1)
ORDER BY t.created, t.id LIMIT 1;

-- name: tasks_of_status
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE user_id = ?1 AND status = ?5 AND (?6 IS NULL OR agent = ?6)
    AND created <= ?2 AND (created < ?2 OR id < ?3)
ORDER BY created DESC, id DESC LIMIT ?4;

-- What differs when anything about a user's tasks has changed; a few looks at indexes.
-- name: tasks_mark
SELECT (SELECT max(created) FROM tasks WHERE user_id = ?1),
    (SELECT max(started) FROM tasks WHERE user_id = ?1 AND started IS NOT NULL),
    (SELECT max(ended) FROM tasks WHERE user_id = ?1 AND ended IS NOT NULL),
    count(*), sum(leased_until), sum(is_cancelled)
FROM tasks WHERE ended IS NULL AND status IN ('pending', 'running') AND user_id = ?1;

-- What ends without a worker: cancelled, past its deadline, or tried as often as it may be.
-- name: end_tasks_without_worker
UPDATE tasks SET
    status = CASE WHEN is_cancelled THEN 'cancelled' WHEN deadline <= ?1 THEN 'timedOut'
        ELSE 'failed' END,
    error = CASE WHEN is_cancelled THEN NULL WHEN deadline <= ?1
        THEN CASE WHEN started IS NULL THEN ?4 ELSE ?5 END ELSE ?3 END,
    ended = ?1, worker = NULL, leased_until = NULL
WHERE ended IS NULL AND (
    (status = 'pending' AND (is_cancelled OR deadline <= ?1))
    OR (status = 'running' AND leased_until <= ?1
        AND (is_cancelled OR deadline <= ?1 OR attempts >= ?2)));

-- From its first start on a task has the time it is allowed; a second attempt gets no more.
-- name: claim_task
UPDATE tasks SET status = 'running', worker = ?2, leased_until = ?3, attempts = attempts + 1,
    deadline = CASE WHEN started IS NULL THEN ?4 + allowed ELSE deadline END,
    started = coalesce(started, ?4), tool_calls = 0
WHERE id = ?1 AND ended IS NULL AND NOT is_cancelled AND deadline > ?4
    AND (status = 'pending' OR (status = 'running' AND leased_until <= ?4))
RETURNING id;

-- What was asked, done and answered about a document that is erased for good.
-- name: delete_steps_about
DELETE FROM task_steps WHERE instr(arguments, ?1) > 0 OR instr(answer, ?1) > 0 OR task IN (
    SELECT id FROM tasks WHERE document = ?1 OR instr(coalesce(output, ''), ?1) > 0
        OR instr(instruction, ?1) > 0);

-- name: delete_tasks_about
DELETE FROM tasks WHERE document = ?1 OR instr(coalesce(output, ''), ?1) > 0
    OR instr(instruction, ?1) > 0;
