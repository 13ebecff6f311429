"""What every database's connection can do: run statements, and one transaction at a time."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from strata.base import limits
from strata.base.errors import Interrupted, StrataError, Unavailable
from strata.sql.queries import Dialect

Durability: TypeAlias = Literal["always", "standard", "cache"]
# Rows come from SQL; their shapes are known where the statement is used, not here.
Row: TypeAlias = tuple[Any, ...]
# A statement that reads, and its values.
Read: TypeAlias = tuple[str, tuple[Any, ...]]


class Look(NamedTuple):
    """What tells a process whether what it remembers of a store is still so.

    `generation` grows with every change of a branch or of the format, `removals` when values were
    erased or trimmed, `version` with every commit, and `keyspaces` when one is made. `access` and
    `settings` are marks that differ after a change of permissions or of settings.
    """

    generation: int
    removals: int
    version: int
    keyspaces: int
    access: int
    settings: bytes | None


# What is seen where no store was made yet.
NO_STORE = Look(0, 0, 0, 0, 0, None)


class Connection(ABC):
    """One thread's connection. Statements go in by text, rows come out as tuples."""

    __slots__ = (
        "__weakref__",
        "_is_limited",
        "_is_stopped",
        "_is_working",
        "_stop_at",
        "looked",
        "memo",
        "reads_left",
        "seen",
        "state",
    )

    # Which form of statements it runs.
    dialect: Dialect
    # Returns a number for the state of the database, which differs after every commit that this
    # connection has noticed, its own included. The next read notices the others'.
    state: Callable[[], int]

    def __init__(self) -> None:
        self._is_limited = self._is_stopped = self._is_working = False
        self._stop_at: float | None = None
        # The state that the owner knows; when another one is noticed, the owner must look.
        self.seen = -1
        # Whatever the owner wants to remember of a state.
        self.memo: object = None
        # Counted down by reads of single values; see Database.hold_reads.
        self.reads_left = limits.READS_TO_HOLD
        self.looked = 0.0

    @abstractmethod
    def look(self) -> Look:
        """Return what tells whether something remembered is still so; one statement.

        A transaction asks at most once: only what it writes itself can move it.
        """

    @abstractmethod
    def row(self, statement: str, values: Sequence[Any] = ()) -> Row | None:
        """Run a statement and return its first row."""

    @abstractmethod
    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement and return all its rows."""

    @abstractmethod
    def each(self, statement: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """Run a statement and give its rows one by one."""

    @abstractmethod
    def foresee(self, reads: Iterable[Read]) -> None:
        """Say which reads are likely to follow, so that they share a round trip.

        It changes no answer. A database without round trips does not look at them.
        """

    @abstractmethod
    def together(self, reads: Iterable[Read] = ()) -> AbstractContextManager[None]:
        """Let the reads of a block go by one look at the store, and share round trips.

        What was read in the same state of the store is not read again. `reads` are likely to be
        asked in the block, and in the next one.
        """

    @abstractmethod
    def hint(self) -> None:
        """Tell other processes after the commit that they need not wait to look, if that can be."""

    @abstractmethod
    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Run a statement for its effect; it has ended when this returns."""

    @abstractmethod
    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row of values."""

    @abstractmethod
    def write_versions(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows of `versions`, which no sum covers."""

    @abstractmethod
    def run_guarded(self, statement: str, values: Sequence[Any]) -> Row | None:
        """Write one version by a statement of its own; None if its guards did not let it write.

        A database that numbers, dates and chains it returns version, time and hash, others an
        empty row.
        """

    @abstractmethod
    def begin(self, *, write: bool, waits: bool = True) -> None:
        """Open a transaction; a writing one holds the store's single write lock."""

    @abstractmethod
    def commit(self) -> None:
        """Make the transaction durable, or undo it and say why it could not be."""

    @abstractmethod
    def rollback(self) -> None:
        """Undo the open transaction, if there is one."""

    @property
    @abstractmethod
    def in_transaction(self) -> bool:
        """Whether a transaction is open here."""

    @property
    @abstractmethod
    def has_written(self) -> bool:
        """Whether a transaction is open here that has written rows, which it may still undo."""

    @property
    @abstractmethod
    def format(self) -> int:
        """The number of the format that the store is in; 0 for an empty file."""

    @abstractmethod
    def syncing(self, *, wanted: bool) -> AbstractContextManager[None]:
        """Let commits of the block wait until they are on the disk, or not wait for it."""

    @abstractmethod
    def overwrite_deleted(self) -> None:
        """Overwrite the bytes of what is deleted from now on, where that is possible."""

    @property
    @abstractmethod
    def has_moved(self) -> bool:
        """Whether the path no longer leads to what is open here; asked before every write."""

    @abstractmethod
    def wait_at_most(self, seconds: float) -> None:
        """Give up sooner than others when another connection holds the write lock, from now on."""

    @abstractmethod
    def interrupt(self) -> None:
        """Stop whatever runs on this connection now; callable from any thread."""

    @abstractmethod
    def release_memory(self) -> None:
        """Give cached pages back. Only the connection's own thread may do so."""

    @abstractmethod
    def close(self) -> None:
        """Close it; what another thread runs here just now is stopped first."""

    def limit_time(self, seconds: float | None) -> None:
        """Let every statement fail that begins after so many seconds; None lifts it."""
        self._stop_at = None if seconds is None else time.monotonic() + seconds
        self._is_stopped = False
        self._is_limited = seconds is not None

    @contextmanager
    def working(self) -> Generator[Callable[[], None]]:
        """Let stops and limits count for work that runs no statement, and give what asks."""
        self._is_working = True
        try:
            yield self._ask_limits
        finally:
            self._is_working = False

    def _ask_limits(self) -> None:
        if self._is_limited:
            self._check_limits()

    def _check_limits(self) -> None:
        """Notice a stop that came between two statements of one call."""
        is_late = self._stop_at is not None and time.monotonic() > self._stop_at
        is_busy = self._is_working or self.in_transaction
        is_stopped = self._is_stopped and is_busy
        if not is_late:
            # A stop is for the call that ran then, not for the next one.
            self._is_stopped, self._is_limited = is_stopped, self._stop_at is not None
        if is_late or is_stopped:
            self._is_stopped = False
            raise interrupted()


def interrupted() -> StrataError:
    """Return the error for a call that was stopped or ran out of time."""
    return Interrupted("The call was cancelled or ran out of time.", hint="Nothing was changed.")


def gone_file(path: Path | None = None) -> StrataError:
    """Return the error for a store whose file was taken away under this process."""
    what = "The store's file" if path is None else f"The store's file {path}"
    return Unavailable(
        f"{what} is gone: it was deleted, moved or replaced since it was opened here.",
        hint="Nothing was written. Put the file back with its -wal file, or open the store again.",
    )
