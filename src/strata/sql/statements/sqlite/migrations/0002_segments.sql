-- The text index, sealed: the entries of a run of versions as arrays, ready to be searched. All of
-- it is derived from versions.text and can be dropped at any time; what no segment holds yet is
-- read from there.

-- A segment holds the entries of all versions from first to last. No two overlap. stamp is a random
-- number, because an id may be used again; summary is what a search reads before anything else.
CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    first INTEGER NOT NULL UNIQUE,
    last INTEGER NOT NULL,
    items INTEGER NOT NULL,
    stamp INTEGER NOT NULL,
    summary BLOB NOT NULL
);

-- Columns and blocks of postings, each under its segment's id times 65,536 plus its own number.
-- One integer as the key, because rows of a hundred kilobytes do not belong into an index.
CREATE TABLE segment_parts (
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL
);
