"""The workspace: one opened store and everything joined to it."""

import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from strata.access import Cap, Person
from strata.base import clock, limits
from strata.base.checks import check_number, check_text
from strata.base.errors import InvalidArgument, TransactionConflict
from strata.decisions import RIVALS, Decisions, Projection
from strata.decisions import SPACE as DECISIONS
from strata.memory import Filter
from strata.search import Answer, Hit, Mode, Query, TextIndexer, look, newest
from strata.secrets import SecretMode, SecretScreen, check_mode
from strata.sql import Database, Durability
from strata.store import (
    DEFAULT_BRANCH,
    DEFAULT_SPACE,
    Header,
    Instant,
    Store,
    Transaction,
    View,
    settle,
)
from strata.workspace.advice import advisor_of
from strata.workspace.branches import Branches
from strata.workspace.embedding import EmbeddingRoom
from strata.workspace.finding import ViewSearch, as_query, first_moment
from strata.workspace.followers import AutoEmbed, Followers
from strata.workspace.locate import locate_store, make_folder
from strata.workspace.rooms import OpenTransaction, WorkspaceTransaction
from strata.workspace.serving import Serving
from strata.workspace.settings import Settings, zone_of
from strata.workspace.together import REVIEWED, WithPeople
from strata.workspace.trust_notes import note_made

T = TypeVar("T")


