"""Reading the past: the history of a key, and a value as it was."""

import random

from contenders.contender import Pairs
from measure.records import key
from measure.rounds import ratio, take_turns, time_each, time_once

from parts.access import OURS, STRATADB, Stage
from parts.run import BATCH, Run

VERSIONS = 1000
HOT = "proj/000/hot"


def measure_history(run: Run, stage: Stage) -> None:
    """List a key that was written a thousand times, every value decoded."""
    db, peer = stage.ours.db, stage.stratadb
    for number in range(VERSIONS):
        value = run.values[number]
        stage.ours.put(HOT, value)
        peer.put(HOT, value)
    ours = [found.value for found in db.kv.history(HOT)]
    assert len(ours) == VERSIONS
    assert ours == peer.history(HOT)
    timings = take_turns(
        {
            OURS: lambda _: [time_once(lambda: db.kv.history(HOT))],
            STRATADB: lambda _: [time_once(lambda: peer.history(HOT))],
        },
        run.scale.rounds,
    )
    run.report.at_most("history_1k_vs_stratadb", ratio(timings[OURS], timings[STRATADB]), 0.3)
    run.report.timings("history of 1k", timings)


def measure_as_of(run: Run, stage: Stage) -> None:
    """Read random keys as they were before a tenth of them was overwritten."""
    db, peer = stage.ours.db, stage.stratadb
    then, mark = db.resolve("now"), peer.now()
    numbers = random.Random(17)
    later = [key(numbers.randrange(run.scale.records)) for _ in range(run.scale.records // 10)]
    changes: Pairs = [(name, {"later": n}) for n, name in enumerate(dict.fromkeys(later))]
    for start in range(0, len(changes), BATCH):
        stage.ours.put_many(changes[start : start + BATCH])
        peer.put_many(changes[start : start + BATCH])
    keys = [(numbers.choice(later),) for _ in range(50)]
    keys += [(key(numbers.randrange(run.scale.records)),) for _ in range(run.scale.gets - 50)]
    view = db.at(then.version)

    def ours(name: str) -> object:
        found = view.kv.get(name)
        return found and found.value

    def theirs(name: str) -> object:
        return peer.get_at(name, mark)

    assert all(ours(name) == theirs(name) for (name,) in keys)
    assert ours(later[0]) != stage.ours.get(later[0])
    timings = take_turns(
        {OURS: lambda _: time_each(ours, keys), STRATADB: lambda _: time_each(theirs, keys)},
        run.scale.rounds,
    )
    run.report.at_most("as_of_get_vs_stratadb", ratio(timings[OURS], timings[STRATADB]), 0.3)
    run.report.timings("get as of", timings)
    again = [()] * run.scale.puts
    views = {
        "view by version": lambda _: time_each(lambda: db.at(then.version), again),
        "view by time": lambda _: time_each(lambda: db.at(then.timestamp), again),
        "view by ISO text": lambda _: time_each(lambda: db.at(then.iso_time), again),
    }
    run.report.timings("making a view", take_turns(views, 5))
