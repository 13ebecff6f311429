"""One thread's way to a workspace in PostgreSQL.

A connection is borrowed from the pool for one transaction, or for one statement outside of any, so
that many threads share few of them. What a thread remembers of the store stays with the thread.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, LiteralString, Protocol, TypeAlias, cast

import psycopg
from psycopg import RawCursor, errors
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from strata.base import limits
from strata.base.errors import StrataError, Unavailable
from strata.sql.connection import Connection, Durability, Row
from strata.sql.postgres.errors import lost, lost_commit, translated
from strata.sql.queries import Dialect, Queries

Session: TypeAlias = "psycopg.Connection[Row]"


class Cursor(Protocol):
    """What is used of the driver's cursors, which would only take statements written in Python."""

    @property
    def connection(self) -> Session:
        """The connection that it runs on."""
        ...

    def execute(
        self, statement: str, values: Sequence[object] = ..., *, binary: bool | None = ...
    ) -> "Cursor":
        """Run a statement; its rows are fetched from what is returned."""
        ...

    def executemany(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row, in one round trip."""
        ...

    def copy(self, statement: str) -> AbstractContextManager[psycopg.Copy]:
        """Give what takes the rows of a COPY."""
        ...

    def fetchone(self) -> Row | None:
        """Return the next row."""
        ...

    def fetchall(self) -> list[Row]:
        """Return all rows that are left."""
        ...


def new_cursor(session: Session) -> Cursor:
    """Return a cursor that takes numbered parameters."""
    return cast("Cursor", RawCursor(session))


Pool: TypeAlias = "ConnectionPool[Session]"

# A statement that begins so also tells how often the workspace was changed; see `look`.
LOOKS = "SELECT look.changes, "
_FAILURES = (psycopg.Error, UnicodeError, PoolTimeout, PoolClosed)
_BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_SYNCHRONOUS = {"always": "on", "standard": "off", "cache": "off"}
# From here on COPY is faster than INSERT for each row.
_COPY_ROWS_MIN = 20
# The columns of `copy_versions`.
_VERSION_TYPES = "int8 int8 int8 int8 text int8 int8 bytea bytea bytea bytea".split()


class _Look:
    """How often the workspace had been changed when this thread last looked."""

    __slots__ = ("changes",)

    def __init__(self) -> None:
        self.changes = 0

    def current(self) -> int:
        """Return the number as it was seen last."""
        return self.changes


class PostgresConnection(Connection):
    """Runs the statements of one thread in one workspace."""

    __slots__ = (
        "_change",
        "_cursor",
        "_durability",
        "_has_written",
        "_in_transaction",
        "_is_closed",
        "_look",
        "_patience_ms",
        "_pool",
        "_queries",
        "_session",
        "_workspace",
    )

    dialect: Dialect = "postgres"

    def __init__(self, pool: Pool, queries: Queries, workspace: int) -> None:
        super().__init__()
        self._pool = pool
        self._queries = queries
        self._workspace = workspace
        self._session: Session | None = None
        self._cursor: Cursor | None = None
        self._in_transaction = self._has_written = self._is_closed = False
        # The number of the change that the open transaction makes; 0 while there is none.
        self._change = 0
        self._patience_ms: int | None = None
        self._durability: Durability | None = None
        self._look = _Look()
        self.data_version = self._look.current

    # Statements.

    def row(self, statement: str, values: Sequence[Any] = ()) -> Row | None:
        """Run a statement and return its first row."""
        with self._running() as cursor:
            found = cursor.execute(statement, (*values, self._workspace), binary=True).fetchone()
            if self._in_transaction and not statement.startswith("SELECT"):
                self._has_written = True
        if statement.startswith(LOOKS):
            return None if found is None else self._looked(found)
        return found

    def _looked(self, row: Row) -> Row | None:
        """Note the number of changes, and return what was asked for; NULL in front is no row."""
        if not self._change:
            self._look.changes = row[0]
        return None if row[1] is None else row[1:]

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement and return all its rows."""
        with self._running() as cursor:
            found = cursor.execute(statement, (*values, self._workspace), binary=True).fetchall()
            if self._in_transaction and not statement.startswith("SELECT"):
                self._has_written = True
            return found

    def each(self, statement: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """Run a statement and give its rows one by one."""
        yield from self.rows(statement, values)

    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Run a statement for its effect; it has ended when this returns."""
        with self._running() as cursor:
            cursor.execute(statement, (*values, self._workspace))
            self._has_written = self._in_transaction

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row of values, in one round trip."""
        all_values = [(*row, self._workspace) for row in rows]
        if not all_values:
            return
        with self._running() as cursor:
            cursor.executemany(statement, all_values)
            self._has_written = self._in_transaction

    def write_versions(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows of `versions`, many of them by COPY."""
        rows = list(rows)
        if len(rows) < _COPY_ROWS_MIN:
            self.run_many(statement, rows)
            return
        with self._running() as cursor:
            self._has_written = True
            with cursor.copy(self._queries.copy_versions) as copy:
                copy.set_types(_VERSION_TYPES)
                for row in rows:
                    copy.write_row((self._workspace, *row))

    def run_guarded(self, statement: str, values: Sequence[Any]) -> bool:
        """Write one version by a statement of its own; tell whether its guards let it write."""
        try:
            with self._running(is_commit=True) as cursor:
                found = cursor.execute(statement, (*values, self._workspace)).fetchone()
        except StrataError as error:
            if isinstance(error.__cause__, errors.UniqueViolation):
                return False
            raise
        if found is not None:
            self._look.changes = found[0]
        return found is not None

    # Transactions.

    def begin(self, *, write: bool, waits: bool = True) -> None:
        """Open a transaction; a writing one locks the row of the workspace first.

        Its statements then see everything that was committed before, whichever server did it, and
        no other transaction of the workspace writes until it ends.
        """
        with self._running(keeps=True) as cursor:
            session, queries = cursor.connection, self._queries
            settings = ["BEGIN", *self._settings(waits=waits)] if write else [_BEGIN_READING]
            with session.pipeline():
                for setting in settings:
                    session.execute(cast(LiteralString, setting))
                looks = queries.begin_change if write else queries.look
                cursor.execute(looks, (self._workspace,))
            found = cursor.fetchone()
            self._in_transaction = True
            changes = 0 if found is None else found[0]
            # What is being changed counts once it is committed.
            self._change = changes if write else 0
            self._look.changes = changes - 1 if write else changes

    def _settings(self, *, waits: bool) -> list[str]:
        """Return what holds for the next transaction only."""
        found: list[str] = []
        patience = self._patience_ms if waits else 1
        if patience is not None:
            found.append(f"SET LOCAL lock_timeout = {patience}")
        if self._durability is not None:
            found.append(f"SET LOCAL synchronous_commit = {_SYNCHRONOUS[self._durability]}")
        return found

    def commit(self) -> None:
        """Make the transaction durable, or undo it and say why it could not be."""
        try:
            with self._running(is_commit=True) as cursor:
                cursor.execute("COMMIT")
                self._look.changes = self._change or self._look.changes
                self._in_transaction, self._has_written, self._change = False, False, 0
        except BaseException:
            self.rollback()
            raise

    def rollback(self) -> None:
        """Undo the open transaction; a lost connection has already done so."""
        session, self._in_transaction, self._has_written = self._session, False, False
        self._change = 0
        if session is None:
            return
        with suppress(psycopg.Error):
            if session.info.transaction_status != TransactionStatus.IDLE:
                session.execute("ROLLBACK")
        self._give_back()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open here."""
        if self._is_closed:
            # A caller that began one must not begin another inside it.
            raise _closed()
        return self._in_transaction

    @property
    def has_written(self) -> bool:
        """Whether a transaction is open here that has written rows, which it may still undo."""
        return self.in_transaction and self._has_written

    # The connection behind it.

    @contextmanager
    def _running(self, *, is_commit: bool = False, keeps: bool = False) -> Generator[Cursor]:
        """Give a cursor; its connection goes back to the pool unless a transaction is open."""
        if self._is_limited:
            self._check_limits()
        if self._is_closed:
            raise _closed()
        try:
            yield self._cursor or self._borrow()
        except _FAILURES as error:
            is_lost = self._session is not None and self._session.broken
            if is_lost or not self._in_transaction:
                self._abandon()
            if is_lost:
                raise (lost_commit if is_commit else lost)(error) from error
            raise translated(error) from error
        except BaseException:
            if not self._in_transaction:
                self._abandon()
            raise
        if not self._in_transaction and not keeps:
            self._give_back()

    def _borrow(self) -> Cursor:
        session = self._session = self._pool.getconn(limits.LOCK_WAIT_S)
        cursor = self._cursor = new_cursor(session)
        return cursor

    def _give_back(self) -> None:
        session, self._session, self._cursor = self._session, None, None
        if session is not None:
            self._pool.putconn(session)

    def _abandon(self) -> None:
        """Give a connection back in whose state a failure was; the pool makes it fit for use."""
        self.rollback()

    def wait_at_most(self, seconds: float) -> None:
        """Give up sooner than others when another connection holds the write lock, from now on."""
        self._patience_ms = max(1, int(seconds * 1000))

    @contextmanager
    def syncing(self, durability: Durability) -> Generator[None]:
        """Let the commits of a block wait for the disk, or not."""
        before, self._durability = self._durability, durability
        try:
            yield
        finally:
            self._durability = before

    def format_number(self) -> int:
        """Return the format of the tables, which all workspaces of the database share."""
        found = self.row(self._queries.format)
        return 0 if found is None else found[0]

    def interrupt(self) -> None:
        """Stop whatever runs on this connection now; callable from any thread."""
        self._is_stopped = self._is_limited = True
        session = self._session
        if session is not None:
            with suppress(psycopg.Error):
                session.cancel_safe(timeout=limits.CLOSE_WAIT_S)

    def release_memory(self) -> None:
        """Do nothing: the server holds the pages."""

    def close(self) -> None:
        """Let no further statement run; what another thread runs just now is stopped."""
        self._is_closed = True
        self.data_version = _no_data_version
        if self._session is not None:
            self.interrupt()


def _no_data_version() -> int:
    raise _closed()


def _closed() -> StrataError:
    return Unavailable("The store is closed.", hint="Open it again with strata.open().")
