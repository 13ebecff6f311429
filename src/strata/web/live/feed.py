"""The feed: one socket a page that tells what was committed, to each user what they may see.

Commits of this process and of others are found in the store alike, by looking a few times a
second while a page listens. What one look finds of one author on one branch is one message.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from strata.access import Grant, access_mark
from strata.base import clock, limits
from strata.base.errors import StrataError
from strata.mcp.serving.bodies import HOLDING
from strata.store import (
    Address,
    CommitRow,
    Visibility,
    commits_after,
    read_signature,
    visible_keys,
)
from strata.tools import Who, who_signed
from strata.web.live.sign_in_watch import SignInWatch
from strata.web.live.sockets import End, QueuedSocket
from strata.web.shell import Shell, Visitor
from strata.workspace import Workspace

_log = logging.getLogger(__name__)
_BEAT = msgspec.json.encode({"beat": True})
_TASKS = msgspec.json.encode({"tasks": True})
_VERSION_DIGITS_MAX = 18
# How pages call what a key is part of; other kinds keep their names.
_OF_DOCUMENTS = ("document", "text", "image", "named", "file")
_KINDS = {
    "kv": "fact",
    "json": "fact",
    "state": "fact",
    "memory": "decision",
    "link": "decision",
    **dict.fromkeys(_OF_DOCUMENTS, "document"),
}
_REVIEW = ("comment", "suggestion")


class _Sight(NamedTuple):
    """What a grant may see and where it lies, as one number, and the mark of access then."""

    mark: object = None
    seen: int = 0


class FeedSeat(msgspec.Struct, eq=False):
    """A page that listens: up to which version it was told everything, and what it may read."""

    socket: QueuedSocket
    websocket: WebSocket
    visitor: Visitor
    told: int
    # What its user may see, and where it lies: the page hears when that changes.
    sight: int
    # What differs when the tasks of its user change.
    tasks: tuple[object, ...]


class _Group(NamedTuple):
    """Commits that one message tells of."""

    branch: str
    who: Who


class _Look(NamedTuple):
    """What one look found: where the store is, messages by grant, and what each grant sees."""

    position: int
    messages: dict[Grant, list[dict[str, Any]]]
    sights: dict[Grant, _Sight]
    # Whether there is more behind it.
    is_cut: bool


class _TextWire:
    """Sends as text what a queue of bytes holds."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    def offer(self, messages: Sequence[bytes]) -> bool:
        del messages
        return False

    async def send_bytes(self, data: bytes) -> None:
        await self._websocket.send_text(data.decode())

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        await self._websocket.close(code, reason)


