"""Who calls, and where: the opened store of a process, a connection's session, one call."""

import os
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from msgspec import UNSET, UnsetType

from strata.base import limits
from strata.base.errors import InvalidArgument, NotAllowed, NoTransaction, Unavailable
from strata.tools.chores import Chores
from strata.tools.exposing import Exposure, expose

if TYPE_CHECKING:
    from strata.access import Grant
    from strata.decisions import Creator
    from strata.workspace import Location, OpenTransaction, Workspace, WorkspaceTransaction

# What long work reports: a word for it, how much is done, and how much there is.
Progress: TypeAlias = Callable[[str, int, int], None]


class StoreHost:
    """The store of one process, opened when a call first needs it.

    Where there is no store yet, reading finds an empty one in memory; `writing` makes it.
    """

    def __init__(
        self,
        opener: "Callable[[], Workspace]",
        *,
        blank: "Callable[[], Workspace] | None" = None,
        location: "Callable[[], Location] | None" = None,
        auto_embed: bool = True,
    ) -> None:
        self.auto_embed = auto_embed
        self._opener, self._blank, self._location = opener, blank, location
        self._lock = threading.Lock()
        self._waiting: list[Callable[[Workspace], object]] = []
        self._db: Workspace | None = None
        self._empty: Workspace | None = None
        # Where this process receives uploads; set by the server that listens, or would when asked.
        self.uploads_at: Callable[[], str] | None = None
        # Where this process shows published pages, if it does.
        self.pages_at: str | None = None
        # Called before the store is closed.
        self.closing: list[Callable[[], None]] = []
        # Lets agents begin with the tasks that wait; set by a server in whose process they work.
        self.start_agents: Callable[[], None] | None = None
        # Long work that calls have started.
        self.chores = Chores()

    @property
    def db(self) -> "Workspace":
        """The opened store, or an empty one as long as there is none."""
        return self._db or self._opened(makes=False)

    def writing(self) -> "Workspace":
        """The opened store, made if it is missing."""
        return self._db or self._opened(makes=True)

    def when_made(self, tell: "Callable[[Workspace], object]") -> None:
        """Call a function once the store itself is open: now, at the next call or the first
        write."""
        with self._lock:
            if self._db is None:
                self._waiting.append(tell)
                return
        tell(self._db)

    def warm(self) -> None:
        """Load and open what a first call will need."""
        self._opened(makes=False)

    @property
    def path(self) -> str:
        """Where the store is, or will be: a path, or an address without its password."""
        return ":memory:" if self._location is None else self._location().display

    @property
    def is_made(self) -> bool:
        """Whether there is a store, or the first write has yet to make it."""
        return self._db is not None or self._location is None or self._location().exists

    def upload_url(self) -> str:
        """Return where files may be sent: to this process, or to a server of the same store."""
        if self.uploads_at is not None:
            return self.uploads_at()
        found = self.writing().serving.uploads().servers.find()
        if found is None:
            raise Unavailable(
                "Nothing listens for uploads to this store.",
                hint="Start `strata serve`, and ask again while it runs.",
            )
        return found

    def _opened(self, *, makes: bool) -> "Workspace":
        with self._lock:
            if self._db is None and (makes or self._blank is None or self.is_made):
                self._db = self._opener()
                for tell in self._waiting:
                    tell(self._db)
            if self._db is not None:
                return self._db
            if self._empty is None:
                assert self._blank is not None
                self._empty = self._blank()
            return self._empty

    def close(self) -> None:
        """Close the store, if it was opened."""
        self.chores.stop()
        while self.closing:
            self.closing.pop()()
        with self._lock:
            for db in (self._db, self._empty):
                if db is not None:
                    db.close()
            self._db = self._empty = None


def process_caller(
    user: str | None, *, who: str | None = None, proposes: bool = False
) -> "Grant | str":
    """Return whom the calls of a process act for: a named user, STRATA_USER, or the owner.

    With `proposes`, what they write waits for a user's decision.
    """
    name = user or os.environ.get("STRATA_USER") or "owner"
    if not proposes:
        return name
    from strata.access import Grant  # noqa: PLC0415  (seldom needed)

    return Grant(who or "agent", name, proposes=True)


