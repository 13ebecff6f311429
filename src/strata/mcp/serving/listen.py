"""Listening: sockets, patience with slow senders, and a stop that lets calls finish."""

import asyncio
import gc
import logging
import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import chain
from types import FrameType
from typing import Any

import h11
import msgspec
import uvicorn
from starlette.types import ASGIApp
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import HANDLED_SIGNALS
from websockets.frames import CloseCode
from websockets.http11 import Request
from websockets.protocol import State

from strata.base import limits
from strata.base.errors import Unavailable
from strata.mcp.server_config import ServerConfig
from strata.mcp.serving.app import App
from strata.mcp.serving.bodies import BODIES, HOLDING, SEND_AT_ONCE, Holding
from strata.mcp.serving.descriptors import (
    AcceptFailures,
    connections_max,
    raise_descriptor_limit,
)
from strata.mcp.serving.memory import prepare_memory
from strata.mcp.serving.site import MakeSite
from strata.tools import StoreHost

_BACKLOG = 256
# What a part of a message takes beside its bytes.
_PART_BYTES = 64
# RFC 6455: the first byte of a binary message in one frame, and marks of longer sizes.
_BINARY, _SIZE_16_BITS, _SIZE_64_BITS = 0x82, 126, 127
_log = logging.getLogger(__name__)


def listen(
    host: StoreHost,
    serving: ServerConfig,
    *,
    site: MakeSite | None = None,
    ready: Callable[[ServerConfig], None] | None = None,
) -> bool:
    """Serve until a signal comes; tell whether every call had ended by then."""
    prepare_memory()
    raise_descriptor_limit()
    with bound(serving) as (listener, found):
        app = App(host, found, site=site)

        def begin() -> None:
            # What is there now stays: the collector need not look through it, in the event loop.
            gc.freeze()
            if ready is not None:
                ready(found)

        server = Listener(app, begin)
        server.run(sockets=[listener])
    return server.has_ended


@contextmanager
def bound(serving: ServerConfig) -> Generator[tuple[socket.socket, ServerConfig]]:
    """Take the port, and tell which one it was where any would do."""
    try:
        found = socket.getaddrinfo(serving.address, serving.port, type=socket.SOCK_STREAM)
        family, _kind, _protocol, _name, address = found[0]
        listener = _opened(family, address)
    except OSError as error:
        raise Unavailable(
            f"Cannot listen at {serving.address} port {serving.port}: {error.strerror or error}.",
            hint="Choose another with --port; 0 takes any that is free.",
        ) from error
    with listener:
        yield listener, msgspec.structs.replace(serving, port=listener.getsockname()[1])


def _opened(family: socket.AddressFamily, address: tuple[Any, ...]) -> socket.socket:
    # By its protocol asyncio recognises TCP and sends at once; left open, as create_server does,
    # every answer on a connection that is kept waits 40 ms for an acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere this would let two servers take one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


class ServerSettings(uvicorn.Config):
    """The settings of a server, and which of its connections wait for their clients."""

    def __init__(self, app: ASGIApp, **options: Any) -> None:
        super().__init__(app, **options)
        self.waiting = WaitingConnections()


class Listener(uvicorn.Server):
    """A server that tells when it is ready and ends its calls before its connections."""

    def __init__(self, app: App, ready: Callable[[], None]) -> None:
        super().__init__(
            ServerSettings(
                app.asgi,
                http=Impatient,
                ws=ServerSocket,
                ws_max_size=limits.SOCKET_MESSAGE_BYTES_MAX,
                ws_ping_interval=limits.SOCKET_PING_S,
                ws_ping_timeout=limits.SOCKET_PING_S,
                # What is sent is small, and each connection would keep its own dictionary.
                ws_per_message_deflate=False,
                loop="asyncio",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                # As long as the line behind the listening socket: each failed attempt to take
                # a connection is repeated as often.
                backlog=_BACKLOG,
                limit_concurrency=connections_max(),
                timeout_keep_alive=limits.SERVE_KEEP_ALIVE_S,
                timeout_graceful_shutdown=2,
            )
        )
        self._app = app
        self._ready = ready
        self.has_ended = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        asyncio.get_running_loop().set_exception_handler(AcceptFailures().handle)
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, let calls finish, then close what is left."""
        for server in self.servers:
            server.close()
        self.has_ended = await self._app.stop()
        await super().shutdown(sockets=sockets)
        if self.force_exit:  # then it leaves the application open, which ends in a traceback
            await self.lifespan.shutdown()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop when told to; a stop that went well is not told to the shell as a kill."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; when asked again, at once."""
        if self.should_exit:
            self._app.hurry()
            self.force_exit = True
        else:
            patience = threading.Timer(self._app.stop_s + limits.SERVE_STOP_S, _end_process)
            patience.daemon = True
            patience.start()
        super().handle_exit(sig, frame)


