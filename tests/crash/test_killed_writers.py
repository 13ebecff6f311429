"""kill -9 at random instants: what a writer acknowledged before it died is there."""

import random
import time
from pathlib import Path

import pytest

import strata
from strata import InvalidArgument
from strata.proof import torture
from strata.proof.acknowledged import Acknowledgement, Ledger, decoded, encoded
from strata.proof.writer import WriterProcess
from strata.sql import Durability
from tests.crash.length import rounds

pytestmark = [pytest.mark.crash, pytest.mark.slow]
ROUNDS = rounds(2, 40)
WRITERS = 3
LINES = 20  # acknowledged in each round before anybody is killed


@pytest.mark.parametrize("mode", ["always", "standard"])
def test_killed_writers_lose_nothing_they_acknowledged(path: Path, mode: Durability) -> None:
    strata.open(path).close()
    dice = random.Random()
    ledger = Ledger()
    killed = 0
    for turn in range(ROUNDS):
        writers = [
            WriterProcess(path, f"w{turn}-{number}", durability=mode, seed=dice.getrandbits(32))
            for number in range(WRITERS)
        ]
        try:
            _hear(writers, more_than=LINES)
            time.sleep(dice.uniform(0, 0.5))
        finally:
            # All of them before anything is judged: one that is left goes on writing for hours.
            were_alive = [writer.kill() for writer in writers]
        assert all(were_alive), [writer.complaint() for writer in writers]
        killed += len(writers)
        for writer in writers:
            for fact in writer.output():
                ledger.enter(fact)
        with strata.open(path) as db:
            assert ledger.missing(db, unheard=killed) == []
            assert db.verify().problems == ()
    print(f"\n{mode}: {killed} kills, {ledger.facts} acknowledged, none lost")
    assert ledger.facts > LINES * ROUNDS


def _hear(writers: list[WriterProcess], *, more_than: int) -> None:
    """Wait until they are at work: how long a start takes is the machine's affair."""
    deadline = time.monotonic() + 60
    while sum(writer.lines for writer in writers) <= more_than:
        assert time.monotonic() < deadline, [writer.complaint() for writer in writers]
        time.sleep(0.01)


def test_torture_ends_in_time_and_cleans_up_behind_itself(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    started = time.monotonic()
    report = torture(tmp_path, seconds=rounds(4, 30), progress=lambda *news: seen.append(news))
    took = time.monotonic() - started
    print(f"\n{report}")
    assert report.ok, report.notes
    assert report.lost == report.corrupt == 0
    # How much fits into the time is the machine's affair: on a busy one a start takes seconds.
    assert report.acknowledged > 0
    assert report.kills > 0
    assert report.processes >= report.kills
    assert took < 60
    assert 0 < report.seconds <= round(took, 3)
    assert list(tmp_path.iterdir()) == []
    assert {stage for stage, _done, _total in seen} == {"torture"}


def test_torture_fills_the_disk_where_the_system_lets_it(tmp_path: Path) -> None:
    report = torture(tmp_path, seconds=3)
    skipped = [note for note in report.notes if "skipped" in note]
    assert report.full_disk_refusals == 5 * (2 - len(skipped))


def test_torture_refuses_a_time_that_proves_nothing(tmp_path: Path) -> None:
    for seconds in (0, 1, -5, float("nan"), True):
        with pytest.raises(InvalidArgument):
            torture(tmp_path, seconds=seconds)
    assert list(tmp_path.iterdir()) == []


def test_a_lost_log_would_be_noticed(path: Path) -> None:
    ledger = Ledger()
    with strata.open(path, durability="standard") as db:
        db.kv.put("folded in", 1)
        db.flush()
        found = db.kv.put("in the log", "기록에만")
        ledger.enter(Acknowledgement("put", "default", "in the log", "기록에만", found.version))
        assert ledger.missing(db) == []
        copy = path.with_name("copy.db")
        copy.write_bytes(path.read_bytes())
    with strata.open(copy) as db:
        assert db.kv.exists("folded in")
        assert len(ledger.missing(db)) == 1


@pytest.mark.parametrize(
    "claim",
    [
        Acknowledgement("put", "default", "k", "다른 값", 1),
        Acknowledgement("put", "default", "k", "값", 2),
        Acknowledgement("put", "default", "없다", "값"),
        Acknowledgement("put", "side", "k", "값"),
        Acknowledgement("event", "default", value={"n": 2}, number=1),
        Acknowledgement("event", "default", value={"n": 1}, number=2),
        Acknowledgement("cell", "default", "turn", "b", 1),
    ],
)
def test_a_claim_that_the_store_does_not_bear_out_is_noticed(
    path: Path, claim: Acknowledgement
) -> None:
    with strata.open(path, durability="standard") as db:
        db.kv.put("k", "값")
        db.events.append("e", {"n": 1})
        db.state.set("turn", "a")
        ledger = Ledger()
        ledger.enter(Acknowledgement("put", "default", "k", "값", 1))
        ledger.enter(Acknowledgement("event", "default", value={"n": 1}, number=1))
        ledger.enter(Acknowledgement("cell", "default", "turn", "a", 1))
        assert ledger.missing(db, unheard=0) == []
        ledger.enter(claim)
        assert len(ledger.missing(db)) == 1


def test_an_event_that_nobody_wrote_is_noticed(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        db.events.append("e", {})
        assert Ledger().missing(db, unheard=1) == []
        assert len(Ledger().missing(db, unheard=0)) == 1


def test_half_a_line_acknowledges_nothing() -> None:
    fact = Acknowledgement("put", "default", "키", {"글": "값"}, 7)
    line = encoded([fact])
    assert decoded(line) == fact
    assert decoded(line[:-1]) is None
    assert decoded(line[:9]) is None
