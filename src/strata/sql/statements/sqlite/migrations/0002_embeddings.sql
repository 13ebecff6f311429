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