class Feed:
    """Every page that listens to one server."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._seats: set[FeedSeat] = set()
        self._counts: Counter[str] = Counter()
        self._position = 0
        self._sights: dict[Grant, _Sight] = {}
        self._sign_ins = SignInWatch(shell)
        self._tasks: list[asyncio.Task[None]] = []
        self._is_stopping = False

    # Beginning and end.

    async def start(self) -> None:
        """Begin to look."""
        rhythms = {
            self._look: limits.FEED_LOOK_S,
            self._check_sign_ins: limits.LIVE_WATCH_S,
            self._look_at_tasks: limits.LIVE_WATCH_S,
            self._beat: limits.SOCKET_BEAT_S,
        }
        self._tasks = [
            asyncio.create_task(self._repeat(work, pause)) for work, pause in rhythms.items()
        ]

    async def stop(self) -> None:
        """Say good-bye to every page."""
        self._is_stopping = True
        for seat in list(self._seats):
            seat.socket.close(End.RESTART, "The server is about to stop.")
        if self._seats:
            ends = [asyncio.create_task(seat.socket.ended.wait()) for seat in self._seats]
            await asyncio.wait(ends, timeout=limits.LIVE_CLOSE_S + 1)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _repeat(self, work: Callable[[], Awaitable[None]], pause: float) -> None:
        while True:
            await asyncio.sleep(pause)
            if not self._seats:
                continue
            try:
                await work()
            except Exception:  # noqa: BLE001  (one failure must not end the feed)
                _log.exception("the feed failed once")

    # One socket.

    async def serve(self, websocket: WebSocket) -> None:
        """Serve one page from its first message to its last."""
        visitor = await self._shell.visitor(websocket)
        await websocket.accept()
        if visitor is None:
            await websocket.close(End.NOT_SIGNED_IN)
        elif self._is_stopping:
            await websocket.close(End.RESTART)
        elif self._counts[visitor.user.id] >= limits.FEED_SOCKETS_OF_ONE:
            await websocket.close(End.TRY_LATER)
        else:
            websocket.scope["state"][HOLDING].belong_to(visitor.user.id)
            self._counts[visitor.user.id] += 1
            try:
                await self._attend(websocket, visitor)
            finally:
                self._counts[visitor.user.id] -= 1

    async def _attend(self, websocket: WebSocket, visitor: Visitor) -> None:
        after = _version(websocket.query_params.get("after"))
        try:
            seat = await self._sit_down(websocket, visitor, after)
        except StrataError as error:
            _log.warning("a page could not follow the feed: %s", error)
            await websocket.close(End.TRY_LATER)
            return
        pump = asyncio.create_task(seat.socket.pump())
        read = asyncio.create_task(_drop_messages(websocket))
        end = asyncio.create_task(seat.socket.ended.wait())
        try:
            await asyncio.wait({read, end}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._seats.discard(seat)
            for task in (pump, read, end):
                task.cancel()
            await asyncio.wait({pump, read, end})

    async def _sit_down(
        self, websocket: WebSocket, visitor: Visitor, after: int | None
    ) -> FeedSeat:
        """Tell a page where the store is, and what it missed; from then on it hears the rest."""
        grant = visitor.grant
        found = await self._shell.run(self._resume, grant, after)
        socket = QueuedSocket(_TextWire(websocket))
        marks = await self._shell.run(self._marks, {visitor.user.id})
        mark = marks[visitor.user.id]
        seat = FeedSeat(socket, websocket, visitor, 0, found.sights[grant].seen, mark)
        socket.send(msgspec.json.encode({"hello": True, "version": found.position}))
        _tell(seat, found)
        if not self._seats:
            self._position = found.position
        while seat.told < self._position:  # others were told of it meanwhile
            _tell(seat, await self._shell.run(self._read, (grant,), seat.told))
        self._seats.add(seat)
        return seat

    # What is looked at.

    async def _look(self) -> None:
        grants = {seat.visitor.grant for seat in self._seats}
        found = await self._shell.run(self._read, tuple(grants), self._position)
        self._position = found.position
        self._sights = dict(found.sights)
        for seat in list(self._seats):
            # One that came while this was looked for hears of it with the next look.
            if seat.visitor.grant in found.messages:
                _tell(seat, found)

    async def _look_at_tasks(self) -> None:
        """Tell pages whose user's tasks have changed: the queue is no part of any commit."""
        seats = [seat for seat in self._seats if seat.visitor.grant.permits("agents")]
        marks = await self._shell.run(self._marks, {seat.visitor.user.id for seat in seats})
        for seat in seats:
            mark = marks[seat.visitor.user.id]
            if mark != seat.tasks:
                seat.tasks = mark
                seat.socket.send(_TASKS)

    async def _check_sign_ins(self) -> None:
        seats = {seat.websocket: seat for seat in self._seats}
        for websocket in await self._sign_ins.ended(list(seats)):
            seats[websocket].socket.close(End.NOT_SIGNED_IN, "You are no longer signed in.")

    async def _beat(self) -> None:
        for seat in list(self._seats):
            seat.socket.send(_BEAT)

    # In a thread.

    def _marks(self, users: set[str]) -> dict[str, tuple[object, ...]]:
        queue = self._shell.host.db.agents.queue
        return {user: queue.mark(user) for user in users}

    def _resume(self, grant: Grant, after: int | None) -> _Look:
        """Return what a page has missed since a version; too much is fetched anew."""
        found = self._read((grant,), after)
        if not found.is_cut and (after is None or after <= found.position):
            return found
        newest = self._shell.host.db.rights.store.last_version()
        anew = {grant: [{"refetch": True, "version": newest}]}
        return found._replace(position=newest, messages=anew)

    def _read(self, grants: Sequence[Grant], after: int | None) -> _Look:
        """Return what was committed after a version, or since now, as each grant may see it."""
        db = self._shell.host.db
        store = db.rights.store
        most = limits.FEED_COMMITS_MAX
        rows = [] if after is None else commits_after(store, after, limit=most + 1)
        newest = rows[-1].version if rows else store.last_version()
        position = newest if rows or after is None else min(after, newest)
        messages: dict[Grant, list[dict[str, Any]]] = {}
        sights: dict[Grant, _Sight] = {}
        mark = access_mark(store)
        for grant in grants:
            sights[grant], messages[grant] = _Sight(), []
            with suppress(StrataError):  # removed a moment ago; its sign-in ends too
                sights[grant] = self._sight(grant, mark)
                messages[grant] = _messages(db, rows, db.serving.visibility(grant))
        return _Look(position, messages, sights, is_cut=len(rows) > most)

    def _sight(self, grant: Grant, mark: object) -> _Sight:
        """Return what a grant may see; it is read again when something about access changed."""
        known = self._sights.get(grant)
        if known is not None and known.mark == mark:
            return known
        rights = self._shell.host.db.serving.as_granted(grant).rights
        found = (frozenset(rights.visible().items()), rights.surroundings())
        self._sights[grant] = known = _Sight(mark, hash(found))
        return known


