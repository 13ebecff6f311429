"""Talking to a server: messages of both eras, our core in this process, and a real process."""

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from strata.mcp import protocol
from strata.mcp.core import Core
from strata.tools import Session

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60.0
LATEST = protocol.HANDSHAKE_REVISIONS[0]
CLIENT = {"name": "시험", "version": "1"}

Message = dict[str, Any]


def request(request_id: object, method: str, params: object = None) -> Message:
    """Return a request; without params when there are none."""
    message: Message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else message | {"params": params}


def notification(method: str, params: object = None) -> Message:
    message: Message = {"jsonrpc": "2.0", "method": method}
    return message if params is None else message | {"params": params}


def hello(request_id: object = 0, revision: object = LATEST, **changes: object) -> Message:
    """Return the handshake of the older revisions."""
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": CLIENT}
    return request(request_id, "initialize", params | changes)


def modern(
    params: Mapping[str, Any] | None = None, meta: Mapping[str, object] | None = None
) -> Message:
    """Return parameters that stand alone, as 2026-07-28 wants them."""
    envelope = {
        protocol.REVISION_KEY: protocol.MODERN_REVISION,
        protocol.CAPABILITIES_KEY: {},
        protocol.CLIENT_KEY: CLIENT,
    }
    return {**(params or {}), "_meta": {**envelope, **(meta or {})}}


def call(name: str, /, **arguments: object) -> Message:
    """Return the parameters of a call of a tool."""
    return {"name": name, "arguments": arguments}


class Inline:
    """A pool that does the work at once."""

    def submit(self, work: Callable[[], None], /) -> None:
        work()


class Talk:
    """Our core with nothing around it: what goes in, and what came out."""

    def __init__(self, session: Session, pool: Any = None) -> None:
        self.sent: queue.Queue[Message] = queue.Queue()
        self.others: list[Message] = []
        self.core = Core(session, self.sent.put, pool or Inline())

    def tell(self, message: object) -> list[Message]:
        """Hand over a message and return everything that is there to be read."""
        self.core.receive(message)
        found: list[Message] = []
        while not self.sent.empty():
            found.append(self.sent.get())
        return found

    def ask(self, method: str, params: object = None, *, request_id: object = 1) -> Message:
        """Send a request and return the one message that answers it."""
        (answer,) = self.tell(request(request_id, method, params))
        assert answer["id"] == request_id
        return answer

    def answer_to(self, request_id: object, *, seconds: float = PATIENCE_S) -> Message:
        """Wait for the answer to a request that runs in a thread; keep what else comes."""
        return _wait_for(self.sent, self.others, request_id, seconds)


class Server:
    """A process that serves over its standard input and output."""

    def __init__(self, *command: object, folder: Path | None = None, **more: Any) -> None:
        words = [str(word) for word in command]
        self.process = subprocess.Popen(
            words,
            cwd=folder or ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **more,
        )
        self.lines: queue.Queue[Message] = queue.Queue()
        self.others: list[Message] = []
        self.odd: list[bytes] = []
        self._complaint: list[bytes] = []
        self._number = 0
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._read, self._listen)
        ]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                self.odd.append(line)
            else:
                self.lines.put(message)

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._complaint.append(line)

    @property
    def complaint(self) -> str:
        """What the server wrote to stderr."""
        return b"".join(self._complaint).decode(errors="replace")

    def send(self, message: object) -> None:
        """Send one message as a line."""
        self.send_line(json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass"))

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def next(self, *, seconds: float = PATIENCE_S) -> Message:
        """Return the next message, whatever it is."""
        return self.lines.get(timeout=seconds)

    def ask(self, method: str, params: object = None, *, seconds: float = PATIENCE_S) -> Message:
        """Send a request under an id of its own, and wait for the answer."""
        self._number += 1
        request_id = f"질문-{self._number}"
        self.send(request(request_id, method, params))
        return self.answer_to(request_id, seconds=seconds)

    def answer_to(self, request_id: object, *, seconds: float = PATIENCE_S) -> Message:
        """Wait for the answer to a request; keep what else comes."""
        return _wait_for(self.lines, self.others, request_id, seconds)

    def greet(self, revision: str = LATEST) -> Message:
        """Do the handshake."""
        self.send(hello("hello", revision))
        answer = self.answer_to("hello")
        self.send(notification("notifications/initialized"))
        return answer["result"]

    def call(self, name: str, /, **arguments: object) -> Message:
        """Call a tool and return its structured result; fail where it failed."""
        answer = self.ask("tools/call", call(name, **arguments))
        assert answer["result"]["isError"] is False, answer
        return answer["result"]["structuredContent"]

    def close(self, *, seconds: float = PATIENCE_S) -> int:
        """Close the server's input and return how it ended."""
        assert self.process.stdin is not None
        if not self.process.stdin.closed:
            self.process.stdin.close()
        return self.wait(seconds=seconds)

    def wait(self, *, seconds: float = PATIENCE_S) -> int:
        """Wait until the server has ended and everything it wrote is here."""
        code = self.process.wait(timeout=seconds)
        for thread in self._threads:
            thread.join(timeout=seconds)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):  # what was not sent yet
                    stream.close()
        return code

    def end(self) -> None:
        """End the process if a test left it running."""
        if self.process.poll() is None:
            self.process.kill()
        self.wait()


def _wait_for(
    lines: "queue.Queue[Message]", others: list[Message], request_id: object, seconds: float
) -> Message:
    for kept in others:
        if kept.get("id") == request_id and "method" not in kept:
            others.remove(kept)
            return kept
    deadline = time.monotonic() + seconds
    while True:
        message = lines.get(timeout=max(0.001, deadline - time.monotonic()))
        if message.get("id") == request_id and "method" not in message:
            return message
        others.append(message)


def strata_mcp(path: Path, *options: str) -> list[str]:
    """Return the command that serves a store."""
    return [sys.executable, "-m", "strata", "mcp", "--db", str(path), *options]


def sdk_mcp(path: Path, *options: str) -> list[str]:
    """Return the command that serves a store through the official SDK."""
    program = ROOT / "tests" / "surface" / "mcp" / "sdk.py"
    return [sys.executable, str(program), "--db", str(path), *options]


def mounted_mcp(module: str, path: Path, *options: str) -> list[str]:
    """Return the command that serves the tools of a test instead of the eight."""
    words = [sys.executable, "-m", "tests.surface.mcp.mounted", module]
    return [*words, "mcp", "--db", str(path), *options]
