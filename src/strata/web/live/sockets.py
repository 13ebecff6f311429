"""Sockets: who is behind one, and what waits to be sent to them."""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from enum import IntEnum
from typing import Protocol

import msgspec
from starlette.websockets import WebSocketDisconnect

from strata.access import Role
from strata.base import limits
from strata.base.errors import StrataError
from strata.base.pace import Pace
from strata.base.values import Json
from strata.documents import Author
from strata.web.live import wire
from strata.web.shell import Visitor

# What a waiting message takes beside its bytes.
_MESSAGE_BYTES = 128
_MESSAGES_AT_ONCE = 4


class End(IntEnum):
    """Codes for closing a socket; from 4,000 on they are our own."""

    GOING_AWAY = 1001
    NOT_TEXT = 1003
    TOO_LARGE = 1009
    FAILED = 1011
    RESTART = 1012
    TRY_LATER = 1013
    NOT_SIGNED_IN = 4401
    LOST_RIGHTS = 4403
    NOT_FOUND = 4404
    FOREIGN_CLIENT = 4409


class Wire(Protocol):
    """What a socket is sent through."""

    def offer(self, messages: Sequence[bytes], /) -> bool:
        """Send messages at once; False, and nothing sent, if the other side does not read."""
        ...

    async def send_bytes(self, data: bytes) -> None:
        """Send a message; waits while the other side does not read."""
        ...

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Say good-bye."""
        ...


class Guest(msgspec.Struct, frozen=True):
    """Who is behind a socket, as others see them."""

    visitor: Visitor
    author: Author
    session: str
    colour: str

    @property
    def user(self) -> dict[str, Json]:
        """What is shown beside their cursor."""
        shown: dict[str, Json] = {
            "id": self.author.user,
            "name": self.visitor.user.name,
            "color": self.colour,
            "colorLight": f"{self.colour}33",
        }
        return shown if self.author.via is None else {**shown, "via": self.author.via}


class QueuedSocket:
    """A way to one page. Sending never waits: who reads too slowly is sent away."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        # Each with how much it counts against the limit.
        self._waiting: deque[tuple[bytes, int]] = deque()
        self._counted = 0
        self._news = asyncio.Event()
        # Whether a flush will come, and whether `pump` sends what waits instead of it.
        self._is_due = self._is_pumping = False
        self._idle = asyncio.Event()
        self._end: tuple[End, str] | None = None
        self.ended = asyncio.Event()

    def send(self, message: bytes) -> None:
        """Send a message as soon as those before it have gone."""
        if self._end is not None:
            return
        # What waits already counts: one long message alone is no fault of the client.
        if self._counted > limits.LIVE_WAITING_BYTES_MAX:
            self._waiting.clear()
            self._counted = 0
            self.close(End.TRY_LATER, "You read more slowly than others write.")
        else:
            self._put(message, len(message) + _MESSAGE_BYTES)

    async def answer(self, *messages: bytes) -> None:
        """Send what was asked for, however long, and wait until it is on its way."""
        if self._end is None:
            self._idle.clear()
            for message in messages:
                self._put(message, 0)
            await self._idle.wait()

    def _put(self, message: bytes, counted: int) -> None:
        self._waiting.append((message, counted))
        self._counted += counted
        if not self._is_due and not self._is_pumping:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        """Send what one turn of the loop has brought, all at once if the client reads."""
        self._is_due = False
        if self._is_pumping or not self._waiting:
            return
        if self._wire.offer([message for message, _counted in self._waiting]):
            self._waiting.clear()
            self._counted = 0
            self._idle.set()
        else:
            self._leave_to_pump()

    def _leave_to_pump(self) -> None:
        # From now on nothing overtakes what the pump has taken and waits with.
        self._is_pumping = True
        self._news.set()

    def close(self, end: End, reason: str = "") -> None:
        """End it, behind what waits already."""
        if self._end is None:
            self._end = (end, reason)
            self._leave_to_pump()
            loop = asyncio.get_running_loop()
            # A client that does not read does not read this either.
            loop.call_later(limits.LIVE_CLOSE_S, self.ended.set)

    @property
    def is_closing(self) -> bool:
        """Whether nothing more is sent or taken."""
        return self._end is not None

    async def pump(self) -> None:
        """Send what could not be sent at once, until the end."""
        # The client may go at any moment, which is no error.
        with suppress(OSError, RuntimeError, WebSocketDisconnect):
            while self._end is None or self._waiting:
                await self._news.wait()
                self._news.clear()
                await self._drain()
                self._is_pumping = self._end is not None
            await self._wire.close(*self._end)
        self._idle.set()
        self.ended.set()

    async def _drain(self) -> None:
        waiting = self._waiting
        while waiting:
            for _ in range(min(len(waiting), _MESSAGES_AT_ONCE)):
                message, counted = waiting.popleft()
                self._counted -= counted
                await self._wire.send_bytes(message)
            if waiting:
                await asyncio.sleep(0)  # time to notice that the client is gone
        self._idle.set()


class LiveSocket(QueuedSocket):
    """A way to one guest of a document."""

    def __init__(
        self, wire: Wire, guest: Guest, role: Role, *, allowance: "Allowance | None" = None
    ) -> None:
        super().__init__(wire)
        self.guest = guest
        self.role = role
        # Whether the client was asked for what it has, and has not answered yet.
        self.is_asked = False
        # When it last changed the text, by the loop's clock.
        self.wrote = float("-inf")
        self.allowance = allowance or Allowance()

    @property
    def may_write(self) -> bool:
        """Whether changes are taken from here."""
        return self.role not in ("viewer", "commenter")

    def refuse(self, error: StrataError) -> None:
        """Say why something was not taken."""
        self.send(wire.refusal(error))


class Allowance:
    """What all sockets of one user share."""

    def __init__(self) -> None:
        self.sockets = 0
        self.pace = Pace(limits.LIVE_MESSAGES_A_SECOND, limits.LIVE_MESSAGES_AT_ONCE)
        # Held while a text is encoded for one of them: only another one of them waits.
        self.asking = asyncio.Lock()
