"""A proxy on loopback that delays what it forwards, as a network between machines does."""

import asyncio
import threading
from collections import deque
from pathlib import Path

_CHUNK_BYTES = 1 << 16


class DelayingProxy:
    """Listens on loopback and forwards to a server's socket, half of the delay each way."""

    def __init__(self, socket: Path, delay_s: float) -> None:
        self._socket = socket
        self._half = delay_s / 2
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port: int = server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, ours = await asyncio.open_unix_connection(str(self._socket))
        await asyncio.gather(self._forward(reader, ours), self._forward(theirs, writer))

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Pass bytes on, each after the delay, without holding back those behind them."""
        waiting: deque[tuple[float, bytes]] = deque()
        has_more = asyncio.Event()

        async def send() -> None:
            while True:
                while waiting:
                    due, data = waiting.popleft()
                    await asyncio.sleep(max(0.0, due - self._loop.time()))
                    if not data:
                        target.close()
                        return
                    target.write(data)
                has_more.clear()
                await has_more.wait()

        sending = asyncio.create_task(send())
        while True:
            data = await source.read(_CHUNK_BYTES)
            waiting.append((self._loop.time() + self._half, data))
            has_more.set()
            if not data:
                break
        await sending
