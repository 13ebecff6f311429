"""Sending never waits, who is slow is sent away, and who is quick is slowed down."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from strata.access import EVERYTHING, User
from strata.base import limits
from strata.base.pace import Pace
from strata.documents import Author
from strata.web.live.sockets import End, Guest, LiveSocket
from strata.web.shell import Visitor


class Wire:
    """What a socket writes to; it can be held up."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.offers = 0
        self.closed: tuple[Any, ...] | None = None
        self.free = asyncio.Event()
        self.free.set()

    def offer(self, messages: Sequence[bytes]) -> bool:
        if self.free.is_set():
            self.sent += messages
            self.offers += 1
        return self.free.is_set()

    async def send_bytes(self, data: bytes) -> None:
        await self.free.wait()
        self.sent.append(data)

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        await self.free.wait()
        self.closed = (code, reason)


def guest() -> Guest:
    user = User("user_1", "so@example.com", "소연", 0)
    return Guest(Visitor(EVERYTHING, user), Author("user_1"), "live_1", "#112233")


def test_messages_go_in_order_and_the_end_comes_last() -> None:
    async def story() -> None:
        wire = Wire()
        socket = LiveSocket(wire, guest(), "editor")
        pump = asyncio.create_task(socket.pump())
        for number in range(50):
            socket.send(bytes([number]))
        socket.close(End.RESTART, "곧")
        socket.send(b"too late")
        await pump
        assert wire.sent == [bytes([number]) for number in range(50)]
        assert wire.closed == (1012, "곧")
        assert socket.ended.is_set()

    asyncio.run(story())


def test_what_one_turn_of_the_loop_brings_is_sent_at_once() -> None:
    async def story() -> None:
        wire = Wire()
        socket = LiveSocket(wire, guest(), "editor")
        for number in range(5):
            socket.send(bytes([number]))
        assert wire.sent == []
        await asyncio.sleep(0)
        assert (wire.sent, wire.offers) == ([bytes([number]) for number in range(5)], 1)

    asyncio.run(story())


def test_nothing_overtakes_a_message_that_waits_for_a_slow_reader() -> None:
    async def story() -> None:
        wire = Wire()
        socket = LiveSocket(wire, guest(), "editor")
        pump = asyncio.create_task(socket.pump())
        wire.free.clear()
        socket.send(b"a")
        for _turn in range(5):
            await asyncio.sleep(0)
        # The pump has taken it, and is not yet told that the reader goes on.
        wire.free.set()
        socket.send(b"b")
        await socket.answer(b"c")
        socket.close(End.RESTART)
        await pump
        assert wire.sent == [b"a", b"b", b"c"]
        socket = LiveSocket(wire, guest(), "editor")
        socket.send(b"d")
        await asyncio.sleep(0)
        assert (wire.sent[-1], wire.offers) == (b"d", 1)

    asyncio.run(story())


def test_who_reads_too_slowly_is_sent_away_without_what_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "LIVE_WAITING_BYTES_MAX", 1_000)

    async def story() -> None:
        wire = Wire()
        socket = LiveSocket(wire, guest(), "editor")
        pump = asyncio.create_task(socket.pump())
        wire.free.clear()
        for _ in range(20):
            socket.send(b"x" * 100)
        assert socket.is_closing
        wire.free.set()
        await pump
        assert len(wire.sent) <= 1
        assert wire.closed is not None
        assert wire.closed[0] == End.TRY_LATER

    asyncio.run(story())


def test_one_long_message_alone_sends_nobody_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIVE_WAITING_BYTES_MAX", 1_000)

    async def story() -> None:
        wire = Wire()
        socket = LiveSocket(wire, guest(), "editor")
        pump = asyncio.create_task(socket.pump())
        socket.send(b"x" * 100_000)
        await socket.answer(b"y" * 100_000)
        socket.send(b"z")
        socket.close(End.RESTART)
        await pump
        assert [one[:1] for one in wire.sent] == [b"x", b"y", b"z"]

    asyncio.run(story())


def test_who_never_reads_is_given_up_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIVE_CLOSE_S", 0.05)

    async def story() -> None:
        wire = Wire()
        wire.free.clear()
        socket = LiveSocket(wire, guest(), "editor")
        pump = asyncio.create_task(socket.pump())
        socket.send(b"x")
        socket.close(End.RESTART)
        await asyncio.wait_for(socket.ended.wait(), 2)
        assert not pump.done()
        pump.cancel()

    asyncio.run(story())


@pytest.mark.parametrize("now", [0.0, 100.0], ids=["as the machine starts", "later"])
def test_a_burst_is_let_through_and_a_flood_is_slowed_down(now: float) -> None:
    pace = Pace(limits.LIVE_MESSAGES_A_SECOND, limits.LIVE_MESSAGES_AT_ONCE)
    pauses = [pace.pause(now) for _ in range(limits.LIVE_MESSAGES_AT_ONCE)]
    assert max(pauses) == 0
    flood = [pace.pause(now) for _ in range(limits.LIVE_MESSAGES_A_SECOND)]
    assert 0.9 < flood[-1] < 1.1
    assert pace.would_pause(now) == pace.pause(now) > flood[-1]
    assert pace.pause(now + 60) == 0
