"""A listener on this machine for the uploads of one process, opened when the first is announced.

`strata mcp` has no server of its own. Where one runs on the same store, uploads go there.
"""

import logging
import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any

import msgspec

from strata.base import limits
from strata.base.errors import InvalidArgument, NotAllowed, StrataError, Unavailable
from strata.mcp.server_config import is_loopback
from strata.mcp.upload_requests import (
    LINGER_BYTES,
    LINGER_S,
    UPLOADS_PATH,
    accepted,
    host_name,
    is_local_page,
    length_of,
    refused,
    status_of,
    target_of,
)

if TYPE_CHECKING:
    from strata.tools import StoreHost

_log = logging.getLogger(__name__)
_HERE = "127.0.0.1"
# How often the listener looks whether anything may still arrive.
_LOOK_S = 2.0
_PIECE_BYTES = 64 * 1024
# The line before a chunk holds its size; what follows a semicolon is ignored.
_LINE_BYTES_MAX = 1024
_SIZE = re.compile(rb"[0-9A-Fa-f]{1,12}")


class Loopback:
    """Listens while an address that it gave out is good, and not longer."""

    def __init__(self, host: "StoreHost") -> None:
        self._host = host
        self._lock = threading.Lock()
        self._server: _Server | None = None
        self._until = 0.0

    def url(self) -> str:
        """Return where a file may be sent now: to a server of the store, else to this process."""
        known = self._host.writing().serving.uploads().servers.find()
        return known or self._own()

    def _own(self) -> str:
        with self._lock:
            # Longer than the address is good, so that what begins in time may end.
            self._until = time.monotonic() + limits.UPLOAD_S + limits.UPLOAD_BODY_S
            if self._server is None:
                self._server = _Server(self._host)
                threading.Thread(
                    target=self._serve, args=(self._server,), name="strata-uploads", daemon=True
                ).start()
            return f"http://{_HERE}:{self._server.server_port}"

    def _serve(self, server: "_Server") -> None:
        with server:
            while not self._is_over():
                server.handle_request()

    def _is_over(self) -> bool:
        with self._lock:
            if time.monotonic() < self._until:
                return False
            self._server = None
            return True

    @property
    def is_listening(self) -> bool:
        """Whether a port is open now."""
        return self._server is not None


class _Server(ThreadingHTTPServer):
    """Takes connections of this machine, a bounded number at once."""

    daemon_threads = True
    block_on_close = False
    timeout = _LOOK_S

    def __init__(self, host: "StoreHost") -> None:
        self.host = host
        self._slots = threading.BoundedSemaphore(limits.UPLOADS_AT_ONCE)
        super().__init__((_HERE, 0), _Handler)

    def server_bind(self) -> None:
        """Take a port. The library would look up the machine's name, which may take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = _HERE, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Work on a connection in a thread, or hang up where there are too many."""
        if self._slots.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Work on a connection, and make room for another."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        """Note what broke a connection; stderr is for people."""
        _log.info("an upload was broken off", exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    """Answers PUT for signed addresses; every other method is unknown here."""

    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]  (it is always this one)
    protocol_version = "HTTP/1.1"
    # A silent sender is left after this.
    timeout = limits.SERVE_HEAD_S

    def do_PUT(self) -> None:
        """Take a file in."""
        self.close_connection = True
        self._deadline = time.monotonic() + limits.UPLOAD_BODY_S
        self._unread = LINGER_BYTES
        try:
            self._check_sender()
            length = length_of(self.headers.get("Content-Length"))
            self._unread = LINGER_BYTES if length is None else length
            received = self.server.host.db.serving.uploads().receive(
                *target_of(self.path),
                chunks=self._chunks(length),
                declared_length=length,
                declared_type=self.headers.get("Content-Type"),
            )
        except StrataError as error:
            self._linger()
            self._answer(status_of(error), refused(error))
        else:
            self._answer(200, accepted(received))

    def _check_sender(self) -> None:
        """Refuse names and pages that are not of this machine, as the server over HTTP does."""
        host = host_name(self.headers.get("Host", ""))
        origin = self.headers.get("Origin")
        if not is_loopback(host) or not self.path.startswith(UPLOADS_PATH):
            raise NotAllowed("Only uploads are taken here, sent to the address they were given.")
        if origin is not None and not is_local_page(origin):
            raise NotAllowed("Pages of this origin may not use it.")

    def handle_expect_100(self) -> bool:
        """Let a careful sender go on; what is wrong with its head is answered at once."""
        self._waits = True
        return True

    _waits = False

    def _chunks(self, length: int | None) -> Iterator[bytes]:
        """Yield the body piece by piece. It is asked for only once its head was checked."""
        if self._waits:
            self.send_response_only(100)
            self.end_headers()
        if length is None and "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            raise InvalidArgument(
                "The request says neither its length nor that it comes in chunks.",
                hint="Send the header Content-Length.",
                parameter="contentLength",
            )
        yield from self._sized(length) if length is not None else self._chunked()

    def _sized(self, length: int) -> Iterator[bytes]:
        while length:
            piece = self._read(min(length, _PIECE_BYTES))
            length -= len(piece)
            yield piece

    def _chunked(self) -> Iterator[bytes]:
        while size := self._chunk_size():
            yield from self._sized(size)
            self.rfile.readline(_LINE_BYTES_MAX)

    def _chunk_size(self) -> int:
        line = self.rfile.readline(_LINE_BYTES_MAX).partition(b";")[0].strip()
        if _SIZE.fullmatch(line) is None:
            raise InvalidArgument("A chunk has no size.", parameter="contentLength")
        return int(line, 16)

    def _read(self, most: int) -> bytes:
        if time.monotonic() > self._deadline:
            raise Unavailable("The file took too long to arrive.", hint="Send it again.")
        piece = self.rfile.read1(most)
        if not piece:
            raise InvalidArgument("The file ended too early; nothing was kept.")
        self._unread -= len(piece)
        return piece

    def _linger(self) -> None:
        """Read a little of a refused body: who is still sending would not see the answer."""
        if self._waits:
            return  # nothing was sent yet
        self.connection.settimeout(LINGER_S / 4)
        ends, left = time.monotonic() + LINGER_S, min(self._unread, LINGER_BYTES)
        with suppress(OSError):
            while left > 0 and time.monotonic() < ends:
                piece = self.rfile.read1(min(left, _PIECE_BYTES))
                left = left - len(piece) if piece else 0

    def _answer(self, status: int, body: dict[str, object]) -> None:
        data = msgspec.json.encode(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def version_string(self) -> str:
        """Say nothing about the program."""
        return "strata"

    def log_message(self, format: str, *args: Any) -> None:
        """Log to where this process logs; without the signature in an address."""
        _log.debug("upload: %r", (format % args).partition("?")[0])
