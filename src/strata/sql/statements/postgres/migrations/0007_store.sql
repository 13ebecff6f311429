-- Format 7 in PostgreSQL: the tables of sqlite/migrations, which explain them, with the workspace
-- first in every key. Text is compared byte by byte. Numbers are handed out under the lock of the
-- workspace's row in `catalog`, never by a sequence, whose numbers and commits may be in different
-- orders. There are no triggers and no foreign keys: a distributed database refuses the former, and
-- SQLite does not enforce the latter.

CREATE SCHEMA IF NOT EXISTS strata;
SET LOCAL search_path = strata;

-- The formats that the tables have had, and since when.
CREATE TABLE formats (
    number BIGINT PRIMARY KEY,
    migrated BIGINT NOT NULL
);

-- Every workspace of this database, by name. deleted is the time of deletion: the row stays, so that
-- its number is not given to another one while a process may still use it; the name is free.
CREATE TABLE workspaces (
    ws BIGINT PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    deleted BIGINT
);
CREATE UNIQUE INDEX workspaces_by_name ON workspaces (name) WHERE deleted IS NULL;

-- The row that every write transaction locks first. changes grows with each of them, so that a
-- process knows by one number whether anything has been committed since it last looked; version is
-- the newest version of the workspace.
CREATE TABLE catalog (
    ws BIGINT NOT NULL,
    id BIGINT NOT NULL CHECK (id = 1),
    generation BIGINT NOT NULL,
    removals BIGINT NOT NULL,
    syncs BIGINT NOT NULL,
    changes BIGINT NOT NULL DEFAULT 0,
    version BIGINT NOT NULL DEFAULT 0,
    store_id TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (ws, id)
);

-- tip_time and tip_hash are those of the newest commit that the branch shows. A statement that has
-- waited for the lock sees them as they are now; of `versions` it would see an old state.
CREATE TABLE branches (
    ws BIGINT NOT NULL,
    id BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    parent BIGINT,
    fork_version BIGINT,
    created BIGINT NOT NULL,
    deleted BIGINT,
    actor TEXT COLLATE "C",
    metadata TEXT COLLATE "C",
    digest BYTEA NOT NULL,
    changed BIGINT NOT NULL DEFAULT 0,
    tip_time BIGINT NOT NULL DEFAULT 0,
    tip_hash BYTEA NOT NULL DEFAULT '',
    PRIMARY KEY (ws, id)
);
CREATE UNIQUE INDEX branches_by_name ON branches (ws, name) WHERE deleted IS NULL;
CREATE INDEX branches_by_change ON branches (ws, changed);

CREATE TABLE lineage (
    ws BIGINT NOT NULL,
    branch BIGINT NOT NULL,
    depth BIGINT NOT NULL,
    ancestor BIGINT NOT NULL,
    upto BIGINT NOT NULL,
    PRIMARY KEY (ws, branch, depth)
);
CREATE INDEX lineage_by_ancestor ON lineage (ws, ancestor, branch);

CREATE TABLE keyspaces (
    ws BIGINT NOT NULL,
    id BIGINT NOT NULL,
    space TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (ws, id),
    UNIQUE (ws, space, kind)
);

CREATE TABLE versions (
    ws BIGINT NOT NULL,
    version BIGINT NOT NULL,
    branch BIGINT NOT NULL,
    keyspace BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    flags BIGINT NOT NULL,
    timestamp BIGINT NOT NULL,
    meta BYTEA,
    digest BYTEA NOT NULL,
    value BYTEA,
    first BIGINT,
    actor TEXT COLLATE "C",
    operation TEXT COLLATE "C",
    message TEXT COLLATE "C",
    second_branch BIGINT,
    second_version BIGINT,
    second_hash BYTEA,
    hash BYTEA,
    declared BYTEA,
    text BYTEA,
    PRIMARY KEY (ws, version)
);
CREATE INDEX versions_by_key ON versions (ws, branch, keyspace, key, version, flags);
CREATE INDEX commits_by_branch ON versions (ws, branch, version) WHERE hash IS NOT NULL;
CREATE INDEX trimmed_by_branch ON versions (ws, branch, version) WHERE flags & 2 <> 0;
CREATE INDEX merges_by_branch ON versions (ws, branch, version) WHERE second_branch IS NOT NULL;
CREATE INDEX undoings_by_branch ON versions (ws, branch, version)
WHERE operation BETWEEN 'undo ' AND 'undo!' OR operation BETWEEN 'revert ' AND 'revert!';

