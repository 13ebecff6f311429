"""One workspace in many threads, and in a child made by fork()."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import strata
from strata import Workspace, WorkspaceTransaction

THREADS = 8


@pytest.fixture(params=["file", "memory"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    if request.param == "memory":
        return strata.open(durability="cache")
    return strata.open(tmp_path / "store.db", durability="standard")


def together(work: Callable[[int], None]) -> None:
    """Run a function in eight threads that start at the same moment."""
    barrier = threading.Barrier(THREADS)

    def start(number: int) -> None:
        barrier.wait(timeout=30)
        work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(start, number) for number in range(THREADS)]:
            done.result(timeout=60)


def test_eight_threads_write_and_read_one_workspace(shared: Workspace) -> None:
    def work(number: int) -> None:
        for step in range(25):
            written = shared.kv.put(f"{number}/{step}", step)
            found = shared.kv.get(f"{number}/{step}")
            assert found is not None
            assert (found.value, found.version) == (step, written.version)
            shared.events.append("tick", {"by": number})
            assert len(shared.kv.list(f"{number}/", limit=100)) == step + 1

    together(work)
    assert shared.kv.count() == THREADS * 25
    assert [event.sequence for event in shared.events.list(limit=1000)] == list(range(1, 201))
    assert shared.verify().ok
    shared.close()


def test_eight_threads_count_without_losing_one(shared: Workspace) -> None:
    def add(tx: WorkspaceTransaction) -> None:
        seen = tx.kv.get("n")
        count = seen.value if seen is not None else 0
        assert isinstance(count, int)
        tx.kv.put("n", count + 1)

    def work(_number: int) -> None:
        for _step in range(10):
            shared.transact(add)

    together(work)
    found = shared.kv.get("n")
    assert found is not None
    assert found.value == THREADS * 10
    assert len(shared.kv.history("n")) == THREADS * 10
    shared.close()


def test_threads_fork_and_merge_branches_of_their_own(shared: Workspace) -> None:
    def work(number: int) -> None:
        name = f"가지 {number}"
        shared.branches.fork(name)
        shared.on(name).kv.put(f"k{number}", number)
        shared.branches.merge(name, into="default")
        shared.branches.delete(name)

    together(work)
    assert shared.kv.list() == [f"k{number}" for number in range(THREADS)]
    assert [branch.name for branch in shared.branches.list()] == ["default"]
    assert shared.verify().ok
    shared.close()


def test_one_cell_is_taken_by_one_thread(shared: Workspace) -> None:
    winners: list[int] = []

    def work(number: int) -> None:
        if shared.state.cas("lock", number) is not None:
            winners.append(number)

    together(work)
    found = shared.state.get("lock")
    assert found is not None
    assert winners == [found.value]
    shared.close()


def test_searching_while_others_write_gives_whole_answers(shared: Workspace) -> None:
    shared.vectors.create("c", dimension=4)

    def work(number: int) -> None:
        for step in range(10):
            row = [float(number), float(step), 1.0, 0.0]
            shared.vectors.upsert("c", f"{number}/{step}", row, metadata={"by": number})
            found = shared.vectors.search("c", row, limit=1, metric="euclidean")
            assert found[0].key == f"{number}/{step}"
            assert found[0].metadata == {"by": number}

    together(work)
    assert shared.vectors.stats("c").count == THREADS * 10
    shared.close()


def test_a_store_closed_by_one_thread_is_closed_for_all(tmp_path: Path) -> None:
    db = strata.open(tmp_path / "store.db", durability="standard")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(db.kv.put, "k", 1).result(timeout=30).version == 1
        db.close()
        with pytest.raises(strata.Unavailable):
            pool.submit(db.kv.get, "k").result(timeout=30)


@pytest.mark.slow
def test_an_interrupt_reaches_other_threads(db: Workspace) -> None:
    db.kv.put_many({f"k{number}": number for number in range(20_000)})
    caught: list[BaseException] = []
    started = threading.Event()

    def work() -> None:
        started.set()
        try:
            while True:
                db.kv.count()
        except strata.Interrupted as error:
            caught.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    started.wait(timeout=30)
    for _attempt in range(1000):
        db.interrupt()
        thread.join(timeout=0.01)
        if not thread.is_alive():
            break
    assert [error.code for error in caught if isinstance(error, strata.StrataError)] == [
        "interrupted"
    ]
    assert db.kv.count() == 20_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork() here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_after_fork_reads_and_writes_and_so_does_its_parent(tmp_path: Path) -> None:
    db = strata.open(tmp_path / "store.db", durability="standard")
    db.kv.put("before", 1)
    held = db.on("default")
    child = os.fork()
    if child == 0:
        status = 1
        try:
            found = held.kv.get("before")
            held.kv.put("child", "아이")
            db.branches.fork("child's")
            status = 0 if found is not None and db.verify().ok else 2
        finally:
            sys.stdout.flush()
            os._exit(status)
    db.kv.put("parent", "부모")
    _pid, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert db.kv.list() == ["before", "child", "parent"]
    assert db.branches.exists("child's")
    db.kv.put("after", 1)
    assert db.verify().ok
    db.close()
