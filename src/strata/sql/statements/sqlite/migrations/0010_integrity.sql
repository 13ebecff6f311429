-- Digests of rows that are not versioned, so that `strata verify` notices a change in any of them.
-- Opening computes them for what is in the store when this step is taken.

-- For each table that no commit covers: how many rows it has, and the sum of their digests.
CREATE TABLE digests (
    name TEXT PRIMARY KEY,
    rows INTEGER NOT NULL,
    sum BLOB NOT NULL
) WITHOUT ROWID;

-- In the version that seals a commit: a digest of the tags, attributes and links of all versions of
-- the commit; NULL where there are none.
ALTER TABLE versions ADD COLUMN declared BLOB;
