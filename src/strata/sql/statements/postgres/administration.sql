-- What an administrator of a database asks and sets. Names are put in place of `:database`, `:role`,
-- `:table`, `:name` and `:value`; the statements that set something take no parameters.

-- name: server_version
SELECT current_setting('server_version') FROM workspaces WHERE ws = :ws;

-- Of the server: its version, the database's name and size, and its connections, in use and at most.
-- name: server
SELECT current_setting('server_version'), current_database(),
    pg_database_size(current_database()),
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
    current_setting('max_connections')::bigint;

-- name: setting_now
SELECT current_setting(?);

-- name: set_default
ALTER DATABASE ":database" SET ":name" = ':value';

-- name: grant_connect
GRANT CONNECT ON DATABASE ":database" TO ":role";

-- name: grant_schema
GRANT USAGE ON SCHEMA strata TO ":role";

-- name: grant_reading
GRANT SELECT ON formats, workspaces, commits, gains, texts TO ":role";

-- name: grant_table
GRANT SELECT, INSERT, UPDATE, DELETE ON ":table" TO ":role";

-- The audit log is only ever added to.
-- name: grant_audit
GRANT SELECT, INSERT ON audit TO ":role";
