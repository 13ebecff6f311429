"""Listening: sockets, patience with slow senders, and a stop that lets calls finish."""

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import h11
import msgspec
import uvicorn
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import HANDLED_SIGNALS

from strata.base import limits
from strata.base.errors import Unavailable
from strata.mcp.offer import Serving
from strata.mcp.serving.app import App
from strata.mcp.serving.site import MakeSite
from strata.tools import Host


def listen(
    host: Host,
    serving: Serving,
    *,
    site: MakeSite | None = None,
    ready: Callable[[Serving], None] | None = None,
) -> bool:
    """Serve until a signal comes; tell whether every call had ended by then."""
    with bound(serving) as (listener, found):
        app = App(host, found, site=site)
        server = Listener(app, lambda: ready(found) if ready else None)
        server.run(sockets=[listener])
    return server.has_ended


@contextmanager
def bound(serving: Serving) -> Generator[tuple[socket.socket, Serving]]:
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
        listener.listen(256)
    except OSError:
        listener.close()
        raise
    return listener


class Listener(uvicorn.Server):
    """A server that tells when it is ready and ends its calls before its connections."""

    def __init__(self, app: App, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app.asgi,
                http=Impatient,
                ws=Socket,
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
                limit_concurrency=limits.SERVE_CONNECTIONS_MAX,
                timeout_keep_alive=limits.SERVE_KEEP_ALIVE_S,
                timeout_graceful_shutdown=2,
            )
        )
        self._app = app
        self._ready = ready
        self.has_ended = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, let calls finish, then close what is left."""
        for server in self.servers:
            server.close()
        self.has_ended = await self._app.stop()
        await super().shutdown(sockets=sockets)

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
        super().handle_exit(sig, frame)


class Impatient(H11Protocol):
    """A connection that is closed when the head of a request does not arrive in time."""

    _watch: asyncio.TimerHandle | None = None
    _waits_since: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to watch."""
        super().connection_made(transport)
        self._look_again()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop watching."""
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over; whoever has it from now on pings by itself."""
        if self._watch is not None:
            self._watch.cancel()
        super().handle_websocket_upgrade(event)

    def _look_again(self) -> None:
        self._watch = self.loop.call_later(limits.SERVE_HEAD_S / 2, self._look)

    def _look(self) -> None:
        """Close a connection that waits for the same head as at the last look."""
        is_waiting = self.conn.their_state is h11.IDLE
        before, self._waits_since = self._waits_since, (self.cycle,) if is_waiting else None
        if is_waiting and before == self._waits_since:
            self.transport.close()
        else:
            self._look_again()


class Socket(WebSocketsSansIOProtocol):
    """A socket whose refusal is an answer, and no fault to be logged."""

    async def send(self, message: ASGISendEvent) -> None:
        """Send something; a refusal that was sent whole is the end of the handshake."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True
