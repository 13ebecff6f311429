"""How long does an honest client wait beside ten hostile ones, and beside ten polite ones?

Each part is one attack: ten hostile clients send what it is made of, without a pause, for a few
seconds. Beside them one honest client asks for the server's health, finds a document, stores a fact
and types a letter, again and again. Then ten polite clients send as many bytes in ordinary
requests, in the same time. The figure is the ratio of the honest client's median times. All of it
is on loopback, against `strata serve` in a process of its own, and ends after its time.
"""

import asyncio
import itertools
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from living.server import Server
from measure.figures import Report
from measure.running import run_parts
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import strata
from strata.documents.text import Replica, Splice
from strata.web.live import wire

CLIENTS = 10
# How much slower an honest client may be beside hostile clients than beside polite ones.
RATIO_MAX = 3.0
PAUSE_S = 0.02
ROUNDS_MIN = 5
POLITE = "polite"
PADDING_MAX = 4 * 1024 * 1024
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}
FAILURES = (OSError, httpx2.HTTPError, WebSocketException, TimeoutError)


class Port(NamedTuple):
    """What another process knows of a server."""

    port: int


class World(NamedTuple):
    """A server, tokens of an honest and a hostile user, and a document of each."""

    server: Server | Port
    honest: str
    hostile: str
    reader: str
    document: str
    theirs: str

    @property
    def base(self) -> str:
        """Where the server is."""
        return f"http://127.0.0.1:{self.server.port}"


class Attacker:
    """One client of many: what it sends is counted."""

    def __init__(self, world: World, http: httpx2.AsyncClient) -> None:
        self.world = world
        self.http = http
        self.bytes = 0

    async def post(self, path: str, body: bytes, token: str, **headers: str) -> None:
        """Send a body, and do not mind the answer."""
        self.bytes += len(body)
        sent = {"Content-Type": "application/json", "Authorization": f"Bearer {token}", **headers}
        await self.http.post(self.world.base + path, content=body, headers=sent, timeout=60)

    @asynccontextmanager
    async def socket(self) -> AsyncIterator[ClientConnection]:
        """Open the hostile user's own document."""
        address = self.world.base.replace("http://", "ws://") + f"/live/{self.world.theirs}"
        token = {"Authorization": f"Bearer {self.world.hostile}"}
        async with connect(address, additional_headers=token, max_size=None) as socket:
            reading = asyncio.create_task(_drain(socket))
            try:
                yield socket
            finally:
                reading.cancel()

    async def send(self, socket: ClientConnection, message: bytes) -> None:
        """Send a message over a socket."""
        self.bytes += len(message)
        await socket.send(message)


Attack = Callable[[Attacker], Awaitable[None]]


async def _drain(socket: ClientConnection) -> None:
    with suppress(WebSocketException):
        async for _message in socket:
            pass


async def states(attacker: Attacker) -> None:
    """Awareness of very many clients."""
    said = b"".join(wire.number(2_000_000_000 + one) + b"\1\2{}" for one in range(225_000))
    message = wire.awareness(wire.number(225_000) + said)
    async with attacker.socket() as socket:
        while True:
            await attacker.send(socket, message)


async def numbers(attacker: Attacker) -> None:
    """State vectors whose number has no end."""
    message = wire.sync(wire.STEP_1, b"\x01" + b"\xff" * 300_000 + b"\x01")
    async with attacker.socket() as socket:
        while True:
            await attacker.send(socket, message)


async def structs(attacker: Attacker) -> None:
    """Updates of as many structs as are taken."""
    async with attacker.socket() as socket:
        for client in itertools.count(time.time_ns() % 2**31):
            head = b"\1" + wire.number(10_000) + wire.number(client) + b"\0"
            await attacker.send(socket, wire.sync(wire.UPDATE, head + b"\0\1" * 10_000 + b"\0"))


async def lists(attacker: Attacker) -> None:
    """Bodies of very many lists, by a token that only reads."""
    body = b'{"intent":"list","x":[' + b"[]," * 5_000_000 + b"[]]}"
    while True:
        await attacker.post("/api/tools/find", body, attacker.world.reader)


async def sessions(attacker: Attacker) -> None:
    """Sessions, one after the other."""
    body = json.dumps(INITIALIZE).encode()
    accept = {"Accept": "application/json, text/event-stream", "X-Strata-Tool-Groups": "core"}
    while True:
        await attacker.post("/mcp", body, attacker.world.hostile, **accept)


async def heads(attacker: Attacker) -> None:
    """Connections that never send a whole head, by nobody."""
    lines: list[asyncio.StreamWriter] = []
    try:
        while True:
            with suppress(OSError):
                _reader, line = await asyncio.open_connection(
                    "127.0.0.1", attacker.world.server.port
                )
                line.write(b"GET / HTTP/1.1\r\nX-Slow: a\r\n")
                attacker.bytes += 27
                lines.append(line)
            if len(lines) > 60:
                lines.pop(0).close()
            await asyncio.sleep(0.01)
    finally:
        for line in lines:
            line.close()