CREATE TABLE count_checkpoints (
    ws BIGINT NOT NULL,
    version BIGINT NOT NULL,
    commits BIGINT NOT NULL,
    PRIMARY KEY (ws, version)
);

CREATE TABLE counts (
    ws BIGINT NOT NULL,
    branch BIGINT NOT NULL,
    keyspace BIGINT NOT NULL,
    version BIGINT NOT NULL,
    live BIGINT NOT NULL,
    PRIMARY KEY (ws, branch, keyspace, version)
);

CREATE TABLE words (
    ws BIGINT NOT NULL,
    word TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (ws, word)
);

CREATE TABLE attributes (
    ws BIGINT NOT NULL,
    keyspace BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (ws, keyspace, name, value, version)
);
CREATE INDEX attributes_by_version ON attributes (ws, version);

CREATE TABLE links (
    ws BIGINT NOT NULL,
    version BIGINT NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (ws, version, type, target)
);
CREATE INDEX links_by_target ON links (ws, target, type, version);

CREATE TABLE item_tags (
    ws BIGINT NOT NULL,
    tag TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (ws, tag, version)
);
CREATE INDEX item_tags_by_version ON item_tags (ws, version);

CREATE TABLE tags (
    ws BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    branch BIGINT NOT NULL,
    version BIGINT NOT NULL,
    timestamp BIGINT NOT NULL,
    actor TEXT COLLATE "C",
    message TEXT COLLATE "C",
    digest BYTEA NOT NULL,
    PRIMARY KEY (ws, name)
);

CREATE TABLE leases (
    ws BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    holder TEXT COLLATE "C" NOT NULL,
    token TEXT COLLATE "C" NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (ws, name)
);

CREATE TABLE settings (
    ws BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    digest BYTEA NOT NULL,
    PRIMARY KEY (ws, name)
);

CREATE TABLE digests (
    ws BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    rows BIGINT NOT NULL,
    sum BYTEA NOT NULL,
    PRIMARY KEY (ws, name)
);

CREATE TABLE models (
    ws BIGINT NOT NULL,
    id BIGINT NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    embedder TEXT COLLATE "C" NOT NULL,
    dimension BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('active', 'building', 'retired')),
    position BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    embedded BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    rate DOUBLE PRECISION NOT NULL,
    created BIGINT NOT NULL,
    sealed BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (ws, id)
);
CREATE UNIQUE INDEX models_by_role ON models (ws, role, state) WHERE state <> 'retired';

CREATE TABLE embedding_tokens (
    ws BIGINT NOT NULL,
    number BIGINT NOT NULL,
    model BIGINT NOT NULL,
    ids BYTEA,
    tokens BYTEA NOT NULL,
    PRIMARY KEY (ws, number)
);

CREATE TABLE embedding_frequencies (
    ws BIGINT NOT NULL,
    model BIGINT NOT NULL,
    token BIGINT NOT NULL,
    embeddings BIGINT NOT NULL,
    PRIMARY KEY (ws, model, token)
);

CREATE TABLE embedded (
    ws BIGINT NOT NULL,
    model BIGINT NOT NULL,
    version BIGINT NOT NULL,
    before BIGINT,
    number BIGINT,
    chunks BIGINT NOT NULL,
    reason TEXT COLLATE "C",
    PRIMARY KEY (ws, model, version)
);
CREATE INDEX embedded_by_number ON embedded (ws, number) WHERE number IS NOT NULL;
CREATE INDEX embedded_by_before ON embedded (ws, before) WHERE before IS NOT NULL;
CREATE INDEX embedded_missing ON embedded (ws, model, number, reason) WHERE number IS NULL;

