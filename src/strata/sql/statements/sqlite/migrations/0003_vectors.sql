-- Vectors take less room, and a store of a million is searched by their signs.

-- One vector of a content: of a text, and of the text before it where the model reads both.
-- Versions and branches share it. The chunks of a long text have numbers in a row. A component is
-- scale times a byte.
ALTER TABLE embeddings RENAME TO earlier_embeddings;
CREATE TABLE embeddings (
    number INTEGER PRIMARY KEY,
    model INTEGER NOT NULL,
    content BLOB NOT NULL,
    chunk INTEGER NOT NULL,
    scale REAL NOT NULL,
    vector BLOB NOT NULL
);
INSERT INTO embeddings (number, model, content, chunk, scale, vector)
SELECT number, model, content, chunk, scale, vector FROM earlier_embeddings ORDER BY number;
DROP TABLE earlier_embeddings;
CREATE UNIQUE INDEX embeddings_by_content ON embeddings (model, content, chunk);

-- The tokens of an embedding: the distinct ones by their ids, and a vector for each, of two bits
-- a component. Without ids the vectors are of an earlier kind, a byte a component. Large, so only
-- the newest embeddings have them. A key of one integer, because rows of a kilobyte would waste
-- the pages of an index.
ALTER TABLE embedding_tokens RENAME TO earlier_tokens;
CREATE TABLE embedding_tokens (
    number INTEGER PRIMARY KEY,
    model INTEGER NOT NULL,
    ids BLOB,
    tokens BLOB NOT NULL
);
INSERT INTO embedding_tokens (number, model, ids, tokens)
SELECT number, model, NULL, tokens FROM earlier_tokens ORDER BY number;
DROP TABLE earlier_tokens;

-- In how many embeddings a token occurs, of those that have tokens.
CREATE TABLE embedding_frequencies (
    model INTEGER NOT NULL,
    token INTEGER NOT NULL,
    embeddings INTEGER NOT NULL,
    PRIMARY KEY (model, token)
) WITHOUT ROWID;

-- The signs of the vectors' components, a bit each. Part n has the embeddings with the numbers from
-- 4,096 n on: how far each is behind that, in two bytes, and then word after word of 64
-- components, each for all of them. models.sealed is the first part that is still to be made.
CREATE TABLE embedding_codes (
    model INTEGER NOT NULL,
    part INTEGER NOT NULL,
    codes BLOB NOT NULL
);
CREATE UNIQUE INDEX embedding_codes_by_part ON embedding_codes (model, part);
ALTER TABLE models ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;

-- Models that keep tokens make them anew in the smaller form; what there is answers until then.
INSERT INTO models (role, name, embedder, dimension, state, position, revision, embedded, failed,
    tokens, rate, created)
SELECT role, name, embedder, dimension, 'building', 0, 0, 0, 0, 0, 0.0, created
FROM models AS old WHERE state = 'active' AND tokens > 0
    AND NOT EXISTS (SELECT 1 FROM models WHERE role = old.role AND state = 'building');