class Workspace(WithPeople):
    """An opened store, seen from a branch, a space and perhaps a past moment.

    Made by `strata.open()`; `on`, `at` and `space` give other views of the same store.
    Safe to use from several threads, and from several processes on one file.
    """

    def __repr__(self) -> str:
        place = "in memory" if self.path is None else repr(str(self.path))
        past = "" if self.as_of is None else f", as of {self.as_of.iso_time}"
        return (
            f"<strata.Workspace {place}, branch {self.branch!r}, space {self.space_name!r}{past}>"
        )

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

        `when` is a time in any form, a `timedelta` ago, a version, or `tag:NAME`. Numbers from
        10^9 on are POSIX seconds, from 10^12 on milliseconds, from 10^15 on microseconds; a
        version that does not exist yet is refused. `as_of` tells the point that was found. A tag
        shows its own branch, unless it lies in this one's history.

        >>> first = db.kv.put("k", "before").version
        >>> _ = db.kv.put("k", "after")
        >>> db.at(first).kv.get("k").value
        'before'
        """
        row, instant = self._locate(when)
        branch_id = row.id if row.deleted is not None else None
        return self._sibling(branch=row.name, instant=instant, branch_id=branch_id)

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
        self._view.check_name(actor, "actor")
        return self._sibling(actor=actor)

    def allowing_secrets(self) -> "Workspace":
        """Return a view that keeps keys, tokens and passwords as they are.

        Elsewhere they are refused or masked, as the setting `secrets` says.

        >>> dsn = "postgres://app:" + "tr0ub4dor" + "@db/app"
        >>> db.allowing_secrets().kv.put("dsn", dsn).version
        1
        """
        return self._sibling(screened=False)

    def _sibling(self, **changes: object) -> "Workspace":
        settings: dict[str, object] = {
            "branch": self._view.branch,
            "space": self._view.space,
            "actor": self._view.actor,
            "instant": self._view.instant,
            "screened": self._view.screened,
        }
        view = View(self._store, **(settings | changes))  # pyright: ignore[reportArgumentType]
        other = self._over(view)
        other._person, other._cap, other._is_whole = self._person, self._cap, self._is_whole
        return other

    def _over(self, view: View) -> "Workspace":
        other = Workspace(view, self._followers, timezone=self._timezone)
        other._is_view = True
        return other

    def _acting_for(self, person: Person | None, cap: Cap) -> "Workspace":
        other = self._over(self._view)
        other._person, other._cap, other._is_whole = person, cap, False
        return other

    # Parts.

    @cached_property
    def branches(self) -> Branches:
        """Lines of work: fork, diff, merge."""
        return Branches(self._view, self._resolve_on, self._locate, sight=self._sight)

    @cached_property
    def serving(self) -> "Serving[Workspace]":
        """What only a program needs that serves the store to others."""
        return Serving(
            self._store, self.settings, acting_for=self._acting_for,
            as_user=lambda user, cap: self.as_user(user, cap=cap), confined=self._confined,
        )  # fmt: skip

    def _confined(self) -> "Workspace":
        return self if not self._is_whole else self._acting_for(self._person, self._cap)

    @cached_property
    def embeddings(self) -> EmbeddingRoom:
        """The vectors behind search by meaning."""
        return EmbeddingRoom(self._followers, is_whole=self._is_whole)

    @cached_property
    def decisions(self) -> Decisions:
        """What was decided, why, and what came of it."""

        def find(query: str, k: int, *, waits: bool = True) -> Sequence[Hit]:
            text = query[: limits.QUERY_BYTES_MAX // 4]
            mode: Mode = "auto" if waits or self._followers.loaders.are_ready() else "keyword"
            asked = Query(text, k, (DECISIONS,), ("memory",), mode=mode)
            return self._followers.search.find(self._view.snapshot, asked).hits

        return Decisions(self._view, find, self._followers.graphs, linker=self._followers.linker)

    def search(
        self,
        query: str,
        limit: int = 10,
        *,
        spaces: Iterable[str] | None = None,
        kinds: Iterable[str] | None = None,
        tags: Iterable[str] = (),
        since: clock.When | None = None,
        until: clock.When | None = None,
        branch: str | None = None,
        at: clock.When | None = None,
        mode: Mode = "auto",
        expand: bool = False,
        rerank: bool = False,
        filter: Iterable[Filter] | None = None,
    ) -> Answer:
        """Return the things that answer a question best, at most `limit`, in any language.

        Looks through facts, JSON values, cells, events and decisions of all spaces, on this
        branch or another, now or `at` a time; `db.documents.find` searches documents. `tags`
        must all be carried; `since` and `until` are times of writing; `filter` tests members of
        the value, as in `db.vectors.search`. `expand` and `rerank` ask the language model that
        the settings name, if they name one.

        >>> _ = db.kv.put("deploy", "배포는 금요일에 하지 않는다")
        >>> _ = db.kv.put("cache", "Prices are cached for sixty seconds")
        >>> [hit.key for hit in db.search("how long do we cache a price?")]
        ['cache']
        >>> db.search("금요일 배포")[0].snippet
        '배포는 금요일에 하지 않는다'
        """
        here = self if branch is None else self.on(branch)
        here = here if at is None else here.at(at)
        asked = as_query(
            query, k=limit, namespaces=spaces, kinds=kinds, tags=tags,
            since=None if since is None else here.time_of(first_moment(since)),
            until=None if until is None else here.time_of(until),
            mode=mode, filter=filter,
        )  # fmt: skip
        finder = ViewSearch(here._view, self._followers.search, lambda: advisor_of(self.settings))
        return finder.find(asked, expand=expand, rerank=rerank)

    def glance(self, text: str | None = None, limit: int = 5) -> tuple[Hit, ...]:
        """Return what the newest texts say about something, by words; without one, the newest.

        For whoever must answer at once and will not ask again: it loads and keeps nothing, looks
        at the newest few thousand texts and returns only what is likely meant, often nothing.
        `search` looks everywhere.

        >>> _ = db.kv.put("cache", "Prices are cached for sixty seconds")
        >>> [hit.key for hit in db.glance("are the prices cached?")]
        ['cache']
        >>> db.glance("rename this variable")
        ()
        """
        check_number(limit, name="limit", most=limits.SEARCH_RESULTS_MAX)
        snapshot = self._view.snapshot
        return (
            newest(snapshot, limit)
            if text is None
            else look(snapshot, check_text(text, name="text"), limit)
        )

    def public_address(self, path: str, *, server: str | None = None) -> str:
        """Return where everybody finds a public page; the path alone where no server is known.

        The setting `public_url` counts first, then `server`, then one that runs now.

        >>> db.settings.set("public_url", "https://notes.example.com/")
        >>> db.public_address("/@ann/plan")
        'https://notes.example.com/@ann/plan'
        """
        told = self.settings.get("public_url") or server or self.serving.uploads().servers.find()
        return str(told or "").rstrip("/") + path

    # Transactions.

    @contextmanager
    def transaction(
        self, *, message: str | None = None, actor: str | None = None, read_only: bool = False
    ) -> Generator[WorkspaceTransaction]:
        """Do many things as one commit; an exception undoes all of them.

        Reads see one state and the changes made so far. If anything that was read has
        changed by the end, TransactionConflict is raised and nothing is written.

        >>> with db.transaction(message="move", actor="me") as tx:
        ...     _ = tx.kv.put("a", 1)
        ...     _ = tx.kv.put("b", 2)
        >>> db.log(limit=1)[0].message
        'move'
        """
        transaction = self._begin(message, actor, read_only=read_only)
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

    def begin(
        self, *, message: str | None = None, actor: str | None = None, read_only: bool = False
    ) -> OpenTransaction:
        """Begin a transaction that ends by its own `commit` or `rollback`, in any thread.

        >>> tx = db.begin(message="by hand")
        >>> _ = tx.kv.put("k", 1)
        >>> db.kv.get("k") is None
        True
        >>> _ = tx.commit()
        >>> db.log(limit=1)[0].message
        'by hand'
        """
        transaction = self._begin(message, actor, read_only=read_only)
        return OpenTransaction(
            transaction, self._matrices, space=self._view.space, reads_only=read_only
        )

    def _begin(self, message: str | None, actor: str | None, *, read_only: bool) -> Transaction:
        view = self._view
        view.check_name(actor, "actor")
        header = Header(
            "transaction", actor if actor is not None else view.actor, view.message(message)
        )
        if not read_only:
            view.check_writable()
        return Transaction(view.snapshot, header, locked=False, screen=view.screen)

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
        for attempt in range(check_number(attempts, name="attempts")):
            try:
                with self.transaction(message=message, actor=actor) as transaction:
                    return work(transaction)
            except TransactionConflict:
                if attempt == attempts - 1:
                    raise
                time.sleep(min(0.001 * 2**attempt, 0.05) * (0.5 + os.urandom(1)[0] / 256))
        raise AssertionError("the last attempt returns or raises")

    def interrupt(self) -> None:
        """Stop the statements that other threads run now; they raise Interrupted.

        >>> db.interrupt()
        """
        self._store.database.interrupt()

    @contextmanager
    def time_limit(self, seconds: float) -> Generator[None]:
        """Stop this thread's statement when the block takes longer.

        >>> with db.time_limit(5):
        ...     _ = db.kv.list()
        """
        connection = self._store.connection()
        timer = threading.Timer(seconds, connection.interrupt)
        timer.daemon = True
        connection.limit_time(seconds)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            connection.limit_time(None)

    # A view of another workspace leaves the store open at the end of a `with` block.
    _is_view = False

    def close(self) -> None:
        """Close the store in this process; every view of it is closed too.

        At the end of a `with` block this is done for what `strata.open` returned, and not for
        views of it such as `db.on("try")`.

        >>> db.close()
        """
        self._followers.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._is_view:
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
    text_index: bool = True,
    auto_embed: AutoEmbed = True,
    secrets: SecretMode | None = None,
) -> Workspace:
    """Open a store, making it unless `create` is False.

    Without a path it is the one of the project one works in. `always` syncs every commit
    to the disk, `standard` survives a killed program but may lose the last commits when
    the power fails, `cache` keeps everything in memory and forgets it at the end. Vectors for
    search by meaning are made in the background, unless `auto_embed` is False; a program that
    ends soon says "before_search", and its first search makes pending ones for up to a second
    before it answers. With `text_index` False, what is written here is not found by any search.
    `secrets` says what is done with keys, tokens and passwords: refuse, mask or allow; without
    it, the setting does.
    """
    if durability not in ("always", "standard", "cache"):
        raise InvalidArgument(
            f"{durability!r} is no durability.", hint="Use always, standard or cache.",
            parameter="durability",
        )  # fmt: skip
    if path == ":memory:":
        raise InvalidArgument(
            "A store in memory has no path.",
            hint='Open it with durability="cache" and without a path.',
            parameter="path",
        )
    if timezone is not None:
        clock.parse_time("now", now=0, timezone=timezone)
    if secrets is not None:
        check_mode(secrets)
    place = None
    if durability != "cache":
        place = locate_store(path).path
        if create and not read_only:
            make_folder(place)
    database = Database(place, durability=durability, read_only=read_only, create=create)
    try:
        indexer = TextIndexer() if text_index else None
        store = Store(database, indexer=indexer, projector=Projection(), rivals=RIVALS | REVIEWED)
        store.before_close.append(partial(settle, store))
        if database.was_empty:
            note_made(store)
        store.screen = SecretScreen(lambda: secrets or check_mode(Settings(store).get("secrets")))
        store.zone = lambda: timezone or zone_of(Settings(store))
        view = View(store, branch=branch, space=space, actor=actor)
        view.check_name(actor, "actor")
    except BaseException:
        database.discard_new()
        raise
    return Workspace(
        view, Followers(store, auto_embed=text_index and auto_embed), timezone=timezone
    )
