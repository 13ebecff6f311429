"""How quick are decisions: saving, walking along links, searching, moving in from MAMA?

Each figure is one line: `figure NAME VALUE BOUND ok|short`. Exits with 1 if any figure is short.
"""

import gc
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

from deciding.day import Step, day
from deciding.legacy import make_legacy
from deciding.world import World, load, questions, world
from finding.sources import sentences
from measure.figures import Report
from measure.rounds import time_each, time_once
from measure.running import run_parts, tell

import strata
from strata import Workspace
from strata.decisions import Decisions
from strata.exchange import import_mama

LEGACY = 1_200
SIZES = (1_000, 10_000, 100_000)
BOUND_SIZE = 10_000
DAYS = (21, 22, 23)


class Run:
    """Where figures go, where stores are made, and how large and how often."""

    def __init__(self, report: Report, folder: Path, *, quick: bool) -> None:
        self.report = report
        self.folder = folder
        self.sizes = SIZES[:2] if quick else SIZES
        self.calls = 60 if quick else 200
        self.rounds = 3 if quick else 7
        self._worlds: dict[int, World] = {}

    @cached_property
    def sentences(self) -> list[list[str]]:
        """Running text to make memories of."""
        return sentences()

    def world(self, size: int) -> World:
        """Return a world of so many memories."""
        if size not in self._worlds:
            self._worlds[size] = world(self.sentences, size)
        return self._worlds[size]

    def store(self, size: int) -> Path:
        """Return a closed store that holds a world, made at the first call."""
        path = self.folder / f"{size}.db"
        if not path.exists():
            with opened(path) as db:
                taken = time_once(lambda: load(db, self.world(size))) / 1e6
                count = len(self.world(size).links)
            self.report.note(f"{size:,} memories and {count:,} links written in {taken:.1f} s")
        return path


def opened(path: Path) -> Workspace:
    """Open a store in which nothing is embedded."""
    return strata.open(path, durability="standard", auto_embed=False)


def measure_import(run: Run) -> None:
    """Take in a database of MAMA 1.0: decisions, edges, checkpoints, vectors, backfill."""
    source = run.folder / "mama.db"
    edges = make_legacy(source, run.sentences, LEGACY)
    rounds = [_import(run.folder / f"imported-{number}.db", source) for number in range(run.rounds)]
    first, again = ([pair[at] for pair in rounds] for at in (0, 1))
    with opened(run.folder / "imported-0.db") as db:
        found, links = db.decisions.recent(limit=9999), db.decisions.links()
    assert sum(memory.type == "decision" for memory in found) == LEGACY
    run.report.note(
        f"{LEGACY:,} decisions with {edges:,} edges became {len(found):,} memories with"
        f" {len(links):,} links; rounds {min(first):.2f} to {max(first):.2f} s,"
        f" again {statistics.median(again):.2f} s"
    )
    run.report.at_most("import_1200_s", statistics.median(first), 2)


def _import(path: Path, source: Path) -> tuple[float, float]:
    """Import twice into a new store; return the seconds of both."""
    with opened(path) as db:
        first = time_once(lambda: import_mama(db, source)) / 1e6
        again = time_once(lambda: import_mama(db, source)) / 1e6
        assert import_mama(db, source).written == 0, "another run changes nothing"
    return first, again


def measure_save(run: Run) -> None:
    """Save decisions on topics that have some, tied to what they replace and what is near."""
    for size in run.sizes:
        topics = run.world(size).topics
        with opened(run.store(size)) as db:
            plan = [
                (topics[-1 - number * 7 % len(topics)], f"Decide {number}, 다시 정한다", "Because")
                for number in range(run.calls)
            ]
            saved, alike = _save_all(db.decisions, plan)
            middle = tell(run.report, f"save at {size:,}", saved)
            tell(run.report, f"what is similar to it, at {size:,}", alike)
            if size == BOUND_SIZE:
                both = [sum(pair) for pair in zip(saved, alike, strict=True)]
                run.report.at_most("save_ms_at_10k", middle, 10)
                run.report.at_most("save_answered_ms_at_10k", statistics.median(both) / 1000, 10)
            assert all(len(db.decisions.heads(topic)) == 1 for topic, *_ in plan)


def _save_all(room: Decisions, plan: list[tuple[str, str, str]]) -> tuple[list[float], list[float]]:
    """Save all, and look for what is similar after each, as a tool does; return both times."""
    saved: list[float] = []
    alike: list[float] = []
    room.similar(room.save("warm-up", "a", "b").memory.id)
    for what in plan:
        saved += time_each(room.save, [what])
        memory = room.recent(limit=1)[0]
        assert room.links(memory.id), "it is tied to what it replaces or to what is near"
        alike += time_each(room.similar, [(memory.id,)])
    return saved, alike


