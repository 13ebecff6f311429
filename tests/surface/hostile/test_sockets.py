"""What a client sends over a socket costs that client, and nobody else."""

import asyncio
import select
import socket
import struct
import threading
from collections.abc import Callable
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from strata.base import limits
from strata.web.live import wire
from strata.web.live.branch import LiveBranch
from strata.web.shell import Shell
from tests.surface.hostile.conftest import Site, Watch
from tests.surface.live.conftest import TEXT
from tests.surface.live.pages import PATIENCE, Page

# What one caller may have under way in tests that send too much: twice what one of them sends,
# and not three times.
HELD_BYTES = 1024 * 1024
SENT_BYTES = 400 * 1024


def states_of(clients: range) -> bytes:
    """Return an awareness message in which many clients say nothing."""
    states = (wire.number(client) + b"\1\2{}" for client in clients)
    return wire.awareness(wire.number(len(clients)) + b"".join(states))


def test_states_of_very_many_clients_are_refused(target: Site, watch: Watch) -> None:
    target.share("보람", "viewer")
    for first in range(1, 400, 8):
        with_few = target.open("보람")
        with_few.until_told("welcome")
        with_few.send(states_of(range(first, first + 8)))
        with_few.until(lambda page=with_few, last=first + 7: last in page.states)
        with_few.close()
    viewer, owner = target.page("보람"), target.page()
    for _ in range(5):
        viewer.send(states_of(range(2_000_000_000, 2_000_225_000)))
    viewer.send(states_of(range(2_000_000_000, 2_000_008_000)))
    assert viewer.until_told("refused", 6)["code"] == "limit_exceeded"
    owner.type("빠름 ")
    owner.until_saved()
    watch.check()


def test_a_number_without_an_end_is_refused_at_once(target: Site, watch: Watch) -> None:
    target.share("보람", "viewer")
    viewer, owner = target.page("보람"), target.page()
    endless = b"\x01" + b"\xff" * 3_000_000 + b"\x01"
    viewer.send(wire.sync(wire.STEP_1, endless[: limits.LIVE_VECTOR_BYTES]))
    assert viewer.until_told("refused")["code"] == "damaged_update"
    viewer.send(wire.sync(wire.STEP_1, endless))
    assert viewer.until_told("refused", 2)["code"] == "limit_exceeded"
    owner.send(wire.sync(wire.UPDATE, endless))
    assert owner.until_told("refused")["code"] == "damaged_update"
    owner.type("빠름 ")
    owner.until_saved()
    assert target.text == f"빠름 {TEXT}"
    watch.check()


def test_an_update_of_very_many_structs_is_refused_unread(target: Site, watch: Watch) -> None:
    page, other = target.page(), target.page()
    count = 1_000_000
    update = b"\1" + wire.number(count) + wire.number(77) + b"\0" + b"\0\1" * count + b"\0"
    page.send(wire.sync(wire.UPDATE, update))
    assert page.until_told("refused")["code"] == "limit_exceeded"
    other.type("빠름 ")
    other.until_saved()
    assert target.text == f"빠름 {TEXT}"
    watch.check()


def test_a_long_update_within_the_bound_blocks_only_its_own_thread(
    target: Site, watch: Watch
) -> None:
    page, other = target.page(), target.page()
    count = limits.LIVE_STRUCTS_MAX
    update = b"\1" + wire.number(count) + wire.number(77) + b"\0" + b"\0\1" * count + b"\0"
    page.send(wire.sync(wire.UPDATE, update))
    page.until_told("saved")
    other.type("빠름 ")
    other.until_saved()
    watch.check()


