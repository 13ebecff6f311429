"""MCP over standard input and output: one message a line, and nothing else on stdout."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from strata.base import limits
from strata.mcp import protocol
from strata.mcp.core import Core, Message
from strata.tools import Session, StoreHost

if TYPE_CHECKING:
    from strata.workspace import Workspace

_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def serve_stdio(session: Session, *, dynamic: str | None = None) -> None:
    """Serve one client until it closes its end, or until a signal says stop."""
    output = _reserve_stdout()
    writer, pool = _Writer(output), Threads(limits.CALL_THREADS)
    core = Core(session, writer.send, pool)
    beside = threading.Thread(target=_warm, args=(session, core, dynamic), daemon=True)
    core.after_list = beside.start
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    try:
        read_messages(sys.stdin.buffer, core, writer.send)
    except _Stopped:
        _log.info("stopped by a signal")
    finally:
        # What runs may still be answered, for a while; then it is stopped.
        if not pool.wait(limits.SHUTDOWN_S):
            _log.warning("calls were still running and are stopped")
        _close(core, pool)
        session.host.close()


def _close(core: Core, pool: "Threads") -> None:
    """Stop what runs. Beside this thread, because a client that reads no more blocks writing."""
    closing = threading.Thread(target=core.close, daemon=True)
    closing.start()
    closing.join(limits.SHUTDOWN_S)
    if not closing.is_alive():
        pool.wait(limits.SHUTDOWN_S)


def read_messages(stream: BinaryIO, core: Core, send: Callable[[Message], None]) -> None:
    """Hand over each line; one that is no JSON, or too long, is refused and skipped."""
    while line := stream.readline(limits.MESSAGE_BYTES_MAX):
        if len(line) >= limits.MESSAGE_BYTES_MAX and not line.endswith(b"\n"):
            while (line := stream.readline(1024 * 1024)) and not line.endswith(b"\n"):
                pass
            too_long = f"A message may have {limits.MESSAGE_BYTES_MAX:,} bytes; this one is longer."
            _refuse(send, protocol.INVALID_REQUEST, too_long)
        elif line.strip():
            _hand_over(line, core, send)


def _hand_over(line: bytes, core: Core, send: Callable[[Message], None]) -> None:
    try:
        message = _decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        _refuse(send, protocol.PARSE_ERROR, "Parse error: this line is no JSON.")
        return
    core.receive(message)


def _refuse(send: Callable[[Message], None], code: int, message: str) -> None:
    send({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}})


class _Stopped(BaseException):
    """A signal asked the server to stop."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _Stopped


def _reserve_stdout() -> BinaryIO:
    """Keep the real output for the protocol; whatever else is printed goes to stderr."""
    ours = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return os.fdopen(ours, "wb", buffering=0)


def _warm(session: Session, core: Core, dynamic: str | None) -> None:
    """Open the store while the client is still thinking, so that its first call is quick."""
    host = session.host
    try:
        host.when_made(lambda db: _follow_prompts(core, db, mode=dynamic, host=host))
        host.warm()
        _start_agents(host)
    except Exception as error:  # noqa: BLE001  (the first call meets it again and reports it)
        _log.debug("the store cannot be opened yet: %s", error)


def _follow_prompts(core: Core, db: "Workspace", *, mode: str | None, host: StoreHost) -> None:
    """Let the list of tools follow the conversation, where the client and the settings allow."""
    from strata.hooks import ListFollower  # noqa: PLC0415  (not before the first reply)

    follower = ListFollower(
        db, client=core.client, revision=core.revision, changed=core.tools_changed, mode=mode
    )
    if follower.tools.is_on:
        core.answers.follows = follower.tools
        host.closing.append(follower.begin())


def _start_agents(host: StoreHost) -> None:
    """Let agents do what a process left behind that ended before it was done."""
    if host.start_agents is not None and host.is_made and host.db.agents.queue.is_waiting():
        host.start_agents()


class _Writer:
    """Writes whole messages, one at a time, from any thread."""

    def __init__(self, output: BinaryIO) -> None:
        self._output = output
        self._lock = threading.Lock()

    def send(self, message: Message) -> None:
        """Write a message; a client that has gone away is no error."""
        data = memoryview(_encode(message) + b"\n")
        with self._lock, suppress(BrokenPipeError, ValueError):
            while data:
                data = data[self._output.write(data) :]


class Threads:
    """A bounded pool that starts a thread when none is free, and can be waited for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._work: list[Callable[[], None]] = []
        self._changed = threading.Condition()
        self._threads = self._idle = self._busy = 0

    def submit(self, work: Callable[[], None]) -> None:
        """Run a piece of work as soon as a thread is free."""
        with self._changed:
            self._work.append(work)
            if not self._idle and self._threads < self._most:
                self._threads += 1
                threading.Thread(target=self._run, daemon=True).start()
            else:
                self._changed.notify()

    def wait(self, seconds: float) -> bool:
        """Wait until nothing runs and nothing waits; tell whether that came in time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._work and not self._busy, seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._idle += 1
                while not self._work:
                    self._changed.wait()
                self._idle -= 1
                self._busy += 1
                work = self._work.pop(0)
            try:
                work()
            except Exception:  # noqa: BLE001  (the border of the program)
                _log.exception("a call ended badly")
            with self._changed:
                self._busy -= 1
                if not self._busy and not self._work:
                    self._changed.notify_all()
