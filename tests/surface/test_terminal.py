"""On a real terminal: colours, widths, questions, bars, Ctrl-C."""

import io
import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import click
import pytest

from strata.cli.show import progress as bars
from tests.surface.conftest import Run

if sys.platform == "win32":
    pytest.skip("terminals are opened otherwise on Windows", allow_module_level=True)

import fcntl
import pty
import termios

# A child of ours takes the terminal as its own, so that Ctrl-C reaches it, and becomes strata.
TAKE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "strata", *sys.argv[1:]])
"""
RED, GREEN = "\x1b[31m", "\x1b[32m"


class Seen(NamedTuple):
    """What a terminal showed until the command ended, and its exit code."""

    code: int
    text: str


Terminal = Callable[..., Seen]


@pytest.fixture
def terminal() -> Terminal:
    """Run a command on a terminal; once it shows a question, answer it."""

    def call(
        *words: str, question: str = "", reply: str = "", columns: int = 80, **environment: str
    ) -> Seen:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        child = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm"} | environment,
        )
        os.close(theirs)
        try:
            shown = _watch(ours, question, reply)
            return Seen(child.wait(timeout=30), shown.replace("\r\n", "\n"))
        finally:
            child.kill()
            child.wait()
            os.close(ours)

    return call


def _watch(screen: int, question: str, reply: str) -> str:
    """Return all that is shown until the other end is closed, answering when asked."""
    shown = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        ready, _, _ = select.select([screen], [], [], 1)
        was_asked = bool(reply) and question.encode() in shown
        if ready:
            chunk = _read(screen)
            if not chunk:
                return shown.decode()
            shown += chunk
        if reply and question.encode() in shown and not was_asked:
            os.write(screen, reply.encode())
        elif was_asked and not ready:
            # A key that is pressed before the prompt listens for it is lost, here as for people.
            os.write(screen, reply.encode())
    raise AssertionError(f"it did not end; shown so far: {shown.decode()}")


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 65536)
    except OSError:  # on Linux a closed terminal is an error, elsewhere the end
        return b""


@pytest.fixture
def parted(ok: Run) -> None:
    ok("put", "user", '{"age": 30}')
    ok("fork", "try")
    ok("put", "user", "31", "--path", "age", "--branch", "try")


def test_a_diff_is_green_and_red_on_a_terminal(terminal: Terminal, ok: Run, parted: None) -> None:
    shown = terminal("diff", "try").text
    assert f"{RED}    - age: 30" in shown
    assert f"{GREEN}    + age: 31" in shown
    assert "\x1b" not in ok("diff", "try").out


@pytest.mark.slow
def test_colours_can_be_refused_and_forced(terminal: Terminal, ok: Run, parted: None) -> None:
    assert "\x1b" not in terminal("diff", "try", NO_COLOR="1").text
    assert "\x1b" not in terminal("diff", "try", "--color", "never").text
    assert "\x1b" not in terminal("get", "없다", NO_COLOR="1").text
    assert GREEN in terminal("--color", "always", "diff", "try", NO_COLOR="1").text
    assert GREEN in ok("diff", "try", "--color", "always").out
    assert RED in terminal("get", "없다").text.replace("\x1b[1m", "")


def test_a_table_is_as_wide_as_the_terminal(terminal: Terminal, ok: Run) -> None:
    ok("put", "열쇠", "가" * 100)
    lines = terminal("list", columns=50).text.splitlines()
    assert "…" in lines[1]
    assert len(lines) == 2


@pytest.mark.parametrize(("reply", "code"), [("y\n", 0), ("n\n", 1), ("\n", 1), ("\x03", 130)])
def test_a_question_is_asked_before_something_is_lost(
    terminal: Terminal, run: Run, ok: Run, reply: str, code: int
) -> None:
    ok("put", "비밀", "1")
    seen = terminal("purge", "비밀", question="[y/N]", reply=reply)
    assert seen.code == code
    assert "Erase every value of '비밀'" in seen.text
    assert "Traceback" not in seen.text
    assert run("get", "비밀").code == (1 if code == 0 else 0)


class Screen(io.StringIO):
    """What a person sees of standard error."""

    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch, *, patience_s: float) -> Screen:
    """Show what is written from now on; pytest would take it back from a fixture."""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(bars, "PATIENCE_S", patience_s)
    return screen


def test_long_work_shows_a_bar_and_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch, patience_s=0.01)
    with click.Context(click.Command("verify")), bars.progress("verify") as report:
        assert report is not None
        report("commits", 5, 10)
        deadline = time.monotonic() + 60
        while "50 %" not in screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert "commits 5/10" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[2K")


def test_short_work_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch, patience_s=3600.0)
    with click.Context(click.Command("verify")), bars.progress("verify") as report:
        assert report is not None
        report("commits", 5, 10)
        report("commits", 10, 10)
    assert screen.getvalue() == ""


@pytest.mark.slow
def test_torture_shows_its_progress(terminal: Terminal) -> None:
    seen = terminal("doctor", "--torture", "--seconds", "3")
    assert seen.code == 0
    assert "\r\x1b[2Ktorture" in seen.text
    assert "nothing was lost" in seen.text
