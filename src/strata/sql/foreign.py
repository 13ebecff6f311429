"""Databases of other programs: read without changing them, written where none is yet."""

import os
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import apsw
import msgspec

from strata.base.errors import Unavailable, Unusable
from strata.sql.queries import statements

T = TypeVar("T")

_HEADER = b"SQLite format 3\0"
_ATTEMPTS = 5
_PAUSE_S = 0.05
_BUSY_MS = 5_000


class BrokenText(msgspec.Struct, frozen=True):
    """A value whose bytes are no text in UTF-8, though the database says so."""

    data: bytes


class ForeignRow(msgspec.Struct, frozen=True):
    """A row by the names of its columns; `number` is its rowid, below zero where it has none."""

    number: int
    values: dict[str, Any]


class Gap(msgspec.Struct, frozen=True):
    """A part of a table that cannot be read: behind one row, and before another."""

    table: str
    after: int | None
    before: int | None
    reason: str


class ForeignTable(msgspec.Struct, frozen=True):
    """What could be read of a table."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[ForeignRow, ...]
    gaps: tuple[Gap, ...] = ()


class ForeignFile(msgspec.Struct, frozen=True):
    """The tables that were asked for, and how many rows the others have."""

    tables: dict[str, ForeignTable]
    others: dict[str, int]


@cache
def foreign_statements(program: str) -> dict[str, str]:
    """Return the named statements for the files of a program."""
    folder = Path(__file__).parent / "statements" / program
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.sql"))]
    return statements("\n".join(texts))


def read_foreign(path: Path, names: Sequence[str], *, program: str) -> ForeignFile:
    """Return all rows of those tables that are there, as of one moment.

    Nothing beside the file is made or changed, and its owner may go on writing. Raises
    Unusable for a file that is no database.
    """
    _check_file(path)
    last: apsw.Error | None = None
    for attempt in range(_ATTEMPTS):
        time.sleep(_PAUSE_S if attempt else 0)
        before = _marks(path)
        try:
            with _opened(path, copies=attempt > 0) as connection:
                found = _Reader(connection, foreign_statements(program)).read(names)
        except (apsw.CantOpenError, apsw.BusyError, apsw.ReadOnlyError) as error:
            last = error
            continue
        except (apsw.Error, UnicodeDecodeError) as error:
            raise _unusable(path, str(error)) from error
        if _is_watched(path) or _marks(path) == before:
            return found
    raise Unavailable(
        f"{path} cannot be read now: {last or 'it changes all the time'}.",
        hint="End the program that holds it, or copy it with its -wal file and read the copy.",
        path=str(path),
    )


def _check_file(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(len(_HEADER))
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}.", path=str(path)) from error
    if head != _HEADER:
        raise _unusable(path, "it is no SQLite file")


def _unusable(path: Path, reason: str) -> Unusable:
    return Unusable(
        f"{path} is no database that can be read: {reason}.",
        hint="Check the path; nothing was changed.",
        path=str(path),
    )


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _is_watched(path: Path) -> bool:
    """Whether programs that have it open see each other's locks, so that SQLite minds them."""
    return _beside(path, "-wal").exists() and _beside(path, "-shm").exists()


def _marks(path: Path) -> list[tuple[int, int] | None]:
    """Return a value that changes when another program has written."""
    marks: list[tuple[int, int] | None] = []
    for ending in ("", "-wal", "-journal"):
        try:
            found = _beside(path, ending).stat()
        except OSError:
            marks.append(None)
        else:
            marks.append((found.st_size, found.st_mtime_ns))
    return marks


@contextmanager
def _opened(path: Path, *, copies: bool) -> Generator[apsw.Connection]:
    with located(path, copies=copies) as location, _connected(location) as connection:
        yield connection


