"""One opened database: a connection per thread, one writer at a time, safe after fork()."""

import os
import select
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from strata.base import clock, limits
from strata.base.errors import Locked, ReadOnly, Unavailable
from strata.sql.connection import Connection, Durability, Read, Row, gone_file
from strata.sql.queries import Dialect
from strata.sql.watch import Watch


class HintSource(Protocol):
    """Hears of commits by other processes. A hint may be lost: it only ends a pause sooner."""

    @property
    def is_working(self) -> bool:
        """Whether hints have arrived lately, so that a caller may wait for one."""
        ...

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call a function, from another thread, after each hint; return what ends that."""
        ...


class Database(ABC):
    """Hands every thread its connection and lets one transaction write at a time."""

    dialect: Dialect
    # The file, where there is one.
    path: Path | None = None
    real_path: Path | None = None
    # Whether it held nothing before it was opened here.
    was_empty = False
    # Whether it can number, date and chain a commit of one version by itself, in one statement.
    appends = False
    # Whether it can fork a branch so.
    forks_at_once = False
    # What hears of commits by other processes, where the database tells of them.
    hints: HintSource | None = None
    # Whether reads that are foreseen share a round trip; elsewhere callers need not foresee them.
    foresees = False

    def __init__(self, *, durability: Durability, read_only: bool) -> None:
        self.durability: Durability = durability
        self.read_only = read_only
        # Called by the watch a few times a second, for caches that must notice purges of other
        # processes.
        self.on_watch: Callable[[], None] | None = None
        self._start_afresh()
        _opened[id(self)] = self
        # Returns the time in microseconds: of this machine, or of a server that several share.
        self.now_us: Callable[[], int] = clock.now_us

    def _start_afresh(self) -> None:
        """Forget connections and locks, which must not be used across fork()."""
        self._local = threading.local()
        self._lock = threading.Lock()
        self._opening = threading.Lock()
        self._watching = threading.Lock()
        self._connections: list[weakref.ref[Connection]] = []
        self._closed = False
        self._appends = 0
        self._sync_nanos = 0
        self._watch: Watch | None = None

    def _leave_to_parent(self, abandoned: list[object]) -> None:
        """Begin anew in a child made by fork().

        The parent's connections are kept, untouched, in `abandoned`: closing one here would
        drop locks, or end the session of the parent.
        """
        abandoned.extend(reference() for reference in self._connections)
        was_closed = self._closed
        self._start_afresh()
        self._closed = was_closed

    @property
    @abstractmethod
    def location(self) -> str:
        """Where it is, as a user may read it: a path, or an address without its password."""

    @property
    @abstractmethod
    def engine(self) -> str:
        """The program that keeps it, with its version."""

    def reads_of_engine(self) -> Iterator[Read]:
        """Yield what `engine` reads, for a caller that foresees it."""
        yield from ()

    @abstractmethod
    def _open_connection(self) -> Connection:
        """Open a connection for the thread that calls."""

    @abstractmethod
    def _look_around(self) -> None:
        """Check what calls would check; called by the watch while the database is open."""

    @abstractmethod
    def size_bytes(self) -> int:
        """Return how much room the store takes."""

    @abstractmethod
    def counters(self) -> tuple[int, int, int, int]:
        """Return commits, syncs, bytes written and nanoseconds spent syncing since opening."""

    @abstractmethod
    def fold_log(self) -> None:
        """Move what was written lately to where it stays, as far as readers allow."""

    @abstractmethod
    def rewrite(self) -> bool:
        """Remove what erased values have left outside of rows; tell whether all of it is gone."""

    @abstractmethod
    def problems(self) -> Iterator[str]:
        """Let the database check its own structures; yield a sentence for what is wrong."""

    @abstractmethod
    def wrong_tables(self) -> Iterator[tuple[str, int, int]]:
        """Yield each table whose rows are not those that were written: its rows, and those."""

    def discard_new(self) -> None:
        """Close, and remove what this process made and could not make a store of."""
        self.close()

    @abstractmethod
    def check_file(self) -> None:
        """Raise Unavailable if the store's file was deleted, moved or replaced."""

    def hold_reads(self, connection: Connection) -> None:
        """Prepare for more reads; to be called whenever a connection's `reads_left` has run out."""
        connection.reads_left = limits.READS_TO_HOLD

    @abstractmethod
    def release_memory(self) -> None:
        """Give the cached pages of this thread's connection back, after something was erased."""

    def connection(self) -> Connection:
        """Return this thread's connection, opening it at the first call."""
        try:
            return self._local.connection
        except AttributeError:
            return self._connect()

    def _connect(self) -> Connection:
        if self._closed:
            raise Unavailable("The store is closed.", hint="Open it again with strata.open().")
        connection = self._open_connection()
        self._local.connection = connection
        with self._opening:
            self._connections = [ref for ref in self._connections if ref() is not None]
            self._connections.append(weakref.ref(connection))
            if self._watch is None and self._is_watched:
                self._watch = Watch(self._look)
        if self._closed:  # meanwhile, by another thread that did not see this one
            connection.close()
        return connection

    @property
    def _is_watched(self) -> bool:
        """Whether other processes may change it."""
        return True

    def _look(self) -> None:
        """Check, from the watch's thread, what calls would check, while no call runs."""
        with self._watching:
            if not self._closed:
                self._look_around()

    @property
    def _own(self) -> Connection | None:
        """The connection of this thread, if it has opened one."""
        return getattr(self._local, "connection", None)

    def _each_connection(self) -> list[Connection]:
        with self._opening:
            found = [reference() for reference in self._connections]
        return [connection for connection in found if connection is not None]

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
        """Wait for the other threads: here they queue instead of sleeping on the store's lock."""
        if self._lock.acquire(blocking=False):  # with a timeout it takes four times as long
            return
        while not self._lock.acquire(timeout=limits.CLOSE_LOOK_S):
            if self._closed:
                raise Unavailable("The store is closed.", hint="Open it again with strata.open().")

    def write_alone(self, statement: str, values: Sequence[object]) -> Row | None:
        """Commit one guarded statement without a transaction around it: a third faster."""
        connection = self.connection()
        started = time.perf_counter_ns() if self.durability == "always" else 0
        self._acquire_lock()
        try:
            if connection.has_moved:
                raise gone_file(self.path)
            written = connection.run_guarded(statement, values)
        finally:
            self._lock.release()
        if written is not None:
            self._appends += 1
            self._sync_nanos += time.perf_counter_ns() - started if started else 0
        return written

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

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """Close every connection of this process; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        with self._watching:
            pass  # a look that had begun has ended
        connections = self._each_connection()
        with self._opening:
            watch = self._watch
        if watch is not None:
            # The connection of its thread is held here: it is closed below, not when that ends.
            watch.close()
        self._prepare_close(connections)
        for connection in connections:
            connection.close()
        # The lock stays: a thread that still waits for it, or holds it, releases it.
        self._local = threading.local()
        self._connections = []

    @abstractmethod
    def _prepare_close(self, connections: Sequence[Connection]) -> None:
        """Do what is left to do while connections are open."""


_opened: "weakref.WeakValueDictionary[int, Database]" = weakref.WeakValueDictionary()


def each_opened() -> list[Database]:
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
        opened = [database for database in each_opened() if not database.is_closed]
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
        for database in each_opened():
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
