-- Format 1: everything that a new store holds.

-- The versioned store. Numbers called "version" are one store-wide sequence without gaps.

-- generation grows whenever branches change, removals whenever values are taken out, so that
-- other processes drop what they cached.
CREATE TABLE catalog (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    generation INTEGER NOT NULL,
    removals INTEGER NOT NULL,
    syncs INTEGER NOT NULL,
    store_id TEXT NOT NULL,
    created INTEGER NOT NULL
);

-- parent and fork_version are the point a branch starts from; deleted is the time of
-- deletion, and the row stays because other branches may be forked from this one. The digest
-- here and in the tables below covers the columns before it, for no commit's hash does.
CREATE TABLE branches (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    parent INTEGER REFERENCES branches (id),
    fork_version INTEGER,
    created INTEGER NOT NULL,
    deleted INTEGER,
    actor TEXT,
    metadata TEXT,
    digest BLOB NOT NULL
);
CREATE UNIQUE INDEX branches_by_name ON branches (name) WHERE deleted IS NULL;

-- The closure of parents: what a branch sees of each ancestor, itself first.
CREATE TABLE lineage (
    branch INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    ancestor INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    PRIMARY KEY (branch, depth)
) WITHOUT ROWID;
CREATE INDEX lineage_by_ancestor ON lineage (ancestor, branch);

-- One kind of thing in one space. It has a number, so that keys need not repeat both names.
CREATE TABLE keyspaces (
    id INTEGER PRIMARY KEY,
    space TEXT NOT NULL,
    kind TEXT NOT NULL,
    UNIQUE (space, kind)
);

-- flags: 1 deleted, 2 trimmed by retention, 4 erased by purge, 8 zstd, 16 not JSON.
-- The last version of a commit seals it: it also carries the commit's header and hash, so
-- that a put writes one row. In all others the columns from `first` to `declared` are NULL.
-- hash is sha256(previous hash, time as 8 bytes, body), and body is the sha256 of the header
-- without the time and of all versions of the commit.
-- declared is a digest of the tags, attributes and links of all versions of the commit; NULL
-- where there are none.
-- text is the entry of the text index: what a search needs to know of this version.
CREATE TABLE versions (
    version INTEGER PRIMARY KEY,
    branch INTEGER NOT NULL,
    keyspace INTEGER NOT NULL,
    key TEXT NOT NULL,
    flags INTEGER NOT NULL,
    timestamp INTEGER NOT NULL,
    meta BLOB,
    digest BLOB NOT NULL,
    value BLOB,
    first INTEGER,
    actor TEXT,
    operation TEXT,
    message TEXT,
    second_branch INTEGER,
    second_version INTEGER,
    second_hash BLOB,
    hash BLOB,
    declared BLOB,
    text BLOB
);

-- Covers get, as-of, history and listing. There is no table of heads: the newest version of a key,
-- the one that a version has replaced and the one until which it counts are one seek away here,
-- and listings skip from key to key.
CREATE INDEX versions_by_key ON versions (branch, keyspace, key, version, flags);

-- The newest commit of a branch, too, is one seek away.
CREATE INDEX commits_by_branch ON versions (branch, version) WHERE hash IS NOT NULL;
CREATE INDEX trimmed_by_branch ON versions (branch, version) WHERE flags & 2;
CREATE INDEX merges_by_branch ON versions (branch, version) WHERE second_branch IS NOT NULL;
-- Commits that take another commit back, so that a merge finds those that took back an earlier one.
CREATE INDEX undoings_by_branch ON versions (branch, version)
WHERE operation BETWEEN 'undo ' AND 'undo!' OR operation BETWEEN 'revert ' AND 'revert!';

-- A commit is known by the last version it wrote; first is the first one.
CREATE VIEW commits AS
SELECT version, branch, timestamp, first, actor, operation, message,
    second_branch, second_version, second_hash, hash
FROM versions WHERE hash IS NOT NULL;

-- How many live keys branches show on their keyspaces, and how many commits there are, up to some
-- versions of the store. All of this is derived: it can be dropped and made again. What holds at a
-- point is what held at the last checkpoint before it, and what the few versions since have changed.
CREATE TABLE count_checkpoints (
    version INTEGER PRIMARY KEY,
    commits INTEGER NOT NULL
);

-- Ancestors' keys are included. A row for each checkpoint since which the number has changed on
-- the branch itself; a fork begins with its parent's numbers and copies nothing.
CREATE TABLE counts (
    branch INTEGER NOT NULL,
    keyspace INTEGER NOT NULL,
    version INTEGER NOT NULL REFERENCES count_checkpoints (version),
    live INTEGER NOT NULL,
    PRIMARY KEY (branch, keyspace, version)
) WITHOUT ROWID;

