-- Agents and what they were asked to do. None of it is versioned. Times are microseconds.

-- Agents that people have defined; definition is JSON and holds no key. Those of Strata itself
-- stand in no table.
CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES users (id),
    is_shared INTEGER NOT NULL DEFAULT 0,
    definition TEXT NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX agents_by_name ON agents (person, name);

-- The queue. A task is taken by whoever holds its lease; one whose lease has ended is free again.
-- caller holds what the asking side may do, so that an agent never may do more. A waiting task's
-- deadline is when nobody need begin it any more, a running one's when it has to end.
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES users (id),
    caller TEXT NOT NULL,
    branch TEXT NOT NULL,
    document TEXT,
    instruction TEXT NOT NULL DEFAULT '',
    request TEXT,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    tool_calls INTEGER NOT NULL DEFAULT 0,
    output TEXT,
    error TEXT,
    worker TEXT,
    leased_until INTEGER,
    allowed INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    is_cancelled INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL,
    started INTEGER,
    ended INTEGER
) WITHOUT ROWID;
-- What is still to be done; what has ended, however much it is, costs no look at the queue anything.
CREATE INDEX tasks_open ON tasks (status, person, created) WHERE ended IS NULL;
CREATE INDEX tasks_by_person ON tasks (person, created);
-- Who was served last.
CREATE INDEX tasks_by_start ON tasks (person, started) WHERE started IS NOT NULL;
CREATE INDEX tasks_by_end ON tasks (ended) WHERE ended IS NOT NULL;
CREATE UNIQUE INDEX tasks_by_request ON tasks (person, request) WHERE request IS NOT NULL;
