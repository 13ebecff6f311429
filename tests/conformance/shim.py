"""Streamable HTTP in front of our server over stdio, so that the suite can judge the core too.

What HTTP alone must do is done here: sessions, streams, the headers that repeat what the body
says, and the check of where a request comes from. Everything else is the core's answer.
"""

import itertools
import json
import queue
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from strata.mcp import protocol

Message = dict[str, Any]
Command = list[str]

HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
# How an error of a request that stands alone shows in the status of its answer.
STATUS = {
    protocol.METHOD_NOT_FOUND: 404,
    protocol.INVALID_PARAMS: 400,
    protocol.INVALID_REQUEST: 400,
    protocol.UNSUPPORTED_REVISION: 400,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
}
LOCAL = {"localhost", "127.0.0.1", "::1"}
PATIENCE_S = 30.0


class Pipe:
    """One server process. Ids and progress tokens are renamed, so that many may use it."""

    def __init__(self, command: Command) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._numbers = itertools.count(1)
        self._waiting: dict[int, tuple[Any, Any, queue.Queue[Message]]] = {}
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def ask(self, message: Message) -> "tuple[int, queue.Queue[Message]]":
        """Send a request, and return where its answer and all that belongs to it will come."""
        number, heard = next(self._numbers), queue.Queue[Message]()
        params = _object(message.get("params"))
        meta = _object(params.get("_meta"))
        token = meta.get("progressToken")
        self._waiting[number] = (message["id"], token, heard)
        renamed = message | {"id": number}
        if token is not None:
            renamed["params"] = params | {"_meta": meta | {"progressToken": number}}
        self.send(renamed)
        return number, heard

    def send(self, message: Message) -> None:
        """Send a message that has no answer."""
        assert self._process.stdin is not None
        with self._lock:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def give_up(self, number: int) -> None:
        """Tell the server that nobody waits for an answer any more."""
        if self._waiting.pop(number, None) is not None:
            self.send(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": {"requestId": number},
                }
            )

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._pass_on(json.loads(line))

    def _pass_on(self, message: Message) -> None:
        if "method" not in message:
            known = self._waiting.pop(message.get("id") or 0, None)
            if known is not None:
                known[2].put(_subscribed(message | {"id": known[0]}, known[0]))
            return
        params = message.get("params") or {}
        meta = params.get("_meta") or {}
        number = params.get("progressToken") or meta.get(protocol.SUBSCRIPTION_KEY) or 0
        known = self._waiting.get(number)
        if known is None:
            return  # what belongs to no request has no stream here
        if "progressToken" in params:
            message["params"] = params | {"progressToken": known[1]}
        known[2].put(_subscribed(message, known[0]))

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=20)
        self._reader.join(timeout=20)


def _object(value: Any) -> Message:
    return value if isinstance(value, dict) else {}


def _subscribed(message: Message, request_id: Any) -> Message:
    """Name a subscription as its client does."""
    for part in ("params", "result"):
        meta = _object(_object(message.get(part)).get("_meta"))
        if protocol.SUBSCRIPTION_KEY in meta:
            meta[protocol.SUBSCRIPTION_KEY] = request_id
    return message


class Shim(ThreadingHTTPServer):
    """Keeps a process for each session, and one for all requests that stand alone."""

    daemon_threads = True

    def __init__(self, command: Command) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.command = command
        self.sessions: dict[str, Pipe] = {}
        self.alone = Pipe(command)
        # The first request decides the era of a connection.
        envelope = {protocol.REVISION_KEY: protocol.MODERN_REVISION, protocol.CAPABILITIES_KEY: {}}
        discover = {"jsonrpc": "2.0", "id": 0, "method": "server/discover"}
        self.alone.ask(discover | {"params": {"_meta": envelope}})[1].get(timeout=PATIENCE_S)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/mcp"

    def close(self) -> None:
        """Stop listening and end every process."""
        self.shutdown()
        self.server_close()
        for pipe in (self.alone, *self.sessions.values()):
            pipe.close()


