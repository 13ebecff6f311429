-- What an agent does in a task: calls of tools, and notes, which have no tool. arguments and answer
-- are JSON with long parts cut. The newest steps of a task are kept; took is in microseconds.
CREATE TABLE task_steps (
    task TEXT NOT NULL,
    number INTEGER NOT NULL,
    created INTEGER NOT NULL,
    tool TEXT,
    arguments TEXT NOT NULL,
    answer TEXT NOT NULL,
    is_error INTEGER NOT NULL,
    took INTEGER NOT NULL,
    PRIMARY KEY (task, number)
) WITHOUT ROWID;

-- Tasks of one status or one agent, newest first, however many others a user has.
CREATE INDEX tasks_by_status ON tasks (user_id, status, created);
CREATE INDEX tasks_by_user_end ON tasks (user_id, ended) WHERE ended IS NOT NULL;
CREATE INDEX tasks_by_agent ON tasks (user_id, agent, created);
