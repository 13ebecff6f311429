"""What is looked at now and then while people have documents open, whatever they do."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Set
from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket

from strata.base import limits
from strata.base.errors import StrataError
from strata.web.live import wire
from strata.web.live.branch import LiveBranch
from strata.web.live.document import LiveDocument
from strata.web.live.presence import PresenceReports
from strata.web.live.sign_in_watch import SignInWatch
from strata.web.live.sockets import End, LiveSocket
from strata.web.shell import Shell

_log = logging.getLogger(__name__)


class Seat(msgspec.Struct, frozen=True, eq=False):
    """A socket at its document."""

    socket: LiveSocket
    live: LiveDocument
    live_branch: LiveBranch
    websocket: WebSocket


class LiveWatch:
    """Rights, sign-ins, pieces for search and presence, each in its own rhythm."""

    def __init__(self, shell: Shell, branches: Mapping[str, LiveBranch], seats: Set[Seat]) -> None:
        self._shell = shell
        self._branches = branches
        self._seats = seats
        self._presence = PresenceReports(shell)
        self._sign_ins = SignInWatch(shell)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to look."""
        rhythms = {
            self._check_rights: limits.LIVE_WATCH_S,
            self._check_sign_ins: limits.LIVE_WATCH_S,
            self._beat: limits.SOCKET_BEAT_S,
            self._settle: limits.LIVE_WATCH_S,
            self._note_presence: limits.LIVE_PRESENCE_S,
        }
        self._tasks = [
            asyncio.create_task(self._repeat(work, pause)) for work, pause in rhythms.items()
        ]

    async def stop(self) -> None:
        """Stop looking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._presence.farewell()

    def joined(self, seat: Seat) -> None:
        """Send a user the presence of users outside of this server."""
        self._presence.joined(seat.live, seat.socket)

    async def left(self, seat: Seat) -> None:
        """Remove a user, and close the live document after the last one."""
        self._presence.left(seat.live_branch, seat.live, seat.socket)
        if not seat.live.sockets:
            await self._close_document(seat.live, seat.live_branch)

    async def _close_document(self, live: LiveDocument, live_branch: LiveBranch) -> None:
        await live_branch.flushed()
        await self._settle_document(live, live_branch)
        if not live.sockets:
            live_branch.documents.pop(live.document, None)

    async def _repeat(self, work: Callable[[], Awaitable[None]], pause: float) -> None:
        while True:
            await asyncio.sleep(pause)
            try:
                await work()
            except Exception:  # noqa: BLE001  (one failure must not end the watch)
                _log.exception("watching over live documents failed once")

    # Rights.

    async def _check_rights(self) -> None:
        """Look again what everybody may do, where nothing is written that would lead to it."""
        for live_branch in list(self._branches.values()):
            await live_branch.check_roles()

    async def _check_sign_ins(self) -> None:
        """Send those away who have signed out, or whose token was revoked."""
        seats = {seat.websocket: seat for seat in self._seats}
        if not seats:
            return
        for websocket in await self._sign_ins.ended(list(seats)):
            seats[websocket].socket.close(End.NOT_SIGNED_IN, "You are no longer signed in.")

    async def _beat(self) -> None:
        """Let every page hear that the server is there: browsers show no pings to a script."""
        for seat in list(self._seats):
            seat.socket.send(wire.notice("beat", {}))

    # What follows from texts.

    async def _settle(self) -> None:
        loop = asyncio.get_running_loop()
        for live_branch in list(self._branches.values()):
            for live in list(live_branch.documents.values()):
                began = loop.time()
                if live.changed is not None and _is_due(*live.changed, now=began):
                    await self._settle_document(live, live_branch)
                    await asyncio.sleep(limits.LIVE_BESIDE_PAUSE * (loop.time() - began))

    async def _settle_document(self, live: LiveDocument, live_branch: LiveBranch) -> None:
        if live.changed is None:
            return
        live.changed = None
        with suppress(StrataError):  # the next search does it then
            await self._shell.run(live_branch.log.settle, [live.document])

    async def _note_presence(self) -> None:
        await self._presence.farewell()
        for live_branch in list(self._branches.values()):
            await self._presence.renew(live_branch)


def _is_due(first: float, last: float, *, now: float) -> bool:
    return now - last > limits.LIVE_SETTLE_S or now - first > limits.LIVE_SETTLE_MAX_S