class Handler(BaseHTTPRequestHandler):
    """One request of HTTP."""

    protocol_version = "HTTP/1.1"
    server: Shim  # pyright: ignore[reportIncompatibleVariableOverride]

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent."""

    def do_GET(self) -> None:
        self._reply(405)

    def do_DELETE(self) -> None:
        pipe = self.server.sessions.pop(self.headers.get("Mcp-Session-Id", ""), None)
        if pipe is not None:
            pipe.close()
        self._reply(404 if pipe is None else 200)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if not self._is_local():
            self._reply(403)
            return
        try:
            message = json.loads(body)
        except ValueError:
            self._refuse(400, None, protocol.PARSE_ERROR, "Parse error")
            return
        if self._stands_alone(message):
            self._serve_alone(message)
        else:
            self._serve_session(message)

    def _is_local(self) -> bool:
        """Refuse pages and names from elsewhere: they may not reach a server of this machine."""
        origin = self.headers.get("Origin")
        names = [urlsplit(f"//{self.headers.get('Host', '')}").hostname]
        names += [urlsplit(origin).hostname] if origin else []
        return all(name in LOCAL for name in names)

    def _stands_alone(self, message: Message) -> bool:
        if "Mcp-Session-Id" in self.headers:
            return False
        if message.get("method") == "initialize":
            return self.headers.get("MCP-Protocol-Version") == protocol.MODERN_REVISION
        return True

    # Sessions.

    def _serve_session(self, message: Message) -> None:
        session = self.headers.get("Mcp-Session-Id")
        if session is None:
            session = f"session-{len(self.server.sessions) + 1}-{id(message)}"
            self.server.sessions[session] = Pipe(self.server.command)
        pipe = self.server.sessions.get(session)
        if pipe is None:
            self._reply(404)
        elif "id" in message and "method" in message:
            self._answer(pipe, message, {"Mcp-Session-Id": session}, statuses={})
        else:
            pipe.send(message)
            self._reply(202)

    # Requests that stand alone.

    def _serve_alone(self, message: Message) -> None:
        if "id" not in message:
            self._reply(202)
            return
        problem = self._mismatch(message)
        if problem is not None:
            self._refuse(400, message["id"], HEADER_MISMATCH, problem)
        elif message.get("method") == "initialize":
            # Over stdio it tells that a connection has its era already; here there is none.
            self._refuse(404, message["id"], protocol.METHOD_NOT_FOUND, "Method not found")
        else:
            self._answer(self.server.alone, message, {}, statuses=STATUS)

    def _mismatch(self, message: Message) -> str | None:
        """Compare the headers with what they repeat."""
        params = _object(message.get("params"))
        told = _object(params.get("_meta")).get(protocol.REVISION_KEY)
        name = params.get("name") if message["method"] in ("tools/call", "prompts/get") else None
        for header, expected in (
            ("MCP-Protocol-Version", told),
            ("Mcp-Method", message["method"]),
            ("Mcp-Name", name),
        ):
            found = self.headers.get(header)
            if isinstance(expected, str) and (found or "").strip() != expected:
                return f"Header mismatch: {header} is {found!r}, the body says {expected!r}"
        return None

    # Answers.

    def _answer(
        self, pipe: Pipe, message: Message, headers: dict[str, str], statuses: dict[int, int]
    ) -> None:
        """Answer with one object, or with a stream where more than the answer comes."""
        number, heard = pipe.ask(message)
        first = heard.get(timeout=PATIENCE_S)
        if "method" not in first:
            status = statuses.get(first.get("error", {}).get("code"), 200)
            self._reply(status, json.dumps(first).encode(), headers)
            return
        self.send_response(200)
        for name, value in {"Content-Type": "text/event-stream", **headers}.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            self._stream(first, heard)
        except (OSError, queue.Empty):
            pipe.give_up(number)

    def _stream(self, first: Message, heard: "queue.Queue[Message]") -> None:
        message = first
        while True:
            self.wfile.write(b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n")
            self.wfile.flush()
            if "method" not in message:
                return
            message = heard.get(timeout=PATIENCE_S)

    def _refuse(self, status: int, request_id: Any, code: int, text: str) -> None:
        error = {"code": code, "message": text}
        body = {"jsonrpc": "2.0", "id": request_id, "error": error}
        self._reply(status, json.dumps(body).encode())

    def _reply(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if body:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
