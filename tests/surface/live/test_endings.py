"""How rooms and servers end: what was acknowledged is there, whatever happens."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.documents.text import Splice
from strata.web.live import wire
from tests.databases import place_of
from tests.surface.live.conftest import TEXT, Office, Running
from tests.surface.live.pages import Page


def test_a_stop_keeps_what_was_sent_and_says_that_it_restarts(office: Office) -> None:
    pages = [office.page() for _ in range(3)]
    for page in pages:
        for number in range(20):
            page.type(f"{number} ")
    office.server.stop()
    assert [page.until_closed() for page in pages] == [1012, 1012, 1012]
    text = office.text
    for page in pages:
        mine, kept = str(page.replica.client), page.told("saved")
        assert kept, "something of each was acknowledged"
        clock = max(one["clocks"].get(mine, 0) for one in kept)
        assert clock > 0
    assert office.db.documents.live().behind() == []
    office.server = Running(office.host)
    again = office.page()
    assert again.replica.text == text


def test_a_room_that_closed_opens_again_without_loss(office: Office) -> None:
    for number in range(5):
        page = office.page()
        page.type(f"{number} ")
        page.until_saved()
        page.close()
    assert office.page().replica.text == f"4 3 2 1 0 {TEXT}" == office.text


def test_what_follows_from_the_text_is_written_when_the_last_page_closes(office: Office) -> None:
    page = office.page()
    page.type("수달이 헤엄친다 ")
    page.until_saved()
    assert office.db.documents.live().behind() == [office.document]
    page.close()
    deadline = time.monotonic() + 60
    while office.db.documents.live().behind():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    pieces = office.db.documents.pieces(office.document)
    assert "수달이" in " ".join(piece.text for piece in pieces)


def test_it_is_written_after_a_while_for_pages_that_stay_open(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIVE_SETTLE_S", 0.2)
    page = office.page()
    page.type("수달이 헤엄친다 ")
    page.until_saved()
    deadline = time.monotonic() + 60
    while office.db.documents.live().behind():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    page.type("또 ")
    page.until_saved()
    assert office.text == f"또 수달이 헤엄친다 {TEXT}"


@pytest.mark.slow
def test_who_does_not_read_is_sent_away_and_nobody_waits_for_them(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LIVE_WAITING_BYTES_MAX", 200_000)
    writer, reader = office.page(), office.page()
    lazy = lazily(office)
    for number in range(30):
        writer.type(f"{number} " + "가나다 " * 20_000, over=len(writer.replica.text))
        writer.until_saved()
        reader.until_text(writer.replica.text)
    assert code_of(lazy) in (1013, 1006), "what it says does not reach who never reads"
    later = office.page()
    assert later.replica.text == writer.replica.text


def lazily(office: Office) -> socket.socket:
    """Open a socket whose other end never reads, with the smallest buffers there are."""
    host, _, port = office.server.address.removeprefix("ws://").partition(":")
    lazy = socket.socket()
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.connect((host, int(port)))
    head = (
        f"GET /live/{office.document} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n"
        f"Authorization: Bearer {office.token('owner')}\r\n\r\n"
    )
    lazy.sendall(head.encode())
    time.sleep(0.3)
    return lazy


def code_of(lazy: socket.socket) -> int:
    """Read at last, and return with what code the server has closed."""
    lazy.settimeout(20)
    data = b""
    while chunk := lazy.recv(1 << 20):
        data += chunk
    lazy.close()
    frames = data.partition(b"\r\n\r\n")[2]
    codes, at = [], 0
    while at < len(frames):
        kind, length = frames[at] & 0xF, frames[at + 1]
        extra = {126: 2, 127: 8}.get(length, 0)
        size = int.from_bytes(frames[at + 2 : at + 2 + extra]) if extra else length
        start = at + 2 + extra
        if kind == 8:
            codes.append(int.from_bytes(frames[start : start + 2]))
        at = start + size
    return codes[-1] if codes else 1006


# A server in a process of its own, which is killed.


class Served:
    """`strata serve` as a process."""

    def __init__(self, path: Path, *, place: str | None = None) -> None:
        place = place or place_of(path)
        with (path.parent / "errors.txt").open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "strata", "serve", "--port", "0", "--json", "--db", place],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        text = ""
        for line in self.process.stdout:
            text += line
            if line == "}\n":
                break
        assert text, (path.parent / "errors.txt").read_text()
        url: str = json.loads(text)["url"]
        self.address = url.removesuffix("/mcp").replace("http", "ws")

    def end(self, number: int) -> None:
        self.process.send_signal(number)
        self.process.communicate(timeout=30)


class Killable:
    """A store, somebody's token for it, and servers that come and go."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with strata.open(path, auto_embed=False) as db:
            self.document = db.documents.create("계획", TEXT).document
            self.token = db.tokens.create("owner").secret
        self.server = Served(path)
        self.pages: list[Page] = []

    def open(self) -> Page:
        page = Page(
            f"{self.server.address}/live/{self.document}",
            headers={"Authorization": f"Bearer {self.token}"},
        )
        self.pages.append(page)
        return page

    @property
    def text(self) -> str:
        with strata.open(self.path, auto_embed=False) as db:
            assert not db.verify().problems
            return db.documents.text(self.document)


@pytest.fixture
def killable(tmp_path: Path) -> Iterator[Killable]:
    made = Killable(tmp_path / "killed.db")
    yield made
    for page in made.pages:
        page.close()
    made.server.end(signal.SIGKILL)


@pytest.mark.slow
def test_a_killed_server_has_kept_everything_that_it_acknowledged(killable: Killable) -> None:
    acknowledged: set[str] = set()
    for turn in range(3):
        pages = [killable.open() for _ in range(3)]
        for page in pages:
            page.sync()
        acknowledged |= type_until_killed(killable, pages, turn)
        killable.server = Served(killable.path)
    there = re.findall(r"<[\d.]+>", killable.text)
    assert len(acknowledged) > 30
    assert acknowledged <= set(there)
    assert len(there) == len(set(there)), "nothing is there twice"


def type_until_killed(killable: Killable, pages: list[Page], turn: int) -> set[str]:
    """Let pages type, kill the server in the middle; return the marks that were acknowledged."""
    clocks: dict[Page, list[tuple[int, str]]] = {page: [] for page in pages}
    for number in range(60):
        for at, page in enumerate(pages):
            mark = f"<{turn}.{at}.{number}>"
            update = page.replica.splice([Splice(0, 0, mark)])
            clocks[page].append((page.replica.known[page.replica.client], mark))
            page.send(wire.sync(wire.UPDATE, update))
        time.sleep(0.002)
        if number == 40:
            killable.server.end(signal.SIGKILL)
            break
    found: set[str] = set()
    for page, marks in clocks.items():
        while page.code is None:
            page.hear(5)
        mine = str(page.replica.client)
        safe = max((one["clocks"].get(mine, 0) for one in page.told("saved")), default=0)
        found |= {mark for clock, mark in marks if clock <= safe}
    return found


@pytest.mark.slow
def test_pages_of_a_killed_server_bring_back_what_was_not_acknowledged(killable: Killable) -> None:
    page = killable.open()
    page.sync()
    for number in range(30):
        page.type(f"<{number}>")
    killable.server.end(signal.SIGKILL)
    killable.server = Served(killable.path)
    again = killable.open()
    again.replica = page.replica
    again.sync()
    again.until_saved()
    assert killable.text == "".join(f"<{number}>" for number in reversed(range(30))) + TEXT
