"""How much slower is a store in PostgreSQL than in a file, near and far, and with many writers?

Both databases do the same work in turns, through the SDK, without syncs. The far one is the same
server behind a proxy on loopback that delays every round trip by a millisecond. Each figure is one
line: `figure NAME VALUE BOUND ok|short`. Exits with 1 if any figure is short.
"""

import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
from measure.figures import Report
from measure.rounds import ratio, take_turns, time_each
from measure.running import run_parts
from scaling.delay import DelayingProxy
from scaling.server import started

import strata
from strata import Workspace
from strata.sql import parse_address

DELAY_S = 0.001
FACTS = 2_000
# What a search computes between its round trips.
WORK_S = 0.0005
TEXTS = (
    "the deploy of {} waits for the migration of table {}",
    "{}번 작업은 {}의 결과를 기다린다",
    "cache {} is dropped when setting {} changes",
)
# How many times SQLite's time each call may take.
BOUNDS = {
    "get": 12,
    "put": 6,
    "batch_1000": 3,
    "fork": 3,
    "items_100": 2,
    "diff_1000": 3,
    "merge_1000": 3,
    "search": 1.3,
}
# Milliseconds that a call may take with a millisecond between the machines.
FAR_BOUNDS_MS = {"put": 1.5, "merge_1000": 60, "edit": 5}
WRITERS = (1, 4, 16)


class Run:
    """The stores that take turns, by name."""

    def __init__(self, report: Report, folder: Path, quick: bool) -> None:  # noqa: FBT001
        self.report = report
        self.rounds = 5 if quick else 15
        self.calls = 50 if quick else 200
        self.seconds = 2 if quick else 8
        self.address, socket = started()
        proxy = DelayingProxy(next(Path(socket).glob(".s.PGSQL.*[0-9]")), DELAY_S)
        self.far_address = f"postgresql://postgres@127.0.0.1:{proxy.port}/strata?workspace=far"
        self.near = {
            "sqlite": self._opened(folder / "store.db"),
            "postgres": self._opened(self.address),
        }
        self.count = 0

    def _opened(self, place: Path | str) -> Workspace:
        db = strata.open(place, durability="standard", auto_embed=False)
        texts = [TEXTS[at % 3].format(at, at * 7 % 911) for at in range(FACTS)]
        db.kv.put_many({f"fact/{at:05}": text for at, text in enumerate(texts)})
        db.search("migration of table 7")
        return db

    def name(self) -> str:
        """Return a name that was not used before."""
        self.count += 1
        return f"name-{self.count}"

    def measure(self, what: str, job: Callable[[Workspace, int], list[float]]) -> None:
        """Let both databases do a job in turns, and print how many times slower PostgreSQL is."""
        timings = take_turns(
            {name: lambda number, db=db: job(db, number) for name, db in self.near.items()},
            self.rounds,
        )
        self.report.timings(what, timings)
        self.report.at_most(
            f"{what}_ratio", ratio(timings["postgres"], timings["sqlite"]), BOUNDS[what]
        )


def bare_trip_us(address: str, work_s: float = 0) -> float:
    """Return how long the driver by itself takes for a statement that reads nothing.

    After so much other work of this process: the server sleeps meanwhile, and has to wake up.
    """
    database, taken = parse_address(address).database, list[float]()
    with psycopg.connect(database, autocommit=True, prepare_threshold=1) as session:
        cursor = session.cursor()
        for _ in range(200):
            until = time.perf_counter() + work_s
            while time.perf_counter() < until:
                pass
            taken += time_each(cursor.execute, [("SELECT 1",)])
    return statistics.median(taken)


