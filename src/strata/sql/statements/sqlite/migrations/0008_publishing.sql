-- What is shown to everybody. None of it is versioned: a published version is frozen, and which
-- one is shown is one present state for all branches. Times are microseconds.

-- The public side of a person; name is the part of the address behind the @. changed is when
-- anything was altered that visitors see of it, and never twice the same: so a server knows by one
-- number whether its pages are old.
CREATE TABLE profiles (
    person TEXT PRIMARY KEY REFERENCES users (id),
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    about TEXT NOT NULL DEFAULT '',
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE UNIQUE INDEX profiles_by_name ON profiles (name);

-- Every name that a profile has or had: an old one leads to the new one, and is nobody else's.
CREATE TABLE profile_names (
    name TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES profiles (person)
) WITHOUT ROWID;
CREATE INDEX profile_names_by_person ON profile_names (person);

-- A document that was published at least once. number is the version shown, NULL while nothing
-- is; pinned is when it was pinned.
CREATE TABLE publications (
    document TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES profiles (person),
    slug TEXT NOT NULL,
    number INTEGER,
    pinned INTEGER,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX publications_by_slug ON publications (person, slug);

-- A frozen state of a document. text is its markdown, compressed where that is smaller; it stays
-- readable whatever retention does to the history that it was taken from. branch and version say
-- where that was, images is a list of what published_images holds.
CREATE TABLE published_versions (
    document TEXT NOT NULL REFERENCES publications (document),
    number INTEGER NOT NULL,
    version INTEGER NOT NULL,
    branch INTEGER NOT NULL,
    hash TEXT NOT NULL,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    text BLOB NOT NULL,
    is_packed INTEGER NOT NULL,
    images TEXT NOT NULL,
    person TEXT NOT NULL,
    via TEXT,
    created INTEGER NOT NULL,
    PRIMARY KEY (document, number)
);

-- The files of images that versions show, each once for a document; id is the SHA-256.
CREATE TABLE published_images (
    document TEXT NOT NULL REFERENCES publications (document),
    id TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (document, id)
);

CREATE TRIGGER publication_added AFTER INSERT ON publications BEGIN
    UPDATE profiles SET changed = max(changed + 1,
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)) WHERE person = NEW.person;
END;
CREATE TRIGGER publication_changed AFTER UPDATE ON publications BEGIN
    UPDATE profiles SET changed = max(changed + 1,
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)) WHERE person IN (OLD.person, NEW.person);
END;
CREATE TRIGGER publication_removed AFTER DELETE ON publications BEGIN
    UPDATE profiles SET changed = max(changed + 1,
        CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)) WHERE person = OLD.person;
END;