CREATE TABLE contexts (
    ws BIGINT NOT NULL,
    conversation TEXT COLLATE "C" NOT NULL,
    context TEXT COLLATE "C" NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (ws, conversation)
);

CREATE TABLE listeners (
    ws BIGINT NOT NULL,
    client TEXT COLLATE "C" NOT NULL,
    listens BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    PRIMARY KEY (ws, client)
);

CREATE TABLE memories (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    topic TEXT COLLATE "C",
    metadata TEXT COLLATE "C",
    embedding_vector BYTEA,
    created_at BIGINT,
    updated_at BIGINT,
    PRIMARY KEY (ws, id),
    CHECK (type IN ('decision', 'checkpoint', 'insight', 'context'))
);
CREATE INDEX idx_memories_type ON memories (ws, type);
CREATE INDEX idx_memories_topic ON memories (ws, topic) WHERE topic IS NOT NULL;
CREATE INDEX idx_memories_created ON memories (ws, created_at);

CREATE TABLE memory_links (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    from_id TEXT COLLATE "C" NOT NULL,
    to_id TEXT COLLATE "C" NOT NULL,
    link_type TEXT COLLATE "C" NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    created_by TEXT COLLATE "C" NOT NULL,
    metadata TEXT COLLATE "C",
    created_at BIGINT,
    PRIMARY KEY (ws, id),
    CHECK (link_type IN ('evolution', 'implementation', 'association', 'temporal')),
    CHECK (confidence >= 0.0 AND confidence <= 1.0),
    CHECK (created_by IN ('user', 'system', 'llm'))
);
CREATE INDEX idx_links_from ON memory_links (ws, from_id);
CREATE INDEX idx_links_to ON memory_links (ws, to_id);
CREATE INDEX idx_links_type ON memory_links (ws, link_type);
CREATE INDEX idx_links_confidence ON memory_links (ws, confidence);

CREATE TABLE access (
    ws BIGINT NOT NULL,
    id BIGINT NOT NULL CHECK (id = 1),
    mark BIGINT NOT NULL,
    PRIMARY KEY (ws, id)
);

CREATE TABLE users (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    match TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    is_owner BIGINT NOT NULL,
    created BIGINT NOT NULL,
    removed BIGINT,
    PRIMARY KEY (ws, id)
);
CREATE UNIQUE INDEX users_by_email ON users (ws, match) WHERE removed IS NULL;
CREATE UNIQUE INDEX users_owning ON users (ws, is_owner) WHERE is_owner <> 0;

CREATE TABLE teams (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    parent TEXT COLLATE "C",
    created BIGINT NOT NULL,
    PRIMARY KEY (ws, id)
);
CREATE INDEX teams_by_parent ON teams (ws, parent);

CREATE TABLE members (
    ws BIGINT NOT NULL,
    team TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    role BIGINT NOT NULL CHECK (role BETWEEN 1 AND 4),
    PRIMARY KEY (ws, team, user_id)
);
CREATE INDEX members_by_user ON members (ws, user_id, team, role);

CREATE TABLE folders (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C",
    team TEXT COLLATE "C",
    parent TEXT COLLATE "C",
    templates BIGINT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (ws, id),
    CHECK ((owner IS NULL) <> (team IS NULL))
);
CREATE UNIQUE INDEX folders_personal ON folders (ws, owner)
WHERE owner IS NOT NULL AND parent IS NULL;
CREATE INDEX folders_by_owner ON folders (ws, owner) WHERE owner IS NOT NULL;
CREATE INDEX folders_by_team ON folders (ws, team) WHERE team IS NOT NULL;
CREATE INDEX folders_by_parent ON folders (ws, parent) WHERE parent IS NOT NULL;