def measure_calls(run: Run) -> None:
    """Compare single calls with SQLite's."""
    hot, cold = bare_trip_us(run.address), bare_trip_us(run.address, WORK_S)
    run.report.note(
        f"floor, a bare round trip of the driver: {hot:.1f} us, {cold:.1f} us after"
        f" {WORK_S * 1000:.1f} ms of other work, as between the two of a search"
    )
    keys = [(f"fact/{at * 13 % FACTS:05}",) for at in range(run.calls)]
    run.measure("get", lambda db, _round: time_each(db.kv.get, keys))
    run.measure(
        "put",
        lambda db, number: time_each(
            db.kv.put, [(key, f"deploy {number} of table {at}") for at, (key,) in enumerate(keys)]
        ),
    )
    run.measure(
        "items_100",
        lambda db, _round: time_each(lambda: db.kv.items("fact/", limit=100), [()] * 10),
    )
    run.measure(
        "fork", lambda db, _round: time_each(db.branches.fork, [(run.name(),) for _ in range(10)])
    )
    run.measure("search", lambda db, _round: time_each(db.search, [("migration of table 7",)] * 10))


def measure_sets(run: Run) -> None:
    """Compare batches, differences and merges of a thousand keys with SQLite's."""
    run.measure("batch_1000", lambda db, number: time_each(db.kv.put_many, [(batch(run, number),)]))
    run.measure("diff_1000", lambda db, number: [changed(run, db, number)[0]])
    run.measure("merge_1000", lambda db, number: [changed(run, db, number)[1]])


def batch(run: Run, number: int) -> dict[str, str]:
    """Return a thousand values that were not there before."""
    mark = run.name()
    return {f"batch/{number}/{mark}/{at:04}": f"value {at} of {mark}" for at in range(1000)}


def changed(run: Run, db: Workspace, number: int) -> tuple[float, float]:
    """Change a thousand keys on a branch; return how long their diff and their merge take."""
    name = run.name()
    db.branches.fork(name)
    db.on(name).kv.put_many(batch(run, number))
    started_at = time.perf_counter_ns()
    assert len(db.branches.diff("default", name).added) == 1000
    compared = time.perf_counter_ns()
    assert db.branches.merge(name).applied == 1000
    return (compared - started_at) / 1000, (time.perf_counter_ns() - compared) / 1000


def measure_far(run: Run) -> None:
    """Measure with a millisecond between the machines."""
    db = strata.open(run.far_address, durability="standard", auto_embed=False)
    db.kv.put("warm", 0)
    document = db.documents.create("Plan", "# Goals\n\nShip in May.\n").document
    times = {
        "get": time_each(db.kv.get, [("warm",)] * 50),
        "put": time_each(db.kv.put, [("warm", at) for at in range(50)]),
        "merge_1000": [changed(run, db, number)[1] for number in range(3)],
        "edit": time_each(
            lambda at: db.documents.edit(
                document, f"May {at}." if at else "May.", f"May {at + 1}."
            ),
            [(at,) for at in range(20)],
        ),
    }
    floor = bare_trip_us(run.far_address) / 1000
    run.report.note(f"floor, a bare round trip through the proxy: {floor:.2f} ms")
    for what, taken in times.items():
        middle = statistics.median(taken) / 1000
        run.report.note(f"{what}, 1 ms away: {middle:.2f} ms")
        if what in FAR_BOUNDS_MS:
            run.report.at_most(f"far_{what}_ms", middle, FAR_BOUNDS_MS[what])
    db.close()


def measure_writers(run: Run) -> None:
    """Count puts a second with several writers of one workspace, each with its own connection."""
    for writers in WRITERS:
        done = [0] * writers
        end = time.monotonic() + run.seconds

        def write(place: int, done: list[int] = done, end: float = end) -> None:
            with strata.open(run.address, durability="standard", auto_embed=False) as db:
                while time.monotonic() < end:
                    db.kv.put(f"writer/{place}", done[place])
                    done[place] += 1

        threads = [threading.Thread(target=write, args=(place,)) for place in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        run.report.note(f"{writers} writers: {sum(done) / run.seconds:,.0f} puts a second")
    assert run.near["postgres"].verify().ok, "a chain is broken"


PARTS = {
    "calls": measure_calls,
    "sets": measure_sets,
    "far": measure_far,
    "writers": measure_writers,
}


if __name__ == "__main__":
    sys.exit(
        run_parts("scale", __doc__, PARTS, start=Run, packages=["apsw", "psycopg", "psycopg-pool"])
    )
