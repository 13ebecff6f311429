-- Agents that users have defined, and the queue of their tasks.

-- Those of a user, and those that are for everybody; a user's own come first.
-- name: agents_for
SELECT id, name, user_id, is_shared, definition, created, changed FROM agents
WHERE ws = :ws AND user_id = ?1 OR ws = :ws AND is_shared = 1
ORDER BY user_id <> ?1, name, id;

-- name: agent_names
SELECT name FROM agents WHERE ws = :ws ORDER BY name, id;

-- name: count_agents
SELECT count(*) FROM agents WHERE ws = :ws AND user_id = ?1;

-- name: upsert_agent
INSERT INTO agents (ws, id, name, user_id, is_shared, definition, created, changed)
VALUES (:ws, ?1, ?2, ?3, ?4, ?5, ?6, ?6)
ON CONFLICT (ws, user_id, name) DO UPDATE SET is_shared = excluded.is_shared,
    definition = excluded.definition, changed = excluded.changed
RETURNING id, created;

-- name: delete_agent
DELETE FROM agents WHERE ws = :ws AND id = ?1 AND user_id = ?2 RETURNING id;

-- name: insert_task
INSERT INTO tasks (ws, id, agent, agent_name, user_id, caller, branch, document, instruction,
    request, status, allowed, deadline, created)
VALUES (:ws, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'pending', ?10, ?11, ?12);

-- name: task
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE ws = :ws AND id = ?1;

-- name: task_of_request
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE ws = :ws AND user_id = ?1 AND request = ?2;

-- Newest first.
-- name: tasks_of
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE ws = :ws AND user_id = ?1 AND created <= ?2 AND (created < ?2 OR id < ?3)
ORDER BY created DESC, id DESC LIMIT ?4;

-- name: tasks_of_agent
SELECT id, agent, agent_name, user_id, caller, branch, document, instruction, status, attempts,
    tool_calls, output, error, worker, leased_until, deadline, is_cancelled, created, started, ended
FROM tasks WHERE ws = :ws AND user_id = ?1 AND agent = ?5
    AND created <= ?2 AND (created < ?2 OR id < ?3)
ORDER BY created DESC, id DESC LIMIT ?4;

-- name: count_open_tasks
SELECT count(*) FROM tasks
WHERE ws = :ws AND ended IS NULL AND status IN ('pending', 'running') AND user_id = ?1;

-- Whether there is anything that a worker could do: the one thing that an idle one asks.
-- name: is_work_waiting
SELECT EXISTS (SELECT 1 FROM tasks WHERE ws = :ws AND ended IS NULL AND status = 'pending')
    OR EXISTS (SELECT 1 FROM tasks WHERE ws = :ws AND ended IS NULL AND status = 'running'
        AND leased_until <= ?1);

-- name: renew_task
UPDATE tasks SET leased_until = ?3, tool_calls = ?4
WHERE ws = :ws AND id = ?1 AND worker = ?2 AND ended IS NULL AND status = 'running'
RETURNING id;

-- Whether the worker of a task is to stop; no row when the worker no longer has the task.
-- name: task_flag
SELECT is_cancelled FROM tasks
WHERE ws = :ws AND id = ?1 AND worker = ?2 AND ended IS NULL AND status = 'running';

-- Only by the worker that has it: one that lost its lease can end nothing.
-- name: finish_task
UPDATE tasks SET status = ?3, output = ?4, error = ?5, tool_calls = ?6, ended = ?7, worker = NULL,
    leased_until = NULL
WHERE ws = :ws AND id = ?1 AND worker = ?2 AND ended IS NULL AND status = 'running'
RETURNING id;

-- A worker that stops in order gives its task back, and the attempt does not count.
-- name: release_task
UPDATE tasks SET status = 'pending', worker = NULL, leased_until = NULL, attempts = attempts - 1
WHERE ws = :ws AND id = ?1 AND worker = ?2 AND ended IS NULL AND status = 'running'
RETURNING id;

-- name: cancel_task
UPDATE tasks SET is_cancelled = 1,
    status = CASE WHEN status = 'pending' THEN 'cancelled' ELSE status END,
    ended = CASE WHEN status = 'pending' THEN ?3 ELSE ended END
WHERE ws = :ws AND id = ?1 AND user_id = ?2 AND ended IS NULL
RETURNING id;

-- Steps.

-- name: insert_task_step
INSERT INTO task_steps (ws, task, number, created, tool, arguments, answer, is_error, took)
VALUES (:ws, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (ws, task, number) DO NOTHING;

-- name: task_steps
SELECT number, created, tool, arguments, answer, is_error, took FROM task_steps
WHERE ws = :ws AND task = ?1 ORDER BY number;

-- Another attempt begins with the first step.
-- name: delete_task_steps
DELETE FROM task_steps WHERE ws = :ws AND task = ?1 AND number <= ?2;

-- Forgetting.

-- name: delete_steps_of_old_tasks
DELETE FROM task_steps WHERE ws = :ws AND task IN (SELECT id FROM tasks
    WHERE ws = :ws AND ended IS NOT NULL AND ended < ?1);

-- name: delete_old_tasks
DELETE FROM tasks WHERE ws = :ws AND ended IS NOT NULL AND ended < ?1;
