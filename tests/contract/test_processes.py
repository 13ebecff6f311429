"""Several threads, several openers, a forked child: one store."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import strata
from strata import Workspace
from strata.search.scoring import Scorer


def run_threads(*works: Callable[[], object]) -> list[BaseException]:
    """Run functions at the same time; return what they raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(len(works))

    def guarded(work: Callable[[], object]) -> None:
        start.wait(timeout=60)
        try:
            work()
        except BaseException as error:  # noqa: BLE001  (whatever it is, the test must see it)
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return raised


def test_threads_share_one_workspace(db: Workspace) -> None:
    def work(number: int) -> None:
        for step in range(40):
            db.kv.put(f"실 {number}/{step}", step)
            db.events.append("일", {"실": number, "걸음": step})
            found = db.kv.get(f"실 {number}/{step}")
            assert found is not None
            assert found.value == step

    assert run_threads(*(lambda n=n: work(n) for n in range(4))) == []
    assert db.kv.count() == 160
    assert db.events.count() == 160
    for number in range(4):
        steps = [e.payload for e in db.events.list(limit=1000) if e.payload["실"] == number]
        assert [step["걸음"] for step in steps] == list(range(40))
    assert [c.version for c in db.log(limit=1000)] == list(range(320, 0, -1))
    assert db.verify().ok


def test_threads_that_count_together_lose_nothing(db: Workspace) -> None:
    def add(tx: strata.WorkspaceTransaction) -> None:
        found = tx.kv.get("n")
        tx.kv.put("n", (found.value if found else 0) + 1)

    def work() -> None:
        for _ in range(15):
            db.transact(add, attempts=1000)

    assert run_threads(*[work] * 4) == []
    found = db.kv.get("n")
    assert found is not None
    assert found.value == 60
    assert len(db.log(limit=100)) == 60


def test_only_one_thread_wins_a_compare_and_set(db: Workspace) -> None:
    won: list[int] = []

    def work(number: int) -> None:
        if db.state.cas("자물쇠", number) is not None:
            won.append(number)

    assert run_threads(*(lambda n=n: work(n) for n in range(6))) == []
    cell = db.state.get("자물쇠")
    assert cell is not None
    assert won == [cell.value]
    assert cell.counter == 1


def test_threads_search_while_others_write(db: Workspace) -> None:
    db.vectors.create("c", 2)
    db.vectors.upsert("c", "고정", [1, 0])

    def write() -> None:
        for number in range(60):
            db.vectors.upsert("c", f"점 {number % 7}", [0, number + 1])
            db.vectors.delete("c", f"점 {(number + 3) % 7}")

    def search() -> None:
        for _ in range(120):
            assert db.vectors.search("c", [1, 0], limit=1)[0].key == "고정"

    assert run_threads(write, search, search) == []