class SessionState:
    """What one connection has chosen: branch, space and perhaps an open transaction."""

    def __init__(self, branch: str | None = None, space: str | None = None) -> None:
        self.branch, self.space = branch, space
        self.transaction: SessionTransaction | None = None
        # One call at a time works in an open transaction.
        self.lock = threading.RLock()
        # By user, branch, space and actor: made once and used by all calls that want the same.
        self.workspaces: dict[tuple[object, ...], Workspace] = {}

    def close(self) -> None:
        """Roll back what was left open."""
        with self.lock:
            if self.transaction is not None:
                self.transaction.rollback()
                self.transaction = None


class Session:
    """For whom a connection calls tools, which of them it has, and what it has chosen.

    Requests that arrive on one connection at the same time have a session each, for each may
    present another token; they share the state. Without `keeps_state` there is nothing to choose:
    every call names what it wants.
    """

    def __init__(
        self,
        host: StoreHost,
        *,
        caller: "Grant | str",
        state: SessionState | None = None,
        keeps_state: bool = True,
        exposure: Exposure | None = None,
        client: str | None = None,
        actor: str | None = None,
        creator: "Creator" = "llm",
        lends_files: bool = True,
        at: str | None = None,
        task: str | None = None,
    ) -> None:
        self.host = host
        self.keeps_state = keeps_state
        self.exposure = exposure or expose()
        # The client's own name: it is on commits, unless an actor is given or a setting says one.
        self.client = client
        self._actor = actor
        # The task of an agent that calls; named on commits too.
        self._task = task
        # Who makes links and memories: a model, unless a user types the call.
        self.creator: Creator = creator
        # Whom calls act for: a user by id or email, "owner", or whom a token is for.
        self.caller = caller
        # Whether tools may read and write files of this machine.
        self.lends_files = lends_files
        # The past moment that all calls show, if not the present; nothing is written then.
        self.at = at
        self.state = state or SessionState()

    @property
    def branch(self) -> str:
        """The branch of calls that name none.

        One that follows git is looked up at each call: a checkout may change it at any time.
        """
        if self.state.branch is not None:
            return self.state.branch
        settings = self.host.db.settings
        branch = settings.branch()
        if not settings.follows_git():
            self.state.branch = branch
        return branch

    @property
    def space(self) -> str:
        """The space of calls that name none."""
        if self.state.space is None:
            self.state.space = self._setting("space")
        return self.state.space

    @property
    def grant(self) -> "Grant | None":
        """What a token permits; None where the caller has the store itself."""
        return None if isinstance(self.caller, str) else self.caller

    @property
    def proposes(self) -> bool:
        """Whether what is written waits for a user's decision."""
        return not isinstance(self.caller, str) and self.caller.proposes

    @property
    def transaction(self) -> "SessionTransaction | None":
        """The caller's open transaction."""
        found = self.state.transaction
        return found if found is not None and found.caller == self.caller else None

    @property
    def actor(self) -> str | None:
        """Who is named on commits made here: as given, else by the setting, else the client."""
        return self._actor or str(self.host.db.settings.get("actor") or "") or self.client

    def bound(self, branch: str | None = None, space: str | None = None) -> "Workspace":
        """Return the store for the session's user, seen from a branch and a space.

        Permissions are those of now: a user is looked up at each call, and what they may do each
        time that it is asked.
        """
        db = self.host.db
        branch = db.branch if branch is None else branch
        space = db.space_name if space is None else space
        user, actor = db.serving.user_of(self.caller), self.actor
        key = (db, self.caller, user, branch, space, actor)
        workspaces = self.state.workspaces
        found = workspaces.get(key)
        if found is None:
            if len(workspaces) >= limits.BOUND_WORKSPACES:
                workspaces.clear()
            made = db.serving.bound(self.caller, branch=branch, space=space)
            found = workspaces[key] = made.as_actor(actor, task=self._task)
        return found

    def close(self) -> None:
        """Roll back what was left open."""
        self.state.close()

    def _setting(self, name: str) -> str:
        return str(self.host.db.settings.get(name))


