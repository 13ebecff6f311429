"""Thousands of random, malformed and huge messages: no crash, no hang, no leak, a whole store."""

import os
import sys
import time
from pathlib import Path

import pytest

import strata
from tests.surface.mcp import fuzz
from tests.surface.mcp.conftest import Start
from tests.surface.mcp.wire import Server, call, modern

# FUZZ_MESSAGES and FUZZ_SEED look further.
MESSAGES = int(os.environ.get("FUZZ_MESSAGES", "10000"))
SEED = int(os.environ.get("FUZZ_SEED", "20260728"))
CHECK_EVERY = 200
MIB = 1024 * 1024

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="measured by /proc")


class Use:
    """What a process holds at a moment."""

    def __init__(self, server: Server) -> None:
        process = Path("/proc", str(server.process.pid))
        status = dict(
            line.split(":", 1)
            for line in (process / "status").read_text().splitlines()
            if ":" in line
        )
        self.memory = int(status["VmRSS"].split()[0]) * 1024
        self.threads = int(status["Threads"])
        self.files = len(list((process / "fd").iterdir()))

    def __str__(self) -> str:
        return f"{self.memory / MIB:.0f} MiB, {self.threads} threads, {self.files} files"


def alive(server: Server, era: fuzz.Era) -> None:
    """Ask something, let the calls that wait begin, and drop all that came meanwhile."""
    wrap = modern if era == "newer" else dict
    answer = server.ask("tools/list", wrap({}), seconds=60)
    assert len(answer["result"]["tools"]) == 8
    answer = server.ask("tools/call", wrap(call("strata_status")), seconds=60)
    assert answer["result"]["isError"] is False
    server.others.clear()


def begin(start: Start, era: fuzz.Era) -> Server:
    server = start("--no-auto-embed")
    if era == "older":
        server.greet()
    alive(server, era)
    return server


def settled(server: Server, era: fuzz.Era) -> Use:
    """Wait until what was begun has ended, and measure."""
    alive(server, era)
    time.sleep(0.5)
    return Use(server)


@needs_proc
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("era", ["older", "newer"])
def test_random_messages_do_no_harm(start: Start, path: Path, era: fuzz.Era) -> None:
    server = begin(start, era)
    half, used = MESSAGES // 2, []
    began = time.monotonic()
    for number, line in enumerate(fuzz.lines(SEED, half, era)):
        server.send_line(line)
        if number % CHECK_EVERY == CHECK_EVERY - 1:
            alive(server, era)
            used.append(Use(server))
    took = time.monotonic() - began
    end = settled(server, era)
    print(f"\n{half} messages in {took:.1f} s; first {used[0]}; last {end}")
    assert end.memory < used[0].memory + 64 * MIB
    assert end.threads <= used[0].threads + 10
    assert end.files <= used[0].files + 30
    assert server.close() == 0, server.complaint[-3000:]
    assert server.odd == []
    assert "Traceback" not in server.complaint, server.complaint[-4000:]
    with strata.open(path) as db:
        assert db.verify().problems == ()


@needs_proc
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_huge_messages_do_no_harm(start: Start, path: Path) -> None:
    server = begin(start, "older")
    for line in fuzz.huge(SEED):
        server.send_line(line)
        alive(server, "older")
    end = settled(server, "older")
    print(f"\nafter huge messages: {end}")
    assert end.memory < 700 * MIB
    assert end.threads <= 16
    assert server.close() == 0
    assert "Traceback" not in server.complaint, server.complaint[-4000:]
    with strata.open(path) as db:
        assert db.verify().problems == ()


def test_a_seed_gives_the_same_messages_again() -> None:
    first, second = (list(fuzz.lines(7, 300, "older")) for _ in range(2))
    assert first == second
    assert len(set(first)) > 250
    assert first != list(fuzz.lines(8, 300, "older"))
