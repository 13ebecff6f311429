"""A proxy on loopback that delays what it forwards, as a network between machines does.

It is a process of its own with a thread for each direction: in the process that is measured it
would wait for that one's interpreter, and the timers of an event loop are whole milliseconds.
"""

import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import SimpleQueue

_CHUNK_BYTES = 1 << 16


class DelayingProxy:
    """Listens on loopback and forwards to a server's socket, half of the delay each way."""

    def __init__(self, server: Path, delay_s: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(server), str(delay_s / 2)],
            stdin=subprocess.PIPE,  # its end, when this process ends, ends the proxy
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())


def forward(source: socket.socket, target: socket.socket, half_s: float) -> None:
    """Pass bytes on, each after the delay, without holding back those behind them."""
    waiting: SimpleQueue[tuple[float, bytes]] = SimpleQueue()

    def send() -> None:
        while True:
            due, data = waiting.get()
            time.sleep(max(0.0, due - time.monotonic()))
            if not data:
                target.shutdown(socket.SHUT_WR)
                return
            target.sendall(data)

    threading.Thread(target=send, daemon=True).start()
    data = b"-"
    while data:
        data = source.recv(_CHUNK_BYTES)
        waiting.put((time.monotonic() + half_s, data))


def serve(server: str, half_s: float) -> None:
    """Take connections until the process ends, and print the port first."""
    listener = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    while True:
        client, _address = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        inner = socket.socket(socket.AF_UNIX)
        inner.connect(server)
        for ends in ((client, inner), (inner, client)):
            threading.Thread(target=forward, args=(*ends, half_s), daemon=True).start()


if __name__ == "__main__":
    threading.Thread(target=serve, args=(sys.argv[1], float(sys.argv[2])), daemon=True).start()
    sys.stdin.read()
