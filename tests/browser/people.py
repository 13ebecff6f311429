"""Who goes on these journeys: people with a browser each, an agent, and the server they meet on."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

import strata

COOKIE = "strata_session"
ANN, SOYEON, VIC = "ann@example.com", "soyeon@example.com", "vic@example.com"
PROTOCOL = "2026-07-28"
START_SECONDS = 90
# Far longer than anything takes: a machine may be busy with other things.
WAIT_MS = 20_000
expect.set_options(timeout=WAIT_MS)
READY = "() => window.strata?.state === 'saved' && window.strata.isComplete"


class Server:
    """`strata serve` on one store, always at the same address; can be killed and come back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        where = ["--port", str(self.port), "--db", str(self.path), "--json", "--no-auto-embed"]
        command = [sys.executable, "-m", "strata", "serve", *where]
        # Its own words go where pytest shows them when a test fails.
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_for(self._answers, START_SECONDS)

    def kill(self) -> None:
        """End it as a power cut would: nothing is finished, nothing said."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(60)

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, "the server ended by itself"
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=30) as answer:
                return answer.status == 200
        except OSError:
            return False


class Agent:
    """Calls the tools over HTTP with a token of its own, as programs do."""

    def __init__(
        self, server: Server, token: str, *, groups: str = "core,collaboration,comments"
    ) -> None:
        self._server, self._token, self._groups = server, token, groups

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool through MCP and return what it answers."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": PROTOCOL,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {"name": tool, "arguments": arguments, "_meta": meta}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": PROTOCOL,
            "Mcp-Method": "tools/call",
            "Mcp-Name": tool,
            "X-Strata-Tool-Groups": self._groups,
        }
        request = urllib.request.Request(f"{self._server.url}/mcp", headers=headers)
        with urllib.request.urlopen(request, json.dumps(body).encode(), timeout=30) as answer:
            text = answer.read().decode()
        return result_of(text)


def result_of(text: str) -> dict[str, Any]:
    """Take a result out of an answer, which comes as JSON or as an event."""
    events = [line[6:] for line in text.splitlines() if line.startswith("data: ")]
    result = json.loads(events[-1] if events else text)["result"]
    assert not result.get("isError"), result
    return result["structuredContent"]


class Person:
    """Somebody with a browser of their own, signed in."""

    def __init__(self, server: Server, context: BrowserContext, email: str) -> None:
        self.server, self.context, self.email = server, context, email
        with strata.open(server.path) as db:
            person = db.users.require(email) if email else db.users.owner()
            self.id, self.name = person.id, person.name
            secret = db.sign_ins.open(db.sign_ins.create_code(person.id).secret).secret
        context.add_cookies([{"name": COOKIE, "value": secret, "url": server.url}])

    def opens(self, document: str, branch: str = "") -> "Sheet":
        """Open a document and wait until it is there."""
        page = self.context.new_page()
        sheet = Sheet(page)
        page.goto(f"{self.server.url}/d/{document}" + (f"?branch={branch}" if branch else ""))
        page.wait_for_function(READY, timeout=WAIT_MS)
        return sheet


class Sheet:
    """A document in a browser, and what one does with it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.set_default_timeout(WAIT_MS)
        # What a page complains about, the policy's refusals included.
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._heard)

    def _heard(self, message: Any) -> None:
        # While a server is away, that connections fail is what was asked for.
        if message.type == "error" and "ERR_CONNECTION" not in message.text:
            self.complaints.append(message.text)

    def text(self) -> str:
        """Return the text of the replica, from which what the editor holds must never differ."""
        # Both in one step: between two, what others wrote may arrive.
        both = "[window.strata.text.toString(), window.strata.view.state.doc.toString()]"
        text, shown = self.page.evaluate(both)
        assert shown == text
        return text

    def goes_to(self, words: str, *, behind: bool = True) -> None:
        """Put the caret before or behind some words."""
        self._select(words, "behind" if behind else "before")

    def selects_words(self, words: str, *, last: bool = False) -> int:
        """Select words, and return where they begin for CodeMirror."""
        return self._select(words, "last" if last else "first")

    def _select(self, words: str, which: str) -> int:
        # All in one step: others may type between two.
        return self.page.evaluate(
            """([words, which]) => {
              const { view } = window.strata;
              const text = view.state.doc.toString();
              const at = which === "last" ? text.lastIndexOf(words) : text.indexOf(words);
              if (at < 0) throw new Error(`the text has no ${words}`);
              const anchor = which === "behind" ? at + words.length : at;
              const head = which === "before" ? at : at + words.length;
              view.focus();
              view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
              return at;
            }""",
            [words, which],
        )

    def types(self, words: str) -> None:
        """Press keys, one after the other."""
        self.page.keyboard.type(words)

    def pastes(self, words: str) -> None:
        """Put a text in at once, as an input method or a clipboard does."""
        self.page.keyboard.insert_text(words)

    def is_saved(self) -> None:
        self.page.wait_for_function(READY, timeout=WAIT_MS)

    def shows(self, words: str) -> None:
        """Wait until the text holds some words."""
        question = "words => window.strata.text.toString().includes(words)"
        self.page.wait_for_function(question, arg=words, timeout=WAIT_MS)

    def marks(self, look: str, *wanted: str) -> None:
        """Wait until exactly these words have a mark; others' carets within are not words."""
        question = """([look, wanted]) => {
          const marks = [...document.querySelectorAll(look)].map((mark) => {
            const copy = mark.cloneNode(true);
            copy.querySelectorAll(".cm-remote-caret").forEach((caret) => caret.remove());
            return copy.textContent;
          });
          return JSON.stringify(marks) === JSON.stringify(wanted);
        }"""
        self.page.wait_for_function(question, arg=[look, list(wanted)], timeout=WAIT_MS)

    def card(self, words: str) -> Any:
        """The card of a comment or a suggestion that says something, folded or not."""
        found = self.page.locator(".card", has_text=words)
        expect(found).to_be_visible(timeout=WAIT_MS)
        return found

    def opens_card(self, words: str) -> Any:
        """Click on a card, which then shows all of it and what can be done."""
        found = self.card(words)
        found.click()
        expect(found).to_have_class(re.compile("is-chosen"))
        return found

    def chooses(self, action: str) -> None:
        """Do something that the menu of the document offers."""
        self.page.locator(".bar").get_by_role("button", name="More").click()
        self.page.get_by_role("menuitem", name=action).click()


def settle(*sheets: Sheet) -> str:
    """Wait until everybody has saved and shows the same, and return that."""
    for sheet in sheets:
        sheet.is_saved()
    texts: list[str] = []

    def are_alike() -> bool:
        texts[:] = [sheet.text() for sheet in sheets]
        return len(set(texts)) == 1

    wait_for(are_alike, WAIT_MS / 1000)
    return texts[0]


def stored(path: Path, document: str, branch: str | None = None) -> str:
    """Return a document's text as another process reads it from the store."""
    with strata.open(path) as db:
        here = db if branch is None else db.on(branch)
        return here.as_user(ANN).documents.text(document)


def wait_for(holds: Any, seconds: float) -> None:
    """Wait until something holds, within a time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    settings = {"locale": "en-GB", "reduced_motion": "reduce", **options}
    return browser.new_context(**settings)


IS_CI = os.environ.get("CI") == "true"
