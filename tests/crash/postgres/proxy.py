"""A proxy in front of a server that cuts connections at a chosen moment."""

import random
import socket
import struct
import threading
import time
from contextlib import suppress
from typing import Self

_CHUNK_BYTES = 1 << 16
# How long a request takes to arrive whose client is gone.
_LATE_S = 0.2
# Closing then tells the other side at once that the connection is gone.
_ABRUPTLY = struct.pack("ii", 1, 0)


class CuttingProxy:
    """Forwards connections from a port of its own, and cuts one where it was told to."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._lock = threading.Lock()
        # The pairs of sockets that are connected, client first.
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._answer: bytes | None = None
        self._skipped: int | None = None
        self._is_late = self._refuses = False
        # The server's ends of connections whose client is gone, until the last request is there.
        self._kept: set[socket.socket] = set()
        self._answered = threading.Event()
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_answer(self, holding: bytes) -> None:
        """Cut the next connection whose server answers with these bytes, before the client sees."""
        self._answer = holding

    def cut_request(self, *, after: int = 0, late: bool = False) -> None:
        """Cut the connection of a request to come, before the server gets it.

        `after` says how many requests pass before. A `late` one arrives, when the client knows that
        its connection is cut.
        """
        self._is_late = late
        self._skipped = after

    @property
    def has_kept(self) -> bool:
        """Whether a request is still on its way to the server."""
        return bool(self._kept)

    def _deliver(self, server: socket.socket, data: bytes) -> None:
        """Let the server have a request of a client that is gone."""
        time.sleep(_LATE_S)
        self._answered.clear()
        with suppress(OSError):
            server.sendall(data)
        # A part of a request has no answer.
        self._answered.wait(_LATE_S)
        self._kept.discard(server)
        _close(server)

    def cut_some(self, dice: random.Random) -> None:
        """Cut each connection or leave it, by chance."""
        with self._lock:
            pairs = [pair for pair in self._pairs if dice.random() < 0.5]
        for pair in pairs:
            self._cut(*pair)

    def cut_all(self) -> None:
        """Cut every connection."""
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            self._cut(*pair)

    def refuse(self) -> None:
        """Let no new connection through."""
        self._refuses = True

    def accept_again(self) -> None:
        """Let new connections through."""
        self._refuses = False

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _address = self._listener.accept()
                if self._refuses:
                    _close(client)
                    continue
                try:
                    server = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    _close(client)
                    continue
                for one in (client, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with self._lock:
                    self._pairs.add((client, server))
                for work in (self._forward_requests, self._forward_answers):
                    threading.Thread(target=work, args=(client, server), daemon=True).start()

    def _forward_requests(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(_CHUNK_BYTES):
                if self._is_due():
                    if self._is_late:
                        with self._lock:
                            self._pairs.discard((client, server))
                        self._kept.add(server)
                        self.cuts += 1
                        _close(client)
                        self._deliver(server, data)
                        return
                    break
                server.sendall(data)
        self._cut(client, server)

    def _is_due(self) -> bool:
        with self._lock:
            if self._skipped is None:
                return False
            self._skipped -= 1
            if self._skipped >= 0:
                return False
            self._skipped = None
            return True

    def _forward_answers(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(_CHUNK_BYTES):
                if server in self._kept:
                    self._answered.set()
                    continue
                if self._answer is not None and self._answer in data:
                    self._answer = None
                    break
                client.sendall(data)
        if server in self._kept:
            self._answered.set()
        else:
            self._cut(client, server)

    def _cut(self, client: socket.socket, server: socket.socket) -> None:
        with self._lock:
            if (client, server) not in self._pairs:
                return
            self._pairs.discard((client, server))
            self.cuts += 1
        _close(client)
        _close(server)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.cut_all()


def _close(end: socket.socket) -> None:
    with suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABRUPTLY)
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
