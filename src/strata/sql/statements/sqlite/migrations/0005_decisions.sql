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
