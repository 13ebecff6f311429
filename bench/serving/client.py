"""A raw client over standard input and output, so that its own cost is next to nothing."""

import os
import resource
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Client:
    """One server process, talked to line by line."""

    def __init__(self, command: Sequence[str], folder: Path, **variables: str) -> None:
        surroundings = {**os.environ, **variables}
        # Written byte code is what every start after the first one finds.
        surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=surroundings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and return its result."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}})
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            message = msgspec.json.decode(line)
            if message.get("id") == self._number:
                assert "result" in message, message
                return message["result"]
        raise EOFError("the server has gone")

    def greet(self) -> None:
        """Do the handshake."""
        self.ask("initialize", HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed."""
        result = self.ask("tools/call", {"name": name, "arguments": arguments})
        assert not result.get("isError"), result
        return result

    @property
    def taken_ms(self) -> float:
        """Milliseconds since the process was started."""
        return (time.perf_counter() - self.started) * 1000

    @property
    def memory_mb(self) -> float:
        """What the process takes of memory now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def close(self) -> float:
        """End the server; return the CPU milliseconds it took in all."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(msgspec.json.encode(message) + b"\n")
        self.process.stdin.flush()
