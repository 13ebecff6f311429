"""How soon a page sees what somebody else wrote: another page, a tool, another process."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2
from measure.figures import Report

import strata
from living.server import Server
from living.thin import UPDATE, Thin, connect, message
from living.words import told
from strata.documents import Replica, Splice

_STEP_1 = b"\x00\x00"
_PAUSE_S = 0.05
# Another process that edits when it is told to, and says when it began.
_EDITOR = """
import sys, time, strata
db = strata.open(sys.argv[1], auto_embed=False)
print("ready", flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    db.documents.edit(sys.argv[2], "둥지", line.strip() + " 둥지")
    print(began, flush=True)
"""


class Watcher:
    """A page that looks at the clock when certain words arrive."""

    def __init__(self) -> None:
        self._wanted: tuple[bytes, asyncio.Future[float]] | None = None

    def hear(self, data: bytes) -> None:
        """Take a message."""
        if self._wanted is not None and data[:2] == UPDATE and self._wanted[0] in data:
            self._wanted[1].set_result(time.perf_counter())
            self._wanted = None

    def expect(self, words: str) -> "asyncio.Future[float]":
        """Return when words arrive, which are unlike all before."""
        found: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._wanted = (words.encode(), found)
        return found


def measure_latency(report: Report, folder: Path, *, times: int) -> None:
    """Write one thing at a time in each way, and wait until a page has it."""
    path = folder / "latency.db"
    with strata.open(path, auto_embed=False) as db:
        document = db.documents.create("함께", "# 함께\n\n둥지\n\n" + "글 " * 2_000).document
        state = db.documents.live().difference(document).update
        token = db.tokens.create("bench").secret
    server = Server(path)
    try:
        run = _Latencies(server, path, document=document, token=token)
        found = asyncio.run(run.all(state, times))
    finally:
        server.end()
    bounds = {"page": 40, "tool": 60, "process": 60}
    for name, taken in found.items():
        report.note(f"from a {name:<8} {told(taken)}")
        report.at_most(
            f"{name}_to_page_p50_ms", sorted(taken)[len(taken) // 2] * 1000, bounds[name]
        )


class _Latencies:
    def __init__(self, server: Server, path: Path, *, document: str, token: str) -> None:
        self.server, self.path, self.document, self.token = server, path, document, token
        self.watcher = Watcher()

    async def all(self, state: bytes, times: int) -> dict[str, list[float]]:
        """Measure every way in turn."""
        reader = await self._page(self.watcher.hear)
        writer = await self._page(lambda _data: None)
        await asyncio.sleep(0.5)
        replica = Replica(state=state)

        async def by_page(words: str) -> float:
            update = replica.splice([Splice(0, 0, words)])
            began = time.perf_counter()
            writer.send(message(UPDATE, update))
            return began

        found = {"page": await self._measured("page", by_page, times)}
        with httpx2.Client(timeout=30) as http:
            found["tool"] = await self._measured("tool", self._by_tool(http), times)
        found["process"] = await self._by_process(times)
        reader.close()
        writer.close()
        return found

    async def _page(self, heard: Callable[[bytes], None]) -> Thin:
        page = await connect(self.server.port, self.document, heard, token=self.token)
        page.send(message(_STEP_1, b"\0"))
        return page

    async def _measured(
        self, name: str, write: Callable[[str], Awaitable[float]], times: int
    ) -> list[float]:
        taken: list[float] = []
        for number in range(times + 5):
            words = f"<{name} {number} 가>"
            seen = self.watcher.expect(words)
            began = await write(words)
            taken.append(await seen - began)
            await asyncio.sleep(_PAUSE_S)
        return taken[5:]

    def _by_tool(self, http: httpx2.Client) -> Callable[[str], Awaitable[float]]:
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Mcp-Method": "tools/call",
            "Mcp-Name": "edit_document",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "X-Strata-Tool-Groups": "core",
        }

        async def write(words: str) -> float:
            arguments = {
                "action": "edit",
                "documentId": self.document,
                "oldString": "둥지",
                "newString": f"{words} 둥지",
            }
            body = {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {
                    "name": "edit_document",
                    "arguments": arguments,
                    "_meta": {
                        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
                        "io.modelcontextprotocol/clientCapabilities": {},
                    },
                },
            }
            began = time.perf_counter()
            answer = await asyncio.to_thread(http.post, self.server.url, json=body, headers=headers)
            assert answer.status_code == 200, answer.text
            assert '"isError":true' not in answer.text.replace(" ", ""), answer.text
            return began

        return write

    async def _by_process(self, times: int) -> list[float]:
        process = subprocess.Popen(  # noqa: ASYNC220  (nothing else happens meanwhile)
            [sys.executable, "-c", _EDITOR, str(self.path), self.document],
            text=True,
            cwd=self.path.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            stdin, stdout = process.stdin, process.stdout

            async def write(words: str) -> float:
                stdin.write(words + "\n")
                stdin.flush()
                return float(await asyncio.to_thread(stdout.readline))

            found = await self._measured("process", write, times)
            stdin.close()
        return found
