"""Sockets of live documents: who may open one, what arrives on it, and how all of them end."""

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from strata.access import Role
from strata.base import limits
from strata.base.errors import NotFound, StrataError
from strata.base.ids import new_id
from strata.documents import NOTHING, Author
from strata.mcp.serving.bodies import HOLDING, SEND_AT_ONCE
from strata.web.live import wire
from strata.web.live.branch import LiveBranch
from strata.web.live.document import authors_notice
from strata.web.live.feed import Feed
from strata.web.live.posts import Post
from strata.web.live.roles import Roles
from strata.web.live.sockets import Allowance, End, Guest, LiveSocket
from strata.web.live.watching import LiveWatch, Seat
from strata.web.shell import Shell, Visitor

_log = logging.getLogger(__name__)


def live_routes(shell: Shell) -> Sequence[BaseRoute]:
    """Return the routes of the sockets, which live and end with the server."""
    live, feed = Live(shell), Feed(shell)
    shell.starting += [live.start, feed.start]
    shell.stopping += [live.stop, feed.stop]
    return [
        WebSocketRoute("/live/feed", feed.serve),
        WebSocketRoute("/live/{document}", live.serve),
    ]


class _Admitted(NamedTuple):
    """A user who may open a document: with which role, and on which branch."""

    visitor: Visitor
    role: Role
    branch: str
    version: int
    colour: str


class _Wire:
    """Sends several messages by one system call where the server can."""

    def __init__(self, websocket: WebSocket) -> None:
        self._at_once: Callable[[Sequence[bytes]], bool] = websocket.scope["state"][SEND_AT_ONCE]
        self.send_bytes = websocket.send_bytes
        self.close = websocket.close

    def offer(self, messages: Sequence[bytes]) -> bool:
        return self._at_once(messages)


