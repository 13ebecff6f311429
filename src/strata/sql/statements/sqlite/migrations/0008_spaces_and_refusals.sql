-- What a Space of documents is for, in the words of its makers; empty where they wrote none.
ALTER TABLE document_spaces ADD COLUMN description TEXT NOT NULL DEFAULT '';

-- How often writes were refused because they held a secret: by day (days since 1970, UTC), kind of
-- the secret, and who wrote, as a commit names them. Nothing of the secret, nor where it was.
CREATE TABLE refused_secrets (
    day INTEGER NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    times INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (day, kind, actor)
) WITHOUT ROWID;
