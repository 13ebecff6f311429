"""The open documents of one branch: what arrives is gathered, committed, and only then shown.

One task and one thread do all of it in turn. Each turn commits what has gathered in all of them
as one, and looks what others have written meanwhile: tools, commands, other servers.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from strata.access import Role
from strata.base import limits
from strata.base.errors import (
    BranchNotFound,
    LimitExceeded,
    NotAllowed,
    NotFound,
    SecretRefused,
    StrataError,
    UpdateGap,
)
from strata.documents import (
    Arrival,
    ArrivalOutcome,
    Author,
    Difference,
    LiveLog,
    clocks_of,
    without,
)
from strata.web.live import wire
from strata.web.live.document import LiveChange, LiveDocument
from strata.web.live.posts import Post, Posts
from strata.web.live.roles import Roles
from strata.web.live.sockets import End, LiveSocket

T = TypeVar("T")
_log = logging.getLogger(__name__)


class _Verdict(NamedTuple):
    """What became of an update: kept, or refused, or so bad that its socket is closed.

    `update` has what its sender wrote, up to `clocks`; `echoed` are the clocks of what others
    wrote, which the sender sent back.
    """

    outcome: ArrivalOutcome | None = None
    update: bytes = b""
    clocks: dict[int, int] = {}  # noqa: RUF012  (never changed)
    echoed: dict[int, int] = {}  # noqa: RUF012  (never changed)
    error: StrataError | None = None
    end: End | None = None


class _Turn(NamedTuple):
    """What one turn of the thread brought."""

    verdicts: list[_Verdict]
    position: int
    changed: dict[str, set[str]]
    heads: dict[str, int]


class LiveBranch:
    """Every open document of one branch."""

    def __init__(self, branch: str, log: LiveLog, roles: Roles, *, position: int) -> None:
        self.branch = branch
        self.log = log
        self.roles = roles
        self.documents: dict[str, LiveDocument] = {}
        # The names of people, as far as they were asked for.
        self.names: dict[str, str] = {}
        self._position = position
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="strata-live")
        self._posts = Posts()
        self._news = asyncio.Event()
        self._began = 0.0
        # When a user last wrote, here or elsewhere.
        self._active = 0.0
        # How long the last commit took.
        self._took = 0.0
        # When the next commit may have a long update.
        self._long_from = 0.0
        # Set after the next turn.
        self._turned = asyncio.Event()
        # A snapshot of a text, which is made beside the commits.
        self._preparing: asyncio.Task[None] | None = None
        self._asking: set[asyncio.Task[None]] = set()
        # True once the branch itself was deleted.
        self._is_gone = False

    def live_document(self, document: str, version: int) -> LiveDocument:
        """Return a live document, which is at a version at least."""
        live = self.documents.get(document)
        if live is None:
            live = self.documents[document] = LiveDocument(document, version, self.log)
            self._news.set()
        return live

    def post(self, post: Post) -> None:
        """Receive an update of a user; it is committed with the others that are gathered."""
        self._posts.add(post)
        self._news.set()

    async def wait_for_capacity(self, author: Author) -> None:
        """Wait until little enough of an author waits to read more from them."""
        while self._posts.is_full(author) and not self._is_gone:
            await self._turned.wait()

    async def flushed(self) -> None:
        """Wait until everything that was taken so far is in the store, or was refused."""
        goal = self._posts.newest
        while not self._posts.is_done(goal) and not self._is_gone:
            await self._turned.wait()

    async def run(self) -> None:
        """Commit and follow until cancelled, or the branch is deleted."""
        loop = asyncio.get_running_loop()
        hints, unsubscribe = self.log.hints, None
        if hints is not None:
            unsubscribe = hints.subscribe(lambda: loop.call_soon_threadsafe(self._news.set))
        try:
            await self._run(loop)
        finally:
            if unsubscribe is not None:
                unsubscribe()

    async def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._is_gone:
            await self._gather(loop)
            self._began = loop.time()
            self._news.clear()
            numbers, batch = self._posts.next_batch(with_long=self._began >= self._long_from)
            has_long = any(len(post.update) > limits.LIVE_LONG_BYTES for post in batch)
            try:
                await self._turn(batch)
            except StrataError as error:
                self._fail(batch, error)
            except Exception:  # noqa: BLE001  (one bad turn must not end all that follow)
                _log.exception("a turn of the live documents failed")
                self._fail(batch, None)
            now = loop.time()
            self._took = now - self._began if batch else 0.0
            if has_long:
                self._long_from = now + limits.LIVE_LONG_PAUSE * self._took
            self._posts.done(numbers)
            self._prepare_snapshot()
            self._turned.set()
            self._turned = asyncio.Event()

    def _pause_s(self) -> float:
        """Return how long it may wait before it looks what others did.

        While users type it looks often: a hint that comes late must not be noticed.
        """
        hints = self.log.hints
        is_quiet = asyncio.get_running_loop().time() - self._active > limits.LIVE_ACTIVE_S
        is_hinted = is_quiet and hints is not None and hints.is_working
        return limits.LIVE_HINTED_S if is_hinted else limits.LIVE_LOOK_S

    async def _gather(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wait until something has arrived, or it is time to look what others did."""
        if not (self._posts and self._posts.has_next(with_long=loop.time() >= self._long_from)):
            # Without users there is nothing to look for.
            wait = self._pause_s() if self.documents else limits.LIVE_IDLE_S
            look = loop.call_later(wait, self._news.set)
            await self._news.wait()
            look.cancel()
        busy = min(limits.LIVE_GATHER_SHARE * self._took, limits.LIVE_GATHER_MAX_S)
        pause = self._began + max(limits.LIVE_GATHER_S, busy) - loop.time()
        if self._posts and pause > 0:
            await asyncio.sleep(pause)

    async def _turn(self, batch: list[Post]) -> None:
        turn = await self.in_thread(lambda: self._work(batch))
        if batch or turn.changed:
            self._active = asyncio.get_running_loop().time()
        self._tell(batch, turn.verdicts)
        self._position = turn.position
        for document, what in turn.changed.items():
            live = self.documents.get(document)
            if live is not None:
                await self._follow(live, what, turn.heads.get(document))

    def _prepare_snapshot(self) -> None:
        """Begin to make a snapshot that is due, one at a time."""
        if self.log.due is not None and (self._preparing is None or self._preparing.done()):
            self._preparing = asyncio.create_task(self._prepare(self.log.due))

    async def _prepare(self, document: str) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            await asyncio.to_thread(self.log.prepare, document)
            # Documents that are typed in alike are due together.
            await asyncio.sleep(limits.LIVE_BESIDE_PAUSE * (loop.time() - began))
        except StrataError as error:
            # The next commit tries again; one that is long overdue makes its snapshot itself.
            _log.warning("a snapshot of a live document could not be prepared: %s", error)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do something between two turns, and send those away who may not see what it found.

        Permissions are looked at after the work and before anything of it is shown: who lost
        them hears nothing that was written since.
        """

        def looked() -> tuple[T, list[tuple[LiveDocument, LiveSocket, Role | End]]]:
            return work(), self._changed_roles()

        found, changed = await asyncio.get_running_loop().run_in_executor(self._thread, looked)
        for live, socket, role in changed:
            self._apply(live, socket, role)
        return found

    async def check_roles(self) -> None:
        """Check whether the permissions of a user have changed."""
        await self.in_thread(lambda: None)

    async def check_role(self, live: LiveDocument, socket: LiveSocket) -> None:
        """Look up the role of one socket again, whether or not anything about access changed."""

        def look() -> Role | None:
            self.roles.renew()
            return self.roles.of(socket.guest.visitor, live.document)

        role = await self.in_thread(look)
        if role != socket.role:
            self._apply(live, socket, role or End.LOST_RIGHTS)

    def welcome(self, socket: LiveSocket) -> None:
        """Tell a client who it is here; again when that has changed."""
        guest = socket.guest
        user = {"id": guest.author.user, "name": guest.visitor.user.name}
        content = {
            "role": socket.role,
            "branch": self.branch,
            "person": user,
            "colour": guest.colour,
        }
        socket.send(wire.notice("welcome", content))

    def _apply(self, live: LiveDocument, socket: LiveSocket, found: Role | End) -> None:
        if isinstance(found, End):
            socket.close(found, "This document is no longer there for you.")
            return
        could_write = socket.may_write
        socket.role = found
        self.welcome(socket)
        if socket.may_write and not could_write:
            self.again(Post(socket, live, b""))

    # In the thread.

    def _changed_roles(self) -> list[tuple[LiveDocument, LiveSocket, Role | End]]:
        """Return the users whose role has changed or ended."""
        if not self.roles.has_news():
            return []
        found: list[tuple[LiveDocument, LiveSocket, Role | End]] = []
        for document, live in list(self.documents.items()):
            is_there = self.head(document) > 0
            for socket in list(live.sockets):
                role = self.roles.of(socket.guest.visitor, document)
                if not is_there:
                    found.append((live, socket, End.NOT_FOUND))
                elif role != socket.role:
                    found.append((live, socket, role or End.LOST_RIGHTS))
        return found

    def _work(self, batch: list[Post]) -> _Turn:
        verdicts = self._commit(batch) if batch else []
        position, changed = self.log.changed_since(self._position)
        heads: dict[str, int] = {}
        for document, what in changed.items():
            if "text" in what and document in self.documents:
                heads[document] = self.head(document)
        return _Turn(verdicts, position, changed, heads)

    def head(self, document: str) -> int:
        """Return the version of a text; 0 where there is none any more."""
        try:
            return self.log.version(document)
        except NotFound:
            return 0

    def _commit(self, batch: list[Post]) -> list[_Verdict]:
        self.roles.renew()
        verdicts = [self._judge(post) for post in batch]
        let = [at for at, one in enumerate(verdicts) if one.error is None and one.end is None]
        arrivals = [_arrival(batch[at], verdicts[at]) for at in let]
        for at, outcome in zip(let, self._append(arrivals), strict=True):
            end = End.FOREIGN_CLIENT if isinstance(outcome.error, NotAllowed) else None
            verdicts[at] = verdicts[at]._replace(outcome=outcome, error=outcome.error, end=end)
            if isinstance(outcome.error, SecretRefused):
                self.roles.count_refusal(batch[at].socket.guest.visitor, outcome.error)
        return verdicts

    def _judge(self, post: Post) -> _Verdict:
        """Decide whether a user may write this at all."""
        guest = post.socket.guest
        role = self.roles.of(guest.visitor, post.live.document)
        if role is None:
            return _Verdict(end=End.LOST_RIGHTS)
        if role in ("viewer", "commenter"):
            return _Verdict(error=_may_not_write(role))
        try:
            clocks = clocks_of(post.update, most=limits.LIVE_STRUCTS_MAX)
        except StrataError as error:
            return _Verdict(error=error)
        claims = post.live.claims
        unknown = sum(not claims.known(client) for client in clocks)
        if unknown > limits.LIVE_CLIENTS_OF_UPDATE:
            return _Verdict(error=_too_many_clients(unknown))
        echoed = {
            client: clocks.pop(client)
            for client in list(clocks)
            if not claims.claim(client, guest.author)
        }
        update = without(post.update, echoed) if echoed else post.update
        return _Verdict(update=update, clocks=clocks, echoed=echoed)

    def _append(self, arrivals: list[Arrival]) -> list[ArrivalOutcome]:
        """Commit all as one; if something goes wrong that should not, each alone."""
        if not arrivals:
            return []
        try:
            return self.log.append(arrivals)
        except StrataError:
            raise
        except Exception:  # noqa: BLE001  (whatever it is, it is about one of these)
            if len(arrivals) == 1:
                _log.exception("an update could not be kept")
                return [ArrivalOutcome(0, _FAILED)]
            return [self._append([one])[0] for one in arrivals]

    # In the loop.

    def _tell(self, batch: list[Post], verdicts: list[_Verdict]) -> None:
        kept: dict[LiveDocument, list[tuple[Post, _Verdict]]] = {}
        for post, verdict in zip(batch, verdicts, strict=True):
            if verdict.error is not None or verdict.end is not None:
                _refuse(self, post, verdict)
            else:
                kept.setdefault(post.live, []).append((post, verdict))
        now = asyncio.get_running_loop().time()
        for live, posts in kept.items():
            _spread(live, posts, self.names)
            live.changed = (live.changed[0] if live.changed else now, now)

    def _fail(self, batch: Sequence[Post], error: StrataError | None) -> None:
        """Send those away whose updates could not be kept: they come back and send them again."""
        reason = error.message[:100] if error is not None else ""
        if isinstance(error, BranchNotFound):
            self._is_gone = True
            for live in self.documents.values():
                live.close(End.NOT_FOUND, reason)
            return
        _log.warning("live updates could not be kept: %s", error)
        for post in batch:
            post.socket.close(End.TRY_LATER if error else End.FAILED, reason)

    async def _follow(self, live: LiveDocument, what: set[str], head: int | None) -> None:
        """Show in a document what others have written, and tell what else has changed."""
        if "text" in what and head != live.version:
            await self._catch_up(live)
        rest = sorted(what - {"text"})
        if rest:
            live.tell("changed", {"what": rest})

    async def _catch_up(self, live: LiveDocument) -> None:
        document, version = live.document, live.version
        try:
            entries = await self.in_thread(lambda: self.log.entries_after(document, version))
        except NotFound:
            await self._start_over(live)
            return
        owners = {one.client: Author(one.author, one.via) for _version, one in entries}
        owners.pop(0, None)  # an update that only deletes has no id
        await self.learn_names(one.user for one in owners.values())
        live.introduce(owners, self.names)
        live.catch_up(entries)

    async def learn_names(self, people: Iterable[str]) -> None:
        """Look up how people are called who were not heard of before."""
        unknown = set(people) - self.names.keys()
        if unknown:
            self.names.update(await self.in_thread(lambda: self.roles.names_of(unknown)))

    async def _start_over(self, live: LiveDocument) -> None:
        """Send the whole text where parts of its log are gone, or close what is gone itself."""
        try:
            live.start_over(await self.in_thread(lambda: self.log.difference(live.document)))
        except NotFound:
            live.close(End.NOT_FOUND, "The document was removed.")

    # What is asked for.

    def again(self, post: Post) -> None:
        """Ask a client for everything that is missing, after something was missing."""
        task = asyncio.create_task(self.ask(post.socket, post.live))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def ask(self, socket: LiveSocket, live: LiveDocument) -> None:
        """Ask a client for what it has and the store has not."""
        if socket.may_write and not socket.is_asked:
            socket.is_asked = True
            whole = await self.difference(live)
            socket.send(wire.sync(wire.STEP_1, whole.vector))

    async def difference(self, live: LiveDocument, vector: bytes | None = None) -> Difference:
        """Encode the Yjs update a client needs, given its state vector."""
        document = live.document
        async with live.encoding:
            if vector is not None:
                return await self.in_thread(lambda: self.log.difference(document, vector))
            whole = live.whole()
            if whole is None:
                # Loading a long text takes a while, which commits need not wait for. Once it is
                # loaded they have it in hand, and would have to load it again.
                aside = asyncio.to_thread if live.is_cold else self.in_thread
                whole = await aside(lambda: self.log.difference(document))
                live.keep_whole(whole)
                await self.check_roles()
            return whole

    def close(self) -> None:
        """Let go of the thread."""
        self._thread.shutdown(wait=False)


def _refuse(live_branch: LiveBranch, post: Post, verdict: _Verdict) -> None:
    if isinstance(verdict.error, UpdateGap) and post.is_early:
        return  # the answer that is on its way has it, and what is missing
    if verdict.error is not None:
        post.socket.refuse(verdict.error)
    if verdict.end is not None:
        post.socket.close(verdict.end)
    elif isinstance(verdict.error, UpdateGap) and not post.is_whole:
        live_branch.again(post)  # who leaves a gap in all that they have would do so for ever
    elif isinstance(verdict.error, NotFound):
        post.socket.close(End.NOT_FOUND)


def _spread(live: LiveDocument, posts: list[tuple[Post, _Verdict]], names: dict[str, str]) -> None:
    """Show what one commit has kept of a document, and tell everyone what of theirs is safe."""
    outcome = posts[0][1].outcome or ArrivalOutcome(0)
    saved: dict[LiveSocket, dict[str, int]] = {}
    for post, verdict in posts:
        clocks = saved.setdefault(post.socket, {})
        clocks.update((str(client), clock) for client, clock in verdict.clocks.items())
        guest = post.socket.guest
        names.setdefault(guest.author.user, guest.visitor.user.name)
        live.introduce(dict.fromkeys(verdict.clocks, guest.author), names)
    if outcome.version != outcome.before:
        changes = [LiveChange(verdict.update, post.socket) for post, verdict in posts]
        live.spread(changes, before=outcome.before, version=outcome.version)
    for socket, clocks in saved.items():
        socket.send(wire.notice("saved", {"version": outcome.version, "clocks": clocks}))


def _arrival(post: Post, verdict: _Verdict) -> Arrival:
    return Arrival(post.live.document, verdict.update, post.author, verdict.echoed)


def _may_not_write(role: str) -> NotAllowed:
    return NotAllowed(
        f"You may not change this document: you are a {role}.",
        hint="A commenter can suggest changes; ask a user who may share the document for more.",
        role=role,
    )


def _too_many_clients(count: int) -> LimitExceeded:
    most = limits.LIVE_CLIENTS_OF_UPDATE
    return LimitExceeded(
        f"This update brings {count} new ids of clients; one may bring {most}.",
        limit=most,
        size=count,
    )


_FAILED = StrataError("This update could not be kept.", hint="Reload the page.")