CREATE TABLE placements (
    ws BIGINT NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    folder TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (ws, document)
);
CREATE INDEX placements_by_folder ON placements (ws, folder, document);
CREATE INDEX placements_by_owner ON placements (ws, owner);

CREATE TABLE shares (
    ws BIGINT NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    role BIGINT NOT NULL CHECK (role BETWEEN 1 AND 3),
    created BIGINT NOT NULL,
    PRIMARY KEY (ws, document, user_id)
);
CREATE INDEX shares_by_user ON shares (ws, user_id, document, role);

CREATE TABLE invitations (
    ws BIGINT NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    match TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    role BIGINT NOT NULL CHECK (role BETWEEN 1 AND 3),
    created BIGINT NOT NULL,
    PRIMARY KEY (ws, document, match)
);
CREATE INDEX invitations_by_match ON invitations (ws, match);

CREATE TABLE document_spaces (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C",
    team TEXT COLLATE "C",
    created BIGINT NOT NULL,
    PRIMARY KEY (ws, id),
    CHECK ((owner IS NULL) <> (team IS NULL))
);

CREATE TABLE space_documents (
    ws BIGINT NOT NULL,
    space TEXT COLLATE "C" NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    added BIGINT NOT NULL,
    PRIMARY KEY (ws, space, document)
);
CREATE INDEX space_documents_by_document ON space_documents (ws, document);

CREATE TABLE audit (
    ws BIGINT NOT NULL,
    number BIGINT NOT NULL,
    time BIGINT NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    details TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (ws, number)
);

CREATE TABLE tokens (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    digest BYTEA NOT NULL,
    scopes TEXT COLLATE "C" NOT NULL,
    read_only BIGINT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT,
    last_used BIGINT,
    revoked BIGINT,
    user_id TEXT COLLATE "C",
    suggest_only BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (ws, id)
);

CREATE TABLE requests (
    ws BIGINT NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    answer TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (ws, user_id, key)
);
CREATE INDEX requests_by_time ON requests (ws, created);

CREATE TABLE signing (
    ws BIGINT NOT NULL,
    id BIGINT NOT NULL CHECK (id = 1),
    key BYTEA NOT NULL,
    PRIMARY KEY (ws, id)
);

CREATE TABLE uploads (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    document TEXT COLLATE "C",
    title TEXT COLLATE "C",
    folder TEXT COLLATE "C",
    content_type TEXT COLLATE "C" NOT NULL,
    length BIGINT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    received BIGINT,
    sha256 TEXT COLLATE "C",
    place TEXT COLLATE "C",
    data BYTEA,
    finished TEXT COLLATE "C",
    PRIMARY KEY (ws, id)
);
CREATE INDEX uploads_by_end ON uploads (ws, expires);

CREATE TABLE presence (
    ws BIGINT NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    branch BIGINT NOT NULL,
    session TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    via TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL,
    section TEXT COLLATE "C",
    seen BIGINT NOT NULL,
    edited BIGINT,
    PRIMARY KEY (ws, document, branch, session)
);
CREATE INDEX presence_by_time ON presence (ws, seen);

CREATE TABLE sign_in_codes (
    ws BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (ws, digest)
);

CREATE TABLE browsers (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    digest BYTEA NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    token TEXT COLLATE "C",
    label TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    last_used BIGINT NOT NULL,
    PRIMARY KEY (ws, id),
    UNIQUE (ws, digest)
);
CREATE INDEX browsers_by_user ON browsers (ws, user_id);

CREATE TABLE profiles (
    ws BIGINT NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    about TEXT COLLATE "C" NOT NULL DEFAULT '',
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (ws, user_id)
);
CREATE UNIQUE INDEX profiles_by_name ON profiles (ws, name);

CREATE TABLE profile_names (
    ws BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (ws, name)
);
CREATE INDEX profile_names_by_user ON profile_names (ws, user_id);

