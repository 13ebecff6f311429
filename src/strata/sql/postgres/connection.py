"""One thread's way to a workspace in PostgreSQL.

Each round trip may take a millisecond, so statements travel together where the caller need not
wait: the begin of a transaction with what it asks first, its writes with the next read or with the
commit, the end of one that only read with whatever comes after it. Reads that a caller foresees
travel with the one that is asked first, and their answers wait until they are asked for.

What a thread remembers of the store stays with the thread, whichever connection it has.
"""

import os
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, NamedTuple, Protocol, cast

import psycopg
from psycopg import RawCursor
from psycopg.pq import TransactionStatus
from psycopg_pool import PoolClosed, PoolTimeout

from strata.base import limits
from strata.base.errors import Interrupted, Locked, StrataError, Unavailable
from strata.sql.connection import Connection, Look, Read, Row
from strata.sql.postgres.distributed import Step
from strata.sql.postgres.errors import (
    LostCommit,
    LostConnection,
    gone_workspace,
    is_lost_node,
    is_passing,
    lost,
    lost_commit,
    lost_transaction,
    translated,
    undone,
)
from strata.sql.postgres.foresight import Foresight
from strata.sql.postgres.lender import Lender, Session, has_word
from strata.sql.queries import Dialect, Queries


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
        self, statement: str, values: Sequence[object] | None = ..., *, binary: bool | None = ...
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


