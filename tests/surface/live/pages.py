"""Pages without a browser: a socket, a replica of the text, and what the server has said."""

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from strata.base.errors import UpdateGap
from strata.documents.text import Replica, Splice
from strata.web.live import wire

PATIENCE = 60.0


class Page:
    """Somebody's page of a document. What arrives is taken in by `hear` and what waits for it."""

    def __init__(self, address: str, **options: Any) -> None:
        headers = options.pop("headers", {})
        self.socket: ClientConnection = connect(
            address,
            additional_headers=headers,
            compression=None,
            max_size=None,
            max_queue=None,
            open_timeout=PATIENCE,
            legacy=True,
            **options,
        )
        self.replica = Replica()
        self.notices: list[dict[str, Any]] = []
        self.states: dict[int, tuple[int, Any]] = {}
        self.asked: list[bytes] = []
        # How often the server has answered with the text, and what came too early to be read.
        self.received = 0
        self.early: list[bytes] = []
        self.code: int | None = None

    # Sending.

    def send(self, message: bytes) -> None:
        self.socket.send(message)

    def sync(self) -> None:
        """Bring the replica up to date, as a page does when it has connected."""
        self.send(wire.sync(wire.STEP_1, self.replica.vector()))
        self.until(lambda: self.received and (self.asked or not self.may_write))

    def type(self, text: str, at: int = 0, *, over: int = 0) -> bytes:
        """Write into the text and send what that changed."""
        update = self.replica.splice([Splice(at, at + over, text)])
        self.send(wire.sync(wire.UPDATE, update))
        return update

    def say(self, value: Any, clock: int, *, client: int | None = None) -> None:
        """Say where one is."""
        state = wire.AwarenessState(client or self.replica.client, clock, value)
        self.send(wire.awareness(wire.write_states([state])))

    # Hearing.

    def hear(self, seconds: float = PATIENCE) -> bool:
        """Take one message in; False where none came, or the socket was closed."""
        try:
            data = self.socket.recv(timeout=seconds, decode=False)
        except TimeoutError:
            return False
        except ConnectionClosed as error:
            self.code = error.rcvd.code if error.rcvd is not None else 1006
            return False
        self.take(bytes(data))
        return True

    def take(self, data: bytes) -> None:
        kind = data[0]
        if kind == wire.NOTICE:
            reader = wire.WireReader(data)
            assert reader.number() == wire.NOTICE
            self.notices.append(msgspec.json.decode(reader.bytes()))
        elif kind == wire.SYNC:
            message = wire.read_message(data)
            if message.step == wire.STEP_1:
                self.asked.append(message.body)
                self.send(wire.sync(wire.STEP_2, self.replica.since(message.body)))
            else:
                self.received += message.step == wire.STEP_2
                self.early.append(message.body)
                self._catch_up()
        elif kind == wire.AWARENESS:
            for state in wire.read_states(wire.read_message(data).body):
                self.states[state.client] = (state.clock, state.value)

    def _catch_up(self) -> None:
        """Take updates in; one that comes before what it builds on waits, as in Yjs."""
        waiting, self.early = self.early, []
        for update in waiting:
            try:
                self.replica.apply(update)
            except UpdateGap:
                self.early.append(update)

    def until(self, is_so: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Hear until something is so."""
        deadline = time.monotonic() + seconds
        while not is_so():
            left = deadline - time.monotonic()
            assert left > 0, (self.replica.text[:200], self.notices[-5:], self.code)
            assert self.hear(left) or is_so(), (self.replica.text[:200], self.notices, self.code)

    def until_text(self, text: str) -> None:
        self.until(lambda: self.replica.text == text)

    def until_closed(self, seconds: float = PATIENCE) -> int:
        """Hear until the server closes; return why."""
        deadline = time.monotonic() + seconds
        while self.code is None:
            assert time.monotonic() < deadline, "the server keeps it open"
            self.hear(deadline - time.monotonic())
        return self.code

    def quiet(self, seconds: float = 0.2) -> None:
        """Hear until nothing comes for a while."""
        while self.hear(seconds):
            pass

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.notices if one["kind"] == kind]

    def until_told(self, kind: str, count: int = 1) -> dict[str, Any]:
        self.until(lambda: len(self.told(kind)) >= count)
        return self.told(kind)[-1]

    def until_saved(self) -> None:
        """Hear until everything that was typed here is safe."""
        mine = str(self.replica.client)
        clock = self.replica.known.get(self.replica.client, 0)
        self.until(lambda: any(one["clocks"].get(mine, 0) >= clock for one in self.told("saved")))

    @property
    def may_write(self) -> bool:
        welcome = self.told("welcome")
        return bool(welcome) and welcome[-1]["role"] not in ("viewer", "commenter")

    def close(self) -> None:
        self.socket.close()


def together(pages: Iterable[Page], work: Callable[[Page], None]) -> None:
    """Let each page do something in a thread of its own."""
    failed: list[BaseException] = []

    def run(page: Page) -> None:
        try:
            work(page)
        except BaseException as error:  # noqa: BLE001  (raised again where it is seen)
            failed.append(error)

    threads = [threading.Thread(target=run, args=(page,)) for page in pages]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