-- How many live keys more its branch shows by each version: 1, 0 or -1.
CREATE VIEW gains AS
SELECT version, branch, keyspace, (flags & 5 = 0) - coalesce((
    SELECT p.flags & 5 = 0 FROM lineage AS l CROSS JOIN versions AS p
        ON p.branch = l.ancestor AND p.keyspace = v.keyspace AND p.key = v.key
        AND p.version <= min(l.upto, v.version - 1)
    WHERE l.branch = v.branch ORDER BY l.depth, p.version DESC LIMIT 1), 0) AS gain
FROM versions AS v;

-- Every word that a text holds, so that the beginning of one can be completed.
CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID;

-- What a domain declares searchable about its records.
CREATE TABLE attributes (
    keyspace INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (keyspace, name, value, version)
) WITHOUT ROWID;
CREATE INDEX attributes_by_version ON attributes (version);

CREATE TABLE links (
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (version, type, target)
) WITHOUT ROWID;
CREATE INDEX links_by_target ON links (target, type, version);

CREATE TABLE item_tags (
    tag TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (tag, version)
) WITHOUT ROWID;
CREATE INDEX item_tags_by_version ON item_tags (version);

-- Names for points of history.
CREATE TABLE tags (
    name TEXT PRIMARY KEY,
    branch INTEGER NOT NULL,
    version INTEGER NOT NULL,
    timestamp INTEGER NOT NULL,
    actor TEXT,
    message TEXT,
    digest BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    token TEXT NOT NULL,
    expires INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    digest BLOB NOT NULL
) WITHOUT ROWID;

-- So that `strata verify` notices a change in any table that no commit covers: how many rows it
-- has, and the sum of their digests.
CREATE TABLE digests (
    name TEXT PRIMARY KEY,
    rows INTEGER NOT NULL,
    sum BLOB NOT NULL
) WITHOUT ROWID;

-- Vectors that follow the commits. All of this is derived: it can be dropped and made again.

-- A model that embeds, as one run through the store. position is the last version it has
-- followed; revision grows when rows behind that are taken out or made again. A role has one
-- model that answers (active), and at most one that is about to replace it (building).
CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    role TEXT NOT NULL,
    name TEXT NOT NULL,
    embedder TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'building', 'retired')),
    position INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    embedded INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    rate REAL NOT NULL,
    created INTEGER NOT NULL
);
CREATE UNIQUE INDEX models_by_role ON models (role, state) WHERE state <> 'retired';

-- One vector of a content: of a text, and of the text before it where the model reads both.
-- Versions and branches share it. The chunks of a long text have numbers in a row. A
-- component is scale * (vector + rest / 254); token_ids are the distinct ones of its tokens.
CREATE TABLE embeddings (
    number INTEGER PRIMARY KEY,
    model INTEGER NOT NULL,
    content BLOB NOT NULL,
    chunk INTEGER NOT NULL,
    scale REAL NOT NULL,
    vector BLOB NOT NULL,
    token_ids BLOB,
    rest BLOB NOT NULL
);
CREATE UNIQUE INDEX embeddings_by_content ON embeddings (model, content, chunk);

-- One vector for each token. Large, so only the newest embeddings have them.
CREATE TABLE embedding_tokens (
    model INTEGER NOT NULL,
    number INTEGER NOT NULL,
    tokens BLOB NOT NULL,
    PRIMARY KEY (model, number)
) WITHOUT ROWID;

-- Which version has which vectors: number is the first. Without a number it has failed for
-- a reason, or, without a reason either, it waits to be embedded again. before is the
-- version it was read behind, whose erasure must reach the vector too.
CREATE TABLE embedded (
    model INTEGER NOT NULL,
    version INTEGER NOT NULL,
    before INTEGER,
    number INTEGER,
    chunks INTEGER NOT NULL,
    reason TEXT,
    PRIMARY KEY (model, version)
) WITHOUT ROWID;
CREATE INDEX embedded_by_number ON embedded (number) WHERE number IS NOT NULL;
CREATE INDEX embedded_by_before ON embedded (before) WHERE before IS NOT NULL;
-- With number in it, though it is NULL in every row: only so does SQLite prefer it to the key.
CREATE INDEX embedded_missing ON embedded (model, number, reason) WHERE number IS NULL;

-- What hooks and servers of one store tell each other. None of it is versioned, merged or part
-- of a bundle, and no row holds anything that was said.