def _end_process() -> None:
    """End a process whose threads do not: what they have not committed is not in the store."""
    _log.error("the server did not stop in time; it is ended now")
    os._exit(1)


class Impatient(H11Protocol):
    """A connection that is closed when the head of a request does not arrive in time.

    Where there are too many, those end first that wait for their client, the oldest of them and
    of the address that has most: who is quick is let in, however many others are not.
    """

    _head: asyncio.TimerHandle | None = None
    # Whether a request on it was answered.
    has_served = False

    def __init__(self, config: ServerSettings, *given: Any, **more: Any) -> None:
        super().__init__(config, *given, **more)
        self._waiting = config.waiting

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to watch."""
        super().connection_made(transport)
        self._wait()
        self._expect_head()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Take bytes in; the first of a head starts the clock for the rest of it."""
        self._expect_head()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._forget_head()
        # One that still waits keeps its place: a byte now and then does not make it younger.
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._waiting.leave(self)
        has_body = self.conn.their_state is h11.SEND_BODY and not self._is_chunked
        if has_body and self.transport.get_protocol() is self:
            self._read_at_once(limits.SERVE_BODY_READ_BYTES)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.has_served = True
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop watching."""
        self._forget_head()
        self._waiting.leave(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over; its new owner pings by itself."""
        self._forget_head()
        self._waiting.leave(self)
        super().handle_websocket_upgrade(event)

    @property
    def address(self) -> str:
        """Where it comes from."""
        return self.client[0] if self.client else ""

    @property
    def _is_chunked(self) -> bool:
        """Whether a body comes in chunks, each of which is work, however small."""
        return any(name == b"transfer-encoding" for name, _value in self.headers or ())

    def _read_at_once(self, size: int) -> None:
        # An attribute of asyncio's own transports, which sockets that take over have too.
        self.transport.max_size = size  # pyright: ignore[reportAttributeAccessIssue]

    def _wait(self) -> None:
        self._waiting.join(self)
        self._read_at_once(limits.SERVE_READ_BYTES)

    def _expect_head(self) -> None:
        if self._head is None and self.conn.their_state is h11.IDLE:
            self._head = self.loop.call_later(limits.SERVE_HEAD_S, self.transport.close)

    def _forget_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _make_room(self) -> None:
        """Close a connection that waits, if this one is one too many."""
        address = self.address
        if self._waiting.count(address) <= limits.SERVE_WAITING_OF_ONE_MAX:
            if len(self.connections) < (self.limit_concurrency or limits.SERVE_CONNECTIONS_MAX):
                return
            address = self._waiting.largest()
        oldest = self._waiting.remove_first(address, but=self)
        if oldest is not None:  # else all are busy, and the client gets an error
            oldest.transport.close()


class WaitingConnections:
    """Connections that wait for their client to send something, by the address they come from.

    Each call takes the same time, however many there are: connecting costs a client little.
    """

    def __init__(self) -> None:
        # Those that have never sent a whole request yield first, and of these the oldest.
        self._new: dict[str, dict[Impatient, None]] = {}
        self._served: dict[str, dict[Impatient, None]] = {}

    def join(self, connection: Impatient) -> None:
        """Note that a connection begins to wait now."""
        self.leave(connection)
        lines = self._served if connection.has_served else self._new
        lines.setdefault(connection.address, {})[connection] = None

    def leave(self, connection: Impatient) -> None:
        """Note that a connection waits no more."""
        for lines in (self._new, self._served):
            line = lines.get(connection.address, {})
            line.pop(connection, None)
            if not line:
                lines.pop(connection.address, None)

    def count(self, address: str) -> int:
        """Return how many of an address wait."""
        return len(self._new.get(address, ())) + len(self._served.get(address, ()))

    def largest(self) -> str:
        """Return the address of which most wait."""
        return max([*self._new, *self._served], key=self.count, default="")

    def remove_first(self, address: str, *, but: Impatient) -> Impatient | None:
        """Return the connection of an address that yields first, which waits no more."""
        line = chain(self._new.get(address, ()), self._served.get(address, ()))
        found = next((one for one in line if one is not but), None)
        if found is not None:
            self.leave(found)
        return found


