"""One thread's way to a workspace in PostgreSQL.

A connection is borrowed from the pool for one transaction, or for one statement outside of any, so
that many threads share few of them. What a thread remembers of the store stays with the thread.
"""

import select
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, LiteralString, Protocol, TypeAlias, cast

import psycopg
from psycopg import RawCursor
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from strata.base import limits
from strata.base.errors import StrataError, Unavailable
from strata.sql.connection import NO_STORE, Connection, Look, Row
from strata.sql.postgres.errors import gone_workspace, lost, lost_commit, translated, undone
from strata.sql.queries import Dialect, Queries

Session: TypeAlias = "psycopg.Connection[Row]"


class Cursor(Protocol):
    """What is used of the driver's cursors, which would only take statements written in Python."""

    @property
    def connection(self) -> Session:
        """The connection that it runs on."""
        ...

    @property
    def statusmessage(self) -> str | None:
        """What the server says that the last statement did."""
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
# From here on COPY is faster than INSERT for each row.
_COPY_ROWS_MIN = 20
# The columns of `copy_versions`.
_VERSION_TYPES = "int8 int8 int8 int8 text int8 int8 bytea bytea bytea bytea".split()


class _State:
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
        "_copies",
        "_cursor",
        "_has_written",
        "_in_transaction",
        "_is_closed",
        "_known",
        "_patience_ms",
        "_pool",
        "_queries",
        "_session",
        "_state",
        "_syncs",
        "_workspace",
    )

    dialect: Dialect = "postgres"

    def __init__(self, pool: Pool, queries: Queries, *, workspace: int, copies: bool) -> None:
        super().__init__()
        # Whether rows may go by COPY, which row-level security does not allow.
        self._copies = copies
        self._pool = pool
        self._queries = queries
        self._workspace = workspace
        self._session: Session | None = None
        self._cursor: Cursor | None = None
        self._in_transaction = self._has_written = self._is_closed = False
        # The number of the change that the open transaction makes; 0 while there is none.
        self._change = 0
        self._patience_ms: int | None = None
        # Whether commits wait for the disk, where that is not as for the whole store.
        self._syncs: bool | None = None
        # The last look of the open transaction.
        self._known: Look | None = None
        self._state = _State()
        self.state = self._state.current

    # Statements.

    def look(self) -> Look:
        """Return what tells whether something remembered is still so; one statement.

        A transaction asks at most once: only what it writes itself can move it.
        """
        if self._known is None or not self._in_transaction or self._has_written:
            row = self.row(self._queries.look)
            self._known = NO_STORE if row is None else Look(*row)
        return self._known

    def row(self, statement: str, values: Sequence[Any] = ()) -> Row | None:
        """Run a statement and return its first row."""
        found = self._read(statement, values, limit=1)
        return found[0] if found else None

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement and return all its rows."""
        return self._read(statement, values)

    def _read(
        self, statement: str, values: Sequence[Any], *, limit: int | None = None
    ) -> list[Row]:
        """Return the rows of a statement, and notice what others have committed."""
        try:
            return self._rows(statement, values, limit)
        except Unavailable:
            if self._in_transaction or not statement.startswith("SELECT"):
                raise
            # The connection had been cut while it was not used; a read may be repeated.
            return self._rows(statement, values, limit)

    def _rows(self, statement: str, values: Sequence[Any], limit: int | None) -> list[Row]:
        looks = statement.startswith(LOOKS)
        with self._running() as cursor:
            if looks or self._in_transaction:
                cursor.execute(statement, (*values, self._workspace), binary=True)
            else:
                self._execute_and_look(cursor, statement, values)
            found = cursor.fetchall() if limit is None else _first(cursor)
            if self._in_transaction and not statement.startswith("SELECT"):
                self._has_written = True
        if not looks:
            return found
        if found and not self._change:
            self._state.changes = found[0][0]
        return [row[1:] for row in found if row[1] is not None]

    def _execute_and_look(self, cursor: Cursor, statement: str, values: Sequence[Any]) -> None:
        """Run a statement, and in the same round trip ask for the number of the state."""
        session = cursor.connection
        looker = new_cursor(session)
        with session.pipeline():
            cursor.execute(statement, (*values, self._workspace), binary=True)
            looker.execute(self._queries.state, (self._workspace,), binary=True)
        state = looker.fetchone()
        if state is not None:
            self._state.changes = state[0]

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
        """Write rows of `versions`; many of them go by COPY, but for the last one."""
        *rows, last = rows
        if len(rows) < _COPY_ROWS_MIN or not self._copies:
            self.run_many(statement, [*rows, last])
            return
        with self._running() as cursor:
            self._has_written = True
            with cursor.copy(self._queries.copy_versions) as copy:
                copy.set_types(_VERSION_TYPES)
                for row in rows:
                    copy.write_row((self._workspace, *row[: len(_VERSION_TYPES) - 1]))
        self.run(statement, last)

    def run_guarded(self, statement: str, values: Sequence[Any]) -> Row | None:
        """Write one version by a statement of its own, and return what the database gave it."""
        with self._running(is_commit=True) as cursor:
            found = cursor.execute(statement, (*values, self._workspace), binary=True).fetchone()
        if found is None:
            return None
        self._state.changes = found[0]
        return found[1:]

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
                state = queries.begin_change if write else queries.state
                cursor.execute(state, (self._workspace,))
            found = cursor.fetchone()
            if found is None:
                raise gone_workspace()
            self._known = None
            self._in_transaction = True
            changes = found[0]
            # What is being changed counts once it is committed.
            self._change = changes if write else 0
            self._state.changes = changes - 1 if write else changes

    def _settings(self, *, waits: bool) -> list[str]:
        """Return what holds for the next transaction only."""
        found: list[str] = []
        patience = self._patience_ms if waits else 1
        if patience is not None:
            found.append(f"SET LOCAL lock_timeout = {patience}")
        if self._syncs is not None:
            found.append(f"SET LOCAL synchronous_commit = {'on' if self._syncs else 'off'}")
        return found

    def commit(self) -> None:
        """Make the transaction durable, or undo it and say why it could not be."""
        try:
            with self._running(is_commit=True) as cursor:
                if cursor.execute("COMMIT").statusmessage != "COMMIT":
                    # After a statement that failed, the server undoes everything without an error.
                    raise undone()
                self._state.changes = self._change or self._state.changes
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
                self.rollback()
            if is_lost:
                self._pool.check()
                raise (lost_commit if is_commit else lost)(error) from error
            raise translated(error) from error
        except BaseException:
            if not self._in_transaction:
                self.rollback()
            raise
        if not self._in_transaction and not keeps:
            self._give_back()

    def _borrow(self) -> Cursor:
        session = self._pool.getconn(limits.LOCK_WAIT_S)
        while _has_word(session):
            session.close()
            self._pool.putconn(session)
            session = self._pool.getconn(limits.LOCK_WAIT_S)
        self._session = session
        cursor = self._cursor = new_cursor(session)
        return cursor

    def _give_back(self) -> None:
        session, self._session, self._cursor = self._session, None, None
        if session is not None:
            self._pool.putconn(session)

    def wait_at_most(self, seconds: float) -> None:
        """Give up sooner than others when another connection holds the write lock, from now on."""
        self._patience_ms = max(1, int(seconds * 1000))

    @contextmanager
    def syncing(self, *, wanted: bool) -> Generator[None]:
        """Let commits of the block wait until they are on the disk, or not wait for it."""
        before, self._syncs = self._syncs, wanted
        try:
            yield
        finally:
            self._syncs = before

    @property
    def format(self) -> int:
        """The format of the tables, which all workspaces of the database share."""
        found = self.row(self._queries.format)
        return 0 if found is None else found[0]

    @property
    def has_moved(self) -> bool:
        """False: the number of a workspace leads to no other one, even after it was deleted."""
        return False

    def overwrite_deleted(self) -> None:
        """Do nothing: what the server keeps of old rows is beyond a transaction."""

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
        self.state = _no_state
        if self._session is not None:
            self.interrupt()


def _has_word(session: Session) -> bool:
    """Whether the server has said something since the last statement: that it ends the connection.

    A system call of two microseconds, so that no write begins on a connection that was cut.
    """
    poll = select.poll()
    poll.register(session.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def _first(cursor: Cursor) -> list[Row]:
    found = cursor.fetchone()
    return [] if found is None else [found]


def _no_state() -> int:
    raise _closed()


def _closed() -> StrataError:
    return Unavailable("The store is closed.", hint="Open it again with strata.open().")
