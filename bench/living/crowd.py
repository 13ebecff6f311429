"""A crowd on live documents, in a process of its own: everybody types, everybody listens.

Reads a task as JSON from standard input, and writes what it met to standard output. All updates
are made before the first is sent; each has a mark, by which it is recognised on arrival. A page
that types at a place of its own sends the same bytes whether or not it has heard what is typed
elsewhere, so these are the updates of real editors. Where all type at one place, they are those of
editors that hear nothing of each other for as long as the load lasts.
"""

import asyncio
import gc
import re
import sys
import time
from collections import Counter

import msgspec

from living.thin import UPDATE, Thin, connect, message
from strata.documents import Replica, Splice

_STEP_1 = b"\x00\x00"
_PATIENCE_S = 15.0
# After the last edit, until the messages that are still on their way are heard.
_LAST_S = 2.0
_SAVED = b'{"kind":"saved"'
_MARK = re.compile("⟦.*?⟧".encode())


class Task(msgspec.Struct):
    """What the crowd does: `rate` is edits a second of each socket."""

    port: int
    # Of each socket.
    documents: list[str]
    tokens: list[str]
    # Where each begins to type; the words of one who does not move on come before those typed
    # before them.
    carets: list[int]
    moves: bool
    # The state of each document, as base64.
    states: dict[str, bytes]
    rate: float
    seconds: float


class Met(msgspec.Struct):
    """What the crowd met: seconds from sending to being shown to each other, and to being safe."""

    shown: list[float]
    saved: list[float]
    late: list[float]
    sent: int
    expected: int
    marks: dict[str, list[str]]
    closed: list[int]
    messages: int
    # What the crowd itself used while it typed.
    processor_s: float


class Typist:
    """One socket: what it will type, and what it hears of others."""

    def __init__(self, crowd: "Crowd", place: int) -> None:
        task = crowd.task
        self.crowd, self.place = crowd, place
        self.document, self.token = task.documents[place], task.tokens[place]
        replica = Replica(state=task.states[self.document])
        count = int(task.rate * task.seconds)
        self.marks = [f"⟦{place}.{turn} 가⟧" for turn in range(count)]
        # A new line now and then, as in writing.
        ends = ("\n" if turn % 8 == 7 else " " for turn in range(count))
        self.updates: list[bytes] = []
        caret = task.carets[place]
        for mark, end in zip(self.marks, ends, strict=True):
            self.updates.append(replica.splice([Splice(caret, caret, mark + end)]))
            caret += len(mark + end) if task.moves else 0
        self.socket: Thin | None = None
        self.waiting: list[float] = []

    async def open(self) -> None:
        """Connect, and ask for the text as every page does."""
        self.socket = await connect(
            self.crowd.task.port, self.document, self.hear, token=self.token
        )
        self.socket.send(message(_STEP_1, b"\0"))

    def type(self, turn: int, due: float) -> None:
        """Send an update."""
        assert self.socket is not None
        update = self.updates[turn]
        now = time.perf_counter()
        self.crowd.late.append(now - due)
        self.crowd.sent[self.marks[turn].encode()] = now
        self.waiting.append(now)
        self.socket.send(message(UPDATE, update))

    def hear(self, data: bytes) -> None:
        """Look at the clock when something arrives; what it was is found out at the end."""
        now = time.perf_counter()
        if data[:2] == UPDATE:
            self.crowd.heard.append((now, self.place, data))
        elif data[0] == 100 and _SAVED in data[:24]:
            # One for all that a commit took; the first of them waited longest.
            self.crowd.saved += [now - began for began in self.waiting]
            self.waiting.clear()


class Crowd:
    """Everybody."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.sent: dict[bytes, float] = {}
        # When which socket heard which message: the crowd shares its cores with the server, so
        # it reads them after the last has arrived.
        self.heard: list[tuple[float, int, bytes]] = []
        self.saved: list[float] = []
        self.late: list[float] = []
        self.typists = [Typist(self, place) for place in range(len(task.documents))]

    async def run(self) -> Met:
        """Open all, let all type in turn, and wait until nothing comes any more."""
        for typist in self.typists:
            await typist.open()
        await asyncio.sleep(1.0)
        gc.collect()
        gc.disable()
        before = time.process_time()
        await self._type()
        processor_s = time.process_time() - before
        await asyncio.sleep(_LAST_S)
        companions = Counter(self.task.documents)
        expected = sum(
            len(typist.updates) * (companions[typist.document] - 1) for typist in self.typists
        )
        shown = await self._shown(expected)
        marks: dict[str, list[str]] = {}
        for typist in self.typists:
            marks.setdefault(typist.document, []).extend(typist.marks)
        closed = [one.socket.code for one in self.typists if one.socket and one.socket.code]
        for typist in self.typists:
            if typist.socket is not None:
                typist.socket.close()
        return Met(
            shown,
            self.saved,
            self.late,
            len(self.sent),
            expected,
            marks,
            closed,
            len(self.heard),
            processor_s,
        )

    async def _type(self) -> None:
        count, turns = len(self.typists), int(self.task.rate * self.task.seconds)
        began, step = time.perf_counter(), 1 / self.task.rate / count
        for at in range(turns * count):
            due = began + at * step
            pause = due - time.perf_counter()
            if pause > 0:
                await asyncio.sleep(pause)
            elif at % 32 == 0:
                await asyncio.sleep(0)
            # Shuffled, so that those of one document do not type one after the other.
            self.typists[at * 7919 % count].type(at // count, due)

    async def _shown(self, expected: int) -> list[float]:
        """Wait until all was shown, or nothing came for a long while; return how long each took."""
        shown: list[float] = []
        read, since = 0, time.perf_counter()
        while len(shown) < expected and time.perf_counter() - since < _PATIENCE_S:
            for at, place, data in self.heard[read:]:
                own = f"⟦{place}.".encode()
                marks = (mark for mark in _MARK.findall(data) if not mark.startswith(own))
                shown += [at - self.sent[mark] for mark in marks]
                read, since = read + 1, time.perf_counter()
            await asyncio.sleep(0.05)
        return shown


def main() -> None:
    """Do what was asked."""
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    met = asyncio.run(Crowd(task).run())
    sys.stdout.buffer.write(msgspec.json.encode(met) + b"\n")


if __name__ == "__main__":
    main()
