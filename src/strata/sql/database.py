"""One opened database: a connection per thread, one writer at a time, safe after fork()."""

import os
import select
import threading
import time
import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from strata.base import ids, limits
from strata.base.errors import Locked, ReadOnly, StoreNotFound, StrataError, Unavailable
from strata.sql import files, migrate
from strata.sql.read_hold import ReadHold
from strata.sql.sqlite import Connection, Durability, connect, gone_file
from strata.sql.watch import Watch


class Database:
    """Hands every thread its connection and lets one transaction write at a time."""

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
        self.durability: Durability = durability
        self.read_only = read_only
        self._location = _location(path, read_only=read_only, create=create)
        # Called by the watch a few times a second, for caches that must notice purges of other
        # processes.
        self.on_watch: Callable[[], None] | None = None
        # The file that the first connection opened; no other one is ever joined to it.
        self._file: tuple[int, int] | None = None
        # Whether this process has made the file, and so may take it away when opening fails.
        self._is_new = False
        self._start_afresh()
        _opened[id(self)] = self
        # The first connection keeps an in-memory database alive and brings the format up.
        try:
            # Whether the file held nothing before it was opened here.
            self.was_empty = self._prepare(create=create) == 0
        except BaseException:
            self.discard_new()
            raise

    def _start_afresh(self) -> None:
        """Forget connections and locks; SQLite's must not be used across fork()."""
        self._local = threading.local()
        self._lock = threading.Lock()
        self._opening = threading.Lock()
        self._watching = threading.Lock()
        self._connections: list[weakref.ref[Connection]] = []
        self._closed = False
        self._appends = 0
        self._sync_nanos = 0
        self._hold = ReadHold(self._connect_beside)
        self._watch: Watch | None = None
        self._is_lost = False

    def _leave_to_parent(self, abandoned: list[object]) -> None:
        """Begin anew in a child made by fork().

        The parent's connections are kept, untouched, in `abandoned`: closing one here would
        drop locks.
        """
        abandoned.extend(reference() for reference in self._connections)
        abandoned.append(self._hold.connection)
        was_closed = self._closed
        self._start_afresh()
        self._closed = was_closed
        if self.path is not None and not was_closed:
            files.hold_open_locks(self.path)

    def _prepare(self, *, create: bool) -> int:
        """Open the first connection; return the format that the file had."""
        if self.path is not None:
            is_ours = any(
                other.is_same_file(self.path) for other in _each_opened() if other is not self
            )
            if not is_ours:
                files.check_log(self.path)
                files.check_release(self.path)
            if create and not self.read_only:
                self._is_new = files.create_private(self.path)
        self._keeper = connection = self.connection()
        if self.read_only:
            return migrate.check_schema(connection)
        return migrate.migrate(connection)

    def discard_new(self) -> None:
        """Close, and remove a file that this process made and could not make a store of.

        A disk may be full, for example. Nothing is removed that another process uses by now.
        """
        self.close()
        is_shared = self.path is not None and any(
            other.is_same_file(self.path) for other in _each_opened()
        )
        if self._is_new and self.path is not None and not is_shared:
            files.discard_unmade(self.path)

    def connection(self) -> Connection:
        """Return this thread's connection, opening it at the first call."""
        try:
            return self._local.connection
        except AttributeError:
            return self._connect()

    def _connect(self) -> Connection:
        if self._closed:
            raise Unavailable("The store is closed.", hint="Open it again with strata.open().")
        mode: Literal["read", "write"] = "read" if self.read_only else "write"
        if self.path is None:
            connection = connect(self._location, durability="cache", mode="create")
        else:
            connection = self._connect_file(mode)
        self._local.connection = connection
        with self._opening:
            self._connections = [ref for ref in self._connections if ref() is not None]
            self._connections.append(weakref.ref(connection))
            if self._watch is None and self.path is not None:
                self._watch = Watch(self._look)
        if self._closed:  # meanwhile, by another thread that did not see this one
            connection.close()
        return connection

    def _connect_file(self, mode: Literal["read", "write"]) -> Connection:
        self._check_same()
        queue = Path(f"{self.path}-queue") if mode == "write" else None
        connection = connect(self._location, durability=self.durability, mode=mode, queue=queue)
        if mode == "read":
            try:
                connection.pragma("user_version")
            except StrataError:
                # A WAL database needs to write its index even to be read. Where nothing
                # can be written and no WAL is left, the file cannot change under us.
                if Path(f"{self.path}-wal").exists():
                    raise
                location = self._location + "&immutable=1"
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
        if self.connection().has_moved:
            raise gone_file(self.path)

    def _look(self) -> None:
        """Check, from the watch's thread, what calls would check, while no call runs."""
        with self._watching:
            if not self._closed:
                self._look_around()

    def _look_around(self) -> None:
        is_lost = files.identity(self.path) != self._file if self.path is not None else False
        if is_lost != self._is_lost:
            self._is_lost = is_lost
            for connection in self._each_connection():
                connection.set_lost(is_lost=is_lost)
            if self._own is not None:
                self._fold_stray_log(self._own)
        if not is_lost and self.on_watch is not None:
            self.on_watch()

    @property
    def _own(self) -> Connection | None:
        """The connection of this thread, if it has opened one."""
        return getattr(self._local, "connection", None)

    def _each_connection(self) -> list[Connection]:
        with self._opening:
            found = [reference() for reference in self._connections]
        return [connection for connection in found if connection is not None]

    def release_memory(self) -> None:
        """Give the cached pages of this thread's connection back, after something was erased.

        The connections of other threads drop theirs with their next read, which notices the change.
        """
        if self._own is not None:
            self._own.release_memory()

    def _connect_beside(self) -> Connection:
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

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """Give a connection whose reads all see one state."""
        connection = self.connection()
        if connection.in_transaction:
            yield connection
            return
        connection.begin(write=False)
        try:
            yield connection
        finally:
            connection.rollback()

    def begin_writing(self, *, waits: bool = True) -> Connection:
        """Take the write lock; `finish_writing` must follow.

        Without `waits` it raises Locked at once while another thread or process holds it.
        """
        if self.read_only:
            raise ReadOnly("The store is open for reading only.", hint="Open it for writing.")
        connection = self.connection()
        if waits:
            self._acquire_lock()
        elif not self._lock.acquire(blocking=False):
            raise Locked("Another thread is writing.", hint="Try again.")
        try:
            if connection.has_moved:
                raise gone_file(self.path)
            connection.begin(write=True, waits=waits)
        except BaseException:
            self._lock.release()
            raise
        return connection

    def _acquire_lock(self) -> None:
        """Wait for the other threads: here they queue instead of sleeping on SQLite's lock."""
        if self._lock.acquire(blocking=False):  # with a timeout it takes four times as long
            return
        while not self._lock.acquire(timeout=limits.CLOSE_LOOK_S):
            if self._closed:
                raise Unavailable("The store is closed.", hint="Open it again with strata.open().")

    def write_alone(self, statement: str, values: Sequence[object]) -> bool:
        """Commit one guarded statement without a transaction around it: a third faster."""
        connection = self.connection()
        started = time.perf_counter_ns() if self.durability == "always" else 0
        self._acquire_lock()
        try:
            if connection.has_moved:
                raise gone_file(self.path)
            is_written = connection.run_guarded(statement, values)
        finally:
            self._lock.release()
        if is_written:
            self._appends += 1
            self._sync_nanos += time.perf_counter_ns() - started if started else 0
        return is_written

    def finish_writing(self, connection: Connection, *, keep: bool) -> None:
        """Commit or roll back what `begin_writing` started."""
        try:
            if not keep:
                connection.rollback()
            elif self.durability == "always":
                started = time.perf_counter_ns()
                connection.commit()
                self._sync_nanos += time.perf_counter_ns() - started
                self._appends += 1
            else:
                connection.commit()
                self._appends += 1
        finally:
            self._lock.release()

    def rewrite(self) -> bool:
        """Write the file anew, without free pages and stale bytes, and empty the log.

        Tell whether all of the log went. Nothing is done for a store in memory.
        """
        if self.path is None:
            return True
        connection = self.connection()
        connection.vacuum()
        return connection.checkpoint(truncate=True)

    def fold_log(self) -> None:
        """Move into the file what no reader needs in the log."""
        if self.path is not None and not self.read_only:
            self.connection().checkpoint(truncate=False)

    def counters(self) -> tuple[int, int, int, int]:
        """Return commits, syncs, bytes written and nanoseconds spent syncing since opening.

        With `always` every commit is one sync, and its time is the sync's to within
        microseconds; the other modes sync only when the log is folded in.
        """
        connections = (reference() for reference in self._connections)
        pages = sum(connection.page_writes() for connection in connections if connection)
        size = pages * self.connection().pragma("page_size")
        syncs = self._appends if self.durability == "always" else 0
        return self._appends, syncs, size, self._sync_nanos

    @contextmanager
    def writing(self, *, waits: bool = True) -> Generator[Connection]:
        """Give a connection inside one write transaction; an error rolls it back."""
        connection = self.begin_writing(waits=waits)
        try:
            yield connection
        except BaseException:
            self.finish_writing(connection, keep=False)
            raise
        self.finish_writing(connection, keep=True)

    def interrupt(self) -> None:
        """Stop the statements that now run on any thread of this process."""
        for connection in self._each_connection():
            connection.interrupt()

    def size_bytes(self) -> int:
        """Return how much room the database takes, its WAL included."""
        if self.path is None:
            connection = self.connection()
            return connection.pragma("page_count") * connection.pragma("page_size")
        parts = (Path(f"{self.path}{suffix}") for suffix in ("", "-wal"))
        return sum(part.stat().st_size for part in parts if part.exists())

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """Close every connection of this process; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self._hold.close()
        with self._watching:
            pass  # a look that had begun has ended
        connections = self._each_connection()
        with self._opening:
            watch = self._watch
        if watch is not None:
            # The connection of its thread is held here: it is closed below, not when that ends.
            watch.close()
        # By the caller's own connection, if there is one: other threads may be using the others.
        folding = self._own or next(iter(connections), None)
        if folding is not None:
            self._fold_stray_log(folding)
        for connection in connections:
            connection.close()
        # The lock stays: a thread that still waits for it, or holds it, releases it.
        self._local = threading.local()
        self._connections = []

    def _fold_stray_log(self, connection: Connection) -> None:
        """Empty the log when another file has taken the place of the store's.

        SQLite would leave it where it is, and a program that opens the new file would join the two.
        What it holds goes into the old file, wherever that is now.
        """
        file = files.identity(self.path) if self.path is not None else None
        if file not in (None, self._file) and not self.read_only:
            with suppress(StrataError):  # another thread may still use this connection
                connection.checkpoint(truncate=True)


def _location(path: Path | None, *, read_only: bool, create: bool) -> str:
    if path is None:
        # The leading slash makes memdb share the database between connections.
        return f"file:/strata-{ids.token()}?vfs=memdb"
    files.check_place(path)
    if not path.exists() and (read_only or not create):
        raise StoreNotFound(
            f"There is no store at {path}.", hint="`strata.open(PATH)` makes one.", path=str(path)
        )
    return f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"


_opened: "weakref.WeakValueDictionary[int, Database]" = weakref.WeakValueDictionary()


def _each_opened() -> list[Database]:
    """Return every database of this process; other threads may open and drop some meanwhile."""
    return [found for reference in _opened.valuerefs() if (found := reference()) is not None]


class _Fork:
    """What must happen around fork(), so that neither process harms the other's store."""

    def __init__(self) -> None:
        self._quiet: list[threading.Lock] = []
        self._abandoned: list[object] = []
        self._signal: tuple[int, int] | None = None

    def prepare(self) -> None:
        """Let no thread write or watch a store when the process is copied."""
        opened = [database for database in _each_opened() if not database.is_closed]
        locks = [
            lock
            for database in opened
            for lock in (database._lock, database._watching)  # pyright: ignore[reportPrivateUsage]
        ]
        self._quiet = [lock for lock in locks if lock.acquire(timeout=_FORK_WAIT_S)]
        if any(database.path is not None for database in opened):
            self._signal = os.pipe()

    def go_on_in_parent(self) -> None:
        """Wait until the child holds its own locks: then this process may close or end."""
        if self._signal is not None:
            hears, tells = self._signal
            os.close(tells)
            select.select([hears], [], [], _FORK_WAIT_S)
            os.close(hears)
        self._release()

    def begin_in_child(self) -> None:
        """Leave the parent's connections alone and begin anew."""
        self._quiet = []
        for database in _each_opened():
            database._leave_to_parent(self._abandoned)  # pyright: ignore[reportPrivateUsage]
        if self._signal is not None:
            hears, tells = self._signal
            os.write(tells, b".")
            os.close(tells)
            os.close(hears)
            self._signal = None

    def _release(self) -> None:
        self._signal = None
        while self._quiet:
            self._quiet.pop().release()


_FORK_WAIT_S = 10.0
_fork = _Fork()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_fork.prepare,
        after_in_parent=_fork.go_on_in_parent,
        after_in_child=_fork.begin_in_child,
    )
