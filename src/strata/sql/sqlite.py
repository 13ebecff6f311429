"""SQLite through apsw: connecting, pragmas, and turning its errors into ours."""

import time
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import unquote

import apsw

from strata.base import limits
from strata.base.errors import (
    DamagedStore,
    DiskFull,
    InvalidArgument,
    Locked,
    NotAStore,
    ReadOnly,
    StoreNotFound,
    StrataError,
    Unavailable,
)
from strata.sql.connection import (
    NO_STORE,
    Connection,
    Durability,
    Look,
    Read,
    Row,
    gone_file,
    interrupted,
)
from strata.sql.files import EARLIER_ID, earlier_release
from strata.sql.integrity import Tally
from strata.sql.queries import Dialect, load
from strata.sql.queue import WriteQueue

APPLICATION_ID = 0x53747261  # "Stra" in the file header, so that `file` can tell
_SYNCHRONOUS = {"always": "FULL", "standard": "NORMAL", "cache": "OFF"}
_TALLY = "strata"
_PAGE_CACHE_KIB = 64 * 1024

_NO_BLOCK = nullcontext()


class SqliteConnection(Connection):
    """One thread's connection to a file, or to a database in memory."""

    __slots__ = (
        "_connection",
        "_execute",
        "_is_pinned",
        "_is_tallied",
        "_line",
        "_look",
        "_looked_at",
        "_many",
        "_move_check",
        "_moved",
        "_tally",
        "_written_before",
    )

    dialect: Dialect = "sqlite"

    def __init__(self, connection: apsw.Connection, line: WriteQueue) -> None:
        super().__init__()
        self._connection = connection
        self._line = line
        self._execute = connection.execute
        self._many = connection.executemany
        self._tally = Tally()
        self._is_tallied = False
        self._written_before = 0
        # Where SQLite writes its answer to `has_moved`; it is asked before every write.
        self._moved = array("i", [0])
        address = self._moved.buffer_info()[0]
        self._move_check = partial(
            connection.file_control, "main", apsw.SQLITE_FCNTL_HAS_MOVED, address
        )
        self.state = connection.data_version
        # The last look, and the state in which it was taken. Outside of a transaction, others may
        # have committed since, and so they may before the first read of one.
        self._look = NO_STORE
        self._looked_at = (-1, -1)
        self._is_pinned = False

    def look(self) -> Look:
        """Return what tells whether something remembered is still so; one statement.

        A transaction asks at most once: only what it writes itself can move it.
        """
        at = (self.state(), self._connection.total_changes())
        if not self._is_pinned or self._looked_at != at:
            row = self.row(load().look)
            self._look = NO_STORE if row is None else Look(*row)
            self._looked_at = (self.state(), at[1])
            self._is_pinned = self._connection.in_transaction
        return self._look

    def row(self, statement: str, values: Sequence[Any] = ()) -> Row | None:
        """Run a statement and return its first row."""
        if self._is_limited:
            self._check_limits()
        try:
            return self._execute(statement, values).fetchone()
        except (apsw.Error, UnicodeError) as error:
            raise translated(error) from error

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement and return all its rows."""
        if self._is_limited:
            self._check_limits()
        try:
            return self._execute(statement, values).fetchall()
        except (apsw.Error, UnicodeError) as error:
            raise translated(error) from error

    def each(self, statement: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """Run a statement and give its rows one by one."""
        if self._is_limited:
            self._check_limits()
        try:
            yield from self._execute(statement, values)
        except (apsw.Error, UnicodeError) as error:
            raise translated(error) from error

    def foresee(self, reads: Iterable[Read]) -> None:
        """Do nothing: a statement takes no round trip."""

    def together(self, reads: Iterable[Read] = ()) -> AbstractContextManager[None]:
        """Do nothing: a statement takes no round trip."""
        self.foresee(reads)
        return _NO_BLOCK

    def hint(self) -> None:
        """Do nothing: looking costs others a microsecond."""

    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        """Run a statement for its effect; it has ended when this returns."""
        if self._is_limited:
            self._check_limits()
        try:
            self._execute(statement, values)
        except (apsw.Error, UnicodeError) as error:
            self._tally.doubt()
            raise translated(error) from error

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row of values."""
        try:
            self._many(statement, rows)
        except (apsw.Error, UnicodeError) as error:
            self._tally.doubt()
            raise translated(error) from error

    def write_versions(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows of `versions`; no sum is kept of them, so SQLite need not show each one."""
        self._tally_rows(wanted=False)
        try:
            self.run_many(statement, rows)
        finally:
            self._tally_rows(wanted=True)

    def _tally_rows(self, *, wanted: bool) -> None:
        """Let SQLite show every row that is about to be written, or not."""
        self._connection.preupdate_hook(self._tally.note if wanted else None, id=_TALLY)
        self._is_tallied = wanted

    def forget_tally(self) -> None:
        """Leave out of the sums what was written so far: they were just computed anew."""
        self._tally.forget()

    def interrupt(self) -> None:
        """Stop whatever runs on this connection now; callable from any thread."""
        self._is_stopped = self._is_limited = True
        self._connection.interrupt()

    def wait_at_most(self, seconds: float) -> None:
        """Give up sooner than others when another connection holds the write lock, from now on."""
        self._line.patience_s = seconds

    def run_guarded(self, statement: str, values: Sequence[Any]) -> Row | None:
        """Write one version by a statement of its own; None if its guards did not let it write."""
        if self._is_tallied:
            self._tally_rows(wanted=False)
        self._line.enter()
        try:
            self._execute(statement, values)
            return () if self._connection.changes() == 1 else None
        except apsw.ConstraintError:
            return None
        except (apsw.Error, UnicodeError) as error:
            raise translated(error) from error
        finally:
            self._line.leave()

    @property
    def has_moved(self) -> bool:
        """Whether the path no longer leads to the file that is open here: one system call."""
        try:
            self._move_check()
        except apsw.Error as error:
            raise translated(error) from error
        return self._moved[0] != 0

    def set_lost(self, *, is_lost: bool) -> None:
        """Let every read fail while the store's file is gone; every read asks the version."""
        self.state = _lose_state if is_lost else self._connection.data_version

    def release_memory(self) -> None:
        """Give cached pages back. Only the connection's own thread may do so.

        Connections are opened without a mutex, so SQLite would not notice that another thread is
        reading the very pages that are freed.
        """
        with suppress(apsw.ConnectionClosedError):
            self._connection.release_memory()

    def begin(self, *, write: bool, waits: bool = True) -> None:
        """Open a transaction; a writing one holds the store's single write lock."""
        if write:
            if not self._is_tallied:
                self._tally_rows(wanted=True)
            self._line.enter(waits=waits)
            try:
                self.run("BEGIN IMMEDIATE")
            finally:
                self._line.leave()
        else:
            self.run("BEGIN")
        self._written_before = self._connection.total_changes()
        self._is_pinned = write

    def commit(self) -> None:
        """Make the transaction durable, or undo it and say why it could not be."""
        try:
            if not self._tally.is_empty:
                self._tally.write(self)
            self.run("COMMIT")
            self._is_pinned = False
        except StrataError:
            self.rollback()
            raise

    def rollback(self) -> None:
        """Undo the open transaction; SQLite may already have done so by itself."""
        self._tally.forget()
        self._is_pinned = False
        while self._has_begun():
            try:
                self._execute("ROLLBACK")
            except (apsw.InterruptError, apsw.ConnectionClosedError):
                continue  # a stop is no reason to keep the lock
            except apsw.Error as error:
                raise translated(error) from error

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open here."""
        try:
            return self._connection.in_transaction
        except apsw.ConnectionClosedError as error:
            # A caller that began one must not begin another inside it.
            raise translated(error) from error

    @property
    def has_written(self) -> bool:
        """Whether a transaction is open here that has written rows, which it may still undo."""
        return self.in_transaction and self._connection.total_changes() != self._written_before

    def _has_begun(self) -> bool:
        try:
            return self._connection.in_transaction
        except apsw.ConnectionClosedError:
            return False  # closing has undone it

    def pragma(self, name: str, value: int | str | None = None) -> Any:
        """Read or set a pragma. Its values are SQLite's, so their type is open."""
        try:
            if value is None:
                return self._connection.pragma(name)
            return self._connection.pragma(name, value)
        except apsw.Error as error:
            raise translated(error) from error

    @contextmanager
    def syncing(self, *, wanted: bool) -> Generator[None]:
        """Let commits of the block wait until they are on the disk, or not wait for it.

        A store that never waits does not wait here either, unless it is wanted.
        """
        before = self.pragma("synchronous")
        reduced = "OFF" if before == 0 else "NORMAL"
        self.pragma("synchronous", "FULL" if wanted else reduced)
        try:
            yield
        finally:
            self.pragma("synchronous", before)

    def overwrite_deleted(self) -> None:
        """Overwrite the bytes of what is deleted from now on with zeros."""
        self.pragma("secure_delete", 1)

    def leave_log(self) -> None:
        """Keep the database in one file, so that it can be read without making a log."""
        self.pragma("journal_mode", "DELETE")

    @property
    def journal(self) -> str:
        """How the file keeps what is not yet in its place."""
        return str(self.pragma("journal_mode"))

    @property
    def format(self) -> int:
        """The number of the format that the file is in."""
        return int(self.pragma("user_version"))

    def quick_check(self) -> str:
        """Return the first thing that is wrong with the file's structure, or "ok"."""
        return str(self.pragma("quick_check"))

    def shape(self) -> dict[str, object]:
        """Return columns and indexes of every table and view, as SQLite reads them."""
        shape: dict[str, object] = {}
        for schema, name, *rest in self.pragma("table_list"):
            if schema == "main":
                indexes = _as_rows(self.pragma("index_list", name))
                columns = [self.pragma("index_xinfo", index[1]) for index in indexes]
                shape[name] = (rest, self.pragma("table_xinfo", name), indexes, columns)
        return shape

    def script(self, statements: str) -> None:
        """Run several statements, as a migration does, which computes sums by itself."""
        self.rows(statements)
        self._tally.forget()

    def checkpoint(self, *, truncate: bool) -> bool:
        """Move the WAL into the main file; tell whether all of it went."""
        mode = apsw.SQLITE_CHECKPOINT_TRUNCATE if truncate else apsw.SQLITE_CHECKPOINT_PASSIVE
        try:
            total, moved = self._connection.wal_checkpoint(mode=mode)
        except apsw.BusyError:
            return False
        except apsw.Error as error:
            raise translated(error) from error
        return total == moved

    def vacuum(self) -> None:
        """Write the whole file anew, without free pages and stale bytes."""
        self.run("VACUUM")

    def integrity_problems(self) -> list[str]:
        """Let SQLite check its own structures; return what it finds wrong."""
        try:
            found = self._connection.pragma("integrity_check")
        except apsw.Error as error:
            return [str(error)]
        if found == "ok":
            return []
        return [found] if isinstance(found, str) else [str(line) for line in found]

    def is_alone(self) -> bool:
        """Whether no other connection, of any process, has the database open."""
        self.pragma("locking_mode", "EXCLUSIVE")
        self._connection.set_busy_handler(None)
        try:
            self._execute("BEGIN EXCLUSIVE").fetchall()
            self._execute("ROLLBACK").fetchall()
        except apsw.BusyError:
            return False
        return True

    def page_writes(self) -> int:
        """How many pages this connection has written since it was opened."""
        return self._connection.status(apsw.SQLITE_DBSTATUS_CACHE_WRITE)[0]

    def close(self, *, folds: bool = True) -> None:
        """Close; SQLite folds the WAL into the main file when this is the last one.

        Without `folds` it does not: for a file that the WAL does not belong to.
        What another thread runs here just now is stopped first; it learns that this is closed.
        """
        self.state = _no_state
        if not folds:
            self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        until = time.monotonic() + limits.CLOSE_WAIT_S
        while not self._is_closed_now(late=time.monotonic() > until):
            self._connection.interrupt()
            time.sleep(limits.CLOSE_PAUSE_S)
        self._line.close()

    def _is_closed_now(self, *, late: bool) -> bool:
        try:
            self._connection.close()
        except apsw.ThreadingViolationError as error:
            if late:
                raise translated(error) from error
            return False
        return True

    def copy_into(
        self, target: "SqliteConnection", progress: Callable[[int, int], None] | None = None
    ) -> None:
        """Copy the whole database page by page, while others go on writing."""
        # The open read transaction pins one state; without it every foreign commit
        # would send the copy back to its first page.
        self.begin(write=False)
        try:
            self.pragma("user_version")
            self._copy_pages(target, progress or (lambda _done, _total: None))
        except apsw.Error as error:
            raise translated(error) from error
        finally:
            self.rollback()

    def _copy_pages(self, target: "SqliteConnection", progress: Callable[[int, int], None]) -> None:
        with target._connection.backup("main", self._connection, "main") as backup:
            while not backup.done:
                backup.step(1000)
                progress(backup.page_count - backup.remaining, backup.page_count)


def _as_rows(found: Any) -> list[Row]:
    """Return what a pragma gave as rows: apsw unpacks a single one, and none is None."""
    if found is None:
        return []
    return cast("list[Row]", found if isinstance(found, list) else [found])


def connect(
    location: str,
    *,
    durability: Durability,
    mode: Literal["create", "write", "read"],
    queue: Path | None = None,
) -> SqliteConnection:
    """Open one connection; `mode` read never creates or changes anything.

    `queue` is the file on which this store's writers queue.
    """
    flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOMUTEX
    if mode == "read":
        flags |= apsw.SQLITE_OPEN_READONLY
    else:
        flags |= apsw.SQLITE_OPEN_READWRITE
        flags |= apsw.SQLITE_OPEN_CREATE if mode == "create" else 0
    try:
        connection = apsw.Connection(location, flags=flags, statementcachesize=200)
        line = WriteQueue(queue)
        connection.set_busy_handler(line.wait)
        _check_owner(connection, Path(_readable_path(location)))
        _configure(connection, durability, reads_only=mode == "read")
    except apsw.Error as error:
        raise translated(error, _readable_path(location)) from error
    return SqliteConnection(connection, line)


def limit_memory(size_bytes: int) -> None:
    """Let all connections of this process together hold little more than so much.

    Past it they use their own pages again instead of taking more memory.
    """
    apsw.soft_heap_limit(size_bytes)


def _readable_path(location: str) -> str:
    """Return a location as people write it: a path, not a URI."""
    return unquote(location.removeprefix("file://").partition("?")[0])


def _configure(connection: apsw.Connection, durability: Durability, *, reads_only: bool) -> None:
    # Without this SQLite compiles `version <= ?` anew at every execution: twice the time.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    # What a file defines may call only functions that have no effect beside their value.
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.pragma("cache_size", -_PAGE_CACHE_KIB)
    connection.pragma("temp_store", "MEMORY")
    if not reads_only:
        _set_journal_mode(connection, "MEMORY" if durability == "cache" else "WAL")
        connection.pragma("synchronous", _SYNCHRONOUS[durability])
        # Where the system has it (macOS), a sync that reaches the disk and not only its cache.
        connection.pragma("fullfsync", int(durability == "always"))
        connection.pragma("checkpoint_fullfsync", 1)
        connection.pragma("wal_autocheckpoint", limits.CHECKPOINT_PAGES)
        connection.pragma("journal_size_limit", 4 * 4096 * limits.CHECKPOINT_PAGES)


def _set_journal_mode(connection: apsw.Connection, mode: str) -> None:
    """Set the journal mode; SQLite does not wait by itself when others do the same now."""
    until = time.monotonic() + limits.LOCK_WAIT_S
    while True:
        try:
            connection.pragma("journal_mode", mode)
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(limits.LOCK_PAUSE_MIN_S)
        else:
            return


def _check_owner(connection: apsw.Connection, path: Path) -> None:
    """Refuse a foreign database before anything, the journal mode included, is changed."""
    owner = connection.pragma("application_id")
    if owner == 0 and connection.pragma("schema_version") > 0:
        # Another process may have made the store since the first look.
        owner = connection.pragma("application_id") or None
    if owner == EARLIER_ID:
        raise earlier_release(path)
    if owner not in (APPLICATION_ID, 0):
        raise NotAStore(
            "The file is a database of another program.",
            hint="Check the path; Strata never overwrites a file of another kind.",
        )


def translated(error: apsw.Error | UnicodeError, location: str = "") -> StrataError:
    """Return the error of ours that says what SQLite's means for the caller."""
    if isinstance(error, UnicodeEncodeError):
        return InvalidArgument(
            f"{ascii(error.object)[:100]} is no text: it holds bytes that are not UTF-8.",
            hint="Check how it was typed or read; a store keeps Unicode.",
        )
    if isinstance(error, UnicodeError):
        return _damaged(str(error), location)
    for kind, build in _TRANSLATIONS:
        if isinstance(error, kind):
            return build(str(error), location)
    return DamagedStore(
        f"SQLite refused a statement: {error}.",
        hint="Please report this; `db.verify()` checks the store.",
    )


def _locked(_text: str, _location: str) -> StrataError:
    return Locked(
        f"Another process has held the store for over {limits.LOCK_WAIT_S:.0f} seconds.",
        hint="Nothing was changed. Try again, or end the process that holds it.",
    )


def _no_state() -> int:
    raise _closed("", "")


def _lose_state() -> int:
    raise gone_file()


def _closed(_text: str, _location: str) -> StrataError:
    return Unavailable("The store is closed.", hint="Open it again with strata.open().")


def _in_use(_text: str, _location: str) -> StrataError:
    return Unavailable(
        "Another thread does not stop using the store.",
        hint="Let its calls end before you close it.",
    )


def _full(_text: str, _location: str) -> StrataError:
    return DiskFull(
        "There is no room left to write.",
        hint="Nothing was changed. Free some space on the store's disk and try again.",
    )


def _read_only(_text: str, _location: str) -> StrataError:
    return ReadOnly(
        "The store cannot be written here.",
        hint="It is open for reading only, or its file or folder is not writable.",
    )


def _interrupted(_text: str, _location: str) -> StrataError:
    return interrupted()


def _not_a_store(_text: str, location: str) -> StrataError:
    return NotAStore(
        f"{location or 'The file'} is not a Strata store.",
        hint="Check the path; Strata never overwrites a file of another kind.",
    )


def _cannot_open(text: str, location: str) -> StrataError:
    if location and not Path(location).exists():
        return StoreNotFound(
            f"There is no store at {location}.",
            hint="`strata.open(PATH)` makes one.",
            path=location,
        )
    return Unavailable(
        f"The store cannot be opened: {text}.",
        hint="Check that the file and its folder are readable, and writable unless read-only.",
    )


def _damaged(text: str, _location: str) -> StrataError:
    return DamagedStore(
        f"The store's file is damaged: {text}.",
        hint="Restore a backup with `strata.restore(BACKUP, PATH)`; `db.verify()` tells what is "
        "hurt, and `strata export --skip-damaged` saves what can be read.",
    )


def _input_output(text: str, _location: str) -> StrataError:
    if "disk is full" in text or "no space" in text.lower():
        return _full(text, "")
    return Unavailable(
        f"The disk reported an error: {text}.",
        hint="Nothing was changed. Check the disk, then run `db.verify()`.",
    )


_TRANSLATIONS: tuple[tuple[type[apsw.Error], Callable[[str, str], StrataError]], ...] = (
    (apsw.BusyError, _locked),
    (apsw.LockedError, _locked),
    (apsw.FullError, _full),
    (apsw.ReadOnlyError, _read_only),
    (apsw.InterruptError, _interrupted),
    (apsw.NotADBError, _not_a_store),
    (apsw.CantOpenError, _cannot_open),
    (apsw.CorruptError, _damaged),
    (apsw.IOError, _input_output),
    (apsw.ConnectionClosedError, _closed),
    (apsw.CursorClosedError, _closed),
    (apsw.ThreadingViolationError, _in_use),
)

SQLITE_VERSION = apsw.sqlite_lib_version()
