"""Sockets that cost next to nothing, so that a crowd of them does not eat the server's core.

Only what the benchmark needs of RFC 6455: binary messages, whole, with a mask of zeros.
"""

import asyncio
import base64
import os
import struct
from collections.abc import Callable

# Kind, step.
UPDATE = b"\x00\x02"
_BINARY, _CLOSE, _PING, _PONG = 0x2, 0x8, 0x9, 0xA


class Thin(asyncio.Protocol):
    """One socket. What arrives is handed over as bytes, as soon as it is whole."""

    def __init__(self, request: bytes, heard: Callable[[bytes], None]) -> None:
        self._request = request
        self._heard = heard
        self._data = b""
        self._transport: asyncio.Transport | None = None
        self.opened = asyncio.get_running_loop().create_future()
        self.code: int | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Cut what arrived into messages."""
        self._data = data = self._data + data if self._data else data
        if not self.opened.done():
            head, found, rest = data.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head.split(b"\r\n")[0], head
            self._data = data = rest
            self.opened.set_result(None)
        self._data = self._cut(data)

    def _cut(self, data: bytes) -> bytes:
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                if size - at < 4:
                    break
                (length,), start = struct.unpack_from("!H", data, start), start + 2
            elif length == 127:
                if size - at < 10:
                    break
                (length,), start = struct.unpack_from("!Q", data, start), start + 8
            if size - start < length:
                break
            self._take(data[at] & 0xF, data[start : start + length])
            at = start + length
        return data[at:]

    def _take(self, kind: int, body: bytes) -> None:
        if kind == _BINARY:
            self._heard(body)
        elif kind == _PING:
            self._write(_PONG, body)
        elif kind == _CLOSE:
            self.code = struct.unpack("!H", body[:2])[0]

    def connection_lost(self, exc: Exception | None) -> None:
        """Remember that it is over."""
        del exc
        self.code = self.code or 1006

    def send(self, body: bytes) -> None:
        """Send a message."""
        self._write(_BINARY, body)

    def _write(self, kind: int, body: bytes) -> None:
        assert self._transport is not None
        size = len(body)
        if size < 126:
            head = struct.pack("!BB4x", 0x80 | kind, 0x80 | size)
        elif size < 65536:
            head = struct.pack("!BBH4x", 0x80 | kind, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ4x", 0x80 | kind, 0x80 | 127, size)
        self._transport.write(head + body)

    def close(self) -> None:
        """Go."""
        if self._transport is not None:
            self._transport.close()


async def connect(port: int, document: str, heard: Callable[[bytes], None], *, token: str) -> Thin:
    """Open a socket on a document."""
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET /live/{document} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        f"Authorization: Bearer {token}\r\n\r\n"
    )
    loop = asyncio.get_running_loop()
    _transport, socket = await loop.create_connection(
        lambda: Thin(request.encode(), heard), "127.0.0.1", port
    )
    await socket.opened
    return socket


def number(value: int) -> bytes:
    """Write a number of variable length."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def message(step: bytes, body: bytes) -> bytes:
    """Write a step of a sync."""
    return step + number(len(body)) + body
