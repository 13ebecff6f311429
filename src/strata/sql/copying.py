"""All rows of a store, read from one state of it or written to one that is made, table by table.

Both databases have the same tables with the same columns, but for the number of the workspace, so
a row of one is a row of the other.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Protocol, TypeAlias

from strata.base.errors import AlreadyExists, Unusable
from strata.sql.connection import Connection, Row
from strata.sql.earlier import seal_tables
from strata.sql.files import held_alone, settle, unfinished_path
from strata.sql.integrity import digest_of_row
from strata.sql.migrate import check_format, format_number
from strata.sql.opening import check_driver, open_existing
from strata.sql.queries import completed, load
from strata.sql.sqlite_database import SqliteDatabase

# Tables that are not copied, each with the reason.
_LEFT = {
    "digests": "a file gets sums of the tables it has; PostgreSQL keeps none",
    "leases": "a lease lasts for seconds, and is then taken anew",
    "presence": "a row counts for seconds, and is then written anew",
}
# What tells the rows of a table without a primary key from each other.
_UNIQUE = {"embedding_codes": ["model", "part"]}
# The names of the columns by table.
Tables: TypeAlias = Mapping[str, Sequence[str]]


class StoredRows(Protocol):
    """The rows of one store, in one state."""

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        ...

    def read(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Give the rows of a table one by one."""
        ...