CREATE TABLE publications (
    ws BIGINT NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    slug TEXT COLLATE "C" NOT NULL,
    number BIGINT,
    pinned BIGINT,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (ws, document)
);
CREATE UNIQUE INDEX publications_by_slug ON publications (ws, user_id, slug);

CREATE TABLE published_versions (
    ws BIGINT NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    version BIGINT NOT NULL,
    branch BIGINT NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    summary TEXT COLLATE "C" NOT NULL,
    text BYTEA NOT NULL,
    is_packed BIGINT NOT NULL,
    images TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    via TEXT COLLATE "C",
    created BIGINT NOT NULL,
    PRIMARY KEY (ws, document, number)
);

CREATE TABLE published_images (
    ws BIGINT NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    data BYTEA NOT NULL,
    PRIMARY KEY (ws, document, id)
);

CREATE TABLE agents (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    is_shared BIGINT NOT NULL DEFAULT 0,
    definition TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (ws, id)
);
CREATE UNIQUE INDEX agents_by_name ON agents (ws, user_id, name);

CREATE TABLE tasks (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    agent TEXT COLLATE "C" NOT NULL,
    agent_name TEXT COLLATE "C" NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    caller TEXT COLLATE "C" NOT NULL,
    branch TEXT COLLATE "C" NOT NULL,
    document TEXT COLLATE "C",
    instruction TEXT COLLATE "C" NOT NULL DEFAULT '',
    request TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    tool_calls BIGINT NOT NULL DEFAULT 0,
    output TEXT COLLATE "C",
    error TEXT COLLATE "C",
    worker TEXT COLLATE "C",
    leased_until BIGINT,
    allowed BIGINT NOT NULL,
    deadline BIGINT NOT NULL,
    is_cancelled BIGINT NOT NULL DEFAULT 0,
    created BIGINT NOT NULL,
    started BIGINT,
    ended BIGINT,
    PRIMARY KEY (ws, id)
);
CREATE INDEX tasks_open ON tasks (ws, status, user_id, created) WHERE ended IS NULL;
CREATE INDEX tasks_by_user ON tasks (ws, user_id, created);
CREATE INDEX tasks_by_start ON tasks (ws, user_id, started) WHERE started IS NOT NULL;
CREATE INDEX tasks_by_end ON tasks (ws, ended) WHERE ended IS NOT NULL;
CREATE UNIQUE INDEX tasks_by_request ON tasks (ws, user_id, request) WHERE request IS NOT NULL;
CREATE INDEX tasks_by_status ON tasks (ws, user_id, status, created);
CREATE INDEX tasks_by_user_end ON tasks (ws, user_id, ended) WHERE ended IS NOT NULL;
CREATE INDEX tasks_by_agent ON tasks (ws, user_id, agent, created);

CREATE TABLE segments (
    ws BIGINT NOT NULL,
    id BIGINT NOT NULL,
    first BIGINT NOT NULL,
    last BIGINT NOT NULL,
    items BIGINT NOT NULL,
    stamp BIGINT NOT NULL,
    summary BYTEA NOT NULL,
    PRIMARY KEY (ws, id),
    UNIQUE (ws, first)
);

CREATE TABLE segment_parts (
    ws BIGINT NOT NULL,
    id BIGINT NOT NULL,
    data BYTEA NOT NULL,
    PRIMARY KEY (ws, id)
);

CREATE TABLE embeddings (
    ws BIGINT NOT NULL,
    number BIGINT NOT NULL,
    model BIGINT NOT NULL,
    content BYTEA NOT NULL,
    chunk BIGINT NOT NULL,
    scale DOUBLE PRECISION NOT NULL,
    vector BYTEA NOT NULL,
    PRIMARY KEY (ws, number)
);
CREATE UNIQUE INDEX embeddings_by_content ON embeddings (ws, model, content, chunk);

CREATE TABLE embedding_codes (
    ws BIGINT NOT NULL,
    model BIGINT NOT NULL,
    part BIGINT NOT NULL,
    codes BYTEA NOT NULL
);
CREATE UNIQUE INDEX embedding_codes_by_part ON embedding_codes (ws, model, part);