def test_openers_see_each_others_writes_at_once(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    other = open_store()
    for number in range(20):
        writer, reader = (db, other) if number % 2 else (other, db)
        writer.kv.put("k", number)
        writer.events.append("일", number)
        writer.space(f"방 {number}").kv.put("k", number)
        found = reader.kv.get("k")
        assert found is not None
        assert found.value == number
        assert reader.events.count() == number + 1
        assert reader.space(f"방 {number}").kv.count() == 1
    assert db.log(limit=100) == other.log(limit=100)
    assert db.verify().ok


def assert_gone(view: Workspace) -> None:
    """Check that neither reads nor writes reach a branch that is no longer there."""
    calls: list[Callable[[], object]] = [
        lambda: view.kv.get("k"),
        lambda: view.kv.put("k", 1),
        view.kv.list,
        view.log,
        lambda: view.events.append("일", 1),
        view.events.count,
    ]
    for call in calls:
        with pytest.raises(strata.BranchNotFound, match=view.branch):
            call()


def test_openers_see_branches_come_move_and_go(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    other = open_store()
    db.branches.fork("가지")
    view = other.on("가지")
    view.kv.put("k", "가지")
    db.branches.rename("가지", "나무")
    assert not other.branches.exists("가지")
    found = other.on("나무").kv.get("k")
    assert found is not None
    assert found.value == "가지"
    assert_gone(view)
    view = other.on("나무")
    db.branches.delete("나무", force=True)
    assert_gone(view)
    assert [branch.name for branch in other.branches.list(deleted=True)] == ["나무"]
    other.branches.restore("나무", as_name="숲")
    found = db.on("숲").kv.get("k")
    assert found is not None
    assert found.value == "가지"
    assert db.verify().ok


def test_a_view_follows_the_name_to_a_new_branch(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    other = open_store()
    db.branches.fork("가지")
    view = other.on("가지")
    view.kv.put("k", "옛 가지")
    db.branches.delete("가지", force=True)
    db.branches.create_empty("가지")
    assert view.kv.get("k") is None
    view.kv.put("k", "새 가지")
    found = db.on("가지").kv.get("k")
    assert found is not None
    assert found.value == "새 가지"


def test_a_reader_sees_what_is_written_after_it_opened(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    db.kv.put("k", 1)
    reader = open_store(read_only=True)
    for number in range(2, 6):
        db.kv.put("k", number)
        found = reader.kv.get("k")
        assert found is not None
        assert found.value == number
    db.branches.fork("가지")
    db.on("가지").space("새 방").events.append("일", 1)
    assert reader.on("가지").space("새 방").events.count() == 1
    assert reader.read_only
    assert not db.read_only
    assert reader.verify().ok


def test_openers_share_tags_settings_and_policies(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    other = open_store()
    db.kv.put("k", 1)
    db.tags.create("판", message="첫")
    db.settings.set("actor", "소연")
    db.retention.set(max_versions=3)
    assert [tag.message for tag in other.tags.list()] == ["첫"]
    assert other.settings.get("actor") == "소연"
    assert other.retention.list() == db.retention.list() != []


def test_a_lease_has_one_holder_among_openers(
    open_store: Callable[..., Workspace], clock: Any
) -> None:
    one, two = open_store(now=clock), open_store(now=clock)
    lease = one.leases.acquire("임베딩", holder="하나")
    assert lease is not None
    assert two.leases.acquire("임베딩", holder="둘") is None
    assert two.leases.acquire("가지치기") is not None, "other work has its own lease"
    clock.us += 14_000_000
    longer = one.leases.renew(lease)
    assert longer is not None
    assert longer.expires == clock.us + 15_000_000
    clock.us += 14_000_000
    assert two.leases.acquire("임베딩", holder="둘") is None
    clock.us += 2_000_000
    assert two.leases.list() == []
    taken = two.leases.acquire("임베딩", holder="둘")
    assert taken is not None
    assert one.leases.renew(longer) is None
    assert not one.leases.release(longer), "it is another's now"
    assert [(held.name, held.holder) for held in one.leases.list()] == [("임베딩", "둘")]
    assert two.leases.release(taken)
    assert not two.leases.release(taken)
    assert one.leases.acquire("임베딩") is not None


def test_threads_of_two_openers_get_one_lease(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    openers, held = [db, open_store()], []

    def work(number: int) -> None:
        lease = openers[number % 2].leases.acquire("일")
        if lease is not None:
            held.append(lease)

    assert run_threads(*(lambda n=n: work(n) for n in range(6))) == []
    assert len(held) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork()")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_goes_on_with_the_same_workspace(db: Workspace) -> None:
    db.kv.put("k", "부모")
    db.vectors.create("c", 1)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            found = db.kv.get("k")
            assert found is not None
            assert found.value == "부모"
            db.kv.put("k", "자식")
            for number in range(50):
                db.events.append("자식", number)
            code = 0
        finally:
            sys.stderr.flush()
            os._exit(code)
    for number in range(50):
        db.events.append("부모", number)
    assert os.waitpid(child, 0)[1] == 0
    found = db.kv.get("k")
    assert found is not None
    assert found.value == "자식"
    for type_ in ("부모", "자식"):
        assert [event.payload for event in db.events.list(type_)] == list(range(50))
    assert db.verify().ok
    assert db.verify().commits == 103


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork()")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_forked_during_a_search_can_search(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.kv.put("소풍", "봄에 강가에서")
    is_inside, may_end = threading.Event(), threading.Event()
    score = Scorer.score

    def score_slowly(self: Scorer, *given: Any, **named: Any) -> Any:
        if threading.current_thread() is searching:
            is_inside.set()
            may_end.wait(60)
        return score(self, *given, **named)

    monkeypatch.setattr(Scorer, "score", score_slowly)
    searching = threading.Thread(target=lambda: db.search("강가에서", mode="keyword"))
    searching.start()
    assert is_inside.wait(60)
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # a child that waits for the thread of its parent would wait for ever
        found = db.search("강가에서", mode="keyword")
        os._exit(0 if [hit.key for hit in found] == ["소풍"] else 1)
    status = os.waitpid(child, 0)[1]
    may_end.set()
    searching.join()
    assert status == 0
