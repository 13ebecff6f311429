"""Work that is cut short: by a signal, a time limit or a kill. It is whole or it is not there."""

import os
import random
import shutil
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import strata
from strata import Interrupted, Workspace
from tests.crash.length import rounds
from tests.crash.picture import picture
from tests.crash.processes import run

pytestmark = pytest.mark.crash
KILLED = -9
VECTORS, DIMENSION = 1_100, 4_000  # 18 MB, which a copy takes in five parts
POSIX = pytest.mark.skipif(os.name != "posix", reason="a process cannot kill itself here")


def big(label: str, count: int = 5_000) -> dict[str, strata.Json]:
    return {f"{label}/{number}": {"n": number, "글": "나" * 20} for number in range(count)}


def test_an_interrupted_batch_leaves_nothing_and_the_next_one_works(path: Path) -> None:
    dice = random.Random(7)
    cut = whole = 0
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put_many(big("first"))
        took = seconds(lambda: db.kv.put_many(big("second")))
        for turn in range(rounds(4, 60)):
            label = f"try{turn}"
            with in_the_meantime(db.interrupt, dice.uniform(0, took), every=0.001):
                was_cut = is_cut(lambda label=label: db.kv.put_many(big(label)))
            assert db.kv.count(f"{label}/") == (0 if was_cut else 5_000)
            cut, whole = cut + was_cut, whole + (not was_cut)
        db.kv.put("after", "그래도")
        assert db.verify().ok
    print(f"\ninterrupted {cut}, finished {whole}")
    assert cut > 0


def test_an_interrupted_listing_does_not_keep_the_store(path: Path) -> None:
    with (
        strata.open(path, durability="standard", auto_embed=False) as db,
        strata.open(path, auto_embed=False) as other,
    ):
        db.kv.put_many(big("k"))
        db.branches.fork("side")
        side = db.on("side")
        side.kv.put_many(big("k/side"))
        for turn in range(rounds(5, 50)):
            with in_the_meantime(db.interrupt, 0.01, every=0.001), pytest.raises(Interrupted):
                count_again_and_again(side)
            side.kv.put("mine", turn)
            other.kv.put("theirs", turn)
            found = db.kv.get("theirs")
            assert found is not None
            assert found.value == turn, "the reader is left behind in the past"


@pytest.mark.parametrize("what", ["merge", "retention", "compact", "verify", "load"])
def test_what_is_interrupted_changes_nothing(path: Path, what: str) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        work = prepared(db, path, what)
        before = picture(db)
        with in_the_meantime(db.interrupt, 0.001, every=0.001), pytest.raises(Interrupted):
            work()
        assert picture(db) == before
        assert db.verify().ok
        work()
        assert db.verify().ok


def prepared(db: Workspace, path: Path, what: str) -> Callable[[], object]:
    """Make a store in which one kind of work takes long; return that work."""
    db.branches.fork("side")
    db.on("side").kv.put_many(big("side", 3_000))
    for _ in range(3):
        db.kv.put_many(big("old", 1_500))
    db.retention.set(max_versions=1)
    bundle = path.with_name("side.bundle")
    if what == "load":
        db.bundles.export(bundle, branch="side")
    works: dict[str, Callable[[], object]] = {
        "merge": lambda: db.branches.merge("side", into="default"),
        "retention": db.retention.apply,
        "compact": db.compact,
        "verify": db.verify,
        "load": lambda: db.bundles.load(bundle, branch="loaded"),
    }
    return works[what]


def test_a_time_limit_ends_a_long_call_and_leaves_nothing(path: Path) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("before", 1)
        for turn in range(rounds(3, 30)):
            with pytest.raises(Interrupted), db.time_limit(0.03):
                db.kv.put_many(big(f"try{turn}", 20_000))
            assert db.kv.count() == 1
        db.kv.put("after", 2)
        assert db.verify().ok


def test_a_time_limit_that_was_kept_does_not_hurt_what_follows(path: Path) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        for turn in range(20):
            with db.time_limit(0.5):
                db.kv.put(f"in time/{turn}", turn)
        until = time.monotonic() + 0.8
        rounds = 0
        while time.monotonic() < until:
            db.kv.put_many(big(f"afterwards/{rounds}", 500))
            rounds += 1
        assert db.kv.count() == 20 + 500 * rounds


