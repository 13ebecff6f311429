"""The first run: one command prints a link, and one click later the owner is signed in."""

import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import START_SECONDS, free_port, new_context

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.name == "nt", reason="needs a terminal of Unix"),
]
LINK = re.compile(r"http://127\.0\.0\.1:\d+/hello#[A-Z0-9-]+")


@pytest.fixture
def printed(tmp_path: Path) -> Iterator[str]:
    """Start a server on a terminal, and return the link that it prints."""
    ours, its = pty.openpty()
    where = ["--port", str(free_port()), "--db", str(tmp_path / "새 저장소.db"), "--no-auto-embed"]
    command = [sys.executable, "-m", "strata", "serve", *where]
    surroundings = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": "true"}
    process = subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, env=surroundings, start_new_session=True
    )
    os.close(its)
    try:
        yield read_link(ours)
    finally:
        process.terminate()
        process.wait(60)
        os.close(ours)


def read_link(terminal: int) -> str:
    """Read what a terminal shows until a link is there and the server listens."""
    shown, deadline = "", time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        shown += os.read(terminal, 4096).decode(errors="replace")
        found = LINK.search(shown)
        if found and shown.endswith("\n"):
            return found.group()
    raise AssertionError(f"no link in {shown!r}")


def test_a_link_signs_the_owner_in_once(printed: str, browser: Browser) -> None:
    first = new_context(browser)
    page = first.new_page()
    page.goto(printed)
    expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
    assert "#" not in page.url
    page.keyboard.press("g")
    page.keyboard.press("d")
    expect(page.get_by_role("heading", name="Documents", exact=True)).to_be_visible()
    first.close()
    second = new_context(browser)
    page = second.new_page()
    page.goto(printed)
    expect(page.get_by_text("This link does not work any more.")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in another way")).to_be_visible()
    second.close()