# A statement that begins so also tells how often the workspace was changed; see `look`.
LOOKS = "SELECT look.changes, "
_FAILURES = (psycopg.Error, UnicodeError, PoolTimeout, PoolClosed)
_BEGIN_READING = ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",)
# Nodes of a cluster only hear what is set inside a transaction.
_BEGIN_READING_NODES = (*_BEGIN_READING, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
# From here on COPY is faster than INSERT for each row.
_COPY_ROWS_MIN = 20
# The columns of `copy_versions`.
_VERSION_TYPES = "int8 int8 int8 int8 text int8 int8 bytea bytea bytea bytea".split()
_REQUEST_BYTES = 16
# In every statement that writes and gives rows.
_RETURNS = "RETURNING"


class _Queued(NamedTuple):
    """A statement whose end need not be waited for, with the values of each of its rows."""

    statement: str
    rows: Sequence[Sequence[object]] = ()

    def send(self, cursor: Cursor) -> None:
        """Run it for each row, or once if it takes no values."""
        if len(self.rows) > 1:
            cursor.executemany(self.statement, self.rows)
        else:
            cursor.execute(self.statement, *self.rows)


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
        "_begin_reading",
        "_busy",
        "_change",
        "_copies",
        "_cursor",
        "_foresight",
        "_has_written",
        "_in_transaction",
        "_is_closed",
        "_is_lost",
        "_is_unseen",
        "_is_used",
        "_known",
        "_known_at",
        "_last_request",
        "_lender",
        "_patience_ms",
        "_queries",
        "_queue",
        "_session",
        "_state",
        "_steps",
        "_syncs",
        "_workspace",
    )

    dialect: Dialect = "postgres"

    def __init__(
        self,
        lender: Lender,
        queries: Queries,
        *,
        workspace: int,
        copies: bool,
        steps: Mapping[str, Sequence[Step]],
    ) -> None:
        super().__init__()
        # The statements that are several ones in this database.
        self._steps = steps
        self._begin_reading = _BEGIN_READING_NODES if steps else _BEGIN_READING
        # Whether rows may go by COPY, which row-level security does not allow.
        self._copies = copies
        self._lender = lender
        self._queries = queries
        self._workspace = workspace
        self._session: Session | None = None
        self._cursor: Cursor | None = None
        # Held while a statement runs; other threads may take the connection back when it is not.
        self._busy = threading.Lock()
        # Whether something ran since the database's watch looked last.
        self._is_used = False
        # What is sent before the next statement, which need not be waited for.
        self._queue: list[_Queued] = []
        self._in_transaction = self._has_written = self._is_closed = False
        # Whether the open transaction has lost its connection: then it can only be undone, and what
        # its owner still sends must not be written outside of it.
        self._is_lost = False
        # Whether the open transaction only reads, and nothing was read yet.
        self._is_unseen = False
        # The number of the change that the open transaction makes; 0 while there is none.
        self._change = 0
        self._patience_ms: int | None = None
        # Whether commits wait for the disk, where that is not as for the whole store.
        self._syncs: bool | None = None
        # The last commit, whose row in `commit_requests` the next one removes.
        self._last_request: bytes | None = None
        # The last look of the open transaction or block, and the state that it saw.
        self._known: Look | None = None
        self._known_at = -1
        self._foresight = Foresight()
        self._state = _State()
        self.state = self._state.current

    # Statements.

    def look(self) -> Look:
        """Return what tells whether something remembered is still so; one statement.

        A transaction asks at most once: only what it writes itself can move it.
        """
        known = self._known
        if self._in_transaction:
            is_current = not self._has_written
        else:
            is_current = self._foresight.in_block and self._known_at == self._state.changes
        if known is None or not is_current:
            [row] = self.rows(self._queries.look)
            known = Look(*row)
            self._known, self._known_at = known, self._state.changes
            self._foresight.has_looked = True
        return known

    def foresee(self, reads: Iterable[Read]) -> None:
        """Say which reads are likely to follow, so that they share a round trip."""
        self._foresight.foresee(reads, in_transaction=self._in_transaction)

    @contextmanager
    def together(self, reads: Iterable[Read] = ()) -> Generator[None]:
        """Let the reads of a block go by one look at the store, and share round trips."""
        # To name them, a caller may have to read.
        expected = list(reads)
        if self._in_transaction:
            self.foresee(expected)
            try:
                yield
            finally:
                self._foresight.drop(expected)
            return
        if not self._foresight.in_block:
            self._known = None
        self._foresight.enter(expected)
        try:
            yield
        finally:
            self._foresight.leave()

    def _foreseen(self, read: Read) -> list[Row] | None:
        """Return the rows of a read that have come already, or come now with others."""
        if self._in_transaction:
            return self._foresight.answer(read)
        if not self._foresight.in_block or read[0] == self._queries.look:
            return None
        if not self._foresight.has_looked:
            self.look()
        known = self._foresight.answer_at(read, self._state.changes)
        if known is None and read in self._foresight.wanted:
            self._gather(self._foresight.coming_at(self._state.changes))
            known = self._foresight.answer_at(read, self._state.changes)
        return known

    def _gather(self, reads: list[Read]) -> None:
        """Read what a block needs, and look, in one state and one round trip."""
        wanted = [(self._queries.look, ()), *reads]
        with self._running() as cursor:
            session = cursor.connection
            queue, self._queue = self._queue, []
            with session.pipeline():
                for queued in queue:
                    queued.send(new_cursor(session))
                for text in self._begin_reading:
                    new_cursor(session).execute(text)
                cursors = [self._sent(session, read) for read in wanted]
                new_cursor(session).execute("COMMIT")
            looked, *found = [one.fetchall() for one in cursors]
        if not looked:
            raise gone_workspace()
        self._known, self._known_at = Look(*looked[0][1:]), looked[0][0]
        self._state.changes = looked[0][0]
        rows = [_without_look(read[0], one) for read, one in zip(reads, found, strict=True)]
        self._foresight.keep(zip(reads, rows, strict=True), self._state.changes)

    def _sent(self, session: Session, read: Read) -> Cursor:
        """Send a read, and return the cursor that will have its rows."""
        return new_cursor(session).execute(read[0], self._given(*read), binary=True)

    def _given(self, statement: str, values: Sequence[Any]) -> Sequence[Any] | None:
        return (*values, self._workspace) if "$" in statement else None

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
        was_open, begins = self._in_transaction, self._is_unseen or not self._in_transaction
        try:
            return self._rows(statement, values, limit)
        except LostConnection:
            # A read may be repeated, unless it belongs to the state that others have seen.
            if not begins or not statement.startswith("SELECT"):
                raise
            if was_open:
                self.rollback()
                self.begin(write=False)
            return self._rows(statement, values, limit)

    def _rows(self, statement: str, values: Sequence[Any], limit: int | None) -> list[Row]:
        if self._foresight.is_active:
            known = self._foreseen((statement, tuple(values)))
            if known is not None:
                return known[:limit]
        if statement in self._steps:
            return self._rows_of_steps(statement, values)
        looks = statement.startswith(LOOKS)
        knows = self._in_transaction or self._foresight.knows_state
        asks = not looks and (self._is_unseen or not knows)
        with self._running() as cursor:
            self._send(cursor, statement, values, asks=asks)
            found = cursor.fetchall() if limit is None else _first(cursor)
            self._is_unseen = False
            if self._in_transaction and _RETURNS in statement:
                self._note_write()
        if looks and not found:
            raise gone_workspace()
        if looks and not self._change:
            self._state.changes = found[0][0]
        return _without_look(statement, found)

    def _rows_of_steps(self, statement: str, values: Sequence[Any]) -> list[Row]:
        """Return the rows of a statement that is several ones here."""
        if not self._in_transaction:
            found = self._run_alone(statement, values)
            return [] if found is None else [found]
        (first, given), *others = self._parts(statement, values)
        with self._running() as cursor:
            self._send(cursor, first, given[:-1])
            found = cursor.fetchall()
            self._queue += [_Queued(text, [more]) for text, more in others]
            self._note_write()
        return found

    def _parts(self, statement: str, values: Sequence[Any]) -> list[tuple[str, Sequence[Any]]]:
        """Return what a statement is here, each part with its values and the workspace."""
        given = (*values, self._workspace)
        if statement not in self._steps:
            return [(statement, given)]
        return [(step.statement, step.values(given)) for step in self._steps[statement]]

    def _run_alone(self, statement: str, values: Sequence[Any]) -> Row | None:
        """Run a statement as a transaction of its own, and what the open block reads behind it."""
        reads = list(self._foresight.wanted) if self._foresight.in_block else []
        (first, given), *others = self._parts(statement, values)
        with self._running(is_commit=True) as cursor:
            if not reads and not others:
                self._send(cursor, statement, values)
                return cursor.fetchone()
            session = cursor.connection
            queue, self._queue = self._queue, []
            queue += [_Queued("BEGIN")] if others else []
            with session.pipeline():
                for queued in queue:
                    queued.send(new_cursor(session))
                cursor.execute(first, given, binary=True)
                for text, more in others:
                    new_cursor(session).execute(text, more)
                heard = [self._sent(session, read) for read in reads]
                if others:
                    new_cursor(session).execute("COMMIT")
            found = cursor.fetchone() if _RETURNS in first else None
            rows = [
                _without_look(read[0], one.fetchall())
                for read, one in zip(reads, heard, strict=True)
            ]
        if found is not None:
            self._foresight.keep(zip(reads, rows, strict=True), found[0])
        return found

    def _note_write(self) -> None:
        """Note that what was read before may be different now."""
        self._has_written = True
        self._foresight.forget()

    def _send(
        self, cursor: Cursor, statement: str, values: Sequence[Any] = (), *, asks: bool = False
    ) -> None:
        """Run a statement, and in the same round trip what waits before it.

        If it `asks`, the number of the state comes with it.
        """
        given = self._given(statement, values)
        foreseen = self._foresight.pop_coming() if self._in_transaction else ()
        if not asks and not self._queue and not foreseen:
            cursor.execute(statement, given, binary=True)
            return
        queue, self._queue = self._queue, []
        session = cursor.connection
        looker = new_cursor(session)
        with session.pipeline():
            for queued in queue:
                queued.send(new_cursor(session))
            cursor.execute(statement, given, binary=True)
            others = [self._sent(session, read) for read in foreseen]
            if asks:
                looker.execute(self._queries.state, (self._workspace,), binary=True)
        if asks:
            self._note_state(looker.fetchone())
        self._hear(foreseen, others)

    def _hear(self, reads: Iterable[Read], cursors: Iterable[Cursor]) -> None:
        """Keep the answers of foreseen reads for the open transaction."""
        for read, cursor in zip(reads, cursors, strict=True):
            self._foresight.hear(read, _without_look(read[0], cursor.fetchall()))

    def _note_state(self, found: Row | None) -> None:
        if found is None:
            raise gone_workspace()
        self._state.changes = found[0]

    def each(self, statement: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """Run a statement and give its rows one by one."""
        yield from self.rows(statement, values)

    def hint(self) -> None:
        """Tell other processes after the commit that they need not wait to look."""
        if self._in_transaction:
            self._queue.append(_Queued(self._queries.send_hint, [("", self._workspace)]))

    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Run a statement for its effect; in a transaction, before the next one or its commit."""
        self._write(_Queued(statement, [(*values, self._workspace)]))

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row of values, all of them together."""
        all_values = [(*row, self._workspace) for row in rows]
        if all_values:
            self._write(_Queued(statement, all_values))

    def _write(self, queued: "_Queued") -> None:
        if self._in_transaction:
            if self._is_limited:
                self._check_limits()
            if self._is_lost:
                raise lost_transaction()
            self._queue += self._divided(queued)
            self._note_write()
            return
        if queued.statement in self._steps:
            for row in queued.rows:
                self._run_alone(queued.statement, row[:-1])
            return
        with self._running() as cursor:
            self._flush(cursor)
            queued.send(cursor)

    def _divided(self, queued: "_Queued") -> list["_Queued"]:
        """Return what is to be sent for a statement, which may be several ones here."""
        if queued.statement not in self._steps:
            return [queued]
        return [
            _Queued(text, [given])
            for row in queued.rows
            for text, given in self._parts(queued.statement, row[:-1])
        ]

    def _flush(self, cursor: Cursor) -> None:
        """Send what waits, and wait for it."""
        queue, self._queue = self._queue, []
        if queue:
            with cursor.connection.pipeline():
                for queued in queue:
                    queued.send(new_cursor(cursor.connection))

    def write_versions(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows of `versions`; many of them go by COPY, but for the last one."""
        *rows, last = rows
        if len(rows) < _COPY_ROWS_MIN or not self._copies:
            self.run_many(statement, [*rows, last])
            return
        with self._running() as cursor:
            self._note_write()
            self._flush(cursor)
            with cursor.copy(self._queries.copy_versions) as copy:
                copy.set_types(_VERSION_TYPES)
                for row in rows:
                    copy.write_row((self._workspace, *row[: len(_VERSION_TYPES) - 1]))
        self.run(statement, last)

    def run_guarded(self, statement: str, values: Sequence[Any]) -> Row | None:
        """Write one version by a statement of its own, and return what the database gave it.

        If the connection is lost before the answer comes, it asks whether the version was written,
        and repeats the statement if it was not.
        """
        give_up = time.monotonic() + limits.RECONNECT_WAIT_S
        while True:
            request, last = self._begin_request()
            try:
                found = self._run_alone(statement, (*values, request, last))
            except Locked as error:
                if not is_passing(error.__cause__) or time.monotonic() > give_up:
                    raise
                continue
            except LostCommit as error:
                found = self._settled(request, error)
                if found is None and time.monotonic() > give_up:
                    raise lost(error.cause) from error
                if found is None:
                    continue
            if found is None:
                return None
            self._last_request = request
            self._state.changes = found[0]
            return found[1:]

    # Commits whose answer is lost.

    def _begin_request(self) -> tuple[bytes, bytes]:
        """Return the id of a commit to come, and that of the last one, which it lets be forgotten.

        The first commit of a thread also removes what others left long ago.
        """
        last = self._last_request
        if last is None:
            age_us = int(limits.COMMIT_REQUEST_S * 1_000_000)
            self._queue.append(_Queued(self._queries.forget_requests, [(age_us, self._workspace)]))
        return os.urandom(_REQUEST_BYTES), last or b""

    def _settled(self, request: bytes, error: LostCommit) -> Row | None:
        """Return what a lost commit has written; None if it was not made, and never will be.

        The server may still be busy with it, or get it later. So the request is refused first: that
        waits for a commit that has begun, and lets one fail that has not.
        """
        give_up = time.monotonic() + limits.RECONNECT_WAIT_S
        while True:
            try:
                return self._outcome(request)
            except StrataError as problem:
                can_wait = isinstance(problem, Unavailable) and not isinstance(problem, Interrupted)
                if not can_wait or self._is_closed or time.monotonic() > give_up:
                    raise lost_commit(error.cause) from problem
                time.sleep(limits.RECONNECT_PAUSE_S)

    def _outcome(self, request: bytes) -> Row | None:
        """Refuse a request, if it was not made yet, and return what it has written."""
        values = (request, self._workspace)
        with self._running() as cursor:
            with cursor.connection.pipeline():
                new_cursor(cursor.connection).execute(self._queries.refuse_request, values)
                cursor.execute(self._queries.outcome_of_request, values, binary=True)
            found = cursor.fetchone()
        return None if found is None or found[0] is None else found

    # Transactions.

    def begin(self, *, write: bool, waits: bool = True) -> None:
        """Open a transaction; a writing one locks the row of the workspace first.

        Its statements then see everything that was committed before, whichever server did it, and
        no other transaction of the workspace writes until it ends. One that only reads sees the
        state of its first read.
        """
        self._known = None
        if not write:
            self._queue += map(_Queued, self._begin_reading)
            self._in_transaction = self._is_unseen = True
            return
        with self._running() as cursor:
            session = cursor.connection
            looker = new_cursor(session)
            self._queue += [_Queued("BEGIN"), *map(_Queued, self._settings(waits=waits))]
            queue, self._queue = self._queue, []
            foreseen = self._foresight.pop_coming()
            with session.pipeline():
                for queued in queue:
                    queued.send(new_cursor(session))
                cursor.execute(self._queries.begin_change, (self._workspace,), binary=True)
                # Another statement, so that it sees what was committed before the lock was there.
                looker.execute(self._queries.look, (self._workspace,), binary=True)
                others = [self._sent(session, read) for read in foreseen]
            found, looked = cursor.fetchone(), looker.fetchone()
            if found is None or looked is None:
                raise gone_workspace()
            self._in_transaction = True
            # What is being changed counts once it is committed.
            self._change = found[0]
            self._state.changes = found[0] - 1
            self._known = Look(*looked[1:])
            self._hear(foreseen, others)

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
        """Make the transaction durable, or undo it and say why it could not be.

        If the connection is lost before the answer comes, it asks whether the transaction was
        committed. One that was not cannot be repeated here: what it wrote depends on what it read.
        """
        request, change = b"", self._change
        try:
            if change and self._has_written and not self._has_failed:
                request, last = self._begin_request()
                noted = (request, change, last, self._workspace)
                self._queue += self._divided(_Queued(self._queries.note_request, [noted]))
            with self._running(is_commit=True) as cursor:
                self._send(cursor, "COMMIT")
                if cursor.statusmessage != "COMMIT":
                    # After a statement that failed, the server undoes everything without an error.
                    raise undone()
                self._end()
        except LostCommit as error:
            self.rollback()
            if not request or self._settled(request, error) is None:
                raise lost(error.cause) from error
        except BaseException:
            self.rollback()
            raise
        self._state.changes = change or self._state.changes
        self._last_request = request or self._last_request

    @property
    def _has_failed(self) -> bool:
        """Whether a statement of the open transaction has failed, so that it can only be undone."""
        session = self._session
        return (
            session is not None and session.pgconn.transaction_status == TransactionStatus.INERROR
        )

    def _end(self) -> None:
        self._in_transaction = self._has_written = self._is_unseen = self._is_lost = False
        self._change = 0
        self._foresight.end()

    def rollback(self) -> None:
        """Undo the open transaction; a lost connection has already done so."""
        with self._busy:
            is_reading = self._in_transaction and not self._change
            self._queue.clear()
            self._end()
            session = self._session
            if session is None or session.pgconn.transaction_status == TransactionStatus.IDLE:
                return
            if is_reading and session.pgconn.transaction_status == TransactionStatus.INTRANS:
                # The driver gives up all its prepared statements after a ROLLBACK, in a request
                # of its own, and that in front of the next BEGIN in a pipeline would make it fail.
                self._queue.append(_Queued("COMMIT"))
            else:
                self._undo()
        self._share()

    def _undo(self) -> None:
        """Let the server undo whatever is open, and give the connection back."""
        self._queue.clear()
        self._end()
        session = self._session
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
    def _running(self, *, is_commit: bool = False) -> Generator[Cursor]:
        """Give a cursor; its connection is kept for the next statement unless others wait."""
        if self._is_limited:
            self._check_limits()
        with self._busy:
            if self._is_closed:
                raise _closed()
            if self._is_lost:
                raise lost_transaction()
            try:
                yield self._ready()
            except _FAILURES as error:
                is_lost = self._session is not None and self._session.broken
                is_lost = is_lost or is_lost_node(error)
                was_open = self._in_transaction
                if is_lost or not was_open:
                    self._undo()
                if is_lost:
                    self._in_transaction = self._is_lost = was_open
                    self._lender.pool.check()
                    raise (LostCommit if is_commit else lost)(error) from error
                raise translated(error) from error
            except BaseException:
                if not self._in_transaction:
                    self._undo()
                raise
        self._share()

    def _ready(self) -> Cursor:
        """Return the cursor of a connection that the server has not ended."""
        self._is_used = True
        session = self._session
        begins = self._is_unseen or not self._in_transaction
        if session is not None and begins and has_word(session):
            self._session = self._cursor = None
            self._lender.discard(session)
            if not self._in_transaction:
                self._queue.clear()  # the end of a transaction that ended with the connection
        if self._cursor is None:
            self._session = self._lender.borrow(self)
            self._cursor = new_cursor(self._session)
        return self._cursor

    def _share(self) -> None:
        """Let threads that wait have the connection; asked when none of its statements runs."""
        if self._lender.waiting or self._is_closed:
            self.give_back_idle()

    def give_back_idle(self) -> None:
        """Give the connection back, unless a statement or a transaction runs on it."""
        if self._in_transaction or not self._busy.acquire(blocking=False):
            return
        try:
            if not self._in_transaction:
                self._undo()
        finally:
            self._busy.release()

    def give_back_unused(self) -> None:
        """Give the connection back if nothing ran since the last time that this was asked."""
        if self._is_used:
            self._is_used = False
        else:
            self.give_back_idle()

    def _give_back(self) -> None:
        session, self._session, self._cursor = self._session, None, None
        if session is not None:
            self._lender.give_back(session)

    def __del__(self) -> None:
        """Leave the connection of a thread that has ended to the others."""
        if getattr(self, "_session", None) is not None:
            self._lender.leave(cast("Session", self._session))

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
        if session is not None and self._busy.locked():
            with suppress(psycopg.Error):
                session.cancel_safe(timeout=limits.CLOSE_WAIT_S)

    def release_memory(self) -> None:
        """Forget what was read; any thread may call this. The server holds the pages."""
        self._foresight.forget_answers()

    def close(self) -> None:
        """Let no further statement run; what another thread runs just now is stopped."""
        self._is_closed = True
        self.state = _no_state
        if self._session is not None:
            self.interrupt()
            self.give_back_idle()


def _without_look(statement: str, rows: list[Row]) -> list[Row]:
    """Take the number of the state off the rows of a statement that tells it."""
    if not statement.startswith(LOOKS):
        return rows
    return [row[1:] for row in rows if row[1] is not None]


def _first(cursor: Cursor) -> list[Row]:
    found = cursor.fetchone()
    return [] if found is None else [found]


def _no_state() -> int:
    raise _closed()


def _closed() -> StrataError:
    return Unavailable("The store is closed.", hint="Open it again with strata.open().")
