-- Agents that users have defined, and the queue of their tasks.

-- Those of a user, and those that are for everybody; a user's own come first.
-- name: agents_for
SELECT id, name, user_id, is_shared, definition, created, changed FROM agents
WHERE user_id = ?1 OR is_shared = 1
ORDER BY user_id <> ?1, name, id;

-- name: agent_names
SELECT name FROM agents ORDER BY name, id;

-- name: count_agents
SELECT count(*) FROM agents WHERE user_id = ?1;

-- name: upsert_agent
INSERT INTO agents (id, name, user_id, is_shared, definition, created, changed)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
ON CONFLICT (user_id, name) DO UPDATE SET is_shared = excluded.is_shared,
    definition = excluded.definition, changed = excluded.changed
RETURNING id, created;

-- name: delete_agent
DELETE FROM agents WHERE id = ?1 AND user_id = ?2 RETURNING id;

-- name: insert_task
INSERT INTO tasks (id, agent, agent_name, user_id, caller, branch, document, instruction, request,
    status, allowed, deadline, created)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'pending', ?10, ?11, ?12);

-- name: task
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE id = ?1;

-- name: task_of_request
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE user_id = ?1 AND request = ?2;

-- Newest first.
-- name: tasks_of
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE user_id = ?1 AND created <= ?2 AND (created < ?2 OR id < ?3)
ORDER BY created DESC, id DESC LIMIT ?4;

-- name: tasks_of_status
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE user_id = ?1 AND status = ?5 AND (?6 IS NULL OR agent = ?6)
    AND created <= ?2 AND (created < ?2 OR id < ?3)
ORDER BY created DESC, id DESC LIMIT ?4;

-- name: tasks_of_agent
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE user_id = ?1 AND agent = ?5
    AND created <= ?2 AND (created < ?2 OR id < ?3)
ORDER BY created DESC, id DESC LIMIT ?4;

-- name: count_open_tasks
SELECT count(*) FROM tasks WHERE ended IS NULL AND status IN ('pending', 'running') AND user_id = ?1;

-- What differs when anything about a user's tasks has changed; a few looks at indexes.
-- name: tasks_mark
SELECT (SELECT max(created) FROM tasks WHERE user_id = ?1),
    (SELECT max(started) FROM tasks WHERE user_id = ?1 AND started IS NOT NULL),
    (SELECT max(ended) FROM tasks WHERE user_id = ?1 AND ended IS NOT NULL),
    count(*), sum(leased_until), sum(is_cancelled)
FROM tasks WHERE ended IS NULL AND status IN ('pending', 'running') AND user_id = ?1;

-- Whether there is anything that a worker could do: the one thing that an idle one asks.
-- name: is_work_waiting
SELECT EXISTS (SELECT 1 FROM tasks WHERE ended IS NULL AND status = 'pending')
    OR EXISTS (SELECT 1 FROM tasks WHERE ended IS NULL AND status = 'running'
        AND leased_until <= ?1);

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

-- name: renew_task
UPDATE tasks SET leased_until = ?3, tool_calls = ?4
WHERE id = ?1 AND worker = ?2 AND ended IS NULL AND status = 'running'
RETURNING id;

-- Whether the worker of a task is to stop; no row when the worker no longer has the task.
-- name: task_flag
SELECT is_cancelled FROM tasks
WHERE id = ?1 AND worker = ?2 AND ended IS NULL AND status = 'running';

-- Only by the worker that has it: one that lost its lease can end nothing.
-- name: finish_task
UPDATE tasks SET status = ?3, output = ?4, error = ?5, tool_calls = ?6, ended = ?7, worker = NULL,
    leased_until = NULL
WHERE id = ?1 AND worker = ?2 AND ended IS NULL AND status = 'running'
RETURNING id;

-- A worker that stops in order gives its task back, and the attempt does not count.
-- name: release_task
UPDATE tasks SET status = 'pending', worker = NULL, leased_until = NULL, attempts = attempts - 1
WHERE id = ?1 AND worker = ?2 AND ended IS NULL AND status = 'running'
RETURNING id;

-- name: cancel_task
UPDATE tasks SET is_cancelled = 1,
    status = CASE WHEN status = 'pending' THEN 'cancelled' ELSE status END,
    ended = CASE WHEN status = 'pending' THEN ?3 ELSE ended END
WHERE id = ?1 AND user_id = ?2 AND ended IS NULL
RETURNING id;

-- Steps.

-- name: insert_task_step
INSERT INTO task_steps (task, number, created, tool, arguments, answer, is_error, took)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (task, number) DO NOTHING;

-- name: task_steps
SELECT number, created, tool, arguments, answer, is_error, took FROM task_steps
WHERE task = ?1 ORDER BY number;

-- Another attempt begins with the first step.
-- name: delete_task_steps
DELETE FROM task_steps WHERE task = ?1 AND number <= ?2;

-- Forgetting.

-- name: delete_steps_of_old_tasks
DELETE FROM task_steps WHERE task IN (SELECT id FROM tasks WHERE ended IS NOT NULL AND ended < ?1);

-- name: delete_old_tasks
DELETE FROM tasks WHERE ended IS NOT NULL AND ended < ?1;

-- What was asked, done and answered about a document that is erased for good.
-- name: delete_steps_about
DELETE FROM task_steps WHERE instr(arguments, ?1) > 0 OR instr(answer, ?1) > 0 OR task IN (
    SELECT id FROM tasks WHERE document = ?1 OR instr(coalesce(output, ''), ?1) > 0
        OR instr(instruction, ?1) > 0);

-- name: delete_tasks_about
DELETE FROM tasks WHERE document = ?1 OR instr(coalesce(output, ''), ?1) > 0
    OR instr(instruction, ?1) > 0;
