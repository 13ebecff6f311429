-- Who may see and change which document. There is one present state of all this, for every
-- branch and every moment that is read: none of it is versioned, merged or part of a bundle.
-- Times are microseconds. Roles are numbers, so that the greatest one counts: 1 viewer,
-- 2 commenter, 3 editor, 4 admin, 5 owner. Ids that documents are known by stand in versions.

-- mark is replaced by every change to these tables, so that every process drops what it
-- remembered. It is drawn and not counted: a change that was undone leaves no number behind
-- that the next change could have.
CREATE TABLE access (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    mark INTEGER NOT NULL
);
INSERT INTO access (id, mark) VALUES (1, random());

-- match is the email as it is compared. A person who was removed keeps the row, because
-- history goes on naming them; the email is then free for somebody else.
CREATE TABLE users (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    match TEXT NOT NULL,
    name TEXT NOT NULL,
    is_owner INTEGER NOT NULL,
    created INTEGER NOT NULL,
    removed INTEGER
) WITHOUT ROWID;
CREATE UNIQUE INDEX users_by_email ON users (match) WHERE removed IS NULL;
CREATE UNIQUE INDEX users_owning ON users (is_owner) WHERE is_owner;

-- A tree; its root is the workspace.
CREATE TABLE teams (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    parent TEXT REFERENCES teams (id),
    created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX teams_by_parent ON teams (parent);

CREATE TABLE members (
    team TEXT NOT NULL REFERENCES teams (id),
    person TEXT NOT NULL REFERENCES users (id),
    role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 4),
    PRIMARY KEY (team, person)
) WITHOUT ROWID;
CREATE INDEX members_by_person ON members (person, team, role);

-- Either of a person or of a team, as its parent is. A person has one without a parent.
CREATE TABLE folders (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT REFERENCES users (id),
    team TEXT REFERENCES teams (id),
    parent TEXT REFERENCES folders (id),
    templates INTEGER NOT NULL,
    created INTEGER NOT NULL,
    CHECK ((owner IS NULL) <> (team IS NULL))
) WITHOUT ROWID;
CREATE UNIQUE INDEX folders_personal ON folders (owner) WHERE owner IS NOT NULL AND parent IS NULL;
CREATE INDEX folders_by_owner ON folders (owner) WHERE owner IS NOT NULL;
CREATE INDEX folders_by_team ON folders (team) WHERE team IS NOT NULL;
CREATE INDEX folders_by_parent ON folders (parent) WHERE parent IS NOT NULL;

-- Where a document is, which is who may see it; owner is who made it.
CREATE TABLE placements (
    document TEXT PRIMARY KEY,
    folder TEXT NOT NULL REFERENCES folders (id),
    owner TEXT NOT NULL REFERENCES users (id)
) WITHOUT ROWID;
CREATE INDEX placements_by_folder ON placements (folder, document);
CREATE INDEX placements_by_owner ON placements (owner);

CREATE TABLE shares (
    document TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES users (id),
    role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
    created INTEGER NOT NULL,
    PRIMARY KEY (document, person)
) WITHOUT ROWID;
CREATE INDEX shares_by_person ON shares (person, document, role);

-- Shares with an email that nobody has yet.
CREATE TABLE invitations (
    document TEXT NOT NULL,
    match TEXT NOT NULL,
    email TEXT NOT NULL,
    role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
    created INTEGER NOT NULL,
    PRIMARY KEY (document, match)
) WITHOUT ROWID;
CREATE INDEX invitations_by_match ON invitations (match);

-- Collections of documents. One changes nobody's rights to a document.
CREATE TABLE document_spaces (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT REFERENCES users (id),
    team TEXT REFERENCES teams (id),
    created INTEGER NOT NULL,
    CHECK ((owner IS NULL) <> (team IS NULL))
) WITHOUT ROWID;

CREATE TABLE space_documents (
    space TEXT NOT NULL REFERENCES document_spaces (id),
    document TEXT NOT NULL,
    added INTEGER NOT NULL,
    PRIMARY KEY (space, document)
) WITHOUT ROWID;
CREATE INDEX space_documents_by_document ON space_documents (document);

-- Every change to the tables above, by whom. details is JSON.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    person TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL
);
CREATE TRIGGER audit_is_never_rewritten BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'the audit log is only ever added to'); END;
CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
BEGIN SELECT raise(ABORT, 'the audit log is only ever added to'); END;

-- Whom a token acts for; without, it is the workspace's owner. The tokens of before have
-- neither, and their hashes cover what they have.
ALTER TABLE tokens ADD COLUMN person TEXT REFERENCES users (id);
ALTER TABLE tokens ADD COLUMN suggest_only INTEGER NOT NULL DEFAULT 0;

-- What was answered to a request that may come again.
CREATE TABLE requests (
    person TEXT NOT NULL,
    key TEXT NOT NULL,
    answer TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (person, key)
);
CREATE INDEX requests_by_time ON requests (created);

-- What addresses for uploads are signed with.
CREATE TABLE signing (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL
);

-- Files on their way into the store. data holds them until they are taken over, unless they
-- are elsewhere: then place says where.
CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    document TEXT,
    title TEXT,
    folder TEXT,
    content_type TEXT NOT NULL,
    length INTEGER NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    received INTEGER,
    sha256 TEXT,
    place TEXT,
    data BLOB,
    finished TEXT
);
CREATE INDEX uploads_by_end ON uploads (expires);

-- The workspace begins with one person, who owns it. The ids are drawn, because documents that
-- travel name their authors: two workspaces must not both have the same owner.
INSERT INTO users (id, email, match, name, is_owner, created)
VALUES ('user_0' || substr(hex(randomblob(13)), 1, 25), 'owner@localhost', 'owner@localhost',
    'owner', 1, CAST(unixepoch('subsec') * 1000000 AS INTEGER));
INSERT INTO teams (id, name, parent, created)
SELECT 'team_0' || substr(hex(randomblob(13)), 1, 25), 'workspace', NULL, created FROM users;
INSERT INTO members (team, person, role) SELECT t.id, u.id, 4 FROM teams AS t, users AS u;
INSERT INTO folders (id, name, owner, team, parent, templates, created)
SELECT 'folder_0' || substr(hex(randomblob(13)), 1, 25), 'Personal', id, NULL, NULL, 0, created
FROM users;