class ServerSocket(WebSocketsSansIOProtocol):
    """A socket whose refusal is an answer, and no fault to be logged.

    What it has received counts for its client until the application comes for the next message:
    parts of a message that is not complete, and messages that wait or are worked on. The client
    is its address, until the application says which user it is.
    """

    _holding: Holding
    # The bytes of all messages that the application was given, and of the one it works on.
    _given = 0
    _taken = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to count."""
        super().connection_made(transport)
        # The sizes of messages that the application has not come for yet.
        self._waiting: deque[int] = deque()
        self._holding = self.app_state[BODIES].holding(self.client[0] if self.client else "")

    def handle_connect(self, event: Request) -> None:
        """Let the application say whose it is."""
        super().handle_connect(event)
        if not self.close_sent:
            state = self.scope.setdefault("state", {})
            state[HOLDING], state[SEND_AT_ONCE] = self._holding, self.send_at_once

    def data_received(self, data: bytes) -> None:
        """Take bytes in, or end a socket whose client has too much under way."""
        super().data_received(data)
        self._holding.shrink(self._held)
        try:
            self._holding.grow(self._held)
        except Unavailable as error:
            self.conn.fail(CloseCode.TRY_AGAIN_LATER, error.message)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
            self._drop_parts()

    def handle_parser_exception(self) -> None:
        """End a socket whose client sends what is no message."""
        if self.conn.close_sent is not None:
            super().handle_parser_exception()
        else:
            # The client did not wait for the handshake, so there is no frame to say why.
            self.close_sent = True
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Give a whole message to the application."""
        if not self.close_sent:
            size = sum(map(len, self.frames))
            self._waiting.append(size)
            self._given += size
        if self.queue.empty() and not self.read_paused:
            # Reading stops behind the second message that waits, not behind the first: the
            # application mostly comes for one before the next arrives, and each stop takes two
            # system calls.
            self.read_paused = True
            super().send_receive_event_to_app()
            self.read_paused = False
        else:
            super().send_receive_event_to_app()

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next message; the application is done with the last one."""
        self._given -= self._taken
        self._taken = 0
        self._holding.shrink(self._held)
        message = await super().receive()
        if message["type"] == "websocket.receive":
            self._taken = self._waiting.popleft()
        return message

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of the message that will never be complete."""
        super().connection_lost(exc)
        self._drop_parts()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Let go of what the application was given."""
        super().on_task_complete(task)
        self._given = 0
        self._holding.shrink(0)

    @property
    def _held(self) -> int:
        parts = len(self.conn.reader.buffer) + (self.conn.current_size or 0)
        return self._given + parts + _PART_BYTES * len(self.frames)

    def _drop_parts(self) -> None:
        self.frames.clear()
        self.conn.reader.discard()
        self.conn.current_size = None
        self._holding.shrink(self._given)

    def send_at_once(self, messages: Sequence[bytes]) -> bool:
        """Send binary messages by one system call; False, and nothing sent, if that must wait."""
        if not self.writable.is_set() or self.close_sent or self.conn.state is not State.OPEN:
            return False
        parts = [part for one in messages for part in (_frame_head(len(one)), one)]
        self.transport.write(b"".join(parts))
        return True

    async def send(self, message: ASGISendEvent) -> None:
        """Send something; a refusal that was sent whole is the end of the handshake."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True


def _frame_head(size: int) -> bytes:
    """Return what comes before a binary message of so many bytes, whole and without a mask."""
    if size < _SIZE_16_BITS:
        return bytes((_BINARY, size))
    if size < 1 << 16:
        return bytes((_BINARY, _SIZE_16_BITS)) + size.to_bytes(2)
    return bytes((_BINARY, _SIZE_64_BITS)) + size.to_bytes(8)
