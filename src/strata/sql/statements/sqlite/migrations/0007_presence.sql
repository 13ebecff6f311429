-- Who is where now, and who has signed in by a browser. None of it is versioned.
-- Times are microseconds.

-- A row for each connection, person or agent, that has a document open or has just used it. It
-- counts for as long as it was seen lately, so that a process that dies leaves nobody behind.
CREATE TABLE presence (
    document TEXT NOT NULL,
    branch INTEGER NOT NULL,
    session TEXT NOT NULL,
    person TEXT NOT NULL,
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
    person TEXT NOT NULL REFERENCES users (id),
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL
) WITHOUT ROWID;

-- Browsers that are signed in: the digest of the cookie's secret. One that came by a token holds
-- it, and is worth no more and no longer than it.
CREATE TABLE browsers (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES users (id),
    token TEXT REFERENCES tokens (id),
    label TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    last_used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX browsers_by_person ON browsers (person);
