"""Power loss: what a mode promises to keep is there, and nothing is ever half there."""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest

import strata
from tests.crash.length import rounds
from tests.crash.power import Disk, Files, arrived, lay_out, sectors
from tests.crash.processes import ROOT
from tests.crash.recording import SECRET, Recording, Step, digest_of

pytestmark = [pytest.mark.crash, pytest.mark.slow]
STATES = rounds(20, 1000)


@pytest.fixture(scope="module", params=["always", "standard", "mixed"])
def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Recording]:
    mode: str = request.param
    return mode, record(tmp_path_factory.mktemp(mode), mode, "run")


def record(folder: Path, mode: str, workload: str) -> Recording:
    output = folder / "recording"
    words = [sys.executable, "-m", "tests.crash.recording", folder / "store.db", mode, output]
    done = subprocess.run(
        [str(word) for word in [*words, workload]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return msgspec.msgpack.decode(output.read_bytes(), type=Recording)


class Outcome:
    """One crash state, opened again: how far the store got compared with what it promised."""

    def __init__(self, recording: Recording, cut: int, files: Files, folder: Path) -> None:
        heard = [step for step in recording.steps[:cut] if step.what == "acknowledge"]
        self.acknowledged = heard[-1].at if heard else -1
        self.promised = max((step.at for step in heard if step.data), default=-1)
        lay_out(files, folder)
        with strata.open(folder / "store.db", durability="standard", auto_embed=False) as db:
            self.problems = db.verify().problems
            digest = digest_of(db) if not self.problems else b"damaged"
        # The call that was under way may have become durable without being acknowledged.
        possible = recording.shown[: self.acknowledged + 2]
        places = [place for place, shown in enumerate(possible) if shown == digest]
        self.reached = max(places, default=None)


def crash_states(recording: Recording, folder: Path, count: int) -> list[Outcome]:
    """Cut the power at random points, every second time right behind an acknowledgement."""
    dice = random.Random(2024)
    steps = recording.steps
    first = next(place for place, step in enumerate(steps) if step.what == "acknowledge")
    after = [place + 1 for place, step in enumerate(steps) if step.what == "acknowledge"]
    outcomes: list[Outcome] = []
    for number in range(count):
        cut = dice.choice(after) if number % 2 else dice.randrange(first, len(steps))
        files = Disk(steps[:cut]).fail(dice)
        outcomes.append(Outcome(recording, cut, files, folder / f"state-{number}"))
    return outcomes


def test_a_power_failure_takes_nothing_that_was_promised_to_stay(
    recorded: tuple[str, Recording], tmp_path: Path
) -> None:
    mode, recording = recorded
    outcomes = crash_states(recording, tmp_path, STATES)
    damaged = [outcome.problems for outcome in outcomes if outcome.problems]
    torn = [outcome for outcome in outcomes if outcome.reached is None]
    reached = [(outcome, outcome.reached) for outcome in outcomes if outcome.reached is not None]
    broken = [outcome for outcome, place in reached if place < outcome.promised]
    lost = Counter(max(0, outcome.acknowledged - place) for outcome, place in reached)
    kinds = Counter(step.what for step in recording.steps)
    print(f"\n{mode}: {STATES} states of {dict(kinds)}: {len(damaged)} damaged, {len(torn)} torn,")
    print(f"{len(broken)} broken promises; commits lost by state: {sorted(lost.items())}")
    assert damaged == [], "verify found damage"
    assert len(torn) == 0, "a state that the store never had: a commit in the middle is missing"
    assert len(broken) == 0, "an acknowledged write was lost"
    if mode == "always":
        assert set(lost) == {0}
    else:
        assert max(lost) > 0, "standard never lost anything, so the power was never cut"


def test_the_workload_folds_the_log_in_and_begins_it_anew(
    recorded: tuple[str, Recording],
) -> None:
    mode, recording = recorded
    writes = [step for step in recording.steps if step.what == "write"]
    assert sum(step.file == "store.db" for step in writes) > 100, "few pages were folded in"
    assert sum(step.file.endswith("-wal") and step.at == 0 for step in writes) > 5
    syncs = sum(step.what == "sync" for step in recording.steps)
    if mode == "always":
        assert syncs > len(recording.shown)
    if mode == "standard":
        assert syncs < len(recording.shown) / 2


def test_a_purged_value_stays_purged_after_a_power_failure(
    recorded: tuple[str, Recording], tmp_path: Path
) -> None:
    _mode, recording = recorded
    cut = 1 + next(
        place
        for place, step in enumerate(recording.steps)
        if step.what == "acknowledge" and step.at == recording.purged
    )
    dice = random.Random(5)
    in_the_log = 0
    states = rounds(6, 100)
    for number in range(states):
        files = Disk(recording.steps[:cut]).fail(dice)
        folder = tmp_path / str(number)
        in_the_log += SECRET.encode() in b"".join(files.values())
        lay_out(files, folder)
        with strata.open(folder / "store.db", auto_embed=False) as db:
            assert [found.state for found in db.kv.history("secret")] == ["erased"]
            db.compact()
            assert all(SECRET.encode() not in part.read_bytes() for part in folder.iterdir())
    assert in_the_log == 0, (
        f"the old log came back with the value in {in_the_log} of {states} states"
    )


def test_a_flush_is_kept_even_while_a_reader_stays(tmp_path: Path) -> None:
    recording = record(tmp_path, "standard", "run_with_flush")
    outcomes = crash_states(recording, tmp_path, rounds(10, 300))
    assert [outcome.problems for outcome in outcomes if outcome.problems] == []
    short = [
        (outcome.promised, outcome.reached)
        for outcome in outcomes
        if outcome.reached is None or outcome.reached < outcome.promised
    ]
    assert short == [], "what was flushed is lost"


def test_a_disk_that_forgets_syncs_would_be_noticed(
    recorded: tuple[str, Recording], tmp_path: Path
) -> None:
    """The same search finds losses and damage when no sync is obeyed after the first ones."""
    _mode, recording = recorded
    steps = recording.steps
    first = next(place for place, step in enumerate(steps) if step.what == "acknowledge")
    lying = steps[:first] + tuple(step for step in steps[first:] if step.what != "sync")
    dice = random.Random(3)
    failures, states = 0, rounds(10, 60)
    for number in range(states):
        cut = dice.randrange(first + 200, len(lying))
        files = Disk(lying[:cut]).fail(dice)
        try:
            outcome = Outcome(
                Recording(lying, recording.shown, 0), cut, files, tmp_path / f"{number}"
            )
        except Exception:  # noqa: BLE001  (in whatever way it fails, it is noticed)
            failures += 1
        else:
            behind = outcome.reached is None or outcome.reached < outcome.acknowledged
            failures += bool(outcome.problems) or behind
    assert failures > states / 2


def test_a_torn_write_arrives_in_whole_sectors() -> None:
    step = Step("write", "f", 500, bytes(range(256)) * 5)
    parts = sectors(step)
    assert [part.at for part in parts] == [500, 512, 1024, 1536]
    assert b"".join(part.data for part in parts) == step.data
    dice = random.Random(1)
    assert arrived(step, 0.0, dice) == []
    assert b"".join(part.data for part in arrived(step, 1.0, dice)) == step.data