async def edits(attacker: Attacker) -> None:
    """Long edits of one user, all at once."""
    for number in itertools.count():
        text = f"# {number}\n\n" + f"문단 {number} 의 긴 글. " * 8_000
        body = {"documentId": attacker.world.theirs, "action": "write", "content": text}
        await attacker.post(
            "/api/tools/edit_document", json.dumps(body).encode(), attacker.world.hostile
        )


ATTACKS: dict[str, Attack] = {
    "states": states,
    "numbers": numbers,
    "structs": structs,
    "lists": lists,
    "sessions": sessions,
    "heads": heads,
    "edits": edits,
}


def polite(size: int) -> Attack:
    """Return what a polite client does: so many bytes a second, questions filled up by blanks."""

    async def work(attacker: Attacker) -> None:
        rate = 20
        body = json.dumps({"intent": "search", "query": "계획 회의"}).encode()
        body += b" " * (min(size // rate, PADDING_MAX) - len(body))
        while True:
            started = time.monotonic()
            await attacker.post("/api/tools/find", body, attacker.world.hostile)
            await asyncio.sleep(max(0.0, 1 / rate - (time.monotonic() - started)))

    return work


class Honest:
    """The client whose time counts."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.times: dict[str, list[float]] = {"health": [], "find": [], "store": [], "type": []}
        self.failed = 0

    async def work(self, seconds: float) -> None:
        """Do everything in turn, until the time is over, and a few times at least."""
        address = self.world.base.replace("http://", "ws://") + f"/live/{self.world.document}"
        token = {"Authorization": f"Bearer {self.world.honest}"}
        async with (
            httpx2.AsyncClient(headers=token, timeout=60) as http,
            connect(address, additional_headers=token, max_size=None) as socket,
        ):
            replica = await _synced(socket)
            until = time.monotonic() + seconds
            while time.monotonic() < until or len(self.times["type"]) < ROUNDS_MIN:
                await self._timed("health", http.get(f"{self.world.base}/health"))
                await self._timed("find", self._find(http))
                await self._timed("store", self._store(http))
                await self._timed("type", _typed(socket, replica))
                await asyncio.sleep(PAUSE_S)

    async def _timed(self, what: str, call: Awaitable[Any]) -> None:
        started = time.monotonic()
        try:
            answer = await call
            if answer is not None and answer.status_code != 200:
                self.failed += 1
        except FAILURES:
            self.failed += 1
        self.times[what].append(time.monotonic() - started)

    async def _find(self, http: httpx2.AsyncClient) -> httpx2.Response:
        return await http.post(
            f"{self.world.base}/api/tools/find", json={"intent": "search", "query": "계획"}
        )

    async def _store(self, http: httpx2.AsyncClient) -> httpx2.Response:
        arguments = {"key": "honest", "value": time.time()}
        params = {"name": "strata_store", "arguments": arguments, "_meta": META}
        headers = {
            "Accept": "application/json, text/event-stream",
            "Mcp-Method": "tools/call",
            "Mcp-Name": "strata_store",
            "Mcp-Protocol-Version": "2026-07-28",
            "X-Strata-Tool-Groups": "memory",
        }
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return await http.post(f"{self.world.base}/mcp", json=body, headers=headers)


async def _synced(socket: ClientConnection) -> Replica:
    replica = Replica()
    await socket.send(wire.sync(wire.STEP_1, replica.vector()))
    while True:
        data = bytes(await socket.recv(decode=False))
        if data[0] == wire.SYNC and data[1] == wire.STEP_2:
            replica.apply(wire.read_message(data).body)
            return replica


async def _typed(socket: ClientConnection, replica: Replica) -> None:
    """Type a letter, and wait until it is saved."""
    await socket.send(wire.sync(wire.UPDATE, replica.splice([Splice(0, 0, "가")])))
    while True:
        data = bytes(await asyncio.wait_for(socket.recv(decode=False), 60))
        if data[0] == wire.NOTICE and b'"saved"' in data:
            return


class Measured(NamedTuple):
    """What an honest client waited, how much the others sent, and what the server did for all.

    The last is in seconds of processor time for each second: what other programs do on the
    machine makes clients wait, but does not count here.
    """

    honest: Honest
    bytes: int
    processor: float


def beside(world: World, name: str | None, seconds: float, *, rate: int = 0) -> Measured:
    """Let an honest client work for a while, beside ten of a process of their own."""
    honest = Honest(world)
    if name is None:
        return Measured(honest, 0, _work(world, honest, seconds))
    context = multiprocessing.get_context("spawn")
    sent, begun, stop = context.Value("q", 0), context.Event(), context.Event()
    given = (world._replace(server=Port(world.server.port)), name, rate, sent, begun, stop)
    process = context.Process(target=attack_together, args=given, daemon=True)
    process.start()
    assert begun.wait(60), "the others did not begin"
    before = sent.value
    try:
        processor = _work(world, honest, seconds)
    finally:
        stop.set()
        process.join(20)
        if process.is_alive():
            process.kill()
    return Measured(honest, sent.value - before, processor)


def _work(world: World, honest: Honest, seconds: float) -> float:
    """Let an honest client work; return how much of a processor the server takes meanwhile."""
    assert isinstance(world.server, Server), "only its own process measures a server"
    before, began = world.server.processor_s, time.monotonic()
    asyncio.run(honest.work(seconds))
    return (world.server.processor_s - before) / (time.monotonic() - began)


def attack_together(
    world: World, name: str, rate: int, *shared: Any
) -> None:  # Any: a value and two events of multiprocessing
    """Be ten clients, until told to stop."""
    sent, begun, stop = shared
    attack = polite(rate) if name == POLITE else ATTACKS[name]

    async def work() -> None:
        async with httpx2.AsyncClient() as http:
            attackers = [Attacker(world, http) for _ in range(CLIENTS)]
            tasks = [asyncio.create_task(_repeated(attack, one)) for one in attackers]
            while not await asyncio.to_thread(stop.wait, 0.05):
                sent.value = sum(one.bytes for one in attackers)
                if sent.value:  # making what is sent may take a while
                    begun.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(work())


async def _repeated(attack: Attack, attacker: Attacker) -> None:
    while True:
        with suppress(*FAILURES):
            await attack(attacker)
        await asyncio.sleep(0.05)


class Run:
    """Where figures go, and for how long each attack lasts."""

    def __init__(self, report: Report, folder: Path, *, quick: bool) -> None:
        self.report = report
        self.folder = folder
        self.seconds = 3.0 if quick else 10.0

    def world(self, name: str) -> tuple[Server, World]:
        """Start a server on a store of its own."""
        path = self.folder / f"{name}.db"
        with strata.open(path, durability="standard", auto_embed=False) as db:
            document = db.documents.create("계획", "# 계획\n\n안녕 세계\n").document
            honest = db.tokens.create("honest").secret
            user = db.users.add("villain@example.com", "Villain").id
            hostile = db.tokens.create("hostile", user=user).secret
            reader = db.tokens.create("reader", user=user, read_only=True).secret
        server = Server(path)
        world = World(server, honest, hostile, reader, document, "")
        made = httpx2.post(
            f"{world.base}/api/tools/edit_document",
            json={"action": "create", "title": "theirs", "content": "x"},
            headers={"Authorization": f"Bearer {hostile}"},
            timeout=60,
        ).json()
        return server, world._replace(theirs=made["documentId"])


def attacked(name: str) -> Callable[[Run], None]:
    """Return the part that measures one attack."""

    def part(run: Run) -> None:
        server, world = run.world(name)
        try:
            alone = beside(world, None, run.seconds / 2)
            hostile = beside(world, name, run.seconds)
            rate = int(hostile.bytes / CLIENTS / run.seconds)
            others = beside(world, POLITE, run.seconds, rate=rate)
        finally:
            server.end()
        tell(run.report, name, (alone, hostile, others))

    part.__doc__ = ATTACKS[name].__doc__
    return part


def tell(report: Report, name: str, measured: tuple[Measured, Measured, Measured]) -> None:
    """Print the honest client's medians and the ratio, and what was sent."""
    alone, hostile, others = measured
    report.note(
        f"{name}: hostile clients sent {hostile.bytes / 1e6:.1f} MB,"
        f" polite ones {others.bytes / 1e6:.1f} MB;"
        f" honest calls that failed: {hostile.honest.failed} and {others.honest.failed}"
    )
    report.note(
        f"processor of the server: alone {alone.processor:.2f},"
        f" beside polite {others.processor:.2f}, beside hostile {hostile.processor:.2f}"
    )
    for what, times in hostile.honest.times.items():
        known = [_milliseconds(one.honest.times[what]) for one in (alone, others, hostile)]
        report.note(
            f"{what:<8} alone {known[0]:8.1f} ms, beside polite {known[1]:8.1f},"
            f" beside hostile {known[2]:8.1f}, slowest {max(times) * 1000:8.1f}"
        )
        report.at_most(f"hostile_{name}_{what}_ratio", known[2] / max(known[1], 1.0), RATIO_MAX)


def _milliseconds(times: list[float]) -> float:
    return statistics.median(times) * 1000 if times else float("inf")


def main() -> int:
    """Run all attacks, or those that were named, and return the exit code."""
    return run_parts(
        "hostile",
        __doc__,
        {name: attacked(name) for name in ATTACKS},
        packages=("uvicorn", "websockets", "mcp"),
        quick="end within two minutes",
        start=lambda report, folder, quick: Run(report, folder, quick=quick),
    )


if __name__ == "__main__":
    sys.exit(main())
