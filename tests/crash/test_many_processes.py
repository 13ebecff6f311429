"""Several processes on one file: no errors, nothing lost, one order of events."""

import functools
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import strata
from strata import Workspace
from tests.crash.length import rounds
from tests.crash.processes import finish, run_together, start

ROOT = Path(__file__).parents[2]
ALONE = "STRATA_TEST_ALONE"


def in_a_program_of_its_own(test: Callable[[Path], None]) -> Callable[[Path], None]:
    """Run a test that forks in a new Python.

    A child made by fork() gets the locks of every thread that other tests, and the libraries
    they use, have left in this process, but none of the threads that would open them.
    """

    @functools.wraps(test)
    def run(path: Path) -> None:
        if ALONE in os.environ:
            test(path)
            return
        node = os.environ["PYTEST_CURRENT_TEST"].partition(" ")[0]
        kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", node],
            cwd=ROOT,
            env={**kept, ALONE: "1"},
            capture_output=True,
            text=True,
            timeout=110,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        assert "1 passed" in done.stdout, done.stdout

    return run


pytestmark = pytest.mark.crash


def test_sixteen_processes_write_one_file_without_an_error(path: Path) -> None:
    strata.open(path, auto_embed=False).close()
    run_together(*[start("puts", path, f"p{number}", 25) for number in range(16)])
    with strata.open(path, auto_embed=False) as db:
        for writer in range(16):
            found = {key: version.value for key, version in db.kv.scan(f"p{writer}/")}
            assert found == {
                f"p{writer}/{number}": {"쓴 이": f"p{writer}", "n": number} for number in range(25)
            }
        assert len(db.log(limit=1000)) == 400
        assert db.verify().ok


def test_eight_processes_append_to_one_unbroken_chain(path: Path) -> None:
    strata.open(path, auto_embed=False).close()
    run_together(*[start("appends", path, f"p{number}", 50) for number in range(8)])
    with strata.open(path, auto_embed=False) as db:
        events = db.events.list(limit=1000)
        assert [event.sequence for event in events] == list(range(1, 401))
        assert db.events.count() == 400
        payloads = [event.payload for event in events]
        for writer in range(8):
            expected = [{"by": f"p{writer}", "n": number} for number in range(50)]
            assert [payload for payload in payloads if payload in expected] == expected
        assert db.verify().ok  # which recomputes the hash that links each event


def test_eight_processes_count_to_exactly_four_hundred(path: Path) -> None:
    strata.open(path, auto_embed=False).close()
    run_together(*[start("increments", path, 50) for _ in range(8)])
    with strata.open(path, auto_embed=False) as db:
        found = db.kv.get("수")
        assert found is not None
        assert found.value == 400
        assert [past.value for past in db.kv.history("수")] == list(range(400, 0, -1))


def test_processes_that_meet_on_a_new_file_make_one_store(tmp_path: Path) -> None:
    for turn in range(rounds(3, 30)):
        path = tmp_path / f"new-{turn}.db"
        run_together(*[start("opens", path, label) for label in ("하나", "둘", "셋")])
        with strata.open(path, create=False) as db:
            assert [branch.name for branch in db.branches.list()] == ["default"]
            assert sorted(db.kv.list()) == sorted(["하나", "둘", "셋"])
            assert db.verify().ok


def test_a_reader_that_stays_does_not_stop_writers_and_sees_one_state(path: Path) -> None:
    # Without vectors, which would be written to the log at their own time.
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("before", 1)
        reader = start("stays", path)
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
        fill(db, batches=20)
        db.flush()
        held = wal_size(path)
        assert held > 500_000, "the log should have grown past the reader"
        finish(reader)
        fill(db, batches=1)
        db.flush()
        fill(db, batches=5)
        assert wal_size(path) <= held + 100_000, "the log goes on growing without a reader"
        db.compact()
        assert wal_size(path) == 0
        assert db.verify().ok
        assert db.kv.count() == 26 * 20 + 1


def test_a_pinned_transaction_reads_one_state_through_writes_and_compaction(path: Path) -> None:
    with strata.open(path, durability="standard") as db, strata.open(path) as other:
        db.kv.put_many({f"k/{number}": "처음" for number in range(50)})
        with db.transaction(read_only=True) as reading:
            seen = reading.kv.items("k/")
            other.kv.put_many({f"k/{number}": "나중" for number in range(60)})
            other.compact()
            other.flush()
            assert reading.kv.items("k/") == seen
        assert db.kv.count("k/") == 60


