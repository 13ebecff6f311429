"""A server with pages and tokens, and a watch over its event loop and its memory."""

import asyncio.events
import gc
import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from _pytest.runner import runtestprotocol

import strata
from strata.tools import StoreHost
from tests.surface.live.conftest import Office

# No client may keep the event loop from all others for longer, in seconds of CPU time.
BLOCKED_S_MAX = 0.05
# Nor may it take more memory, unless a test says otherwise.
MEMORY_BYTES_MAX = 64 * 1024 * 1024

MODERN = "2026-07-28"
_NAMESPACE = "io.modelcontextprotocol/"


def call_of_store(**arguments: Any) -> dict[str, Any]:
    """Return a call of strata_store that stands alone."""
    meta = {
        f"{_NAMESPACE}protocolVersion": MODERN,
        f"{_NAMESPACE}clientCapabilities": {},
        f"{_NAMESPACE}clientInfo": {"name": "t", "version": "1"},
    }
    params = {"name": "strata_store", "arguments": arguments, "_meta": meta}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def peak_bytes(*, afresh: bool = False) -> int:
    """Return the most memory that this process has had, or has had since this was asked afresh."""
    if afresh:
        with suppress(OSError):  # not every kernel can: then it is the most so far
            Path("/proc/self/clear_refs").write_text("5")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[0]) * 1024


ATTEMPTS = 3


class Blocked(AssertionError):
    """A callback kept the event loop for too long."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Make an attack again that blocked the event loop, and judge by the best of three.

    The kernel stalls a thread now and then, to reclaim memory for example, and counts that as the
    thread's CPU time. It does so once; an attack that works blocks the loop each time.
    """
    if not item.path.is_relative_to(Path(__file__).parent):
        return None  # pytest asks here about every test
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports: list[pytest.TestReport] = []
    for attempt in range(1, ATTEMPTS + 1):
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        was_blocked = any(f"{Blocked.__name__}: " in report.longreprtext for report in reports)
        if not was_blocked or attempt == ATTEMPTS:
            break
        cast("pytest.Function", item)._initrequest()
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


class Watch:
    """Measures the CPU time of every callback in event loops of other threads, and peak memory.

    CPU time of the thread and not wall time: a busy machine is no attack. The memory is that
    of the server and of its clients, which are in this process too.
    """

    def __init__(self) -> None:
        self.worst = 0.0
        self.callback = ""
        self._mine = threading.get_ident()
        self._run: Any = asyncio.events.Handle._run

    def __enter__(self) -> "Watch":
        run, watch = self._run, self
        # As a server does when it begins: what all the other tests have left is no matter of it.
        gc.collect()
        gc.freeze()

        def timed(self: asyncio.events.Handle) -> None:
            started = time.thread_time()
            run(self)
            took = time.thread_time() - started
            if took > watch.worst and threading.get_ident() != watch._mine:
                watch.worst, watch.callback = took, repr(self)

        asyncio.events.Handle._run = timed
        self._before = peak_bytes(afresh=True)
        return self

    def __exit__(self, *_error: object) -> None:
        gc.unfreeze()
        asyncio.events.Handle._run = self._run

    def check(self, memory: int = MEMORY_BYTES_MAX) -> None:
        """Fail if a client had to wait for the event loop, or an attack took much memory."""
        if self.worst >= BLOCKED_S_MAX:
            raise Blocked(f"{self.callback} took {1000 * self.worst:.0f} ms of CPU")
        assert peak_bytes() - self._before < memory


class Site(Office):
    """A server that is attacked over HTTP and by sockets."""

    @property
    def base(self) -> str:
        return self.server.address.replace("ws://", "http://")

    def headers(self, who: str = "owner", **rights: Any) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token(who, **rights)}"}

    def mcp(self, who: str = "owner", *, modern: bool = True, **rights: Any) -> dict[str, str]:
        """Return the headers of a call of strata_store."""
        found = {
            **self.headers(who, **rights),
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "X-Strata-Tool-Groups": "memory",
        }
        named = {
            "Mcp-Protocol-Version": MODERN,
            "Mcp-Method": "tools/call",
            "Mcp-Name": "strata_store",
        }
        return found | named if modern else found

    def is_healthy(self) -> bool:
        return httpx2.get(f"{self.base}/health", timeout=20).status_code == 200


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Site]:
    path = tmp_path / "target.db"
    host = StoreHost(lambda: strata.open(path, durability="standard", auto_embed=False))
    made = Site(host)
    # What is loaded for the first caller is no matter of attacks.
    for path, headers in (("/api/tools/find", made.headers()), ("/mcp", made.mcp())):
        httpx2.post(made.base + path, json=call_of_store(), headers=headers, timeout=60)
    yield made
    for page in made.pages:
        page.close()
    made.server.stop()
    host.close()


@pytest.fixture
def watch() -> Iterator[Watch]:
    with Watch() as found:
        yield found