class UnfinishedStore(StoredRows, Protocol):
    """A store that a copy fills, under a name that users cannot open.

    What is written and deleted is kept when the call returns, so that a copy which is cut short
    goes on there. No other process fills it at the same time.
    """

    @property
    def place(self) -> Path | str:
        """Where it is until it is complete."""
        ...

    def write(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Write rows to a table."""
        ...

    def delete(self, table: str, key: Sequence[str], rows: Iterable[Row]) -> None:
        """Delete the rows of a table that have one of these keys."""
        ...

    def clear(self) -> None:
        """Delete all rows of all tables."""
        ...

    def seal(self) -> None:
        """Write what follows from the rows; it can be verified then."""
        ...

    def settle(self) -> None:
        """Give it the name that it was made for."""
        ...

    def discard(self) -> None:
        """Delete it."""
        ...


def reading_rows(place: Path | str) -> AbstractContextManager[StoredRows]:
    """Give the rows of a store as they are at this moment, whatever is written meanwhile."""
    if isinstance(place, Path):
        return _reading_file(place)
    check_driver()
    from strata.sql.postgres import reading_workspace  # noqa: PLC0415  (an extra)

    return reading_workspace(place)


def filling_rows(place: Path | str) -> AbstractContextManager[UnfinishedStore]:
    """Let rows be written to a place without a store, or go on where that was cut short.

    Raises AlreadyExists for a place that has one, but for a workspace that was never used.
    """
    if isinstance(place, Path):
        return filling_file(place)
    check_driver()
    from strata.sql.postgres import filling_workspace  # noqa: PLC0415  (an extra)

    return filling_workspace(place)


@cache
def copied_tables() -> Tables:
    """Return the tables that make a store, in the order in which they are to be written."""
    queries = load()
    with closing(SqliteDatabase(None)) as fresh:
        connection = fresh.connection()
        names = [
            name
            for kind, name, _sql in connection.rows(queries.schema_objects)
            if kind == "table" and name not in _LEFT and not name.startswith("sqlite_")
        ]
        # Profiles late, because rows of publications that are written move the profile's mark; the
        # catalog last, because without its row no other process can write.
        names.sort(key=lambda name: (name == "catalog", name == "profiles", name))
        return {
            name: [column for (column,) in connection.rows(queries.columns_of, (name, "main"))]
            for name in names
        }


@cache
def keys_of_tables() -> Tables:
    """Return the columns of each table that tell its rows from each other."""
    with closing(SqliteDatabase(None)) as fresh:
        connection = fresh.connection()
        return {
            table: [name for (name,) in connection.rows(load().primary_key, (table,))]
            or _UNIQUE[table]
            for table in copied_tables()
        }


@contextmanager
def _reading_file(path: Path) -> Generator[StoredRows]:
    with closing(open_existing(path)) as database, database.reading() as connection:
        if check_format(connection) != format_number():
            raise Unusable(
                f"The store has the earlier format {check_format(connection)}.",
                hint="Open it once for writing, which brings it up to date, then copy it.",
            )
        yield _FileRows(connection)


class _FileRows:
    """The rows of a file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        found = self._connection.row(load().count_table_rows.replace(":table", table))
        return 0 if found is None else found[0]

    def read(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Give the rows of a table one by one."""
        return self._connection.each(completed(load().table_rows, table, columns))


@contextmanager
def filling_file(target: Path) -> Generator[UnfinishedStore]:
    """Let rows be written to a file that does not exist yet."""
    place = unfinished_path(target)
    with held_alone(Path(f"{place}.hold")):
        _check_free(target)
        unfinished = _UnfinishedFile(place, target)
        try:
            yield unfinished
        finally:
            unfinished.close()


def _check_free(target: Path) -> None:
    if target.exists():
        raise AlreadyExists(
            f"{target} exists already.",
            hint="Name a file that does not exist: a store is copied to an empty place only.",
            path=str(target),
        )


class _UnfinishedFile:
    """The rows of a file that is being filled."""

    def __init__(self, place: Path, target: Path) -> None:
        self.place = place
        self._target = target
        self._database = self._opened()

    def _opened(self) -> SqliteDatabase:
        database = SqliteDatabase(self.place, durability="standard")
        if database.was_empty:
            # A new store has an owner; the one that is copied takes the place.
            with database.writing() as connection:
                for table in copied_tables():
                    connection.run(load().delete_rows.replace(":table", table))
        return database

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        return _FileRows(self._database.connection()).count(table)

    def read(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Give the rows of a table one by one."""
        with self._database.reading() as connection:
            yield from _FileRows(connection).read(table, columns)

    def write(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Write rows to a table; its sum is computed at the end."""
        statement = completed(load().insert_table_row, table, columns)
        marks = ", ".join("?" for _column in columns)
        with self._database.writing() as connection:
            connection.write_versions(statement.replace(":values", marks), rows)

    def delete(self, table: str, key: Sequence[str], rows: Iterable[Row]) -> None:
        """Delete the rows of a table that have one of these keys."""
        same = " AND ".join(f'"{column}" = ?' for column in key)
        statement = load().delete_table_row.replace(":table", table).replace(":key", same)
        with self._database.writing() as connection:
            connection.write_versions(statement, rows)

    def clear(self) -> None:
        """Delete all rows of all tables, with the file: rows of the audit log cannot be deleted."""
        self.discard()
        self._database = self._opened()

    def seal(self) -> None:
        """Compute the sums of the tables."""
        with self._database.writing() as connection:
            seal_tables(connection)
        self.close()

    def settle(self) -> None:
        """Give the file the name that it was made for."""
        _check_free(self._target)
        settle(self.place, self._target)

    def discard(self) -> None:
        """Delete the file, with its log."""
        self.close()
        for suffix in ("-wal", "-shm", "-journal", "-queue", ""):
            Path(f"{self.place}{suffix}").unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._database.close()


class RowSum:
    """How many rows have passed, and the sum of their digests, whatever their order."""

    def __init__(self) -> None:
        self.rows = 0
        self._total = 0

    def passing(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Give rows on as they come, and take each into account."""
        for row in rows:
            self.rows += 1
            self._total += digest_of_row(row)
            yield row

    def add_rows(self, rows: Iterable[Row]) -> None:
        """Take rows into account that go nowhere."""
        for _row in self.passing(rows):
            pass

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowSum) and (self.rows, self._total) == (other.rows, other._total)

    __hash__ = None  # pyright: ignore[reportAssignmentType]