@contextmanager
def located(path: Path, *, copies: bool = False) -> Generator[str]:
    """Give the address by which a file is opened in the way that leaves its folder as it is.

    Where its owner has it open, as any other reader. A file at rest is read as it is: opened
    the usual way, SQLite would make a -wal and a -shm beside it. With a log that no program holds,
    or in a folder where SQLite cannot work, it is a copy that is opened.
    """
    if _is_watched(path) and not copies:
        yield f"{path.absolute().as_uri()}?mode=ro"
    elif not any(_has_bytes(_beside(path, ending)) for ending in ("-wal", "-journal")):
        yield f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    else:
        with _copied(path) as copy:
            yield f"{copy.absolute().as_uri()}?mode=rw"


@contextmanager
def _copied(path: Path) -> Generator[Path]:
    """Give a copy of a file and its log, for as long as the block runs."""
    # Only here: every start of Strata would otherwise take two milliseconds longer.
    import shutil  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="strata-") as folder:
        copy = Path(folder) / "copy.db"
        for ending in ("", "-wal", "-journal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(_beside(path, ending), _beside(copy, ending))
        yield copy


def _has_bytes(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


@contextmanager
def _connected(location: str) -> Generator[apsw.Connection]:
    flags = apsw.SQLITE_OPEN_URI
    is_copy = location.endswith("mode=rw")
    flags |= apsw.SQLITE_OPEN_READWRITE if is_copy else apsw.SQLITE_OPEN_READONLY
    connection = apsw.Connection(location, flags=flags)
    try:
        connection.set_busy_timeout(_BUSY_MS)
        # What a foreign schema says must not run anything here.
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        yield connection
    finally:
        connection.close(True)  # even if a damaged page left a statement in the middle


class _Reader:
    """Reads tables whole, and damaged ones as far as they go."""

    def __init__(self, connection: apsw.Connection, texts: Mapping[str, str]) -> None:
        self._connection = connection
        self._texts = texts

    def read(self, wanted: Sequence[str]) -> ForeignFile:
        """Return the wanted tables, and count the rows of those that were not asked for."""
        # Everything as of one moment; closing ends it.
        self._connection.execute(self._texts["begin"])
        names = [row[0] for row in self._connection.execute(self._texts["tables"])]
        tables = {name: self._table(name) for name in wanted if name in names}
        others = {name: self._count(name) for name in names if name not in wanted}
        return ForeignFile(tables, others)

    def _count(self, name: str) -> int:
        text = self._texts["count"].replace("{table}", _quoted(name))
        try:
            row = self._connection.execute(text).fetchone()
        except apsw.Error:  # a virtual table of a module that is not here, or damage
            return 0
        return row[0] if row else 0

    def _table(self, name: str) -> ForeignTable:
        try:
            found = self._connection.execute(self._texts["columns"], (name,))
            columns = tuple(row[0] for row in found)
        except (apsw.Error, UnicodeDecodeError) as error:
            return ForeignTable(name, (), (), (Gap(name, None, None, str(error)),))
        rows, reason = self._collected("rows", name, columns)
        if reason is None:
            return ForeignTable(name, columns, tuple(rows))
        # A page in the middle cannot be read: what lies behind it is reached from the end.
        last = rows[-1].number if rows else None
        back, _ = self._collected("rows_back", name, columns, after=last)
        gap = Gap(name, last, back[-1].number if back else None, reason)
        return ForeignTable(name, columns, (*rows, *reversed(back)), (gap,))

    def _collected(
        self, statement: str, name: str, columns: tuple[str, ...], *, after: int | None = None
    ) -> tuple[list[ForeignRow], str | None]:
        """Read rows until they end; return them, and what stopped it, if anything did."""
        found: list[ForeignRow] = []
        try:
            for row in self._rows(statement, name, columns):
                if after is not None and row.number <= after:
                    break
                found.append(row)
        except apsw.Error as error:
            return found, str(error)
        return found, None

    def _rows(self, statement: str, name: str, columns: tuple[str, ...]) -> Iterator[ForeignRow]:
        cursor = self._cursor(statement, name)
        seen: set[int] = set()
        while True:
            try:
                row = cursor.fetchone()
            except UnicodeDecodeError:
                break
            if row is None:
                return
            number = -1 - len(seen) if row[0] is None else row[0]
            seen.add(number)
            yield ForeignRow(number, dict(zip(columns, row[1:], strict=False)))
        # A text that is none spoils the whole cursor; cell by cell it is read as it lies there.
        numbers = [row[0] for row in self._cursor("numbers", name)]
        for number in reversed(numbers) if statement == "rows_back" else numbers:
            if number not in seen:
                yield ForeignRow(number, {at: self._cell(name, at, number) for at in columns})

    def _cursor(self, statement: str, table: str) -> apsw.Cursor:
        text = self._texts[statement].replace("{table}", _quoted(table))
        try:
            return self._connection.execute(text)
        except apsw.SQLError:  # a table without row numbers
            text = self._texts["rows_without_number"].replace("{table}", _quoted(table))
            return self._connection.execute(text)

    def _cell(self, table: str, column: str, number: int) -> Any:
        text = self._texts["cell"].replace("{table}", _quoted(table))
        row = self._connection.execute(text.replace("{column}", _quoted(column)), (number,))
        type_, data = next(iter(row), ("null", None))
        return _as_value(type_, data)


def _as_value(type_: str, data: bytes | None) -> Any:
    if data is None or type_ == "null":
        return None
    if type_ == "blob":
        return data
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return BrokenText(data)
    if type_ == "integer":
        return int(text)
    return float(text) if type_ == "real" else text


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class ForeignReader:
    """Reads rows of a database of another program by named statements, one at a time."""

    def __init__(self, connection: apsw.Connection, texts: Mapping[str, str], path: Path) -> None:
        self._connection = connection
        self._texts = texts
        self._path = path

    def has_tables(self, *names: str) -> bool:
        """Tell whether the database has all of these tables."""
        return {row[0] for row in self.rows("tables")} >= set(names)

    def rows(self, name: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a named statement; raise Unusable where they cannot be read."""
        try:
            yield from self._connection.execute(self._texts[name], tuple(values))
        except (apsw.Error, UnicodeDecodeError) as error:
            raise _unusable(self._path, str(error)) from error


@contextmanager
def open_foreign(path: Path, *, program: str) -> Generator[ForeignReader]:
    """Give a reader of a foreign database as of one moment; its owner may go on writing.

    Nothing beside the file is made or changed. Raises Unusable for a file that is no database.
    """
    _check_file(path)
    texts = foreign_statements(program)
    with ExitStack() as stack:
        try:
            try:
                connection = stack.enter_context(_opened(path, copies=False))
                connection.execute(texts["begin"]).fetchall()
                connection.execute(texts["tables"]).fetchall()  # the moment begins here
            except (apsw.CantOpenError, apsw.BusyError, apsw.ReadOnlyError):
                connection = stack.enter_context(_opened(path, copies=True))
        except apsw.Error as error:
            raise _unusable(path, str(error)) from error
        yield ForeignReader(connection, texts, path)


class ForeignWriter:
    """A new database under way: statements by name, and checks at the end."""

    def __init__(self, connection: apsw.Connection, texts: Mapping[str, str]) -> None:
        self._connection = connection
        self._texts = texts

    def run(self, name: str, values: Sequence[Any] = ()) -> None:
        """Run a statement."""
        self._connection.execute(self._texts[name], values)

    def run_many(self, name: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each row of values."""
        self._connection.executemany(self._texts[name], rows)

    def run_all(self, prefix: str) -> None:
        """Run all statements whose names begin so, in their order."""
        for name in self._texts:
            if name.startswith(prefix):
                self.run(name)


@contextmanager
def write_foreign(path: Path, *, program: str) -> Generator[ForeignWriter]:
    """Make a database at a path where nothing is; it is whole and on the disk at the end."""
    connection = apsw.Connection(str(path))
    try:
        with connection:
            yield ForeignWriter(connection, foreign_statements(program))
        astray = connection.execute(foreign_statements(program)["astray"]).fetchall()
        assert not astray, f"rows point nowhere: {astray[:3]}"
        assert connection.pragma("integrity_check") == "ok", "SQLite wrote what it cannot read"
    except apsw.FullError as error:
        raise Unavailable(f"There is no room left for {path}.", path=str(path)) from error
    finally:
        connection.close()
    with path.open("rb+") as file:
        os.fsync(file.fileno())