def measure_walk(run: Run) -> None:
    """Walk five steps along links: first of all, cold, and remembered."""
    for size in run.sizes:
        memories = run.world(size).memories
        step = max(len(memories) // run.calls, 1)
        starts = [(memory.id,) for memory in memories[::step]]
        with opened(run.store(size)) as db:

            def walk(id_: str, db: Workspace = db) -> int:
                return len(db.decisions.walk(id_, depth=5))

            first = time_each(walk, starts[:1])[0] / 1000
            reached = [walk(*start) for start in starts[:1]]
            early = time_each(walk, starts[1:20])
            reached += [walk(*start) for start in starts[1:20]]
            gc.collect()
            cold = time_each(walk, starts[20:])
            warm = time_each(walk, starts[-50:])
        run.report.note(
            f"at {size:,} the first walk of a process {first:.0f} ms, the slowest of the next"
            f" nineteen {max(early) / 1000:.0f} ms; five steps reach"
            f" {statistics.median(reached):.0f} memories (at most 500 are given)"
        )
        middle = tell(run.report, f"walk, not remembered, at {size:,}", cold)
        tell(run.report, f"walk, remembered, at {size:,}", warm)
        if size == BOUND_SIZE:
            run.report.at_most("walk_depth_5_ms_at_10k", middle, 20)


def measure_search(run: Run) -> None:
    """Search by words and links, and read topics and surroundings."""
    for size in run.sizes:
        found = run.world(size)
        with opened(run.store(size)) as db:
            asked = [(question,) for question in questions(found, run.calls)]
            first = time_once(lambda: db.decisions.search(*asked[0])) / 1000  # noqa: B023
            run.report.note(f"at {size:,} the first search of a process {first:.0f} ms")
            tell(run.report, f"search at {size:,}", time_each(db.decisions.search, asked[1:]))
            topics = [(topic,) for topic in found.topics[-run.calls :]]
            tell(run.report, f"topic at {size:,}", time_each(db.decisions.on_topic, topics))


def measure_day(run: Run) -> None:
    """Replay days of work, each on a fresh copy, and count how many walks were remembered."""
    found, path = run.world(BOUND_SIZE), run.folder / "day.db"
    times: dict[str, list[float]] = {}
    rates: list[float] = []
    for seed in DAYS:
        shutil.copy(run.store(BOUND_SIZE), path)
        with opened(path) as db:
            rates.append(_replay(db, day(found, seed=seed), times))
        path.unlink()
    for call, taken in sorted(times.items()):
        tell(run.report, f"a day's {call}, {len(taken)} of them", taken)
    run.report.note(f"walks remembered, day by day: {', '.join(f'{rate:.2f}' for rate in rates)}")
    run.report.at_least("day_hit_rate_min", statistics.median(rates), 0.6)


def _replay(db: Workspace, steps: Iterable[Step], times: dict[str, list[float]]) -> float:
    """Do all calls of a day in its own time; return the share of walks that were remembered."""
    graphs, begun = db._followers.graphs, time.time_ns() // 1000
    for step in steps:
        # What is remembered is forgotten after five minutes of that time.
        db._store.clock = lambda at=step.at_s: begun + int(at * 1e6)
        graphs._clock = lambda at=step.at_s: at
        times.setdefault(step.call, []).extend(time_each(_live, [(db, step)]))
    return graphs.hits / (graphs.hits + graphs.misses)


def _live(db: Workspace, step: Step) -> None:
    """Do what a tool does for one call."""
    room = db.decisions
    if step.call == "save":
        room.similar(room.save(step.topic, f"{step.text} 다시", "The day showed it").memory.id)
    elif step.call == "insight":
        room.insight(step.text, topic=step.topic)
    elif step.call == "checkpoint":
        room.checkpoint(step.text)
    elif step.call == "topic":
        room.on_topic(step.topic)
    elif step.call == "search":
        room.search(step.text)
    elif step.call == "recent":
        room.recent()
    else:
        last = [room.last_checkpoint()] if step.call == "load" else room.heads(step.topic)
        for memory in last[:1]:
            assert memory is not None, "there is a checkpoint"
            room.walk(memory.id, depth=2)


PARTS: dict[str, Callable[[Run], None]] = {
    "import": measure_import,
    "walk": measure_walk,
    "search": measure_search,
    "day": measure_day,
    "save": measure_save,
}


def main() -> int:
    """Run all parts, or those that were named, and return the exit code."""
    return run_parts(
        "decisions",
        __doc__,
        PARTS,
        packages=("apsw", "msgspec", "numpy"),
        start=lambda report, folder, quick: Run(report, folder, quick=quick),
    )


if __name__ == "__main__":
    sys.exit(main())
