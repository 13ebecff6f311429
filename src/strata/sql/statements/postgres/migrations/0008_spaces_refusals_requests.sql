-- What a Space of documents is for, in the words of its makers; empty where they wrote none.
ALTER TABLE document_spaces ADD COLUMN description TEXT COLLATE "C" NOT NULL DEFAULT '';

-- How often writes were refused because they held a secret: by day (days since 1970, UTC), kind of
-- the secret, and who wrote, as a commit names them. Nothing of the secret, nor where it was.
CREATE TABLE refused_secrets (
    ws BIGINT NOT NULL,
    day BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    times BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (ws, day, kind, actor)
);
ALTER TABLE refused_secrets ENABLE ROW LEVEL SECURITY;
ALTER TABLE refused_secrets FORCE ROW LEVEL SECURITY;
CREATE POLICY workspace ON refused_secrets
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);

-- What became of the newest commits: a client whose connection is lost while it commits asks here
-- whether the commit was made. change is the number of that change; it is NULL where the client has
-- given up the commit, which then fails if it still arrives. version is that of a commit by one
-- statement. A writer's next commit removes the row of its last one, and rows of writers that have
-- ended go after a day, by the database's clock (made).
CREATE TABLE commit_requests (
    ws BIGINT NOT NULL,
    id BYTEA NOT NULL,
    change BIGINT,
    version BIGINT,
    made BIGINT NOT NULL DEFAULT (extract(epoch FROM statement_timestamp()) * 1000000)::bigint,
    PRIMARY KEY (ws, id)
);
CREATE INDEX commit_requests_by_time ON commit_requests (ws, made);
ALTER TABLE commit_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE commit_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY workspace ON commit_requests
USING (ws = nullif(current_setting('strata.ws', true), '')::bigint);

DROP INDEX versions_by_key;
-- Newest first, so that the newest version of each key in a range is found without sorting.
CREATE INDEX versions_by_key ON versions (ws, branch, keyspace, key, version DESC, flags);

-- No statistics of values: they come late, and those of other workspaces make a workspace that was
-- just filled look as if it had a single row, so that a plan reads all of it by the wrong index.
-- Without them every plan follows from the indexes alone, today and tomorrow.
DO $$
DECLARE
    found RECORD;
BEGIN
    FOR found IN
        SELECT c.relname, a.attname FROM pg_class AS c
        JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
        AND a.attnum > 0 AND NOT a.attisdropped
    LOOP
        EXECUTE format(
            'ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', found.relname, found.attname
        );
    END LOOP;
END
$$;