-- What the last prompt of a conversation was about, for the servers of this store; it counts
-- until it expires.
CREATE TABLE contexts (
    conversation TEXT PRIMARY KEY,
    context TEXT NOT NULL,
    confidence REAL NOT NULL,
    expires INTEGER NOT NULL
) WITHOUT ROWID;

-- Whether a client, by name and version, lists its tools again after a notice that they changed.
CREATE TABLE listeners (
    client TEXT PRIMARY KEY,
    listens INTEGER NOT NULL,
    seen INTEGER NOT NULL
) WITHOUT ROWID;

-- What the branch `default` shows of decisions, as plain tables that any SQL shell can ask. All
-- of this is derived: every commit to that branch writes it, `verify` compares it with the
-- records, and `reindex` makes it again. It is there to be read; nothing reads back what others
-- write into it. Times are milliseconds.

-- metadata is JSON. embedding_vector stays empty: vectors follow the commits, in tables of
-- their own.
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    content TEXT NOT NULL,
    topic TEXT,
    metadata TEXT,
    embedding_vector BLOB,
    created_at INTEGER DEFAULT (unixepoch()),
    updated_at INTEGER DEFAULT (unixepoch()),
    CHECK (type IN ('decision', 'checkpoint', 'insight', 'context'))
);
CREATE INDEX idx_memories_type ON memories (type);
CREATE INDEX idx_memories_topic ON memories (topic) WHERE topic IS NOT NULL;
CREATE INDEX idx_memories_created ON memories (created_at);

-- The keys are not enforced: a link outlives an end that was purged, as its record does.
-- confidence is as it was when the link was made; a suggestion has "suggestion" in its metadata.
CREATE TABLE memory_links (
    id TEXT PRIMARY KEY,
    from_id TEXT NOT NULL,
    to_id TEXT NOT NULL,
    link_type TEXT NOT NULL,
    confidence REAL NOT NULL,
    created_by TEXT NOT NULL,
    metadata TEXT,
    created_at INTEGER DEFAULT (unixepoch()),
    FOREIGN KEY (from_id) REFERENCES memories (id) ON DELETE CASCADE,
    FOREIGN KEY (to_id) REFERENCES memories (id) ON DELETE CASCADE,
    CHECK (link_type IN ('evolution', 'implementation', 'association', 'temporal')),
    CHECK (confidence >= 0.0 AND confidence <= 1.0),
    CHECK (created_by IN ('user', 'system', 'llm'))
);
CREATE INDEX idx_links_from ON memory_links (from_id);
CREATE INDEX idx_links_to ON memory_links (to_id);
CREATE INDEX idx_links_type ON memory_links (link_type);
CREATE INDEX idx_links_confidence ON memory_links (confidence);

-- Who may see and change which document. There is one present state of all this, for every
-- branch and every moment that is read: none of it is versioned, merged or part of a bundle.
-- Times are microseconds. Roles are numbers, so that the greatest one counts: 1 viewer,
-- 2 commenter, 3 editor, 4 admin, 5 owner. Ids that documents are known by stand in versions.

-- mark is replaced by every change to these tables, so that every process drops what it
-- remembered. It is drawn and not counted: a change that was undone leaves no number behind
-- that the next change could have.
CREATE TABLE access (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    mark INTEGER NOT NULL
);
INSERT INTO access (id, mark) VALUES (1, random());

-- match is the email as it is compared. A user who was removed keeps the row, because
-- history goes on naming them; the email is then free for another user.
CREATE TABLE users (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    match TEXT NOT NULL,
    name TEXT NOT NULL,
    is_owner INTEGER NOT NULL,
    created INTEGER NOT NULL,
    removed INTEGER
) WITHOUT ROWID;
CREATE UNIQUE INDEX users_by_email ON users (match) WHERE removed IS NULL;
CREATE UNIQUE INDEX users_owning ON users (is_owner) WHERE is_owner;