CREATE TABLE text_counts (
    ws BIGINT NOT NULL,
    version BIGINT NOT NULL,
    plain BIGINT NOT NULL,
    wide BIGINT NOT NULL,
    guarded_plain BIGINT NOT NULL,
    guarded_wide BIGINT NOT NULL,
    PRIMARY KEY (ws, version)
);

CREATE TABLE task_steps (
    ws BIGINT NOT NULL,
    task TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    created BIGINT NOT NULL,
    tool TEXT COLLATE "C",
    arguments TEXT COLLATE "C" NOT NULL,
    answer TEXT COLLATE "C" NOT NULL,
    is_error BIGINT NOT NULL,
    took BIGINT NOT NULL,
    PRIMARY KEY (ws, task, number)
);

CREATE TABLE share_links (
    ws BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    digest BYTEA NOT NULL,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('invitation', 'open')),
    document TEXT COLLATE "C",
    team TEXT COLLATE "C",
    role BIGINT NOT NULL CHECK (role BETWEEN 1 AND 3),
    newcomers BIGINT NOT NULL CHECK (newcomers IN (0, 1)),
    user_id TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT,
    most_uses BIGINT,
    uses BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (ws, id),
    UNIQUE (ws, digest),
    CHECK ((document IS NULL) <> (team IS NULL))
);
CREATE INDEX share_links_by_document ON share_links (ws, document);
CREATE INDEX share_links_by_team ON share_links (ws, team);

CREATE TABLE link_readers (
    ws BIGINT NOT NULL,
    user_id TEXT COLLATE "C" NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    link TEXT COLLATE "C" NOT NULL,
    role BIGINT NOT NULL CHECK (role BETWEEN 1 AND 3),
    PRIMARY KEY (ws, user_id, document)
);
CREATE INDEX link_readers_by_document ON link_readers (ws, document);
CREATE INDEX link_readers_by_link ON link_readers (ws, link);

-- A commit is known by the last version it wrote; first is the first one.
CREATE VIEW commits WITH (security_invoker = true) AS
SELECT ws, version, branch, timestamp, first, actor, operation, message,
    second_branch, second_version, second_hash, hash
FROM versions WHERE hash IS NOT NULL;

-- How many live keys more its branch shows by each version: 1, 0 or -1. Each ancestor is asked for
-- one row by itself, because a join would read and sort all versions of the key.
CREATE VIEW gains WITH (security_invoker = true) AS
SELECT ws, version, branch, keyspace, (flags & 5 = 0)::int - coalesce((
    SELECT (p.flags & 5 = 0)::int FROM lineage AS l, LATERAL (
        SELECT p.flags FROM versions AS p
        WHERE p.ws = v.ws AND p.branch = l.ancestor AND p.keyspace = v.keyspace AND p.key = v.key
            AND p.version <= least(l.upto, v.version - 1)
        ORDER BY p.version DESC LIMIT 1) AS p
    WHERE l.ws = v.ws AND l.branch = v.branch ORDER BY l.depth LIMIT 1), 0) AS gain
FROM versions AS v;

-- The texts that models follow; see sqlite/migrations/0005_text_counts.sql.
CREATE VIEW texts WITH (security_invoker = true) AS
SELECT v.ws, v.version,
    (k.kind IN ('document', 'section'))::int AS guarded,
    (get_byte(v.text, 1) & 64 <> 0 OR k.kind = 'memory')::int AS wide
FROM versions AS v JOIN keyspaces AS k ON k.ws = v.ws AND k.id = v.keyspace
WHERE v.text IS NOT NULL AND v.flags & 7 = 0;

