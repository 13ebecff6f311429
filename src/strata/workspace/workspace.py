"""The workspace: one opened store and everything joined to it."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import msgspec

from strata.base import clock, limits
from strata.base.errors import CommitNotFound, InvalidArgument, TransactionConflict
from strata.memory import Events, JsonDocuments, Kv, Matrices, Spaces, State, Vectors
from strata.sql import Database, Durability, format_number
from strata.store import (
    DEFAULT_BRANCH,
    DEFAULT_SPACE,
    EVENT,
    Commit,
    Header,
    Instant,
    Merge,
    Point,
    ShownChange,
    StagingView,
    Store,
    Strategy,
    Transaction,
    View,
    apply_commit,
    as_commit,
    check_key,
    check_name,
    changes_of_commit,
    changes_since,
    find_commit,
    log,
    resolve,
    time_range,
)
from strata.upkeep import (
    Backup,
    Compaction,
    Leases,
    Progress,
    Purge,
    Retention,
    Tags,
    Verification,
    backup,
    compact,
    purge,
    verify,
)
from strata.workspace.branches import Branches
from strata.workspace.bundles import Bundles
from strata.workspace.locate import locate_store, make_folder
from strata.workspace.settings import Settings
from strata.workspace.version import VERSION

T = TypeVar("T")


class Info(msgspec.Struct, frozen=True):
    """A store at a glance."""

    version: str
    format: int
    path: str
    branch: str
    space: str
    branches: int
    keys: int
    events: int
    versions: int
    commits: int
    size_bytes: int
    durability: str
    read_only: bool
    uptime_s: float


class TimeRange(msgspec.Struct, frozen=True):
    """The oldest and the newest time a branch can be asked for; None when it is empty."""

    oldest: int | None
    latest: int | None


class Counters(msgspec.Struct, frozen=True):
    """What this process has written since it opened the store."""

    wal_appends: int
    sync_calls: int
    bytes_written: int
    sync_nanos: int


class Rooms:
    """The kinds of values, seen from one view."""

    def __init__(self, view: View, matrices: Matrices) -> None:
        self._view = view
        self._matrices = matrices

    @cached_property
    def kv(self) -> Kv:
        """Facts: any JSON value under a key."""
        return Kv(self._view)

    @cached_property
    def json(self) -> JsonDocuments:
        """Documents that are read and written at a path."""
        return JsonDocuments(self._view)

    @cached_property
    def state(self) -> State:
        """Cells with a counter, for compare-and-set."""
        return State(self._view)

    @cached_property
    def events(self) -> Events:
        """An append-only log."""
        return Events(self._view)

    @cached_property
    def vectors(self) -> Vectors:
        """Collections of vectors."""
        return Vectors(self._view, self._matrices)


class WorkspaceTransaction(Rooms):
    """What `db.transaction()` gives: the same rooms, committed together.

    Versions and times are 0 until the block ends; `commit` tells them afterwards.
    """

    def __init__(
        self, transaction: Transaction, matrices: Matrices, *, space: str, reads_only: bool
    ) -> None:
        super().__init__(StagingView(transaction, space=space, reads_only=reads_only), matrices)
        self._transaction = transaction
        self._reads_only = reads_only

    def space(self, name: str) -> "WorkspaceTransaction":
        """Return the same transaction in another space."""
        return WorkspaceTransaction(
            self._transaction, self._matrices, space=check_name(name, what="space"),
            reads_only=self._reads_only,
        )  # fmt: skip

    def rollback(self) -> None:
        """Drop everything; the block may go on reading but writes no more."""
        self._transaction.rollback()

    @property
    def commit(self) -> Instant | None:
        """Version and time of the commit, once there is one."""
        receipt = self._transaction.receipt
        return None if receipt is None else Instant(receipt.version, receipt.timestamp)


class Workspace(Rooms):
    """An opened store, seen from a branch, a space and perhaps a past moment.

    Made by `strata.open()`; `on`, `at` and `space` give other views of the same store.
    Safe to use from several threads, and from several processes on one file.
    """

    def __init__(self, view: View, matrices: Matrices, *, timezone: str | None = None) -> None:
        super().__init__(view, matrices)
        self._store: Store = view.store
        self._timezone = timezone

    # Where this workspace stands.

    @property
    def path(self) -> Path | None:
        """The store's file; None in memory."""
        return self._store.database.path

    @property
    def branch(self) -> str:
        """The branch this view reads and writes."""
        return self._view.branch

    @property
    def space_name(self) -> str:
        """The space this view reads and writes."""
        return self._view.space

    @property
    def actor(self) -> str | None:
        """Who is named on the commits made here."""
        return self._view.actor

    @property
    def as_of(self) -> Instant | None:
        """The past point this view shows, or None for the present."""
        return self._view.instant

    @property
    def read_only(self) -> bool:
        """Whether the store was opened for reading only."""
        return self._store.database.read_only

    @property
    def durability(self) -> str:
        """How commits reach the disk: always, standard or cache."""
        return self._store.database.durability

    def on(self, branch: str) -> "Workspace":
        """Return a view of another branch.

        >>> _ = db.branches.fork("try")
        >>> db.on("try").branch
        'try'
        """
        return self._sibling(branch=branch, instant=None)

    def at(self, when: clock.When) -> "Workspace":
        """Return a view of this branch as it was; it can be read, not written.

        >>> first = db.kv.put("k", "before").version
        >>> _ = db.kv.put("k", "after")
        >>> db.at(first).kv.get("k").value
        'before'
        """
        return self._sibling(instant=self.resolve(when))

    def space(self, name: str) -> "Workspace":
        """Return a view of another space.

        >>> _ = db.space("notes").kv.put("k", 1)
        >>> db.kv.get("k") is None
        True
        """
        return self._sibling(space=name)

    def as_actor(self, actor: str | None) -> "Workspace":
        """Return a view whose commits name somebody.

        >>> _ = db.as_actor("소연").kv.put("k", 1)
        >>> db.log(limit=1)[0].actor
        '소연'
        """
        return self._sibling(actor=actor)

    def _sibling(self, **changes: object) -> "Workspace":
        settings: dict[str, object] = {
            "branch": self._view.branch,
            "space": self._view.space,
            "actor": self._view.actor,
            "instant": self._view.instant,
        }
        view = View(self._store, **(settings | changes))  # pyright: ignore[reportArgumentType]
        return Workspace(view, self._matrices, timezone=self._timezone)

    # Parts.

    @cached_property
    def branches(self) -> Branches:
        """Lines of work: fork, diff, merge."""
        return Branches(self._view, self._resolve_on)

    @cached_property
    def spaces(self) -> Spaces:
        """Separate sets of keys."""
        return Spaces(self._view)

    @cached_property
    def retention(self) -> Retention:
        """How long replaced values are kept."""
        return Retention(self._store, self._matrices.forget)

    @cached_property
    def bundles(self) -> Bundles:
        """Branches as files."""
        return Bundles(self._view)

    @cached_property
    def leases(self) -> Leases:
        """Rights to background work."""
        return Leases(self._store)

    @cached_property
    def settings(self) -> Settings:
        """What the store remembers for its users."""
        return Settings(self._store)

    @cached_property
    def tags(self) -> Tags:
        """Names for points of history."""
        return Tags(self._view, self.resolve)

    # History.

    def resolve(self, when: clock.When) -> Instant:
        """Return the point of this branch's history that a time means.

        >>> _ = db.kv.put("k", 1)
        >>> db.resolve("now").version
        1
        """
        if self._view.instant is not None and when == "now":
            return self._view.instant
        return self._resolve_on(self._view.branch, when)

    def _resolve_on(self, branch: str, when: clock.When) -> Instant:
        row = self._store.catalog.require(branch, self._store.connection())
        moment = clock.parse_time(when, now=self._store.clock(), timezone=self._zone())
        return resolve(self._store, row.id, moment)

    def _zone(self) -> str | None:
        zone = self._timezone or self.settings.get("timezone")
        return zone if isinstance(zone, str) else None

    def log(self, *, limit: int = 50, before: int | None = None) -> list[Commit]:
        """Return the commits this view can see, newest first.

        >>> _ = db.kv.put("k", 1)
        >>> [commit.operation for commit in db.log()]
        ['put']
        """
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise InvalidArgument(f"The limit must be 1 or more, not {limit!r}.", parameter="limit")
        bound = self._view.snapshot.bound if before is None else before - 1
        rows = log(self._store, self._view.snapshot.branch_id, bound=bound, limit=limit)
        return [as_commit(self._store, row) for row in rows]

    def show(self, version: int) -> tuple[Commit, list[ShownChange]]:
        """Return the commit that wrote a version, and what it changed.

        >>> written = db.kv.put("k", {"a": 1}).version
        >>> commit, changes = db.show(written)
        >>> changes[0].key, changes[0].action
        ('k', 'added')
        """
        row = find_commit(self._store, version)
        return as_commit(self._store, row), changes_of_commit(self._store, row)

    def changes(self, after: int, *, limit: int = 1000) -> list[ShownChange]:
        """Return what was written on this branch after a version, oldest first.

        >>> first = db.kv.put("a", 1).version
        >>> _ = db.kv.put("b", 2)
        >>> [change.key for change in db.changes(first)]
        ['b']
        """
        snapshot = self._view.snapshot
        point = Point(snapshot.branch_id, snapshot.bound)
        return changes_since(self._store, point, after=after, limit=limit)

    def revert(
        self, version: int, *, strategy: Strategy = "strict", message: str | None = None
    ) -> Merge:
        """Take one commit back by a new one; later changes to the same places conflict.

        >>> _ = db.kv.put("k", 1)
        >>> wrong = db.kv.put("k", 2).version
        >>> _ = db.revert(wrong)
        >>> db.kv.get("k").value
        1
        """
        return self._apply(version, "revert", strategy, message)

    def undo(self, *, actor: str | None = None, message: str | None = None) -> Merge:
        """Take back the newest commit here that was not undone yet, or an actor's newest.

        >>> _ = db.kv.put("k", 1); _ = db.kv.put("k", 2)
        >>> _ = db.undo()
        >>> db.kv.get("k").value
        1
        """
        row = self._last_not_undone(actor if actor is not None else self._view.actor)
        return self._apply(row, "undo", "strict", message)

    def _last_not_undone(self, actor: str | None) -> int:
        undone: set[int] = set()
        for row in log(self._store, self._view.snapshot.branch_id):
            operation, _blank, number = row.operation.partition(" ")
            if operation == "undo":
                undone.add(int(number))
            elif row.version not in undone and actor in (None, row.actor):
                return row.version
        raise CommitNotFound("There is nothing to undo here.", hint="`strata log` shows why.")

    def cherry_pick(
        self, version: int, *, strategy: Strategy = "strict", message: str | None = None
    ) -> Merge:
        """Take over what one commit changed, from whatever branch.

        >>> _ = db.branches.fork("try")
        >>> good = db.on("try").kv.put("k", "좋다").version
        >>> _ = db.cherry_pick(good)
        >>> db.kv.get("k").value
        '좋다'
        """
        return self._apply(version, "pick", strategy, message)

    def _apply(self, version: int, operation: str, strategy: Strategy, message: str | None) -> Merge:
        return apply_commit(
            self._store, find_commit(self._store, version), onto=self._view.branch,
            operation=operation,  # pyright: ignore[reportArgumentType]
            strategy=strategy, actor=self._view.actor, message=message,
        )  # fmt: skip

    # Transactions.

    @contextmanager
    def transaction(
        self, *, message: str | None = None, actor: str | None = None, read_only: bool = False
    ) -> Iterator[WorkspaceTransaction]:
        """Do many things as one commit; an exception undoes all of them.

        Reads see one state and the changes made so far. If anything that was read has
        changed by the end, TransactionConflict is raised and nothing is written.

        >>> with db.transaction(message="move", actor="me") as tx:
        ...     _ = tx.kv.put("a", 1)
        ...     _ = tx.kv.put("b", 2)
        >>> db.log(limit=1)[0].message
        'move'
        """
        header = Header("transaction", actor if actor is not None else self._view.actor, message)
        snapshot = self._view.snapshot
        if not read_only:
            self._view.check_writable()
        transaction = Transaction(snapshot, header, locked=False)
        rooms = WorkspaceTransaction(
            transaction, self._matrices, space=self._view.space, reads_only=read_only
        )
        try:
            yield rooms
        except BaseException:
            transaction.rollback()
            raise
        if transaction.is_open:
            transaction.commit()

    def transact(
        self,
        work: Callable[[WorkspaceTransaction], T],
        *,
        message: str | None = None,
        actor: str | None = None,
        attempts: int = limits.COMMIT_ATTEMPTS,
    ) -> T:
        """Run a function in a transaction, again from the start when it lost a race.

        >>> def count(tx):
        ...     seen = tx.kv.get("n")
        ...     tx.kv.put("n", (seen.value if seen else 0) + 1)
        >>> db.transact(count)
        >>> db.kv.get("n").value
        1
        """
        for attempt in range(attempts):
            try:
                with self.transaction(message=message, actor=actor) as transaction:
                    return work(transaction)
            except TransactionConflict:
                if attempt == attempts - 1:
                    raise
                time.sleep(min(0.001 * 2**attempt, 0.05) * (0.5 + os.urandom(1)[0] / 256))
        raise InvalidArgument("attempts must be 1 or more.", parameter="attempts")

    # Care.

    def purge(
        self,
        key: str,
        *,
        kind: str | None = None,
        space: str | None = None,
        version: int | None = None,
    ) -> Purge:
        """Erase what a key ever held, on every branch, from the file itself.

        >>> _ = db.kv.put("secret", "hunter2")
        >>> db.purge("secret").versions
        1
        >>> [found.state for found in db.kv.history("secret")]
        ['erased']
        """
        found = purge(
            self._store, check_key(key), space=space or self._view.space, kind=kind,
            version=version,
        )  # fmt: skip
        self._matrices.forget()
        return found

    def verify(self, *, progress: Progress | None = None) -> Verification:
        """Check every byte that can be checked.

        >>> _ = db.kv.put("k", 1)
        >>> db.verify().ok
        True
        """
        return verify(self._store, progress=progress)

    def backup(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Backup:
        """Copy one state of the store to a file while others go on writing.

        >>> _ = db.kv.put("k", 1)
        >>> db.backup(folder / "copy.strata").version
        1
        """
        return backup(self._store, Path(path), force=force, progress=progress)

    def compact(self, *, progress: Progress | None = None) -> Compaction:
        """Give unused space back to the disk.

        >>> _ = db.compact()
        """
        return compact(self._store, progress=progress)

    def flush(self) -> None:
        """Make sure that everything written so far is on the disk.

        >>> db.flush()
        """
        if self.path is not None and not self.read_only:
            self._store.connection().checkpoint(truncate=False)

    def info(self) -> Info:
        """Return the store at a glance.

        >>> db.info().branch
        'default'
        """
        snapshot, connection = self._view.snapshot, self._store.connection()
        counts = {place: snapshot.count(*place) for place in snapshot.kinds()}
        queries = self._store.queries
        totals = [connection.row(q) for q in (queries.count_versions, queries.count_commits)]
        return Info(
            version=VERSION,
            format=format_number(),
            path=str(self.path or ":memory:"),
            branch=self.branch,
            space=self.space_name,
            branches=len(self.branches.list()),
            keys=sum(n for (_space, kind), n in counts.items() if kind != EVENT),
            events=sum(n for (_space, kind), n in counts.items() if kind == EVENT),
            versions=totals[0][0] if totals[0] else 0,
            commits=totals[1][0] if totals[1] else 0,
            size_bytes=self._store.database.size_bytes(),
            durability=self.durability,
            read_only=self.read_only,
            uptime_s=time.monotonic() - self._store.opened,
        )

    def time_range(self) -> TimeRange:
        """Return the times between which this branch has a history.

        >>> db.time_range().oldest is None
        True
        """
        return TimeRange(*time_range(self._store, self._view.snapshot.branch_id))

    def counters(self) -> Counters:
        """Return what this process has written since it opened the store.

        >>> _ = db.kv.put("k", 1)
        >>> db.counters().wal_appends > 0
        True
        """
        return Counters(*self._store.database.counters())

    def interrupt(self) -> None:
        """Stop the statements that other threads run now; they raise Interrupted.

        >>> db.interrupt()
        """
        self._store.database.interrupt()

    @contextmanager
    def time_limit(self, seconds: float) -> Iterator[None]:
        """Stop this thread's statement when the block takes longer.

        >>> with db.time_limit(5):
        ...     _ = db.kv.list()
        """
        timer = threading.Timer(seconds, self._store.connection().interrupt)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def close(self) -> None:
        """Close the store in this process; every view of it is closed too.

        >>> db.close()
        """
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def open_workspace(
    path: str | os.PathLike[str] | None = None,
    *,
    durability: Durability = "always",
    read_only: bool = False,
    create: bool = True,
    branch: str = DEFAULT_BRANCH,
    space: str = DEFAULT_SPACE,
    actor: str | None = None,
    timezone: str | None = None,
) -> Workspace:
    """Open a store, making it unless `create` is False.

    Without a path it is the one of the project one works in. `always` syncs every commit
    to the disk, `standard` survives a killed program but may lose the last commits when
    the power fails, `cache` keeps everything in memory and forgets it at the end.
    """
    if durability not in ("always", "standard", "cache"):
        raise InvalidArgument(
            f"{durability!r} is no durability.", hint="Use always, standard or cache.",
            parameter="durability",
        )  # fmt: skip
    place = None
    if durability != "cache":
        place = locate_store(path).path
        if create and not read_only:
            make_folder(place)
    database = Database(place, durability=durability, read_only=read_only, create=create)
    try:
        view = View(Store(database), branch=branch, space=space, actor=actor)
    except BaseException:
        database.close()
        raise
    return Workspace(view, Matrices(), timezone=timezone)