def test_sockets_of_one_person_are_counted_before_they_are_let_in(
    target: Site, watch: Watch
) -> None:
    most = limits.LIVE_SOCKETS_OF_ONE
    address = f"{target.server.address}/live/{target.document}"
    token = {"Authorization": f"Bearer {target.token('owner')}"}

    async def attempt(enough: asyncio.Event) -> Any:
        async with connect(address, additional_headers=token) as socket:
            try:
                await socket.recv()
            except ConnectionClosed as error:
                return error.rcvd and error.rcvd.code
            await enough.wait()
            return "open"

    async def together() -> list[Any]:
        enough = asyncio.Event()
        attempts = [asyncio.create_task(attempt(enough)) for _ in range(most + 20)]
        refused, _open = await asyncio.wait(attempts, timeout=20, return_when="FIRST_COMPLETED")
        while len(refused) < 20:
            more, _open = await asyncio.wait(_open, timeout=20, return_when="FIRST_COMPLETED")
            assert more, "more were let in than may"
            refused |= more
        enough.set()
        return await asyncio.gather(*attempts)

    found = asyncio.run(together())
    assert found.count("open") == most
    assert found.count(1013) == 20
    watch.check()


def frame(opcode: int, size: int) -> bytes:
    """Return the head of a frame; its mask changes nothing."""
    return struct.pack("!BBQ4x", opcode, 0x80 | 127, size)


def part(size: int) -> bytes:
    return frame(0x00, size) + bytes(size)


