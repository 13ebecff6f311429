"""A database as its administrator sees it: tables, settings, roles, connections."""

from contextlib import suppress

import psycopg
from psycopg import errors

from strata.base.errors import NotFound
from strata.sql.address import parse_address
from strata.sql.migrate import format_number
from strata.sql.postgres.connection import Cursor, new_cursor
from strata.sql.postgres.errors import translated
from strata.sql.postgres.workspaces import (
    SETTINGS,
    all_workspaces,
    connected,
    format_of,
    migrate,
    value_of,
)
from strata.sql.queries import load
from strata.sql.server_results import DatabaseSetting, DatabaseSetup, DatabaseStatus

# The settings that plans need; the schema is a matter of each connection.
_PLAN_SETTINGS = {name: str(value) for name, value in SETTINGS.items() if name != "search_path"}


def prepare_database(url: str, *, role: str | None = None) -> DatabaseSetup:
    """Make the tables or bring them up to date, and let a role use them.

    Settings that plans need become the database's own, where the address's role may set them. The
    named role gets what a server of workspaces needs: it reads and writes rows, adds to the audit
    log, and neither makes tables nor workspaces.
    """
    address = parse_address(url)
    with connected(address.database) as cursor:
        before = migrate(cursor)
        name = value_of(cursor, load("postgres").server, column=1)
        if role is not None:
            _grant(cursor, database=name, role=role)
        # The owner of a database may, and so may a superuser.
        with suppress(errors.InsufficientPrivilege):
            _set_defaults(cursor, name)
    return DatabaseSetup(address.display, before, format_number(), role, _differing(url))


def database_status(url: str) -> DatabaseStatus:
    """Return a database at a glance; it need not have any tables."""
    address = parse_address(url)
    with connected(address.database) as cursor:
        number = format_of(cursor)
        found = cursor.execute(load("postgres").server).fetchone()
        assert found is not None
        version, name, size, used, most = found
        rows = all_workspaces(cursor) if number else []
    return DatabaseStatus(
        address=address.display,
        server_version=version,
        database=name,
        format=number,
        known_format=format_number(),
        size_bytes=size,
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
