"""What is measured in a process of its own: `process.py WHAT STORE …` prints one line of JSON."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import msgspec

import strata
from strata import Workspace
from strata.base import limits
from strata.documents import Request

_EMBED_WAIT_S = 60.0
_EMBED_ALL_WAIT_S = 600.0


class Embedded(msgspec.Struct):
    """How many texts were embedded, in how long, with how much of all cores, and on how much disk.

    Loading the model is not part of it.
    """

    texts: int
    wall_s: float
    cpu_s: float
    bytes_each: float


class Taken(msgspec.Struct):
    """Milliseconds of calls, and megabytes of the process after them."""

    cpu_ms: float
    wall_ms: float
    resident_mb: float
    highest_mb: float
    keys: list[str] = []


def opened(path: str, *, embeds: bool = False) -> Workspace:
    """Open a store in which nothing runs beside what is measured, except embedding perhaps."""
    return strata.open(path, durability="standard", auto_embed=embeds)


def taken(call: Callable[[], object], *, rounds: int = 1, keys: list[str] | None = None) -> Taken:
    """Measure a call; of several rounds the one in the middle counts."""
    cpu: list[float] = []
    wall: list[float] = []
    for _ in range(rounds):
        started = time.process_time(), time.perf_counter()
        call()
        cpu.append((time.process_time() - started[0]) * 1000)
        wall.append((time.perf_counter() - started[1]) * 1000)
    return Taken(median(cpu), median(wall), memory_mb("VmRSS"), memory_mb("VmHWM"), keys or [])


def memory_mb(field: str) -> float:
    """Return a size of this process that Linux tells."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith(field)).split()[1]) * 1024 / 1e6


def yardstick() -> tuple[float, float]:
    """Return processor milliseconds of loading numpy, and of a million steps of Python."""
    # As the program loads it: without threads that wait for work in a busy loop.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")
    loading = taken(lambda: __import__("numpy")).cpu_ms
    return loading, taken(lambda: sum(range(1_000_000)), rounds=5).cpu_ms


def empty(path: str) -> Taken:
    """Open a store and do nothing with it."""
    with opened(path) as db:
        return taken(db.close)


def first(path: str, question: str) -> Taken:
    """Search once."""
    with opened(path) as db:
        return taken(lambda: _ask(db, question))


def warm(path: str, *questions: str) -> Taken:
    """Search for each question, then for each again; the second time counts."""
    with opened(path) as db:
        for question in questions:
            _ask(db, question)
        again = iter(questions)
        return taken(lambda: _ask(db, next(again)), rounds=len(questions))


def after_put(path: str, *questions: str) -> Taken:
    """Search right after another process has put a fact."""
    with opened(path) as db, _Other(path) as other:
        for question in questions:
            _ask(db, question)
        found: list[Taken] = []
        for question in questions:
            other.put()
            found.append(taken(lambda question=question: _ask(db, question)))
        return _middle(found)


def branch(path: str, *questions: str) -> Taken:
    """Search on branches that were forked just now, after a search on the first one."""
    with opened(path) as db:
        for question in questions:
            _ask(db, question)
        found: list[Taken] = []
        for question in questions:
            name = db.branches.fork().name
            call = lambda name=name, question=question: _ask(db, question, branch=name)  # noqa: E731
            found.append(taken(call))
        return _middle(found)


def put(path: str) -> Taken:
    """Put one fact and search nothing."""
    with opened(path) as db:
        return taken(lambda: db.kv.put("growth/one", "A fact that one process puts and leaves."))


def embed(path: str) -> Taken:
    """Put one fact, and let this process make its vector."""
    with opened(path, embeds=True) as db:
        before = _vectors(db)

        def stored() -> None:
            db.kv.put("growth/embedded", f"A fact whose vector is made here, {time.time_ns()}.")
            until = time.monotonic() + _EMBED_WAIT_S
            while _vectors(db) == before and time.monotonic() < until:
                time.sleep(0.1)

        found = taken(stored)
        assert _vectors(db) > before, "no vector was made"
        return found


def embedding(path: str) -> Embedded:
    """Make the vectors of a store's texts, of which there are none yet."""
    with opened(path) as db:
        count = db.embeddings.status().pending
    before = Path(path).stat().st_size
    with opened(path, embeds=True) as db:
        while not _vectors(db):
            db.embeddings.wait(0.05)  # begins: nothing was committed here
        started = time.process_time(), time.perf_counter()
        left = db.embeddings.status().pending
        assert db.embeddings.wait(_EMBED_ALL_WAIT_S)
        cpu, wall = time.process_time() - started[0], time.perf_counter() - started[1]
    grown = Path(path).stat().st_size - before
    return Embedded(left, wall, cpu, grown / count)


