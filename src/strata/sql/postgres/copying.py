"""All rows of a workspace, read in one state or written step by step."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager

from psycopg import IsolationLevel, RawServerCursor, errors

from strata.base import limits
from strata.base.errors import AlreadyExists, StoreNotFound
from strata.sql.address import Address, parse_address, unfinished_workspace
from strata.sql.connection import Row
from strata.sql.postgres.connection import Cursor
from strata.sql.postgres.workspaces import (
    add_workspace,
    check_tables,
    choose,
    connected,
    delete_workspace,
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
def filling_workspace(url: str) -> Generator["UnfinishedWorkspace"]:
    """Let rows be written to a workspace that was never opened, or go on with one."""
    address = parse_address(url)
    with connected(address.database) as cursor:
        migrate(cursor)
        number = _found_or_begun(cursor, address)
        wait_ms = int(limits.LOCK_WAIT_S * 1000)
        cursor.execute(load("postgres").hold_unfinished, (str(wait_ms), number))
        if workspace_number(cursor, unfinished_workspace(address.workspace)) != number:
            raise _in_use_already(address)  # another process has finished it meanwhile
        yield UnfinishedWorkspace(cursor, number, address)


def _found_or_begun(cursor: Cursor, address: Address) -> int:
    """Return the number of the workspace to fill: one that was begun, or a new one."""
    unfinished = unfinished_workspace(address.workspace)
    with cursor.connection.transaction():
        cursor.execute(load("postgres").lock_format)
        number = workspace_number(cursor, address.workspace)
        begun = workspace_number(cursor, unfinished)
        if number is not None and begun is not None:
            raise _in_use_already(address)
        if begun is not None:
            return begun
        if number is None:
            number = add_workspace(cursor, unfinished)
        choose(cursor, number, deletes=True)
        found = cursor.execute(load("postgres").lock_workspace, (number,)).fetchone()
        if found is None or found[1]:
            raise _in_use_already(address)
        cursor.execute(load("postgres").rename_workspace, (unfinished, number))
        # A new workspace has an owner; the one that is copied takes the place.
        empty(cursor, number)
    return number


def _in_use_already(address: Address) -> AlreadyExists:
    return AlreadyExists(
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


class UnfinishedWorkspace(WorkspaceRows):
    """The rows of a workspace that is being filled."""

    def __init__(self, cursor: Cursor, number: int, address: Address) -> None:
        super().__init__(cursor, number)
        self._address = address
        # A role that sees a part of the rows by a policy may not COPY.
        self._copies = not is_limited(cursor)

    @property
    def place(self) -> str:
        """The address of the workspace until it is complete."""
        return self._address.unfinished

    @contextmanager
    def _step(self) -> Generator[None]:
        """Let a block see, change and delete rows, and keep what it did."""
        with self._cursor.connection.transaction():
            choose(self._cursor, self._number, deletes=True)
            yield

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        with self._step():
            return super().count(table)

    def read(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Give the rows of a table one by one."""
        with self._step():
            yield from super().read(table, columns)

    def write(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Write rows to a table."""
        with self._step():
            self._write(table, columns, rows)

    def _write(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
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

    def delete(self, table: str, key: Sequence[str], rows: Iterable[Row]) -> None:
        """Delete the rows of a table that have one of these keys."""
        same = " AND ".join(f'"{column}" = ${at + 2}' for at, column in enumerate(key))
        statement = load("postgres").delete_workspace_row.replace(":table", table)
        values = ((self._number, *row) for row in rows)
        with self._step():
            self._cursor.executemany(statement.replace(":key", same), values)

    def clear(self) -> None:
        """Delete all rows of all tables."""
        with self._step():
            empty(self._cursor, self._number)

    def seal(self) -> None:
        """Note the newest version, and the newest commit of each branch."""
        with self._step():
            for statement in (load("postgres").set_newest_version, load("postgres").set_tips):
                self._cursor.execute(statement, (self._number,))

    def settle(self) -> None:
        """Give the workspace the name that it was made for."""
        name = self._address.workspace
        try:
            self._cursor.execute(load("postgres").rename_workspace, (name, self._number))
        except errors.UniqueViolation as error:
            raise _in_use_already(self._address) from error

    def discard(self) -> None:
        """Delete the workspace."""
        delete_workspace(self._address.unfinished, unfinished_workspace(self._address.workspace))