class SessionTransaction:
    """A transaction that stays open between calls of a session, until it is idle for too long.

    It belongs to the caller who began it: another token of the same connection cannot use it.
    """

    def __init__(self, opened: "OpenTransaction", session: Session) -> None:
        self.opened = opened
        self.caller = session.caller
        self._state = session.state
        self._used = time.monotonic()

    @property
    def branch(self) -> str:
        """The branch that it will commit to."""
        return self.opened.branch

    def in_space(self, space: str) -> "WorkspaceTransaction":
        """Return the kinds of values as the transaction sees them; NoTransaction if it is over."""
        self.check()
        return self.opened.space(space)

    def rollback(self) -> None:
        """Drop everything staged."""
        self.opened.rollback()

    @property
    def is_forgotten(self) -> bool:
        """Whether it was left alone for too long."""
        return time.monotonic() - self._used > limits.TRANSACTION_IDLE_S

    def check(self) -> None:
        """Note that it is in use; drop it, and say so, when that comes too late."""
        if self.is_forgotten:
            self.rollback()
            self._state.transaction = None
            raise NoTransaction(
                f"The transaction was rolled back: nothing had used it for "
                f"{limits.TRANSACTION_IDLE_S:g} seconds.",
                hint="Nothing of it was written. strata_txn_begin begins one.",
            )
        self._used = time.monotonic()


def moment(workspace: "Workspace") -> str | UnsetType:
    """Return the past instant that a workspace shows, or nothing for the present."""
    return UNSET if workspace.as_of is None else workspace.as_of.iso_time


class Call:
    """One call of a tool: where it works, and where it reports progress."""

    def __init__(
        self,
        session: Session,
        *,
        branch: str | None = None,
        space: str | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.session = session
        self.branch = session.branch if branch is None else branch
        self.space = session.space if space is None else space
        self._progress = progress
        # The instant that a past time meant, in microseconds, once one was asked for.
        self.moment: int | None = None

    @cached_property
    def db(self) -> "Workspace":
        """The store for the session's user, from the call's branch and space, now or as it was."""
        here = self.session.bound(self.branch, self.space)
        return here if self.session.at is None else here.at(self.session.at)

    @cached_property
    def anywhere(self) -> "Workspace":
        """The store as it is for the session's user, for what needs no current branch.

        So a session whose branch was deleted can still list the others and switch to one.
        """
        return self.session.bound()

    def searched(self, kinds: Sequence[str] | None) -> Sequence[str] | None:
        """Return the kinds that a search may look through; documents only with a token for them."""
        grant = self.session.grant
        if grant is None or grant.permits("core"):
            return kinds
        from strata.search import SEARCHABLE  # noqa: PLC0415  (not for the first answers)

        allowed = [kind for kind in kinds or sorted(SEARCHABLE) if kind != "document"]
        if not allowed:
            raise NotAllowed(
                "This token is not for documents.", hint="Use one with the group core."
            )
        return allowed

    @property
    def target(self) -> "Workspace | WorkspaceTransaction":
        """The kinds of values: in the session's open transaction, else in the store."""
        transaction = self.session.transaction
        if transaction is None:
            return self.db
        if self.branch != transaction.branch:
            raise InvalidArgument(
                f"A transaction is open on branch {transaction.branch!r}.",
                hint="Commit or roll it back before working on another branch.",
                parameter="branch",
            )
        return transaction.in_space(self.space)

    def at(self, as_of: str | float | None) -> "Workspace | WorkspaceTransaction":
        """Return the kinds of values as they were, or as they are without a time."""
        if as_of is None:
            return self.target
        past = self.db.at(as_of)
        self.moment = None if past.as_of is None else past.as_of.timestamp
        return past

    def within(
        self, space: str | None, as_of: str | float | None = None
    ) -> "Workspace | WorkspaceTransaction":
        """Return the kinds of values in a space, as they are or as they were."""
        here = self.at(as_of)
        return here if space is None else here.space(space)

    def progress(self, label: str, done: int, total: int) -> None:
        """Report the progress to the caller."""
        if self._progress is not None:
            self._progress(label, done, total)


class Cancel:
    """A way to stop a running call from another thread."""

    def __init__(self) -> None:
        self.is_cancelled = False
        self._lock = threading.Lock()
        self._stop: Callable[[], None] | None = None

    def cancel(self) -> None:
        """Stop the call's statement now, or the call before it begins."""
        with self._lock:
            self.is_cancelled = True
            if self._stop is not None:
                self._stop()

    @contextmanager
    def guarding(self, stop: Callable[[], None]) -> Generator[None]:
        """Let `cancel` use a way to stop while the block runs."""
        with self._lock:
            self._stop = stop
        try:
            yield
        finally:
            with self._lock:
                self._stop = None