def ranked(path: str, how: str, *questions: str) -> list[list[str]]:
    """Return the keys of the best ten for each question; `exact` ranks every text in full."""
    if how == "exact":
        limits.RANKED_WHOLE_MAX = sys.maxsize
    with opened(path) as db:
        return [
            [hit.key for hit in db.search(asked, 10, mode="keyword").hits] for asked in questions
        ]


def numbers(path: str) -> dict[str, float]:
    """Return processor milliseconds of what tells sizes: the first call, and one in the middle."""
    found: dict[str, float] = {}
    with opened(path) as db:
        calls: dict[str, Callable[[], object]] = {
            "info": db.info,
            "count": db.kv.count,
            "count_folder": lambda: db.kv.count("talk/00000/"),
            "embeddings": db.embeddings.status,
            "history_10": lambda: db.kv.history("note-000000", limit=10),
        }
        for name, call in calls.items():
            found[f"first_{name}"] = taken(call).cpu_ms
            found[name] = taken(call, rounds=15).cpu_ms
    return found


def forks(few: str, many: str, rounds: int) -> tuple[float, float]:
    """Return processor microseconds of a fork in two stores, in turns; the middle counts."""
    cpu: tuple[list[float], list[float]] = ([], [])
    with opened(few) as first, opened(many) as second:
        for _ in range(int(rounds)):
            for place, db in enumerate((first, second)):
                started = time.process_time()
                db.branches.fork()
                cpu[place].append((time.process_time() - started) * 1e6)
    return median(cpu[0]), median(cpu[1])


def listed(path: str) -> tuple[float, float]:
    """Return processor milliseconds of `branches.list` and `info`."""
    with opened(path) as db:
        return taken(db.branches.list, rounds=5).cpu_ms, taken(db.info, rounds=5).cpu_ms


def edit(path: str, document: str, rounds: str) -> tuple[float, Taken]:
    """Edit one word of a document again and again; the first edit is told apart."""
    with opened(path) as db:
        db.documents.edit(document, "Marker 002500", f"Marker 002500 {_word(0)}")
    with opened(path) as db:
        numbers = iter(range(int(rounds) + 1))

        def step() -> None:
            number = next(numbers)
            db.documents.edit(document, _word(number), _word(number + 1))

        return taken(step).cpu_ms, taken(step, rounds=int(rounds))


def _word(number: int) -> str:
    """Return what stands once in the text after so many edits, now longer and now shorter."""
    return f"표{number}{'고' * (number % 3)}끝"


def find(path: str, *questions: str) -> dict[str, Taken]:
    """Find documents: first, warm, and after another document was written."""
    with opened(path) as db:
        asked = iter(questions * 3)

        def ask() -> None:
            assert db.documents.find(Request(query=next(asked))).items

        found = {"first": taken(ask)}
        found["warm"] = taken(ask, rounds=len(questions))
        after: list[Taken] = []
        for number in range(len(questions)):
            db.documents.create(f"New {number}", f"# New\n\nWritten between, {number}.")
            after.append(taken(ask))
        return {**found, "after": _middle(after)}


def hybrid(path: str, question: str) -> Taken:
    """Search by words and meaning in a process that has no model yet."""
    with opened(path) as db:
        return taken(lambda: db.search(question, mode="hybrid"))


def writer(path: str) -> None:
    """Put a fact for each line that comes, and answer when it is stored."""
    with opened(path) as db:
        for number, _line in enumerate(sys.stdin):
            db.kv.put(f"growth/other-{number}", f"Another process put this fact, {number}.")
            print("stored", flush=True)


class _Other:
    """Another process that puts facts when asked to."""

    def __init__(self, path: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, "writer", path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def put(self) -> None:
        """Let it put one, and wait until it has."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print("put", file=self._process.stdin, flush=True)
        assert self._process.stdout.readline() == "stored\n"

    def __enter__(self) -> "_Other":
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate()


def _ask(db: Workspace, question: str, *, branch: str | None = None) -> None:
    found = db.search(question, 10, mode="keyword", branch=branch)
    # Of a question that nothing here answers, the nearest thing is named.
    assert found.hits or found.nearest


def _vectors(db: Workspace) -> int:
    return sum(model.embedded for model in db.embeddings.status().models)


def _middle(found: list[Taken]) -> Taken:
    last = found[-1]
    return msgspec.structs.replace(
        last,
        cpu_ms=median(one.cpu_ms for one in found),
        wall_ms=median(one.wall_ms for one in found),
    )


if __name__ == "__main__":
    result = globals()[sys.argv[1]](*sys.argv[2:])
    if result is not None:
        print(msgspec.json.encode(result).decode())