def test_a_long_iteration_holds_nothing_back(path: Path) -> None:
    # No vectors and no segments are made meanwhile: what they write would be in the log.
    quiet = partial(strata.open, path, auto_embed=False)
    with quiet(durability="standard") as db, quiet() as other:
        db.kv.put_many({f"k/{number:05}": number for number in range(10_500)})
        walk = db.kv.scan("k/")
        assert next(walk)[0] == "k/00000"
        other.kv.put("elsewhere", 1)
        other.compact()
        assert wal_size(path) == 0
        assert sum(1 for _ in walk) == 10_499


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork()")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@in_a_program_of_its_own
def test_children_of_a_process_that_uses_the_store_write_too(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        db.kv.put("parent", "before")
        children = [in_a_child(lambda n=n: write_ten(db, f"child{n}")) for n in range(4)]
        write_ten(db, "parent")
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0, 0]
        assert db.kv.count("child") == 40
        write_ten(db, "after")
        assert db.verify().ok
    with strata.open(path, auto_embed=False) as db:
        assert db.kv.count() == 61


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork()")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@in_a_program_of_its_own
def test_a_child_that_outlives_its_parent_loses_nothing(path: Path) -> None:
    waits, wakes = os.pipe()
    hears, tells = os.pipe()

    def orphan(db: Workspace) -> None:
        db.kv.put("orphan", "beside its parent")
        os.write(tells, b"!")
        os.read(waits, 1)
        db.kv.put("orphan", "alone")

    def parent() -> None:
        db = strata.open(path)
        db.kv.put("parent", 1)
        in_a_child(lambda: orphan(db))
        os.read(hears, 1)
        # It ends here, as a program does that puts itself into the background.

    assert os.waitpid(in_a_child(parent), 0)[1] == 0
    with strata.open(path) as third:
        third.kv.put("third", 1)
    os.write(wakes, b"!")
    assert wait_for(lambda: value(path, "orphan") == "alone"), "an acknowledged write is lost"
    with strata.open(path, auto_embed=False) as db:
        assert sorted(db.kv.list()) == ["orphan", "parent", "third"]
        assert db.verify().ok
    for descriptor in (waits, wakes, hears, tells):
        os.close(descriptor)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork()")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@in_a_program_of_its_own
def test_an_orphan_goes_on_writing_while_others_come_and_go(path: Path) -> None:
    hears, tells = os.pipe()

    def orphan(db: Workspace) -> None:
        for number in range(300):
            db.kv.put_many({f"orphan/{number}/{part}": number for part in range(10)})
            os.write(tells, b"%d\n" % number)

    def parent() -> None:
        db = strata.open(path, durability="standard")
        db.kv.put("parent", 1)
        in_a_child(lambda: orphan(db))

    assert os.waitpid(in_a_child(parent), 0)[1] == 0
    os.close(tells)
    with os.fdopen(hears) as voice:
        acknowledged: list[int] = []
        for line in voice:
            acknowledged.append(int(line))
            with strata.open(path, durability="standard", auto_embed=False) as newcomer:
                newcomer.kv.put("newcomer", len(acknowledged))
    assert acknowledged == list(range(300)), "the orphan died"
    with strata.open(path, auto_embed=False) as db:
        assert db.kv.count("orphan/") == 3000
        assert db.verify().ok


def fill(db: Workspace, *, batches: int) -> None:
    for _ in range(batches):
        start_at = db.kv.count()
        db.kv.put_many({f"{start_at + n:06}": os.urandom(900).hex() for n in range(20)})


def wal_size(path: Path) -> int:
    return Path(f"{path}-wal").stat().st_size


def write_ten(db: Workspace, label: str) -> None:
    for number in range(10):
        db.kv.put(f"{label}/{number}", number)


def in_a_child(work: Callable[[], object]) -> int:
    """Run something in a forked child, which then ends without a word of pytest's."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:  # noqa: BLE001  (nothing of the child may reach pytest)
        import traceback

        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def value(path: Path, key: str) -> strata.Json:
    with strata.open(path, auto_embed=False) as db:
        found = db.kv.get(key)
        return found.value if found is not None else None


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> bool:
    """Wait until something holds; tell whether it came to hold in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return False
