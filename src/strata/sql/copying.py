"""All rows of a store, read from one state of it or written to an empty one, table by table.

Both databases have the same tables with the same columns, but for the number of the workspace, so
a row of one is a row of the other.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Protocol, TypeAlias

from strata.base.errors import Unusable
from strata.sql import integrity
from strata.sql.connection import Connection, Row
from strata.sql.earlier import seal_tables
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

    def write(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Write rows to a table; only where they are being filled."""
        ...


def reading_rows(place: Path | str) -> AbstractContextManager[StoredRows]:
    """Give the rows of a store as they are at this moment, whatever is written meanwhile."""
    if isinstance(place, Path):
        return _reading_file(place)
    check_driver()
    from strata.sql.postgres import reading_workspace  # noqa: PLC0415  (an extra)

    return reading_workspace(place)


def filling_rows(place: Path | str) -> AbstractContextManager[StoredRows]:
    """Let rows be written to an empty store: all of them, or, if the block fails, none.

    A path must lead to an empty file; a workspace is made unless there is one that was never used.
    """
    if isinstance(place, Path):
        return _filling_file(place)
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
        # Last, because rows of publications that are written move the profile's mark.
        names.sort(key=lambda name: (name == "profiles", name))
        return {
            name: [column for (column,) in connection.rows(queries.columns_of, (name, "main"))]
            for name in names
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


@contextmanager
def _filling_file(path: Path) -> Generator[StoredRows]:
    queries = load()
    with (
        closing(SqliteDatabase(path, durability="standard")) as database,
        database.writing() as connection,
    ):
        for table in copied_tables():
            connection.run(queries.delete_rows.replace(":table", table))
        yield _FileRows(connection)
        seal_tables(connection)


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

    def write(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Write rows to a table; its sum is computed at the end."""
        statement = completed(load().insert_table_row, table, columns)
        marks = ", ".join("?" for _column in columns)
        self._connection.write_versions(statement.replace(":values", marks), rows)


class RowSum:
    """How many rows have passed, and the sum of their digests, whatever their order."""

    def __init__(self) -> None:
        self.rows = 0
        self._total = 0

    def passing(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Give rows on as they come, and take each into account."""
        for row in rows:
            self.rows += 1
            self._total += integrity.digest_of_row(row)
            yield row

    def add_rows(self, rows: Iterable[Row]) -> None:
        """Take rows into account that go nowhere."""
        for _row in self.passing(rows):
            pass

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowSum) and (self.rows, self._total) == (other.rows, other._total)

    __hash__ = None  # pyright: ignore[reportAssignmentType]
