"""A database as its administrator sees it: tables, settings, roles, connections."""

from contextlib import suppress

import psycopg
from psycopg import errors

from strata.base import limits
from strata.base.errors import NotFound, Unavailable
from strata.sql.address import DEFAULT_WORKSPACE, Address, parse_address
from strata.sql.migrate import format_number
from strata.sql.postgres.connection import Cursor, new_cursor
from strata.sql.postgres.errors import translated
from strata.sql.postgres.workspaces import (
    SETTINGS,
    all_workspaces,
    connected,
    format_of,
    found_or_made,
    is_distributed,
    migrate,
    value_of,
)
from strata.sql.queries import load
from strata.sql.server_results import DatabaseSetting, DatabaseSetup, DatabaseStatus

# The tables that belong to no workspace, and the one that all others are divided like.
_ON_ALL_NODES = frozenset({"formats", "workspaces"})
_FIRST_TABLE = "catalog"
# The settings that plans need; the schema and signs of life are a matter of each connection.
_PLAN_SETTINGS = {
    name: str(value)
    for name, value in SETTINGS.items()
    if name != "search_path" and not name.startswith("tcp_")
}


def prepare_database(
    url: str,
    *,
    role: str | None = None,
    distributed: bool = False,
    makes_workspace: bool = False,
) -> DatabaseSetup:
    """Make the tables or bring them up to date, and let a role use them.

    The address's workspace is made if that is wanted, unless the address names none and the
    database has others. Settings that plans need become the database's own, where the address's
    role may set them. The named role gets what a server of workspaces needs: it reads and writes
    rows, adds to the audit log, and neither makes tables nor workspaces. With `distributed` the
    workspaces are spread over the nodes of a Citus cluster; tables of a later format are too, when
    this is called again.
    """
    address = parse_address(url)
    with connected(address.database) as cursor:
        if distributed:
            _require_citus(cursor)
        before = migrate(cursor)
        name = value_of(cursor, load("postgres").server, column=1)
        made = makes_workspace and _make_workspace(cursor, address)
        if role is not None:
            _grant(cursor, database=name, role=role)
        # The owner of a database may, and so may a superuser.
        with suppress(errors.InsufficientPrivilege):
            _set_defaults(cursor, name)
        if distributed:
            _distribute(cursor, name)
        is_spread = distributed or is_distributed(cursor)
    return DatabaseSetup(
        address=address.display,
        format_before=before,
        format=format_number(),
        workspace=address.workspace if made else None,
        role=role,
        is_distributed=is_spread,
        differing=_differing(url),
    )


def _make_workspace(cursor: Cursor, address: Address) -> bool:
    """Make the workspace that an address means; tell whether it was made now."""
    if address.workspace == DEFAULT_WORKSPACE and all_workspaces(cursor):
        return False
    return found_or_made(cursor, address, create=True)[1]


def _require_citus(cursor: Cursor) -> None:
    if value_of(cursor, load("postgres").citus_version) is None:
        raise Unavailable(
            "The database has no extension citus, which spreads workspaces over several nodes.",
            hint="Nothing was changed. Install Citus on all nodes and run CREATE EXTENSION citus in"
            " this database on each, or leave --distributed out for one PostgreSQL server.",
        )


def _distribute(cursor: Cursor, database: str) -> None:
    """Divide the tables by workspaces, and let the database remember it.

    Each table is a step of its own: after an error, the next call goes on. Row-level security goes:
    the nodes do not hear which workspace a connection was opened for.
    """
    queries = load("postgres")
    for table, name in cursor.execute(queries.policies).fetchall():
        cursor.execute(queries.drop_policy.replace(":table", table).replace(":name", name))
    for (table,) in cursor.execute(queries.workspace_tables).fetchall():
        cursor.execute(queries.disable_row_security.replace(":table", table))
    for (table,) in cursor.execute(queries.undistributed_tables).fetchall():
        cursor.execute(distributing(table))
    settings = {**_PLAN_SETTINGS, "strata.distributed": "on"}
    for statement in (queries.set_default_on_nodes, queries.set_default):
        for name, value in settings.items():
            filled = statement.replace(":database", _quoted(database)).replace(":name", name)
            cursor.execute(filled.replace(":value", value))


def distributing(table: str) -> str:
    """Return the statement that divides a table by workspaces, or copies it to all nodes."""
    queries = load("postgres")
    if table in _ON_ALL_NODES:
        statement = queries.make_reference_table
    elif table == _FIRST_TABLE:
        statement = queries.distribute_first_table
    else:
        statement = queries.distribute_table
    return statement.replace(":table", table).replace(":value", str(limits.CITUS_SHARDS))


def database_status(url: str) -> DatabaseStatus:
    """Return a database at a glance; it need not have any tables."""
    address = parse_address(url)
    with connected(address.database) as cursor:
        number = format_of(cursor)
        found = cursor.execute(load("postgres").server).fetchone()
        assert found is not None
        version, name, size, used, most = found
        rows = all_workspaces(cursor) if number else []
        is_spread = is_distributed(cursor)
    return DatabaseStatus(
        address=address.display,
        server_version=version,
        database=name,
        format=number,
        known_format=format_number(),
        size_bytes=size,
        is_distributed=is_spread,
        workspaces=tuple(rows),
        differing=_differing(url),
        connections=used,
        connections_max=most,
    )


def _differing(url: str) -> tuple[DatabaseSetting, ...]:
    """Compare what a plain connection gets with what plans need."""
    try:
        with psycopg.connect(parse_address(url).database, autocommit=True) as session:
            cursor, statement = new_cursor(session), load("postgres").setting_now
            found = {name: value_of(cursor, statement, (name,)) for name in _PLAN_SETTINGS}
    except psycopg.Error as error:
        raise translated(error) from error
    return tuple(
        DatabaseSetting(name, found[name], wanted)
        for name, wanted in _PLAN_SETTINGS.items()
        if found[name] != wanted
    )


def _set_defaults(cursor: Cursor, database: str) -> None:
    statement = load("postgres").set_default.replace(":database", _quoted(database))
    for name, value in _PLAN_SETTINGS.items():
        cursor.execute(statement.replace(":name", name).replace(":value", value))


def _grant(cursor: Cursor, *, database: str, role: str) -> None:
    queries = load("postgres")
    tables = [table for (table,) in cursor.execute(queries.workspace_tables).fetchall()]
    statements = [
        queries.grant_connect.replace(":database", _quoted(database)),
        queries.grant_schema,
        queries.grant_reading,
        queries.grant_audit,
        *(queries.grant_table.replace(":table", one) for one in tables if one != "audit"),
    ]
    try:
        with cursor.connection.transaction():
            for statement in statements:
                cursor.execute(statement.replace(":role", _quoted(role)))
    except errors.UndefinedObject as error:
        raise NotFound(
            f"The server has no role {role!r}.",
            hint=f"Make it with PostgreSQL's own `createuser {role}`, then run this again.",
            name=role,
        ) from error


def _quoted(name: str) -> str:
    return name.replace('"', '""')