-- A second wall between workspaces: whatever a statement asks for, a connection sees the rows of
-- the workspace that it was opened for (`strata.ws`), and none without one. Superusers see all.
ALTER TABLE catalog ENABLE ROW LEVEL SECURITY;
ALTER TABLE catalog FORCE ROW LEVEL SECURITY;
ALTER TABLE branches ENABLE ROW LEVEL SECURITY;
ALTER TABLE branches FORCE ROW LEVEL SECURITY;
ALTER TABLE lineage ENABLE ROW LEVEL SECURITY;
ALTER TABLE lineage FORCE ROW LEVEL SECURITY;
ALTER TABLE keyspaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE keyspaces FORCE ROW LEVEL SECURITY;
ALTER TABLE versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE versions FORCE ROW LEVEL SECURITY;
ALTER TABLE count_checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE count_checkpoints FORCE ROW LEVEL SECURITY;
ALTER TABLE counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE counts FORCE ROW LEVEL SECURITY;
ALTER TABLE words ENABLE ROW LEVEL SECURITY;
ALTER TABLE words FORCE ROW LEVEL SECURITY;
ALTER TABLE attributes ENABLE ROW LEVEL SECURITY;
ALTER TABLE attributes FORCE ROW LEVEL SECURITY;
ALTER TABLE links ENABLE ROW LEVEL SECURITY;
ALTER TABLE links FORCE ROW LEVEL SECURITY;
ALTER TABLE item_tags ENABLE ROW LEVEL SECURITY;
ALTER TABLE item_tags FORCE ROW LEVEL SECURITY;
ALTER TABLE tags ENABLE ROW LEVEL SECURITY;
ALTER TABLE tags FORCE ROW LEVEL SECURITY;
ALTER TABLE leases ENABLE ROW LEVEL SECURITY;
ALTER TABLE leases FORCE ROW LEVEL SECURITY;
ALTER TABLE settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE settings FORCE ROW LEVEL SECURITY;
ALTER TABLE digests ENABLE ROW LEVEL SECURITY;
ALTER TABLE digests FORCE ROW LEVEL SECURITY;
ALTER TABLE models ENABLE ROW LEVEL SECURITY;
ALTER TABLE models FORCE ROW LEVEL SECURITY;
ALTER TABLE embedding_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE embedding_tokens FORCE ROW LEVEL SECURITY;
ALTER TABLE embedding_frequencies ENABLE ROW LEVEL SECURITY;
ALTER TABLE embedding_frequencies FORCE ROW LEVEL SECURITY;
ALTER TABLE embedded ENABLE ROW LEVEL SECURITY;
ALTER TABLE embedded FORCE ROW LEVEL SECURITY;
ALTER TABLE contexts ENABLE ROW LEVEL SECURITY;
ALTER TABLE contexts FORCE ROW LEVEL SECURITY;
ALTER TABLE listeners ENABLE ROW LEVEL SECURITY;
ALTER TABLE listeners FORCE ROW LEVEL SECURITY;
ALTER TABLE memories ENABLE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE memory_links FORCE ROW LEVEL SECURITY;
ALTER TABLE access ENABLE ROW LEVEL SECURITY;
ALTER TABLE access FORCE ROW LEVEL SECURITY;
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE teams ENABLE ROW LEVEL SECURITY;
ALTER TABLE teams FORCE ROW LEVEL SECURITY;
ALTER TABLE members ENABLE ROW LEVEL SECURITY;
ALTER TABLE members FORCE ROW LEVEL SECURITY;
ALTER TABLE folders ENABLE ROW LEVEL SECURITY;
ALTER TABLE folders FORCE ROW LEVEL SECURITY;
ALTER TABLE placements ENABLE ROW LEVEL SECURITY;
ALTER TABLE placements FORCE ROW LEVEL SECURITY;
ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
ALTER TABLE shares FORCE ROW LEVEL SECURITY;
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitations FORCE ROW LEVEL SECURITY;
ALTER TABLE document_spaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_spaces FORCE ROW LEVEL SECURITY;
ALTER TABLE space_documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE space_documents FORCE ROW LEVEL SECURITY;
ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit FORCE ROW LEVEL SECURITY;
ALTER TABLE tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE tokens FORCE ROW LEVEL SECURITY;
ALTER TABLE requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE requests FORCE ROW LEVEL SECURITY;
ALTER TABLE signing ENABLE ROW LEVEL SECURITY;
ALTER TABLE signing FORCE ROW LEVEL SECURITY;
ALTER TABLE uploads ENABLE ROW LEVEL SECURITY;
ALTER TABLE uploads FORCE ROW LEVEL SECURITY;
ALTER TABLE presence ENABLE ROW LEVEL SECURITY;
ALTER TABLE presence FORCE ROW LEVEL SECURITY;
ALTER TABLE sign_in_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_in_codes FORCE ROW LEVEL SECURITY;
ALTER TABLE browsers ENABLE ROW LEVEL SECURITY;
ALTER TABLE browsers FORCE ROW LEVEL SECURITY;
ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE profiles FORCE ROW LEVEL SECURITY;
ALTER TABLE profile_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE profile_names FORCE ROW LEVEL SECURITY;
ALTER TABLE publications ENABLE ROW LEVEL SECURITY;
ALTER TABLE publications FORCE ROW LEVEL SECURITY;
ALTER TABLE published_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE published_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE published_images ENABLE ROW LEVEL SECURITY;
ALTER TABLE published_images FORCE ROW LEVEL SECURITY;
ALTER TABLE agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE agents FORCE ROW LEVEL SECURITY;
ALTER TABLE tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE tasks FORCE ROW LEVEL SECURITY;
ALTER TABLE segments ENABLE ROW LEVEL SECURITY;
ALTER TABLE segments FORCE ROW LEVEL SECURITY;
ALTER TABLE segment_parts ENABLE ROW LEVEL SECURITY;
ALTER TABLE segment_parts FORCE ROW LEVEL SECURITY;
ALTER TABLE embeddings ENABLE ROW LEVEL SECURITY;
ALTER TABLE embeddings FORCE ROW LEVEL SECURITY;
ALTER TABLE embedding_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE embedding_codes FORCE ROW LEVEL SECURITY;
ALTER TABLE text_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE text_counts FORCE ROW LEVEL SECURITY;
ALTER TABLE task_steps ENABLE ROW LEVEL SECURITY;
ALTER TABLE task_steps FORCE ROW LEVEL SECURITY;
ALTER TABLE share_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE share_links FORCE ROW LEVEL SECURITY;
ALTER TABLE link_readers ENABLE ROW LEVEL SECURITY;
ALTER TABLE link_readers FORCE ROW LEVEL SECURITY;
CREATE POLICY workspace ON catalog
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON branches
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON lineage
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON keyspaces
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON versions
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON count_checkpoints
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON counts
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON words
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON attributes
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON links
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON item_tags
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON tags
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON leases
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON settings
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON digests
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON models
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON embedding_tokens
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON embedding_frequencies
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON embedded
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON contexts
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON listeners
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON memories
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON memory_links
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON access
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON users
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON teams
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON members
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON folders
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON placements
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON shares
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON invitations
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON document_spaces
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON space_documents
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON tokens
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON requests
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON signing
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON uploads
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON presence
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON sign_in_codes
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON browsers
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON profiles
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON profile_names
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON publications
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON published_versions
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON published_images
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON agents
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON tasks
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON segments
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON segment_parts
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON embeddings
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON embedding_codes
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON text_counts
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON task_steps
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON share_links
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY workspace ON link_readers
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);

-- The audit log is only ever added to, unless the whole workspace is deleted.
CREATE POLICY read_audit ON audit FOR SELECT
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY add_audit ON audit FOR INSERT
WITH CHECK (ws = nullif(current_setting('strata.ws', true), '')::bigint);
CREATE POLICY delete_audit ON audit FOR DELETE
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint
    AND current_setting('strata.deleting', true) = 'on');
