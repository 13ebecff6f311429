-- Keys to a server of this store. None of it is versioned, merged or part of a bundle. Of the
-- secret only a hash is kept, which covers what the token may do: a row that was changed by
-- hand, or by a failing disk, opens nothing.
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    digest BLOB NOT NULL,
    scopes TEXT NOT NULL,
    read_only INTEGER NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    last_used INTEGER,
    revoked INTEGER
) WITHOUT ROWID;