-- A tree; its root is the workspace.
CREATE TABLE teams (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    parent TEXT REFERENCES teams (id),
    created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX teams_by_parent ON teams (parent);

CREATE TABLE members (
    team TEXT NOT NULL REFERENCES teams (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 4),
    PRIMARY KEY (team, user_id)
) WITHOUT ROWID;
CREATE INDEX members_by_user ON members (user_id, team, role);

-- Either of a user or of a team, as its parent is. A user has one without a parent.
CREATE TABLE folders (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT REFERENCES users (id),
    team TEXT REFERENCES teams (id),
    parent TEXT REFERENCES folders (id),
    templates INTEGER NOT NULL,
    created INTEGER NOT NULL,
    CHECK ((owner IS NULL) <> (team IS NULL))
) WITHOUT ROWID;
CREATE UNIQUE INDEX folders_personal ON folders (owner) WHERE owner IS NOT NULL AND parent IS NULL;
CREATE INDEX folders_by_owner ON folders (owner) WHERE owner IS NOT NULL;
CREATE INDEX folders_by_team ON folders (team) WHERE team IS NOT NULL;
CREATE INDEX folders_by_parent ON folders (parent) WHERE parent IS NOT NULL;

-- Where a document is, which is who may see it; owner is who made it.
CREATE TABLE placements (
    document TEXT PRIMARY KEY,
    folder TEXT NOT NULL REFERENCES folders (id),
    owner TEXT NOT NULL REFERENCES users (id)
) WITHOUT ROWID;
CREATE INDEX placements_by_folder ON placements (folder, document);
CREATE INDEX placements_by_owner ON placements (owner);

CREATE TABLE shares (
    document TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
    created INTEGER NOT NULL,
    PRIMARY KEY (document, user_id)
) WITHOUT ROWID;
CREATE INDEX shares_by_user ON shares (user_id, document, role);

-- Shares with an email that no user has yet.
CREATE TABLE invitations (
    document TEXT NOT NULL,
    match TEXT NOT NULL,
    email TEXT NOT NULL,
    role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
    created INTEGER NOT NULL,
    PRIMARY KEY (document, match)
) WITHOUT ROWID;
CREATE INDEX invitations_by_match ON invitations (match);

-- Collections of documents. One changes no user's permissions for a document.
CREATE TABLE document_spaces (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT REFERENCES users (id),
    team TEXT REFERENCES teams (id),
    created INTEGER NOT NULL,
    CHECK ((owner IS NULL) <> (team IS NULL))
) WITHOUT ROWID;

CREATE TABLE space_documents (
    space TEXT NOT NULL REFERENCES document_spaces (id),
    document TEXT NOT NULL,
    added INTEGER NOT NULL,
    PRIMARY KEY (space, document)
) WITHOUT ROWID;
CREATE INDEX space_documents_by_document ON space_documents (document);

-- Every change to the tables above, by whom. details is JSON.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL
);
CREATE TRIGGER audit_is_never_rewritten BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'the audit log is only ever added to'); END;
CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
BEGIN SELECT raise(ABORT, 'the audit log is only ever added to'); END;

-- Keys to a server of this store. None of it is versioned, merged or part of a bundle. Of the
-- secret only a hash is kept, which covers what the token may do: a row that was changed by
-- hand, or by a failing disk, opens nothing. user_id is whom it acts for; without, it is the
-- workspace's owner.
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    digest BLOB NOT NULL,
    scopes TEXT NOT NULL,
    read_only INTEGER NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    last_used INTEGER,
    revoked INTEGER,
    user_id TEXT REFERENCES users (id),
    suggest_only INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- What was answered to a request that may come again.
CREATE TABLE requests (
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    answer TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
);
CREATE INDEX requests_by_time ON requests (created);

-- What addresses for uploads are signed with.
CREATE TABLE signing (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL
);

-- Files on their way into the store. data holds them until they are taken over, unless they
-- are elsewhere: then place says where.
CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    document TEXT,
    title TEXT,
    folder TEXT,
    content_type TEXT NOT NULL,
    length INTEGER NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    received INTEGER,
    sha256 TEXT,
    place TEXT,
    data BLOB,
    finished TEXT
);
CREATE INDEX uploads_by_end ON uploads (expires);

-- Who is where now, and who has signed in by a browser. None of it is versioned.
-- Times are microseconds.

-- A row for each connection, user or agent, that has a document open or has just used it. It
-- counts for as long as it was seen lately, so that a process that dies leaves no entry behind.
CREATE TABLE presence (
    document TEXT NOT NULL,
    branch INTEGER NOT NULL,
    session TEXT NOT NULL,
    user_id TEXT NOT NULL,
    via TEXT,
    status TEXT NOT NULL,
    section TEXT,
    seen INTEGER NOT NULL,
    edited INTEGER,
    PRIMARY KEY (document, branch, session)
) WITHOUT ROWID;
CREATE INDEX presence_by_time ON presence (seen);

-- Codes that are shown once and may be used once; only their digests are kept.
CREATE TABLE sign_in_codes (
    digest BLOB PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL
) WITHOUT ROWID;

