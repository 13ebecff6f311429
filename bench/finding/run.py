"""One run of the search benchmark: how large it is, its texts, and the stores made of them."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec
from measure.figures import Report

import strata
from finding.items import Item, items, load
from finding.questions import Questions, questions
from finding.sources import sentences

Ask = Callable[[str], object]


class Scale(msgspec.Struct, frozen=True):
    """How many texts, vectors and repetitions a run takes."""

    small: int
    large: int
    history: int
    embedded: int
    vectors: tuple[int, ...]
    passes: int
    puts: int
    starts: int


FULL = Scale(
    small=10_000,
    large=100_000,
    history=10_000,
    embedded=10_000,
    vectors=(10_000, 100_000),
    passes=3,
    puts=1000,
    starts=5,
)
QUICK = Scale(
    small=2_000,
    large=10_000,
    history=4_000,
    embedded=1_000,
    vectors=(2_000, 10_000),
    passes=2,
    puts=200,
    starts=2,
)


class Run:
    """What every part is given. Texts and stores are made when first asked for."""

    def __init__(self, report: Report, folder: Path, scale: Scale) -> None:
        self.report = report
        self.folder = folder
        self.scale = scale
        self._stores: dict[int, strata.Workspace] = {}
        self._items: dict[tuple[int, int], list[Item]] = {}
        self._questions: dict[int, Questions] = {}

    @cached_property
    def _sentences(self) -> list[list[str]]:
        found = sentences()
        self.report.note(f"{len(found)} sentences, {sum(map(len, found))} words of Python's own")
        return found

    def items(self, count: int, *, seed: int = 7) -> list[Item]:
        """Return that many texts, the same ones each time."""
        if (count, seed) not in self._items:
            self._items[count, seed] = items(self._sentences, count, seed=seed)
        return self._items[count, seed]

    def questions(self, count: int) -> Questions:
        """Return questions in the words of that many texts."""
        if count not in self._questions:
            self._questions[count] = questions(self.items(count))
        return self._questions[count]

    def path(self, count: int) -> Path:
        """Where the store of that many texts lies."""
        return self.folder / f"items-{count}.db"

    def store(self, count: int) -> strata.Workspace:
        """Return a store of that many texts, without vectors; made at the first call."""
        if count not in self._stores:
            self._stores[count] = opened(self.path(count))
            started = time.perf_counter()
            load(self._stores[count], self.items(count))
            taken = (time.perf_counter() - started) / count
            self.report.note(f"{count} texts stored, {taken * 1e6:.0f} us each")
        return self._stores[count]

    @cached_property
    def embedded(self) -> Path:
        """A closed store whose texts all have their vectors."""
        path = self.folder / "embedded.db"
        with strata.open(path, durability="standard") as db:
            load(db, self.items(self.scale.embedded))
            started = time.perf_counter()
            while not db.embeddings.wait(10):
                print(f"    embedding, {db.embeddings.status().pending} left", flush=True)
            taken = (time.perf_counter() - started) / self.scale.embedded
            self.report.note(
                f"{self.scale.embedded} texts embedded, {taken * 1e3:.1f} ms each:"
                f" {', '.join(f'{m.name} {m.embedded}' for m in db.embeddings.status().models)}"
            )
        return path

    def close(self) -> None:
        """Close every store."""
        for db in self._stores.values():
            db.close()


def opened(path: Path) -> strata.Workspace:
    """Open a store in which nothing runs beside what is measured."""
    return strata.open(path, durability="standard", auto_embed=False)


class Latency(msgspec.Struct, frozen=True):
    """What each question took, in milliseconds, in the order of the questions.

    `each` is by the clock, which is what somebody waits. `work` is what the processor did for
    it, which another program on the machine cannot stretch.
    """

    each: list[float]
    work: list[float]

    @property
    def median(self) -> float:
        """The question in the middle."""
        return statistics.median(self.each)

    @property
    def p95(self) -> float:
        """What one question in twenty exceeds."""
        return statistics.quantiles(self.each, n=20)[-1] if len(self.each) > 1 else self.each[0]

    def times(self, other: "Latency") -> float:
        """Return the median over the questions of how many times the other's work this was."""
        pairs = zip(self.work, other.work, strict=True)
        return statistics.median(ours / theirs for ours, theirs in pairs)

    def __str__(self) -> str:
        return (
            f"p50 {self.median:8.2f} ms   p95 {self.p95:8.2f}   worst {max(self.each):8.2f}"
            f"   processor p50 {statistics.median(self.work):8.2f}"
        )


def ask_in_turns(
    who: Mapping[str, Ask], asked: Sequence[str], *, passes: int
) -> dict[str, Latency]:
    """Put each question to everybody in turn, in several passes; the best answer's time counts.

    Nobody hears a question twice in a row, so that none can answer from what it just did.
    The pass before the first warms up.
    """
    best = {name: Latency(*([float("inf")] * len(asked) for _ in range(2))) for name in who}
    for number in range(passes + 1):
        for place, question in enumerate(asked):
            taken = _once_round(who, question, shift=number + place)
            if number:
                _keep_best(best, taken, place)
    return best


def _once_round(
    who: Mapping[str, Ask], question: str, *, shift: int
) -> dict[str, tuple[float, float]]:
    """Ask everybody one question, each time beginning with somebody else."""
    names = list(who)
    first = shift % len(names)
    return {name: _timed(who[name], question) for name in names[first:] + names[:first]}


def _keep_best(best: dict[str, Latency], taken: dict[str, tuple[float, float]], place: int) -> None:
    for name, (each, work) in taken.items():
        best[name].each[place] = min(best[name].each[place], each)
        best[name].work[place] = min(best[name].work[place], work)


def _timed(ask: Ask, question: str) -> tuple[float, float]:
    clocks = (time.perf_counter, time.thread_time)
    started = [clock() for clock in clocks]
    ask(question)
    each, work = ((clock() - start) * 1000 for clock, start in zip(clocks, started, strict=True))
    return each, work


def by_words(db: strata.Workspace, *, branch: str | None = None, as_of: int | None = None) -> Ask:
    """Return what asks a store by words, ten hits."""
    return lambda asked: db.search(asked, 10, mode="keyword", branch=branch, at=as_of)
