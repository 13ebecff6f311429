"""A server that is slow, frozen or dead: the page says so, doubles nothing and catches up."""

import os
import re
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import strata
from tests.browser.conftest import MakePerson
from tests.browser.people import WAIT_MS, Server, Sheet, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

# A frozen server is noticed when it has been silent for 25 seconds.
NOTICED_MS = 40_000
SCREENS = ("/", "/docs", "/memory", "/decisions", "/events", "/activity", "/branches", "/find")


class Proxy:
    """Passes bytes on to a server; answers wait as long as it is told to hold them."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._open = threading.Event()
        self._open.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets = [self._listener]
        self._threads: list[threading.Thread] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._run(self._accept)

    def _run(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, daemon=True)
        self._threads.append(thread)
        thread.start()

    def hold(self) -> None:
        """Keep back what the server answers from now on."""
        self._open.clear()

    def release(self) -> None:
        """Let through what was kept back, and all that follows."""
        self._open.set()

    def close(self) -> None:
        self.release()
        for one in self._sockets:
            with suppress(OSError):
                # A close alone wakes no thread that waits for bytes.
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(WAIT_MS / 1000)
        for one in self._sockets:
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _address = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                self._sockets += [client, server]
                for source, sink, waits in ((client, server, False), (server, client, True)):
                    self._run(partial(self._pass, source, sink, waits=waits))

    def _pass(self, source: socket.socket, sink: socket.socket, *, waits: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if waits:
                    self._open.wait()
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("slow") / "store.db"
    with strata.open(path, auto_embed=False) as db:
        db.facts.remember("api/limit", "120")
        db.documents.create("계획", "처음 글")
        db.decisions.save("deploy", "Ship in May", "It is warm then.")
        db.events.append("deploy", {"n": 1})
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


@pytest.fixture
def slow(store: Server, person: MakePerson) -> Iterator[tuple[Page, Proxy]]:
    """Give a page of the owner whose server is reached through a proxy."""
    proxy = Proxy(store.port)
    behind = Server(store.path)
    behind.url = proxy.url
    page = person("", behind).context.new_page()
    yield page, proxy
    page.close()
    proxy.close()


def test_a_slow_answer_shows_grey_lines_and_then_itself(slow: tuple[Page, Proxy]) -> None:
    page, proxy = slow
    page.goto(f"{proxy.url}/branches")
    expect(page.locator(".branch-row")).to_have_count(1)
    proxy.hold()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Branches").click()
    page.get_by_label("Find a branch").fill("def")
    expect(page.locator(".skeleton")).to_be_visible()
    proxy.release()
    expect(page.locator(".branch-row")).to_have_count(1)
    expect(page.locator(".skeleton")).to_have_count(0)


def test_a_slow_server_keeps_what_was_sent_once(slow: tuple[Page, Proxy], store: Server) -> None:
    page, proxy = slow
    page.goto(f"{proxy.url}/memory/default/")
    expect(page.locator(".fact-row")).to_have_count(1)
    page.get_by_role("button", name="New fact").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("slow/one")
    page.get_by_label("Value", exact=True).fill("once")
    proxy.hold()
    create = page.get_by_role("button", name="Create")
    create.dblclick()
    page.keyboard.press("Enter")
    wait_for(lambda: held(store, "slow/one") == ["once"], 20)
    proxy.release()
    expect(page.locator("pre.value")).to_have_text("once")
    assert held(store, "slow/one") == ["once"]


def held(store: Server, key: str) -> list[object]:
    with strata.open(store.path, auto_embed=False) as db:
        return [one.value for one in db.facts.history(key)]


def test_keys_that_a_slow_server_answers_late_are_written_once(
    slow: tuple[Page, Proxy], store: Server
) -> None:
    page, proxy = slow
    with strata.open(store.path, auto_embed=False) as db:
        document = db.documents.create("느린 글", "처음").document
    page.goto(f"{proxy.url}/d/{document}")
    page.wait_for_function("() => window.strata?.state === 'saved'")
    page.locator(".cm-content").click()
    page.keyboard.press("End")
    proxy.hold()
    page.keyboard.type(" 그리고 나중")
    expect(page.locator(".state")).to_have_text(re.compile("Saving"))
    proxy.release()
    page.wait_for_function("() => window.strata.state === 'saved'")
    with strata.open(store.path, auto_embed=False) as db:
        assert db.documents.text(document) == "처음 그리고 나중"


def test_a_comment_that_a_slow_server_takes_late_is_made_once(
    slow: tuple[Page, Proxy], store: Server
) -> None:
    page, proxy = slow
    with strata.open(store.path, auto_embed=False) as db:
        document = db.documents.create("느린 댓글", "처음 글").document
    sheet = Sheet(page)
    page.goto(f"{proxy.url}/d/{document}")
    sheet.is_saved()
    sheet.selects_words("처음")
    page.get_by_role("toolbar").get_by_role("button", name="Comment").click()
    page.get_by_label("Comment", exact=True).fill("한 번만")
    proxy.hold()
    for _press in range(3):
        page.keyboard.press("Control+Enter")
    expect(page.locator(".composer").get_by_role("button", name="Comment")).to_be_disabled()
    proxy.release()
    expect(page.locator(".composer")).to_have_count(0)
    expect(sheet.card("한 번만")).to_be_visible()
    with strata.open(store.path, auto_embed=False) as db:
        assert [one.comment.body for one in db.review.comments(document)] == ["한 번만"]


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """Give a server of its own, which is frozen and killed."""
    path = tmp_path / "store.db"
    with strata.open(path, auto_embed=False) as db:
        db.facts.remember("api/limit", "120")
        db.documents.create("계획", "처음 글")
        db.decisions.save("deploy", "Ship in May", "It is warm then.")
        db.events.append("deploy", {"n": 1})
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def test_a_frozen_server_is_noticed_on_every_screen(mortal: Server, person: MakePerson) -> None:
    owner = person("", mortal)
    pages = []
    for path in SCREENS:
        page = owner.context.new_page()
        page.goto(f"{mortal.url}{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        pages.append(page)
    memory = pages[2]
    memory.get_by_role("button", name="New fact").click()
    memory.get_by_label("Value", exact=True).fill("아직 안 보낸 값")
    assert mortal.process is not None
    os.kill(mortal.process.pid, signal.SIGSTOP)
    try:
        for page in pages:
            banner = page.locator(".banner.offline")
            expect(banner).to_contain_text("The server does not answer", timeout=NOTICED_MS)
        expect(memory.get_by_label("Value", exact=True)).to_have_value("아직 안 보낸 값")
    finally:
        os.kill(mortal.process.pid, signal.SIGCONT)
    with strata.open(mortal.path, auto_embed=False) as db:
        db.facts.remember("after/freeze", "다시")
    for page in pages:
        expect(page.locator(".banner.offline")).to_have_count(0, timeout=NOTICED_MS)
    expect(memory.locator(".fact-row", has_text="after/freeze")).to_be_visible()
    memory.get_by_role("textbox", name="Name", exact=True).fill("kept/here")
    memory.get_by_role("button", name="Create").click()
    expect(memory.locator("pre.value")).to_have_text("아직 안 보낸 값")


def test_screens_catch_up_after_a_server_was_killed(mortal: Server, person: MakePerson) -> None:
    owner = person("", mortal)
    page = owner.context.new_page()
    page.goto(f"{mortal.url}/memory/default/")
    expect(page.locator(".fact-row")).to_have_count(1)
    page.get_by_role("button", name="New fact").click()
    page.get_by_label("Value", exact=True).fill("남은 값")
    mortal.kill()
    expect(page.locator(".banner.offline")).to_be_visible(timeout=NOTICED_MS)
    with strata.open(mortal.path, auto_embed=False) as db:
        db.facts.remember("while/away", "그동안")
    mortal.start()
    expect(page.locator(".banner.offline")).to_have_count(0, timeout=NOTICED_MS)
    expect(page.locator(".fact-row", has_text="while/away")).to_be_visible(timeout=NOTICED_MS)
    expect(page.get_by_label("Value", exact=True)).to_have_value("남은 값")
