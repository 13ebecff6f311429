"""All rows of a workspace, read in one state or written in one transaction."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager

from psycopg import IsolationLevel, RawServerCursor

from strata.base.errors import AlreadyExists, StoreNotFound
from strata.sql.address import Address, parse_address
from strata.sql.connection import Row
from strata.sql.postgres.connection import Cursor
from strata.sql.postgres.workspaces import (
    add_workspace,
    check_tables,
    choose,
    connected,
    empty,
    is_limited,
    migrate,
    value_of,
    workspace_number,
)
from strata.sql.queries import completed, load

# Rows that are fetched at once; some hold whole uploads.
_FETCHED = 200


@contextmanager
def reading_workspace(url: str) -> Generator["WorkspaceRows"]:
    """Give the rows of a workspace as they are at this moment."""
    address = parse_address(url)
    with connected(address.database) as cursor:
        check_tables(cursor)
        number = workspace_number(cursor, address.workspace)
        if number is None:
            raise StoreNotFound(
                f"There is no workspace {address.workspace!r} in {address.display}.",
                hint="`strata workspace list` lists all of a database.",
                path=address.display,
            )
        session = cursor.connection
        session.isolation_level, session.read_only = IsolationLevel.REPEATABLE_READ, True
        with session.transaction():
            choose(cursor, number)
            yield WorkspaceRows(cursor, number)


@contextmanager
def filling_workspace(url: str) -> Generator["WorkspaceRows"]:
    """Let rows be written to a workspace that was never opened; an error undoes all of it."""
    address = parse_address(url)
    with connected(address.database) as cursor:
        migrate(cursor)
        with cursor.connection.transaction():
            number = workspace_number(cursor, address.workspace)
            if number is None:
                number = add_workspace(cursor, address.workspace)
            choose(cursor, number, deletes=True)
            _check_unused(cursor, number, address)
            # A new workspace has an owner; the one that is copied takes the place.
            empty(cursor, number)
            yield WorkspaceRows(cursor, number)
            for statement in (load("postgres").set_newest_version, load("postgres").set_tips):
                cursor.execute(statement, (number,))


def _check_unused(cursor: Cursor, number: int, address: Address) -> None:
    found = cursor.execute(load("postgres").lock_workspace, (number,)).fetchone()
    if found is None or found[1]:
        raise AlreadyExists(
            f"The workspace {address.workspace!r} in {address.display} is in use already.",
            hint="Name another one with ?workspace=NAME at the end of the address, or delete this "
            f"one with `strata workspace delete {address.workspace}`.",
            name=address.workspace,
        )


class WorkspaceRows:
    """The rows of a workspace."""

    def __init__(self, cursor: Cursor, number: int) -> None:
        self._cursor = cursor
        self._number = number
        # A role that sees a part of the rows by a policy may not COPY.
        self._copies = not is_limited(cursor)

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        statement = load("postgres").count_workspace_rows.replace(":table", table)
        return value_of(self._cursor, statement, (self._number,))

    def read(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Give the rows of a table one by one."""
        statement = completed(load("postgres").workspace_rows, table, columns)
        with RawServerCursor(self._cursor.connection, "rows") as cursor:
            cursor.itersize = _FETCHED
            cursor.execute(statement.encode(), (self._number,), binary=True)
            yield from cursor

    def write(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Write rows to a table."""
        queries = load("postgres")
        if not self._copies:
            marks = ", ".join(f"${number + 2}" for number in range(len(columns)))
            statement = completed(queries.insert_workspace_row, table, columns)
            values = ((self._number, *row) for row in rows)
            self._cursor.executemany(statement.replace(":values", marks), values)
            return
        types = dict(self._cursor.execute(queries.column_types, (table,)).fetchall())
        with self._cursor.copy(completed(queries.copy_workspace_rows, table, columns)) as copy:
            copy.set_types([types[column] for column in ("ws", *columns)])
            for row in rows:
                copy.write_row((self._number, *row))