def test_a_rollback_is_not_stopped_by_a_late_interrupt(path: Path) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        connection = db._store.connection()
        over = threading.Event()

        def hammer() -> None:
            while not over.is_set():
                connection.interrupt()

        hammers = [threading.Thread(target=hammer) for _ in range(2)]
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            for thread in hammers:
                thread.start()
            until = time.monotonic() + rounds(1, 20)
            while time.monotonic() < until:
                with suppress(Interrupted):
                    connection.begin(write=True)
                connection.rollback()
                assert not connection.in_transaction, "the write lock is held for ever"
        finally:
            over.set()
            for thread in hammers:
                thread.join()
            sys.setswitchinterval(before)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that is copied in many parts, and beside it a backup of what it was before."""
    path = tmp_path_factory.mktemp("large") / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("k", "첫 사본에")
        db.backup(path.with_name("backup.db"))
        # Vectors fill the file in a tenth of the time that texts take to index and verify.
        db.vectors.create("많은 쪽", DIMENSION)
        rest = [random.random() for _ in range(DIMENSION - 1)]
        rows = [{"key": f"n/{n}", "vector": [n, *rest]} for n in range(VECTORS)]
        db.vectors.upsert_many("많은 쪽", rows)
    return path


@POSIX
@pytest.mark.parametrize("parts", [1, 4])
def test_a_killed_backup_leaves_the_earlier_one_as_it_was(
    large: Path, path: Path, parts: int
) -> None:
    target = path.with_name("backup.db")
    shutil.copy(large, path)
    shutil.copy(large.with_name("backup.db"), target)
    earlier = target.read_bytes()
    run("backs_up", path, target, parts, code=KILLED)
    assert target.read_bytes() == earlier
    run("backs_up", path, path.with_name("fresh.db"), parts, code=KILLED)
    assert not path.with_name("fresh.db").exists()
    with strata.open(path, auto_embed=False) as db:
        assert db.verify().ok
        assert db.backup(target, force=True).version == db.log(limit=1)[0].version


@POSIX
@pytest.mark.parametrize("parts", [1, 4])
def test_a_killed_restore_leaves_the_old_store_as_it_was(
    large: Path, path: Path, parts: int
) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("old", "지킬 것")
    run("restores", large, path, parts, code=KILLED)
    with strata.open(path, auto_embed=False) as db:
        assert db.kv.list() == ["old"]
        assert db.verify().ok
    strata.restore(large, path, force=True)
    with strata.open(path, auto_embed=False) as db:
        assert [found.count for found in db.vectors.list()] == [VECTORS]
        assert db.verify().ok


@POSIX
def test_a_killed_export_leaves_no_bundle_and_a_killed_import_no_branch(path: Path) -> None:
    bundle = path.with_name("branch.bundle")
    with strata.open(path, durability="standard", auto_embed=False) as db:
        for number in range(450):
            db.kv.put(f"k/{number}", number)
    run("exports", path, bundle, 2, code=KILLED)
    assert not bundle.exists()
    with strata.open(path, auto_embed=False) as db:
        db.bundles.export(bundle)
        before = picture(db)
    run("loads", path, bundle, 2, code=KILLED)
    with strata.open(path, auto_embed=False) as db:
        assert picture(db) == before
        assert db.verify().ok
        assert db.bundles.load(bundle, branch="가져온 것").commits == 450


def count_again_and_again(db: Workspace) -> None:
    while True:
        db.kv.count()


class in_the_meantime:  # noqa: N801  (reads as a clause: with in_the_meantime(...))
    """Call something again and again from another thread, beginning after a while."""

    def __init__(self, call: Callable[[], object], delay: float, *, every: float) -> None:
        self._call, self._delay, self._every = call, delay, every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        pause = self._delay
        while not self._over.wait(pause):
            self._call()
            pause = self._every

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()


def is_cut(work: Callable[[], object]) -> bool:
    try:
        work()
    except Interrupted:
        return True
    return False


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
