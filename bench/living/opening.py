"""How long it takes to open a long document with a long past over a socket."""

import asyncio
import time
from pathlib import Path

from measure.figures import Report

import strata
from living.server import Server
from living.thin import connect, message
from living.words import told
from strata.documents import Replica

_STEP_1, _STEP_2 = b"\x00\x00", b"\x00\x01"


def measure_opening(report: Report, path: Path, document: str, *, times: int) -> None:
    """Open the document in a server that has just started, then again and again."""
    with strata.open(path, auto_embed=False) as db:
        token = db.tokens.create("bench").secret
        text = db.documents.text(document)
    server = Server(path)
    try:
        taken = [asyncio.run(_open(server, document, token)) for _ in range(times + 1)]
    finally:
        server.end()
    (first, data), *rest = taken
    assert Replica([data]).text == text
    report.note(f"{len(text.encode()):,} bytes of text come as {len(data):,} bytes")
    report.note(f"first opening {first * 1000:.1f} ms; again: {told([one for one, _ in rest])}")
    report.at_most("open_1mb_over_socket_first_ms", first * 1000, 500)
    middle = sorted(one for one, _data in rest)[times // 2]
    report.at_most("open_1mb_over_socket_ms", middle * 1000, 150)


async def _open(server: Server, document: str, token: str) -> tuple[float, bytes]:
    found: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def hear(data: bytes) -> None:
        if data[:2] == _STEP_2 and not found.done():
            found.set_result(data)

    began = time.perf_counter()
    socket = await connect(server.port, document, hear, token=token)
    socket.send(message(_STEP_1, b"\0"))
    data = await found
    taken = time.perf_counter() - began
    socket.close()
    at = 2
    while data[at] >= 0x80:
        at += 1
    return taken, data[at + 1 :]