def _tell(seat: FeedSeat, found: _Look) -> None:
    """Tell a page what it was not told yet."""
    grant = seat.visitor.grant
    for message in found.messages[grant]:
        if message["version"] > seat.told or "refetch" in message:
            seat.socket.send(msgspec.json.encode(message))
    seat.told = max(seat.told, found.position)
    if found.sights[grant].seen != seat.sight:
        seat.sight = found.sights[grant].seen
        seat.socket.send(msgspec.json.encode({"access": True}))


def _messages(
    db: Workspace, rows: Sequence[CommitRow], visibility: Visibility
) -> list[dict[str, Any]]:
    """Return what to tell of commits; a page that would be told too much fetches anew."""
    store = db.rights.store
    groups: dict[_Group, tuple[CommitRow, list[Address]]] = {}
    for row in rows:
        keys = visible_keys(store, row, most=limits.FEED_KEYS_LOOKED_AT, visibility=visibility)
        if keys:
            group = _Group(
                store.catalog.by_id(row.branch).name, who_signed(db, read_signature(row.actor))
            )
            groups[group] = (row, [*groups.get(group, (row, []))[1], *keys])
    if len(groups) > limits.FEED_MESSAGES_MAX or (groups and len(rows) > limits.FEED_COMMITS_MAX):
        return [{"refetch": True, "version": max(row.version for row, _keys in groups.values())}]
    told = (_message(group, row, keys) for group, (row, keys) in groups.items())
    return sorted(told, key=lambda message: message["version"])


def _message(group: _Group, row: CommitRow, keys: Iterable[Address]) -> dict[str, Any]:
    named = list(dict.fromkeys(_named(at) for at in keys))
    return {
        "version": row.version,
        "branch": group.branch,
        "who": group.who,
        "time": clock.iso(row.timestamp),
        "kinds": sorted({kind for kind, _id in named}),
        "keys": [{"kind": kind, "id": id_} for kind, id_ in named[: limits.FEED_KEYS_MAX]],
        "more": len(named) > limits.FEED_KEYS_MAX,
    }


def _named(address: Address) -> tuple[str, str]:
    """Return what a page calls a key: its kind, and the id that the address of its screen needs."""
    space, kind, key = address
    if kind in _OF_DOCUMENTS or kind in _REVIEW:
        return _KINDS.get(kind, kind), key.partition("/")[0]
    if kind in ("memory", "link"):
        return "decision", key
    if kind == "event" and key.isdecimal():
        return kind, f"{space}/{int(key)}"
    return _KINDS.get(kind, kind), f"{space}/{key}"


def _version(text: str | None) -> int | None:
    is_number = text is not None and text.isascii() and text.isdigit()
    return int(text) if text and is_number and len(text) <= _VERSION_DIGITS_MAX else None


async def _drop_messages(websocket: WebSocket) -> None:
    """Read until the page goes; it has nothing to say, and is not read quickly if it talks."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            if (await websocket.receive())["type"] == "websocket.disconnect":
                return
            await asyncio.sleep(limits.FEED_LOOK_S)
