"""One run of the benchmark: its stores, which later runs use again, and its child processes."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec
from measure.figures import Report

import strata
from growing.process import Taken
from growing.texts import Writer
from strata.documents import NewDocument
from strata.search.index.parts import LAYOUT
from strata.sql import checksum, format_number

PROCESS = Path(__file__).with_name("process.py")
# Written byte code is what every start after the first one finds.
_SURROUNDINGS = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
_BATCH = 2_000
_DOCUMENTS_BATCH = 250
_FLOOR_ROUNDS = 5
T = TypeVar("T")


class Usage(msgspec.Struct):
    """What a call or a process took."""

    cpu_ms: float
    wall_ms: float

    def __str__(self) -> str:
        return f"{self.cpu_ms:.1f} ms of processor time, {self.wall_ms:.1f} ms by the clock"


class Floor(msgspec.Struct):
    """What this machine takes now for what no program can avoid, in processor milliseconds."""

    process: float
    numpy: float
    steps: float

    def __str__(self) -> str:
        return (
            f"floor: an empty process of Python {self.process:.0f} ms of processor time, loading"
            f" numpy {self.numpy:.0f} ms, a million steps of Python {self.steps:.0f} ms"
        )


class Run:
    """What every part is given."""

    def __init__(self, report: Report, folder: Path, *, sizes: Sequence[int], quick: bool) -> None:
        self.report = report
        self.sizes = sizes
        self.quick = quick
        self.rounds = 2 if quick else 3
        self.documents = 500 if quick else 5_000
        self.megabytes = (1,) if quick else (1, 5)
        self.embedded_facts = 200 if quick else 1_000
        # A store of another format is made anew, also while a format is not released yet, and one
        # whose segments have another layout.
        steps = "".join([*map(checksum, range(1, format_number() + 1)), str(LAYOUT)])
        self._kept = folder / f"growth-{sha256(steps.encode()).hexdigest()[:8]}"
        self.folder = folder / f"growth-run-{os.getpid()}"
        self._kept.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir()
        self.floor = self._floor()
        report.note(str(self.floor))

    def _floor(self) -> Floor:
        """Measure the floor, each part of it in its best round."""
        starts = [self._process("-c", "pass")[0].cpu_ms for _ in range(_FLOOR_ROUNDS)]
        pairs = [self.child("yardstick", type=tuple[float, float]) for _ in range(_FLOOR_ROUNDS)]
        numpy, steps = map(min, zip(*pairs, strict=True))
        return Floor(min(starts), numpy, steps)

    def above_floor(self, name: str, found: Usage | Taken, *, loads_numpy: bool) -> None:
        """Print a figure's time by the clock, and how many times its floor it takes."""
        floor = self.floor.numpy if loads_numpy else self.floor.process
        what = "loading numpy" if loads_numpy else "an empty process"
        self.report.note(
            f"{name}: {found.wall_ms:.1f} ms by the clock; {found.cpu_ms / floor:.1f} times {what}"
        )

    def facts(self, count: int) -> Path:
        """Return a store of so many facts, to be read only."""
        return self._made(f"facts-{count}.db", lambda path: _store_facts(path, count))

    def written_documents(self) -> Path:
        """Return a store of documents, to be read only."""
        return self._made(
            f"documents-{self.documents}.db", lambda path: _store_documents(path, self.documents)
        )

    def pages(self, count: int) -> Path:
        """Return a store of facts of 2,000 characters, to be read only."""
        return self._made(f"pages-{count}.db", lambda path: _store_pages(path, count))

    def embedded(self, count: int) -> Path:
        """Return a store of facts that have vectors, to be read only."""
        return self._made(f"embedded-{count}.db", lambda path: _store_embedded(path, count))

    def _made(self, name: str, make: Callable[[Path], None]) -> Path:
        path, made = self._kept / name, self._kept / f"{name}.made"
        if not made.exists():
            started = time.process_time()
            for left in self._kept.glob(f"{name}*"):
                left.unlink()
            make(path)
            self.report.note(f"{name} made in {time.process_time() - started:.0f} s")
            made.touch()
        return path

    def copy(self, path: Path) -> Path:
        """Return a copy of a store that may be written, in the folder of this run."""
        copied = self.folder / path.name
        shutil.copyfile(path, copied)
        return copied

    def child(self, what: str, *arguments: object, type: type[T]) -> T:
        """Measure something in a process of its own and return its answer."""
        command = [sys.executable, str(PROCESS), what, *map(str, arguments)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=_SURROUNDINGS)
        return msgspec.json.decode(done.stdout.splitlines()[-1], type=type)

    def command(self, *arguments: object, feed: bytes = b"") -> tuple[Usage, str]:
        """Run a command of the program; return what it took and what it printed."""
        return self._process("-m", "strata", *map(str, arguments), feed=feed)

    def _process(self, *arguments: str, feed: bytes = b"") -> tuple[Usage, str]:
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_SURROUNDINGS,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(feed)
        process.stdin.close()
        printed = process.stdout.read().decode()
        process.stdout.close()
        _pid, status, used = os.wait4(process.pid, 0)
        wall = (time.perf_counter() - started) * 1000
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, arguments
        return Usage((used.ru_utime + used.ru_stime) * 1000, wall), printed

    def close(self) -> None:
        """Remove what is not kept."""
        shutil.rmtree(self.folder)


def named(count: int) -> str:
    """Return a size as names of figures have it: 1k, 100k, 1m."""
    return f"{count // 1_000_000}m" if count >= 1_000_000 else f"{count // 1_000}k"


def _batches(items: Iterable[T], size: int) -> Iterable[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def _store_facts(path: Path, count: int) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        for batch in _batches(Writer().facts(count), _BATCH):
            db.kv.put_many(batch)
        # Seals what processes in the background would have sealed by then.
        db.search("anything", mode="keyword")


def _store_pages(path: Path, count: int) -> None:
    writer = Writer(5)
    pages = ((f"page-{number:05d}", writer.page()) for number in range(count))
    with strata.open(path, durability="standard", auto_embed=False) as db:
        for batch in _batches(pages, _DOCUMENTS_BATCH):
            db.kv.put_many(batch)
        db.search("anything", mode="keyword")


def _store_documents(path: Path, count: int) -> None:
    writer = Writer(11)
    with strata.open(path, durability="standard", auto_embed=False) as db:
        made = (_document(writer) for _ in range(count))
        for batch in _batches(made, _DOCUMENTS_BATCH):
            db.documents.create_many(batch)
        db.search("anything", mode="keyword")


def _store_embedded(path: Path, count: int) -> None:
    with strata.open(path, durability="standard") as db:
        db.kv.put_many(Writer(13).facts(count))
        while not db.embeddings.wait(10):
            print(f"    embedding, {db.embeddings.status().pending} left", flush=True)


def _document(writer: Writer) -> NewDocument:
    title, content = writer.document()
    return NewDocument(title=title, content=content)
