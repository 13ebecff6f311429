"""Reading and writing by key: get, put, and batches, beside raw SQLite, stratadb and LMDB."""

import random
from collections.abc import Callable

from contenders.contender import Contender, Pairs
from contenders.lmdb_kv import Lmdb
from contenders.sqlite_kv import RawSqlite
from contenders.strata_kv import Ours
from contenders.stratadb_kv import StratadbJson, StratadbKv
from measure.records import key
from measure.rounds import Job, ratio, take_turns, time_each, time_once

from parts.run import BATCH, Run

OURS, SQLITE, STRATADB = "strata", "sqlite", "stratadb kv"
INDEXED = "strata, text index"


class Stage:
    """The contenders of one run, loaded with the same records."""

    def __init__(self, run: Run) -> None:
        folder = run.folder
        self.ours = Ours(folder / "ours.db")
        self.indexed = Ours(folder / "indexed.db", text_index=True)
        self.stratadb = StratadbKv(folder / "stratadb-kv")
        self.all: dict[str, Contender] = {
            OURS: self.ours,
            INDEXED: self.indexed,
            SQLITE: RawSqlite(folder / "raw.db"),
            # For information: SQLite's own default is 2 MB, ours is 64 MiB.
            "sqlite, 64 MiB cache": RawSqlite(folder / "raw-cache.db", cache_kib=64 * 1024),
            STRATADB: self.stratadb,
            "stratadb json": StratadbJson(folder / "stratadb-json"),
            "lmdb": Lmdb(folder / "lmdb"),
        }

    def close(self) -> None:
        """Close every store."""
        for contender in self.all.values():
            contender.close()


def load(run: Run, stage: Stage) -> None:
    """Load all contenders batch by batch, which is the measurement of batches.

    The keys of a batch lie scattered over the whole store, the hardest case for a B-tree.
    """
    jobs = {name: _batches(contender, run.pairs) for name, contender in stage.all.items()}
    timings = take_turns(jobs, run.scale.records // BATCH - 2, warm_up=2)
    run.report.at_most("batch_1000_vs_stratadb", ratio(timings[OURS], timings[STRATADB]), 0.4)
    run.report.at_most("batch_1000_indexed_us", timings[INDEXED].median, 60)
    run.report.timings("batch, a record", timings)

    def in_order(start: int) -> Pairs:
        return [(f"sorted/{start:07d}/{key}", value) for key, value in run.pairs(start)]

    jobs = {name: _batches(contender, in_order) for name, contender in stage.all.items()}
    run.report.timings("batch, in order", take_turns(jobs, 9))


def _batches(contender: Contender, pairs_from: Callable[[int], Pairs]) -> Job:
    def one_batch(number: int) -> list[float]:
        pairs = pairs_from(number * BATCH)
        return [time_once(lambda: contender.put_many(pairs)) / BATCH]

    return one_batch


def measure_gets(run: Run, stage: Stage) -> None:
    """Read random keys."""
    numbers = random.Random(11)
    plan = [
        [(key(numbers.randrange(run.scale.records)),) for _ in range(run.scale.gets)]
        for _ in range(run.scale.rounds + 1)
    ]
    _agree(stage, [values[0] for values in plan[0][:50]])

    def job(get: Callable[[str], object]) -> Job:
        return lambda number: time_each(get, plan[number])

    jobs = {name: job(contender.get) for name, contender in stage.all.items()}
    timings = take_turns(jobs, run.scale.rounds)
    run.report.at_most("get_vs_sqlite", ratio(timings[OURS], timings[SQLITE]), 1.5)
    run.report.at_most("get_vs_stratadb", ratio(timings[OURS], timings[STRATADB]), 0.45)
    run.report.timings("get", timings)


def measure_puts(run: Run, stage: Stage) -> None:
    """Write single values: half of them to random keys that exist, half to new ones."""
    numbers = random.Random(13)
    plan = [_mixed(run, numbers, start=number) for number in range(run.scale.rounds + 1)]

    def job(put: Callable[..., None]) -> Job:
        return lambda number: time_each(put, plan[number])

    jobs = {name: job(contender.put) for name, contender in stage.all.items()}
    timings = take_turns(jobs, run.scale.rounds)
    _agree(stage, [values[0] for values in plan[-1]])
    run.report.at_most("put_vs_sqlite", ratio(timings[OURS], timings[SQLITE]), 4.0)
    run.report.at_most("put_vs_stratadb", ratio(timings[OURS], timings[STRATADB]), 1.0)
    run.report.at_most("put_indexed_vs_sqlite", ratio(timings[INDEXED], timings[SQLITE]), 9.0)
    run.report.timings("put", timings)
    ours, raw, peer = (timings[name].mean for name in (OURS, SQLITE, STRATADB))
    run.report.note(
        f"put, by the means (checkpoints included): {ours / raw:.2f} x sqlite,"
        f" {ours / peer:.2f} x stratadb"
    )


def _mixed(run: Run, numbers: random.Random, *, start: int) -> Pairs:
    half = run.scale.puts // 2
    fresh = run.scale.records + start * half
    chosen = [numbers.randrange(run.scale.records) for _ in range(half)]
    chosen += range(fresh, fresh + half)
    numbers.shuffle(chosen)
    return [(key(number), numbers.choice(run.values)) for number in chosen]


def _agree(stage: Stage, keys: list[str]) -> None:
    """Make sure that all contenders give the same answers."""
    expected = [stage.ours.get(key) for key in keys]
    assert None not in expected
    for name, contender in stage.all.items():
        assert [contender.get(key) for key in keys] == expected, f"{name} disagrees"
