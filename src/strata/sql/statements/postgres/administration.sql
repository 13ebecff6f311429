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

-- The version of the extension that spreads tables over nodes.
-- name: citus_version
SELECT extversion FROM pg_extension WHERE extname = 'citus';

-- The tables that are not spread over the nodes yet; a server without the extension has no such view.
-- name: undistributed_tables
SELECT c.relname FROM pg_class AS c
WHERE c.relnamespace = 'strata'::regnamespace AND c.relkind = 'r'
    AND NOT EXISTS (SELECT 1 FROM pg_dist_partition AS p WHERE p.logicalrelid = c.oid)
ORDER BY c.relname <> 'catalog', c.relname;

-- What every node has alike: the names of workspaces, and the format.
-- name: make_reference_table
SELECT create_reference_table('strata.:table');

-- The first table that is divided by workspaces decides on how many parts there are.
-- name: distribute_first_table
SELECT create_distributed_table('strata.:table', 'ws', shard_count => :value);

-- name: distribute_table
SELECT create_distributed_table('strata.:table', 'ws', colocate_with => 'strata.catalog');

-- name: policies
SELECT tablename, policyname FROM pg_policies WHERE schemaname = 'strata'
ORDER BY tablename, policyname;

-- name: drop_policy
DROP POLICY ":name" ON ":table";

-- name: disable_row_security
ALTER TABLE ":table" NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY;

-- What is set for the database on the coordinator does not hold on the other nodes.
-- name: set_default_on_nodes
SELECT run_command_on_workers($command$ALTER DATABASE ":database" SET ":name" = ':value'$command$);

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
