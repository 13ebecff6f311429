-- The versioned store. Numbers called "version" are one store-wide sequence.

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
-- deletion, and the row stays because other branches may stand on this one. The digest here
-- and in the tables below covers the other columns of the row, for no commit's hash does.
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

-- One kind of thing in one space. Interned, because it stands in every key three times.
CREATE TABLE shelves (
    id INTEGER PRIMARY KEY,
    space TEXT NOT NULL,
    kind TEXT NOT NULL,
    UNIQUE (space, kind)
);

-- flags: 1 deleted, 2 trimmed by retention, 4 erased by purge, 8 zstd, 16 not JSON.
-- The last version of a commit seals it: it also carries the commit's header and hash, so
-- that a put writes one row. In all others the columns from `first` to `hash` are NULL.
-- text is the entry of the text index: what a search needs to know of this version.
CREATE TABLE versions (
    version INTEGER PRIMARY KEY,
    branch INTEGER NOT NULL,
    shelf INTEGER NOT NULL,
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
    text BLOB
);

-- Every word that a text holds, so that the beginning of one can be completed.
CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID;

-- Covers get, as-of, history and listing. There is no table of heads: the newest version of
-- a key is one seek away here, and listings skip from key to key.
CREATE INDEX versions_by_key ON versions (branch, shelf, key, version, flags);

CREATE INDEX commits_by_branch ON versions (branch, version) WHERE hash IS NOT NULL;
CREATE INDEX trimmed_by_branch ON versions (branch, version) WHERE flags & 2;
CREATE INDEX merges_by_branch ON versions (branch, version) WHERE second_branch IS NOT NULL;

-- A commit is known by the last version it wrote; first is the first one.
CREATE VIEW commits AS
SELECT version, branch, timestamp, first, actor, operation, message,
    second_branch, second_version, second_hash, hash
FROM versions WHERE hash IS NOT NULL;

-- What a domain declares searchable about its records.
CREATE TABLE attributes (
    shelf INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (shelf, name, value, version)
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