-- Browsers that are signed in: the digest of the cookie's secret. One that came by a token holds
-- it, and is worth no more and no longer than it.
CREATE TABLE browsers (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    token TEXT REFERENCES tokens (id),
    label TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    last_used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX browsers_by_user ON browsers (user_id);

-- What is shown to everybody. None of it is versioned: a published version is frozen, and which
-- one is shown is one present state for all branches. Times are microseconds.

-- The public side of a user; name is the part of the address behind the @. changed is when
-- anything was altered that visitors see of it, and never twice the same: so a server knows by one
-- number whether its pages are old.
CREATE TABLE profiles (
    user_id TEXT PRIMARY KEY REFERENCES users (id),
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    about TEXT NOT NULL DEFAULT '',
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE UNIQUE INDEX profiles_by_name ON profiles (name);

-- Every name that a profile has or had: an old one leads to the new one, and belongs to no other profile.
CREATE TABLE profile_names (
    name TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES profiles (user_id)
) WITHOUT ROWID;
CREATE INDEX profile_names_by_user ON profile_names (user_id);

-- A document that was published at least once. number is the version shown, NULL while nothing
-- is; pinned is when it was pinned.
CREATE TABLE publications (
    document TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES profiles (user_id),
    slug TEXT NOT NULL,
    number INTEGER,
    pinned INTEGER,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX publications_by_slug ON publications (user_id, slug);

-- A frozen state of a document. text is its markdown, compressed where that is smaller; it stays
-- readable whatever retention does to the history that it was taken from. branch and version say
-- where that was, images is a list of what published_images holds.
CREATE TABLE published_versions (
    document TEXT NOT NULL REFERENCES publications (document),
    number INTEGER NOT NULL,
    version INTEGER NOT NULL,
    branch INTEGER NOT NULL,
    hash TEXT NOT NULL,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    text BLOB NOT NULL,
    is_packed INTEGER NOT NULL,
    images TEXT NOT NULL,
    user_id TEXT NOT NULL,
    via TEXT,
    created INTEGER NOT NULL,
    PRIMARY KEY (document, number)
);

-- The files of images that versions show, each once for a document; id is the SHA-256.
CREATE TABLE published_images (
    document TEXT NOT NULL REFERENCES publications (document),
    id TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (document, id)
);

CREATE TRIGGER publication_added AFTER INSERT ON publications BEGIN
    UPDATE profiles SET changed = max(changed + 1,
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)) WHERE user_id = NEW.user_id;
END;
CREATE TRIGGER publication_changed AFTER UPDATE ON publications BEGIN
    UPDATE profiles SET changed = max(changed + 1,
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)) WHERE user_id IN (OLD.user_id, NEW.user_id);
END;
CREATE TRIGGER publication_removed AFTER DELETE ON publications BEGIN
    UPDATE profiles SET changed = max(changed + 1,
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)) WHERE user_id = OLD.user_id;
END;

-- Agents and what they were asked to do. None of it is versioned. Times are microseconds.

-- Agents that people have defined; definition is JSON and holds no key. Those of Strata itself
-- stand in no table.
CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    is_shared INTEGER NOT NULL DEFAULT 0,
    definition TEXT NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX agents_by_name ON agents (user_id, name);

-- The queue. The worker that holds the lease of a task runs it; when the lease ends, it is free again.
-- caller holds what the asking side may do, so that an agent never may do more. A waiting task's
-- deadline is when a task need not begin any more, or when a running one has to end.
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
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
CREATE INDEX tasks_open ON tasks (status, user_id, created) WHERE ended IS NULL;
CREATE INDEX tasks_by_user ON tasks (user_id, created);
-- Who was served last.
CREATE INDEX tasks_by_start ON tasks (user_id, started) WHERE started IS NOT NULL;
CREATE INDEX tasks_by_end ON tasks (ended) WHERE ended IS NOT NULL;
CREATE UNIQUE INDEX tasks_by_request ON tasks (user_id, request) WHERE request IS NOT NULL;

-- The workspace begins with one user, who owns it. The ids are drawn, because documents that
-- travel name their authors: two workspaces must not both have the same owner.
INSERT INTO users (id, email, match, name, is_owner, created)
VALUES ('user_0' || substr(hex(randomblob(13)), 1, 25), 'owner@localhost', 'owner@localhost',
    'owner', 1, CAST(unixepoch('subsec') * 1000000 AS INTEGER));
INSERT INTO teams (id, name, parent, created)
SELECT 'team_0' || substr(hex(randomblob(13)), 1, 25), 'workspace', NULL, created FROM users;
INSERT INTO members (team, user_id, role) SELECT t.id, u.id, 4 FROM teams AS t, users AS u;
INSERT INTO folders (id, name, owner, team, parent, templates, created)
SELECT 'folder_0' || substr(hex(randomblob(13)), 1, 25), 'Personal', id, NULL, NULL, 0, created
FROM users;
