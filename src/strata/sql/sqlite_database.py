"""A store in a SQLite file, or in memory."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Literal

from strata.base import ids, limits
from strata.base.errors import StoreNotFound, StrataError
from strata.sql import files, integrity, migrate
from strata.sql.connection import Connection, Durability, gone_file
from strata.sql.database import Database, each_opened
from strata.sql.queries import Dialect
from strata.sql.read_hold import ReadHold
from strata.sql.sqlite import SQLITE_VERSION, SqliteConnection, connect


class SqliteDatabase(Database):
    """The connections of this process to one file; without a path, to a database in memory."""

    dialect: Dialect = "sqlite"

    def __init__(
        self,
        path: Path | None,
        *,
        durability: Durability = "always",
        read_only: bool = False,
        create: bool = True,
    ) -> None:
        self.path = path
        # The program may change its folder later, and a link may lead elsewhere then.
        self.real_path = None if path is None else Path(os.path.realpath(path))
        self._uri = _uri(path, read_only=read_only, create=create)
        # The file that the first connection opened; no other one is ever joined to it.
        self._file: tuple[int, int] | None = None
        # Whether this process has made the file, and so may take it away when opening fails.
        self._is_new = False
        super().__init__(durability=durability, read_only=read_only)
        # The first connection keeps an in-memory database alive and brings the format up.
        try:
            self.was_empty = self._prepare(create=create) == 0
        except BaseException:
            self.discard_new()
            raise

    def _start_afresh(self) -> None:
        super()._start_afresh()
        self._hold = ReadHold(self._connect_beside)
        self._is_lost = False

    def _leave_to_parent(self, abandoned: list[object]) -> None:
        abandoned.append(self._hold.connection)
        super()._leave_to_parent(abandoned)
        if self.path is not None and not self._closed:
            files.hold_open_locks(self.path)

    @property
    def location(self) -> str:
        """The path of the file."""
        return str(self.path or ":memory:")

    @property
    def engine(self) -> str:
        """The library, with its version."""
        return f"SQLite {SQLITE_VERSION}"

    def _prepare(self, *, create: bool) -> int:
        """Open the first connection; return the format that the file had."""
        if self.path is not None:
            is_ours = any(
                other.is_same_file(self.path)
                for other in each_opened()
                if isinstance(other, SqliteDatabase) and other is not self
            )
            if not is_ours:
                files.check_log(self.path)
                files.check_release(self.path)
            if create and not self.read_only:
                self._is_new = files.create_private(self.path)
        self._keeper = connection = self._sqlite()
        if self.read_only:
            return migrate.check_schema(connection)
        return migrate.migrate(connection)

    def discard_new(self) -> None:
        """Close, and remove a file that this process made and could not make a store of.

        A disk may be full, for example. Nothing is removed that another process uses by now.
        """
        self.close()
        is_shared = self.path is not None and any(
            isinstance(other, SqliteDatabase) and other.is_same_file(self.path)
            for other in each_opened()
        )
        if self._is_new and self.path is not None and not is_shared:
            files.discard_unmade(self.path)

    def _sqlite(self) -> SqliteConnection:
        """Return this thread's connection."""
        connection = self.connection()
        assert isinstance(connection, SqliteConnection)
        return connection

    def _open_connection(self) -> SqliteConnection:
        if self.path is None:
            return connect(self._uri, durability="cache", mode="create")
        return self._connect_file("read" if self.read_only else "write")

    @property
    def _is_watched(self) -> bool:
        return self.path is not None

    def _connect_file(self, mode: Literal["read", "write"]) -> SqliteConnection:
        self._check_same()
        queue = Path(f"{self.path}-queue") if mode == "write" else None
        connection = connect(self._uri, durability=self.durability, mode=mode, queue=queue)
        if mode == "read":
            try:
                connection.pragma("user_version")
            except StrataError:
                # A WAL database needs to write its index even to be read. Where nothing
                # can be written and no WAL is left, the file cannot change under us.
                if Path(f"{self.path}-wal").exists():
                    raise
                location = self._uri + "&immutable=1"
                connection = connect(location, durability=self.durability, mode=mode)
        try:
            self._check_same()  # it may have been replaced in between
        except StrataError:
            connection.close(folds=False)
            raise
        return connection

    def _check_same(self) -> None:
        """Refuse a file that has taken the place of the one that was opened first.

        Its connection would join the log of the first file to it.
        """
        file = files.identity(self.path) if self.path is not None else None
        if self._file is None:
            self._file = file
        if file != self._file:
            raise gone_file(self.path)

    def is_same_file(self, path: Path) -> bool:
        """Whether this process has that very file open here."""
        return not self._closed and self._file is not None and files.identity(path) == self._file

    def check_file(self) -> None:
        """Raise Unavailable if the store's file was deleted, moved or replaced."""
        if self._sqlite().has_moved:
            raise gone_file(self.path)

    def _look_around(self) -> None:
        is_lost = files.identity(self.path) != self._file if self.path is not None else False
        if is_lost != self._is_lost:
            self._is_lost = is_lost
            for connection in self._each_connection():
                assert isinstance(connection, SqliteConnection)
                connection.set_lost(is_lost=is_lost)
            if self._own is not None:
                self._fold_stray_log(self._own)
        if not is_lost and self.on_watch is not None:
            self.on_watch()

    def release_memory(self) -> None:
        """Give the cached pages of this thread's connection back, after something was erased.

        The connections of other threads drop theirs with their next read, which notices the change.
        """
        if self._own is not None:
            self._own.release_memory()

    def _connect_beside(self) -> SqliteConnection:
        """Open a connection that belongs to no thread of the caller's."""
        return self._connect_file("read" if self.read_only else "write")

    def hold_reads(self, connection: Connection) -> None:
        """Look how fast the last reads came, and hold the read lock while they come fast.

        To be called whenever a connection's `reads_left` has run out.
        """
        now = time.monotonic()
        if now - connection.looked < limits.READ_HOLD_S and self._has_log:
            self._hold.want()
        connection.looked = now
        connection.reads_left = limits.READS_TO_HOLD

    @property
    def _has_log(self) -> bool:
        return self.path is not None and self.durability != "cache"

    def counters(self) -> tuple[int, int, int, int]:
        """Return commits, syncs, bytes written and nanoseconds spent syncing since opening.

        With `always` every commit is one sync, and its time is the sync's to within
        microseconds; the other modes sync only when the log is folded in.
        """
        pages = sum(
            connection.page_writes()
            for connection in self._each_connection()
            if isinstance(connection, SqliteConnection)
        )
        size = pages * self._sqlite().pragma("page_size")
        syncs = self._appends if self.durability == "always" else 0
        return self._appends, syncs, size, self._sync_nanos

    def size_bytes(self) -> int:
        """Return how much room the database takes, its WAL included."""
        if self.path is None:
            connection = self._sqlite()
            return connection.pragma("page_count") * connection.pragma("page_size")
        parts = (Path(f"{self.path}{suffix}") for suffix in ("", "-wal"))
        return sum(part.stat().st_size for part in parts if part.exists())

    def fold_log(self) -> None:
        """Move into the file what no reader needs in the log."""
        if self.path is not None and not self.read_only:
            self._sqlite().checkpoint(truncate=False)

    def rewrite(self) -> bool:
        """Write the file anew and empty the log; tell whether all of the log went.

        Pages that were split long ago keep stale bytes in their gaps, and the log keeps whole
        old pages: only a fresh file has neither. Nothing is done for a store in memory.
        """
        if self.path is None:
            return True
        connection = self._sqlite()
        connection.vacuum()
        return connection.checkpoint(truncate=True)

    def problems(self) -> Iterator[str]:
        """Let SQLite check its file, and compare the shape of its tables with that of a new one."""
        connection = self._sqlite()
        yield from connection.integrity_problems()
        if connection.format == migrate.format_number():
            # An older format is brought up to date when it is opened for writing.
            found, expected = connection.shape(), _new_shape(migrate.format_number())
            for name in sorted(name for name in expected if found.get(name) != expected[name]):
                yield f"The table {name!r} does not have the shape it was made with."

    def wrong_tables(self) -> Iterator[tuple[str, int, int]]:
        """Compare the tables that no commit covers with their sums."""
        yield from integrity.wrong_tables(self._sqlite())

    def close(self) -> None:
        """Close every connection of this process; a second call does nothing."""
        self._hold.close()
        super().close()

    def _prepare_close(self, connections: Sequence[Connection]) -> None:
        # By the caller's own connection, if there is one: other threads may be using the others.
        folding = self._own or next(iter(connections), None)
        if folding is not None:
            self._fold_stray_log(folding)

    def _fold_stray_log(self, connection: Connection) -> None:
        """Empty the log when another file has taken the place of the store's.

        SQLite would leave it where it is, and a program that opens the new file would join the two.
        What it holds goes into the old file, wherever that is now.
        """
        file = files.identity(self.path) if self.path is not None else None
        if file not in (None, self._file) and not self.read_only:
            assert isinstance(connection, SqliteConnection)
            with suppress(StrataError):  # another thread may still use this connection
                connection.checkpoint(truncate=True)


def _uri(path: Path | None, *, read_only: bool, create: bool) -> str:
    if path is None:
        # The leading slash makes memdb share the database between connections.
        return f"file:/strata-{ids.token()}?vfs=memdb"
    files.check_place(path)
    if path.exists():
        return f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    files.check_finished(path)
    if read_only or not create:
        raise StoreNotFound(
            f"There is no store at {path}.", hint="`strata.open(PATH)` makes one.", path=str(path)
        )
    return f"{path.absolute().as_uri()}?mode=rw"


@cache
def _new_shape(_format: int) -> dict[str, object]:
    """Return the shape of a new store, which stays the same for a format."""
    with closing(SqliteDatabase(None)) as fresh:
        connection = fresh.connection()
        assert isinstance(connection, SqliteConnection)
        return connection.shape()
