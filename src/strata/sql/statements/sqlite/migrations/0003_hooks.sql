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

-- Whether a client, by name and version, asks for its tools again when told that they changed.
CREATE TABLE listeners (
    client TEXT PRIMARY KEY,
    listens INTEGER NOT NULL,
    seen INTEGER NOT NULL
) WITHOUT ROWID;