class Live:
    """Everything that is live on one server."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._branches: dict[str, LiveBranch] = {}
        self._runs: dict[str, asyncio.Task[None]] = {}
        self._opening = asyncio.Lock()
        self._seats: set[Seat] = set()
        self._allowances: dict[str, Allowance] = {}
        self._watch = LiveWatch(shell, self._branches, self._seats)
        self._is_stopping = False
        self._switching_s = sys.getswitchinterval()

    # Beginning and end.

    async def start(self) -> None:
        """Start watching for users."""
        # Each message that is sent lets another thread have the interpreter. One that commits
        # would keep it for as long as this, and everybody would wait for each message so long.
        self._switching_s = sys.getswitchinterval()
        sys.setswitchinterval(limits.LIVE_SWITCH_S)
        self._watch.start()

    async def stop(self) -> None:
        """Keep what was taken, then say good-bye to everybody."""
        self._is_stopping = True
        with suppress(TimeoutError):
            async with asyncio.timeout(limits.LIVE_STOP_S):
                for live_branch in list(self._branches.values()):
                    await live_branch.flushed()
        for seat in list(self._seats):
            seat.socket.close(End.RESTART, "The server is about to stop.")
        await self._emptied()
        await self._watch.stop()
        for branch in list(self._branches):
            await self._close_branch(branch)
        sys.setswitchinterval(self._switching_s)

    async def _emptied(self) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + limits.LIVE_CLOSE_S + 1
        while self._seats and loop.time() < until:  # noqa: ASYNC110  (a stop is rare)
            await asyncio.sleep(0.01)

    async def _close_branch(self, branch: str) -> None:
        live_branch, run = self._branches.pop(branch), self._runs.pop(branch)
        with suppress(StrataError):
            await self._shell.run(live_branch.log.settle, set(live_branch.documents))
        run.cancel()
        live_branch.close()

    # One socket.

    async def serve(self, websocket: WebSocket) -> None:
        """Serve one socket from its first message to its last."""
        visitor = await self._shell.visitor(websocket)
        if visitor is None:
            await _turn_away(websocket, End.NOT_SIGNED_IN)
        elif not visitor.reads:
            await _turn_away(websocket, End.LOST_RIGHTS)
        elif self._is_stopping:
            await _turn_away(websocket, End.RESTART)
        else:
            await self._serve_visitor(websocket, visitor)

    async def _serve_visitor(self, websocket: WebSocket, visitor: Visitor) -> None:
        user = visitor.user.id
        websocket.scope["state"][HOLDING].belong_to(user)
        allowance = self._allowances.setdefault(user, Allowance())
        if allowance.sockets >= limits.LIVE_SOCKETS_OF_ONE:
            await _turn_away(websocket, End.TRY_LATER)
            return
        # Counted before anything is waited for: many may be on their way at once.
        allowance.sockets += 1
        try:
            admitted = await self._admit(websocket, visitor)
            if isinstance(admitted, End):
                await _turn_away(websocket, admitted)
            else:
                await self._serve_seat(websocket, admitted, allowance)
        finally:
            allowance.sockets -= 1
            if not allowance.sockets:
                self._allowances.pop(user, None)

    async def _serve_seat(
        self, websocket: WebSocket, admitted: _Admitted, allowance: Allowance
    ) -> None:
        await websocket.accept()
        seat = await self._sit_down(websocket, admitted, allowance)
        try:
            # The role was looked up before the socket was listed: no later check would notice
            # a change between the two.
            await seat.live_branch.check_role(seat.live, seat.socket)
            await self._attend(websocket, seat)
        finally:
            await self._get_up(seat)

    async def _admit(self, websocket: WebSocket, visitor: Visitor) -> _Admitted | End:
        """Find out whether the document is there for a visitor."""
        document = websocket.path_params["document"]
        branch = websocket.query_params.get("branch") or None
        try:
            return await self._shell.run(self._look, visitor, document, branch)
        except NotFound:
            return End.NOT_FOUND
        except StrataError as error:
            _log.warning("a live document could not be opened: %s", error)
            return End.TRY_LATER

    def _look(self, visitor: Visitor, document: str, branch: str | None) -> _Admitted:
        db = self._shell.db_for(visitor, branch)
        role = db.rights.require(document)
        version = db.documents.live().version(document)
        colour = db.presence.colour(_author(visitor).via)
        return _Admitted(visitor, role, db.branch, version, colour)

    async def _sit_down(
        self, websocket: WebSocket, admitted: _Admitted, allowance: Allowance
    ) -> Seat:
        document: str = websocket.path_params["document"]
        live_branch = await self._branch_of(admitted.branch)
        live = live_branch.live_document(document, admitted.version)
        visitor = admitted.visitor
        guest = Guest(visitor, _author(visitor), new_id("live"), admitted.colour)
        socket = LiveSocket(_Wire(websocket), guest, admitted.role, allowance=allowance)
        seat = Seat(socket, live, live_branch, websocket)
        self._seats.add(seat)
        live_branch.welcome(socket)
        live.greet(socket)
        self._watch.joined(seat)
        return seat

    async def _branch_of(self, branch: str) -> LiveBranch:
        async with self._opening:
            live_branch = self._branches.get(branch)
            if live_branch is None:
                log = self._shell.host.db.on(branch).documents.live()
                position = await self._shell.run(log.position)
                live_branch = LiveBranch(branch, log, Roles(self._shell), position=position)
                self._branches[branch] = live_branch
                run = self._runs[branch] = asyncio.create_task(live_branch.run())
                run.add_done_callback(lambda _run: self._forget(live_branch))
            return live_branch

    def _forget(self, live_branch: LiveBranch) -> None:
        """Drop the open documents of a deleted branch; there may be another of its name."""
        if self._branches.get(live_branch.branch) is live_branch:
            del self._branches[live_branch.branch], self._runs[live_branch.branch]

    async def _get_up(self, seat: Seat) -> None:
        seat.live.leave(seat.socket)
        try:
            await self._watch.left(seat)
        finally:
            self._seats.discard(seat)

    async def _attend(self, websocket: WebSocket, seat: Seat) -> None:
        """Read and send until either side has enough."""
        socket = seat.socket
        pump = asyncio.create_task(socket.pump())
        read = asyncio.create_task(self._read(websocket, seat))
        end = asyncio.create_task(socket.ended.wait())
        try:
            await asyncio.wait({read, end}, return_when=asyncio.FIRST_COMPLETED)
            if read.done() and (failure := read.exception()) is not None:
                _log.error("a live socket failed", exc_info=failure)
                socket.close(End.FAILED)
                await socket.ended.wait()
        finally:
            for task in (pump, read, end):
                task.cancel()
            await asyncio.wait({pump, read, end})

    async def _read(self, websocket: WebSocket, seat: Seat) -> None:
        socket, loop = seat.socket, asyncio.get_running_loop()
        while not socket.is_closing:
            received = await websocket.receive()
            if received["type"] == "websocket.disconnect":
                return
            data = received.get("bytes")
            if data is None:
                socket.close(End.NOT_TEXT, "Messages are binary.")
                break
            await self._hear(seat, data)
            # Also without a pause: others have their turn between two messages.
            await asyncio.sleep(socket.allowance.pace.pause(loop.time(), _weight(data)))
        await socket.ended.wait()

    # One message.

    async def _hear(self, seat: Seat, data: bytes) -> None:
        try:
            message = wire.read_message(data)
            if message.kind == wire.SYNC and message.step == wire.STEP_1:
                await self._answer(seat, message.body)
            elif message.kind == wire.SYNC:
                await self._receive_update(seat, message)
            elif message.kind == wire.AWARENESS:
                await self._hear_states(seat, message.body)
            elif message.kind == wire.QUERY_AWARENESS:
                states = seat.live.awareness.present()
                await seat.socket.answer(wire.awareness(wire.write_states(states)))
        except NotFound:
            seat.socket.close(End.NOT_FOUND, "The document was removed.")
        except StrataError as error:
            seat.socket.refuse(error)

    async def _answer(self, seat: Seat, vector: bytes) -> None:
        """Send the update that a client needs, and ask for what it has."""
        is_empty = vector == b"\0"
        async with seat.socket.allowance.asking:
            found = await seat.live_branch.difference(seat.live, None if is_empty else vector)
        messages = [wire.sync(wire.STEP_2, found.update)]
        if seat.socket.may_write:
            seat.socket.is_asked = True
            messages.append(wire.sync(wire.STEP_1, found.vector))
        await seat.socket.answer(*messages)
        await self._introduce(seat, found.vector)

    async def _introduce(self, seat: Seat, vector: bytes) -> None:
        """Send a client the authors of the text."""
        live, live_branch = seat.live, seat.live_branch
        unknown = wire.read_vector(vector).keys() - live.authors.keys()
        if unknown:
            some = sorted(unknown)[: limits.LIVE_AUTHORS_MAX]
            owners = await self._shell.run(live.claims.owners, some)
            await live_branch.learn_names(one.user for one in owners.values())
            live.authors.update(owners)
        if live.authors:
            seat.socket.send(
                wire.notice("authors", authors_notice(live.authors, live_branch.names))
            )

    async def _receive_update(self, seat: Seat, message: wire.Message) -> None:
        """Queue an update for the next commit, if there is anything in it."""
        socket = seat.socket
        is_whole = message.step == wire.STEP_2
        if is_whole:
            socket.is_asked = False
        if message.body == NOTHING:
            return
        socket.wrote = asyncio.get_running_loop().time()
        early = socket.is_asked
        # Before it is taken: what was taken is kept, also when its sender has gone.
        await seat.live_branch.wait_for_capacity(socket.guest.author)
        seat.live_branch.post(
            Post(socket, seat.live, message.body, is_early=early, is_whole=is_whole)
        )

    async def _hear_states(self, seat: Seat, body: bytes) -> None:
        """Take what a client says of itself; what it repeats of others is passed over."""
        live, socket = seat.live, seat.socket
        for raw in wire.split_states(body, len(live.awareness) + limits.LIVE_CLIENTS_OF_ONE):
            if await self._is_mine(seat, raw):
                state = raw.decode()
                wire.check_state(state)
                live.hear(socket, state)

    async def _is_mine(self, seat: Seat, raw: wire.RawState) -> bool:
        live, socket = seat.live, seat.socket
        claims, author = live.claims, socket.guest.author
        if not live.awareness.may_speak(socket, raw.client):
            return False
        if claims.known(raw.client):
            return claims.is_of(raw.client, author)
        # A client without a clock says nothing yet: it need not be looked up.
        if raw.is_leaving or not raw.clock:
            return False
        return await self._shell.run(claims.claim, raw.client, author)


async def _turn_away(websocket: WebSocket, end: End) -> None:
    """Let a client in for as long as it takes to say why it has to go."""
    await websocket.accept()
    await websocket.close(end)


def _weight(data: bytes) -> float:
    """Return how much a message counts: updates wait in a queue of their own, by their size."""
    return 1.0 if data[:1] == _SYNC else 1.0 + len(data) / limits.LIVE_MESSAGE_BYTES


_SYNC = bytes((wire.SYNC,))


def _author(visitor: Visitor) -> Author:
    """Return the author for a visitor; an agent is named beside the user it writes for."""
    is_page = visitor.browser is not None or not visitor.grant.principal
    return Author(visitor.user.id, None if is_page else visitor.grant.who)