# Messages that never end, each by what it takes of memory.
UNFINISHED: dict[str, Callable[[], bytes]] = {
    "one frame": lambda: frame(0x82, 2 * SENT_BYTES) + bytes(SENT_BYTES),
    "fragments": lambda: frame(0x02, 0) + part(SENT_BYTES // 4) * 4,
    "tiny fragments": lambda: frame(0x02, 0) + part(2) * (SENT_BYTES // 64),
}


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SERVE_BODIES_OF_ONE_BYTES", HELD_BYTES)


def closed_among(pages: list[Page]) -> Page:
    """Return the first page that the server closes."""
    return next(page for page in cycle(pages) if not page.hear(0.05) and page.code is not None)


@pytest.mark.parametrize("shape", UNFINISHED)
def test_unfinished_messages_of_one_user_are_bounded_together(
    narrow: None, target: Site, shape: str
) -> None:
    target.share("보람", "editor")
    hoard = [target.page("보람") for _ in range(3)]
    for page in hoard:
        page.socket.socket.sendall(UNFINISHED[shape]())
    assert closed_among(hoard).code == 1013
    assert sum(page.code is not None for page in hoard) == 1
    # Other users notice nothing of it, and the same user may write again once they are gone.
    owner = target.page()
    owner.type("긴 글 " * (SENT_BYTES // 8))
    owner.until_saved()
    for page in hoard:
        if page.code is None:
            page.socket.socket.shutdown(socket.SHUT_RDWR)
    while True:
        again = target.page("보람")
        again.type("다른 글 " * (SENT_BYTES // 11), len(TEXT))
        again.until(lambda page=again: page.told("saved") or page.code is not None)
        if again.code is None:
            break
        assert again.code == 1013


async def wait_forever(*_given: object) -> None:
    await asyncio.Event().wait()


def test_messages_that_wait_for_the_server_are_bounded_with_them(
    narrow: None, target: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [target.page() for _ in range(3)]
    monkeypatch.setattr(LiveBranch, "wait_for_capacity", wait_forever)
    for page in pages:
        page.send(wire.sync(wire.UPDATE, bytes(SENT_BYTES)))
    assert closed_among(pages).code == 1013
    assert sum(page.code is not None for page in pages) == 1


def handshake(target: Site) -> bytes:
    return (
        f"GET /live/{target.document} HTTP/1.1\r\nHost: {urlsplit(target.base).netloc}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


@pytest.fixture
def unanswered(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """Let the server never find out who opens a socket; released once for each of them."""
    asked = threading.Semaphore(0)

    async def wait(*given: object) -> None:
        asked.release()
        await wait_forever(*given)

    monkeypatch.setattr(Shell, "visitor", wait)
    return asked


def test_unfinished_messages_of_unknown_users_are_bounded_by_address(
    narrow: None,
    target: Site,
    unanswered: threading.Semaphore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = urlsplit(target.base)
    hoard = [socket.create_connection((place.hostname, place.port)) for _ in range(3)]
    for one in hoard:
        one.sendall(handshake(target))
        assert unanswered.acquire(timeout=PATIENCE)
    for one in hoard:
        one.sendall(UNFINISHED["one frame"]())
    # None of them is answered before their users are known: the one that can be read is closed.
    closed, _, _ = select.select(hoard, [], [], PATIENCE)
    assert len(closed) == 1
    for one in hoard:
        one.close()
    monkeypatch.undo()
    owner = target.page()
    owner.type("그래도 ")
    owner.until_saved()


def test_what_is_no_message_ends_a_socket_before_its_handshake_without_a_trace(
    target: Site, unanswered: threading.Semaphore, caplog: pytest.LogCaptureFixture
) -> None:
    place = urlsplit(target.base)
    with socket.create_connection((place.hostname, place.port)) as one:
        one.sendall(handshake(target))
        assert unanswered.acquire(timeout=PATIENCE)
        one.sendall(b"\xff" * 64)
        one.settimeout(PATIENCE)
        assert one.recv(1) == b""
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a server that starts later never look at rights by itself."""
    monkeypatch.setattr(limits, "LIVE_WATCH_S", 3_600.0)


def test_a_revoked_reader_hears_nothing_that_is_written_afterwards(
    unwatched: None, target: Site
) -> None:
    target.share("보람", "viewer")
    reader, owner = target.page("보람"), target.page()
    owner.type("함께 ")
    reader.until(lambda: "함께" in reader.replica.text)
    target.db.shares.unshare(target.document, "보람@example.com")
    owner.type("비밀 ")
    owner.until_saved()
    assert reader.until_closed() == 4403
    assert "비밀" not in reader.replica.text


def test_a_revoked_reader_hears_nothing_of_what_other_programs_write(
    unwatched: None, target: Site
) -> None:
    target.share("보람", "viewer")
    reader = target.page("보람")
    target.db.shares.unshare(target.document, "보람@example.com")
    target.db.documents.write(target.document, f"{TEXT}도구가 쓴 비밀\n")
    assert reader.until_closed() == 4403
    assert "비밀" not in reader.replica.text


def flood(pages: list[Page], rounds: int) -> range:
    """Send updates that each cost much, some by every page; return their clients."""
    clients = range(1000, 1000 + len(pages) * rounds)
    count = limits.LIVE_STRUCTS_MAX
    for client, page in zip(clients, pages * rounds, strict=True):
        head = b"\1" + wire.number(count) + wire.number(client) + b"\0"
        page.send(wire.sync(wire.UPDATE, head + b"\0\1" * count + b"\0"))
    return clients


def written_by(target: Site) -> list[int]:
    """Return which clients have written to the document, in the order of their commits."""
    entries = target.db.documents.live().entries_after(target.document, 0)
    return [entry.client for _version, entry in entries]


def test_a_flood_of_one_author_does_not_go_before_what_others_write(target: Site) -> None:
    target.share("보람", "editor")
    pages, honest = [target.page() for _ in range(4)], target.page("보람")
    clients = flood(pages, 3)
    for page in pages:
        page.say({"flood": "다 보냈다"}, 1)
    # What a page says is heard after what it sent before: all of the flood waits now.
    honest.until(lambda: {page.replica.client for page in pages} <= honest.states.keys())
    honest.type("빠름 ")
    honest.until_saved()
    for page in pages:
        page.until_told("saved", 3)
    order = [client for client in written_by(target) if client in {*clients, honest.replica.client}]
    assert len(order) == len(clients) + 1
    assert order[-1] != honest.replica.client


def test_a_stop_does_not_work_off_what_a_flood_has_left(
    target: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIVE_STOP_S", 0.0)
    pages = [target.page() for _ in range(4)]
    clients = flood(pages, 25)
    pages[0].until_told("saved")
    target.server.stop()
    assert len({*clients} & {*written_by(target)}) < len(clients)
