"""Branches: reading through many forks, forking, comparing and merging."""

import os
import random
from collections.abc import Callable
from pathlib import Path

from contenders.contender import Pairs
from contenders.strata_kv import Ours
from measure.records import Record, key
from measure.rounds import Job, Timing, ratio, take_turns, time_each, time_once

from parts.access import INDEXED, OURS, STRATADB, Stage
from parts.run import Run, spoken

DEPTHS = (0, 1, 5, 20)
OWN_WRITES = 50
CHANGED, ADDED = 900, 100


def measure_depth(run: Run, stage: Stage) -> None:
    """Read keys of the root through nested forks, each with writes of its own."""
    db = stage.ours.db
    names = ["default"]
    for depth in range(1, max(DEPTHS) + 1):
        names.append(f"depth-{depth:02d}")
        db.branches.fork(names[-1], source=names[-2])
        own = {f"own/{depth:02d}/{number:03d}": number for number in range(OWN_WRITES)}
        db.on(names[-1]).kv.put_many(own)
    numbers = random.Random(19)
    keys = [(key(numbers.randrange(run.scale.records)),) for _ in range(run.scale.gets)]

    def job(depth: int) -> Job:
        view = db.on(names[depth])
        assert view.kv.get(keys[0][0]) == db.kv.get(keys[0][0])
        return lambda _: time_each(view.kv.get, keys)

    timings = take_turns({f"depth {depth}": job(depth) for depth in DEPTHS}, run.scale.rounds)
    run.report.at_most("get_depth_20_vs_0", ratio(timings["depth 20"], timings["depth 0"]), 2.0)
    run.report.timings("get", timings)


def measure_forks(run: Run, big: Ours) -> None:
    """Fork a small and a big store in turns; then a small one that syncs, beside a bare sync."""
    size = spoken(run.scale.big)
    small = run.built("small.db", 1000)
    path = run.folder / "small-always.db"
    run.built(path.name, 1000).close()
    always = Ours(path, durability="always")
    timings = take_turns(
        {
            "1k": lambda number: _forks(small, number),
            size: lambda number: _forks(big, number),
            "1k, always": lambda number: _forks(always, number),
            "bare fsync": lambda _: _syncs(run.folder / "synced"),
        },
        run.scale.forks,
    )
    run.report.at_most(f"fork_ms_{size}", timings[size].median / 1000, 1.0)
    run.report.at_most(f"fork_{size}_vs_1k", ratio(timings[size], timings["1k"]), 1.5)
    run.report.timings("fork", timings)
    more = timings["1k, always"].median - timings["1k"].median
    run.report.note(f"always costs {more / timings['bare fsync'].median:.2f} bare fsyncs more")
    first, last = timings[size].medians[0], timings[size].medians[-1]
    run.report.note(
        f"fork no. 30 took {first:.0f} us, fork no. {20 * run.scale.forks + 10} took {last:.0f} us"
    )
    small.close()
    always.close()


def _forks(ours: Ours, number: int) -> list[float]:
    names = [(f"fork-{number:03d}-{place:02d}",) for place in range(20)]
    return time_each(ours.db.branches.fork, names)


def _syncs(path: Path) -> list[float]:
    page = os.urandom(4096)
    with path.open("ab", buffering=0) as file:
        return time_each(lambda: (file.write(page), os.fsync(file.fileno())), [()] * 20)


def measure_diff_and_merge(run: Run, stage: Stage) -> None:
    """Change a thousand records on a fork, compare it with its parent, and merge it.

    The milliseconds are those of the best round, the ratios the median of all.
    """
    size = spoken(run.scale.records)
    who = (OURS, INDEXED, STRATADB)
    diffs = {name: Timing() for name in who}
    merges = {name: Timing() for name in who}
    numbers = random.Random(23)
    for round_ in range(run.scale.merges + 1):
        changes = _changes(run, numbers, round_)
        name = f"work-{round_}"
        jobs = {STRATADB: _stratadb(stage, name)}
        stage.stratadb.fork(name, changes)
        for ours, label in ((stage.ours, OURS), (stage.indexed, INDEXED)):
            _fork_ours(ours, name, changes)
            jobs[label] = _ours(ours, name)
        for label in list(jobs)[:: 1 if round_ % 2 else -1]:
            diff, merge = jobs[label]
            times = 1 if label == STRATADB else 3
            taken = ([time_once(diff) for _ in range(times)], [time_once(merge)])
            if round_:  # The first round warms up.
                diffs[label].rounds.append(taken[0])
                merges[label].rounds.append(taken[1])
        changed, value = changes[0]
        assert stage.ours.get(changed) == stage.stratadb.get(changed) == value
        assert stage.indexed.get(changed) == value
    report = run.report
    report.at_most(f"diff_ms_1k_of_{size}", diffs[OURS].best / 1000, 10)
    report.at_most("diff_vs_stratadb", ratio(diffs[OURS], diffs[STRATADB]), 0.05)
    report.timings("diff", diffs)
    report.at_most(f"merge_ms_1k_of_{size}", merges[OURS].best / 1000, 100)
    report.at_most("merge_vs_stratadb", ratio(merges[OURS], merges[STRATADB]), 0.1)
    report.at_most(f"merge_indexed_ms_1k_of_{size}", merges[INDEXED].best / 1000, 250)
    indexed = ratio(merges[INDEXED], merges[STRATADB])
    report.at_most("merge_indexed_vs_stratadb", indexed, 0.25)
    report.timings("merge", merges)


def _changes(run: Run, numbers: random.Random, round_: int) -> Pairs:
    def changed(name: str) -> tuple[str, Record]:
        return name, {**numbers.choice(run.values), "round": round_, "draw": numbers.random()}

    chosen = numbers.sample(range(run.scale.records), CHANGED)
    names = [key(number) for number in chosen]
    names += [f"new/{round_:02d}/{number:03d}" for number in range(ADDED)]
    return [changed(name) for name in names]


def _fork_ours(ours: Ours, name: str, changes: Pairs) -> None:
    ours.db.branches.fork(name, source="default")
    ours.db.on(name).kv.put_many(changes)


def _ours(ours: Ours, name: str) -> tuple[Callable[[], None], Callable[[], None]]:
    branches = ours.db.branches

    def diff() -> None:
        assert branches.diff("default", name).total == CHANGED + ADDED

    def merge() -> None:
        assert branches.merge(name, into="default").applied == CHANGED + ADDED

    return diff, merge


def _stratadb(stage: Stage, name: str) -> tuple[Callable[[], None], Callable[[], None]]:
    def diff() -> None:
        assert stage.stratadb.diff(name) == CHANGED + ADDED

    def merge() -> None:
        assert stage.stratadb.merge(name) == CHANGED + ADDED

    return diff, merge
