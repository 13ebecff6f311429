-- Links that let users in: the digest of the secret behind them. An invitation gives a share of a
-- document, or a place in a team, that stays. An open link is one of a document, and what it gives
-- ends with it. Times are microseconds; NULL is no end, and any number of uses.
CREATE TABLE share_links (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('invitation', 'open')),
    document TEXT,
    team TEXT REFERENCES teams (id),
    role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
    newcomers INTEGER NOT NULL CHECK (newcomers IN (0, 1)),
    user_id TEXT NOT NULL REFERENCES users (id),
    created INTEGER NOT NULL,
    expires INTEGER,
    most_uses INTEGER,
    uses INTEGER NOT NULL DEFAULT 0,
    CHECK ((document IS NULL) <> (team IS NULL))
) WITHOUT ROWID;
CREATE INDEX share_links_by_document ON share_links (document);
CREATE INDEX share_links_by_team ON share_links (team);

-- Who reads a document by its open link.
CREATE TABLE link_readers (
    user_id TEXT NOT NULL REFERENCES users (id),
    document TEXT NOT NULL,
    link TEXT NOT NULL REFERENCES share_links (id),
    role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
    PRIMARY KEY (user_id, document)
) WITHOUT ROWID;
CREATE INDEX link_readers_by_document ON link_readers (document);
CREATE INDEX link_readers_by_link ON link_readers (link);
