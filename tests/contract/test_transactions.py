"""Transactions: one state, one commit, or nothing at all."""

from collections.abc import Callable
from typing import Any

import pytest

import strata
from strata import Workspace

Step = Callable[[Any], object]


def test_an_exception_undoes_everything(db: Workspace, unchanged: Any) -> None:
    db.kv.put("k", 1)
    # ruff would have one statement under raises; here the end of the block is what raises.
    with unchanged(db), pytest.raises(ZeroDivisionError), db.transaction() as tx:  # noqa: PT012
        tx.kv.put("k", 2)
        tx.json.set("문서", "$.a", 1)
        tx.events.append("일", {})
        tx.vectors.create("c", 2)
        tx.space("방").state.set("셀", 1)
        raise ZeroDivisionError
    assert tx.commit is None
    assert db.spaces.list() == ["default"]


def test_a_rollback_ends_the_writing_but_not_the_reading(db: Workspace, unchanged: Any) -> None:
    db.kv.put("k", 1)
    with unchanged(db), db.transaction() as tx:
        tx.kv.put("k", 2)
        tx.rollback()
        found = tx.kv.get("k")
        assert found is not None
        assert found.value == 1
        with pytest.raises(strata.ReadOnly, match="ended"):
            tx.kv.put("k", 3)
    assert tx.commit is None


def test_many_changes_are_one_commit(db: Workspace) -> None:
    with db.as_actor("소연").transaction(message="이사") as tx:
        tx.kv.put("a", 1)
        tx.kv.put("a", 2)
        tx.json.set("문서", "$.제목", "하나")
        tx.json.set("문서", "$.쪽", 2)
        tx.events.append_many([("일", 1), ("일", 2)])
        tx.state.init("셀", "x")
        tx.space("방").kv.put("k", "다른 방")
    assert tx.commit is not None
    commit = db.log()[0]
    assert len(db.log()) == 1
    assert (commit.actor, commit.message) == ("소연", "이사")
    assert (commit.version, commit.timestamp) == (tx.commit.version, tx.commit.timestamp)
    assert commit.changes == db.info().versions == 6
    found = db.json.get("문서")
    assert found is not None
    assert found.value == {"제목": "하나", "쪽": 2}
    assert db.space("방").kv.list() == ["k"]
    assert db.verify().ok


def test_an_actor_can_be_named_for_one_transaction(db: Workspace) -> None:
    with db.as_actor("나").transaction(actor="대리인") as tx:
        tx.kv.put("k", 1)
    db.transact(lambda tx: tx.kv.put("k", 2), message="다시", actor="다른 이")
    assert [(commit.actor, commit.message) for commit in db.log()] == [
        ("다른 이", "다시"),
        ("대리인", None),
    ]


def test_versions_and_times_are_unknown_until_the_commit(db: Workspace) -> None:
    with db.transaction() as tx:
        put, cell = tx.kv.put("k", 1), tx.state.set("셀", 1)
        event = tx.events.append("일", {})
        assert {one.version for one in (put, cell, event)} == {0}
        assert {one.timestamp for one in (put, cell, event)} == {0}
        assert tx.commit is None
    assert tx.commit is not None
    assert tx.commit.version == 3
    assert db.at(tx.commit.version).kv.list() == ["k"]


def test_a_transaction_that_writes_nothing_makes_no_commit(db: Workspace) -> None:
    db.kv.put("k", 1)
    with db.transaction() as tx:
        tx.kv.get("k")
        assert not tx.kv.delete("없음")
    assert tx.commit is None
    assert len(db.log()) == 1


def test_own_writes_are_seen_everywhere(db: Workspace) -> None:
    db.kv.put_many({"a": 1, "b": 2, "c": 3})
    db.kv.put("t", 1, tags=["빨강"])
    db.vectors.create("c", 2)
    db.vectors.upsert("c", "동", [1, 0])
    with db.transaction() as tx:
        tx.kv.put("b", 20)
        tx.kv.put("d", 4, tags=["빨강"])
        tx.kv.put("t", 2)
        tx.kv.delete("a")
        assert tx.kv.get("a") is None
        assert not tx.kv.exists("a")
        assert [found and found.value for found in tx.kv.get_many(["b", "d"])] == [20, 4]
        assert tx.kv.list() == ["b", "c", "d", "t"]
        assert tx.kv.list(limit=2, after="b") == ["c", "d"]
        assert [(key, found.value) for key, found in tx.kv.items(limit=2)] == [("b", 20), ("c", 3)]
        assert [key for key, _found in tx.kv.scan("d")] == ["d"]
        assert tx.kv.count() == 4
        assert tx.kv.list(tags=["빨강"]) == ["d"]
        tx.events.append("일", "하나")
        assert tx.events.append("일", "둘").sequence == 2
        assert [e.payload for e in tx.events.list("일")] == ["하나", "둘"]
        assert tx.events.count() == 2
        assert tx.events.get(2) is not None
        tx.vectors.upsert("c", "서", [-1, 0])
        tx.vectors.delete("c", "동")
        assert [match.key for match in tx.vectors.search("c", [1, 0])] == ["서"]
        assert tx.vectors.stats("c").count == 1
        assert tx.state.cas("셀", 1) is not None
        assert tx.state.cas("셀", 2, 1) is not None
        assert db.kv.list() == ["a", "b", "c", "t"], "nobody else sees it yet"
        assert [match.key for match in db.vectors.search("c", [1, 0])] == ["동"]
    assert [match.key for match in db.vectors.search("c", [1, 0])] == ["서"]
    cell = db.state.get("셀")
    assert cell is not None
    assert cell.counter == 2


def test_reads_see_one_state(db: Workspace) -> None:
    db.kv.put_many({"a": 1, "b": 1})
    with db.transaction(read_only=True) as tx:
        first = tx.kv.get("a")
        db.kv.put_many({"a": 2, "b": 2, "c": 2})
        second = tx.kv.get("b")
        assert first is not None
        assert second is not None
        assert (first.value, second.value, tx.kv.list()) == (1, 1, ["a", "b"])
    assert tx.commit is None


def test_a_reading_transaction_of_the_past_stays_there(db: Workspace) -> None:
    old = db.kv.put("k", "옛것").version
    db.kv.put("k", "새것")
    with db.at(old).transaction(read_only=True) as tx:
        found = tx.kv.get("k")
        assert found is not None
        assert found.value == "옛것"


READS: dict[str, tuple[Step, Step]] = {
    "a key": (lambda tx: tx.kv.get("k"), lambda db: db.kv.put("k", 2)),
    "a key that is deleted": (lambda tx: tx.kv.get("k"), lambda db: db.kv.delete("k")),
    "an absent key": (lambda tx: tx.kv.get("없음"), lambda db: db.kv.put("없음", 1)),
    "whether a key exists": (lambda tx: tx.kv.exists("없음"), lambda db: db.kv.put("없음", 1)),
    "several keys": (lambda tx: tx.kv.get_many(["k", "x"]), lambda db: db.kv.put("x", 1)),
    "a prefix": (lambda tx: tx.kv.list("가/"), lambda db: db.kv.put("가/새", 1)),
    "items of a prefix": (lambda tx: tx.kv.items("가/"), lambda db: db.kv.put("가/1", 1)),
    "a deletion in a prefix": (lambda tx: tx.kv.list("가/"), lambda db: db.kv.delete("가/1")),
    "a count": (lambda tx: tx.kv.count("가/"), lambda db: db.kv.put("가/새", 1)),
    "a tag": (lambda tx: tx.kv.list(tags=["빨강"]), lambda db: db.kv.put("z", 1, tags=["빨강"])),
    "a lost tag": (lambda tx: tx.kv.list(tags=["빨강"]), lambda db: db.kv.put("t", 1)),
    "the tail of events": (
        lambda tx: tx.events.append("일", 1),
        lambda db: db.events.append("일", 2),
    ),
    "a count of events": (lambda tx: tx.events.count(), lambda db: db.events.append("일", 2)),
    "events of a type": (lambda tx: tx.events.list("일"), lambda db: db.events.append("일", 2)),
    "a document": (
        lambda tx: tx.json.set("문서", "$.a", 1),
        lambda db: db.json.set("문서", "$.b", 1),
    ),
    "a cell": (lambda tx: tx.state.set("셀", 1), lambda db: db.state.set("셀", 2)),
    "a cell to be made": (
        lambda tx: tx.state.init("새 셀", 1),
        lambda db: db.state.init("새 셀", 2),
    ),
    "a version": (lambda tx: tx.kv.put("k", 2, if_version=1), lambda db: db.kv.put("k", 3)),
    "a search": (
        lambda tx: tx.vectors.search("c", [1, 0]),
        lambda db: db.vectors.upsert("c", "새", [1, 0]),
    ),
    "a collection": (lambda tx: tx.vectors.stats("c"), lambda db: db.vectors.drop("c")),
    "collections": (lambda tx: tx.vectors.list(), lambda db: db.vectors.create("d", 2)),
    "another space": (
        lambda tx: tx.space("방").kv.list(),
        lambda db: db.space("방").kv.put("새", 1),
    ),
}


@pytest.fixture
def furnished(db: Workspace) -> Workspace:
    db.kv.put_many({"k": 1, "가/1": 1, "가/2": 2, "나/1": 1})
    db.kv.put("t", 1, tags=["빨강"])
    db.json.set("문서", "$.a", 0)
    db.state.set("셀", 0)
    db.events.append("시작", {})
    db.vectors.create("c", 2)
    db.vectors.upsert("c", "점", [1, 0])
    return db


@pytest.mark.parametrize("by", ["the same opener", "another opener"])
@pytest.mark.parametrize("name", READS)
def test_what_was_read_and_moved_is_a_conflict(
    furnished: Workspace, open_store: Callable[..., Workspace], name: str, by: str
) -> None:
    read, interfere = READS[name]
    other = furnished if by == "the same opener" else open_store()
    versions = 0
    with (  # noqa: PT012
        pytest.raises(strata.TransactionConflict) as caught,
        furnished.transaction() as tx,
    ):
        read(tx)
        tx.kv.put("결과", 1)
        interfere(other)
        versions = furnished.info().versions
    assert furnished.info().versions == versions
    assert not furnished.kv.exists("결과")
    assert caught.value.code == "txn_conflict"
    assert caught.value.details["keys"]
    assert "transact()" in str(caught.value.hint)


APART: dict[str, tuple[Step, Step]] = {
    "another key": (lambda tx: tx.kv.get("k"), lambda db: db.kv.put("l", 1)),
    "a longer key": (lambda tx: tx.kv.get("k"), lambda db: db.kv.put("k/1", 1)),
    "another prefix": (lambda tx: tx.kv.list("가/"), lambda db: db.kv.put("나/1", 2)),
    "another kind": (lambda tx: tx.kv.get("k"), lambda db: db.json.set("k", "$", 1)),
    "another space": (lambda tx: tx.kv.list(), lambda db: db.space("방").kv.put("k", 1)),
    "another branch": (lambda tx: tx.kv.get("k"), lambda db: db.on("가지").kv.put("k", 9)),
    "another tag": (
        lambda tx: tx.kv.list(tags=["빨강"]),
        lambda db: db.kv.put("q", 1, tags=["파랑"]),
    ),
    "another cell": (lambda tx: tx.state.set("셀", 1), lambda db: db.state.set("다른 셀", 2)),
    "a blind write": (lambda tx: tx.kv.put("k", 5), lambda db: db.kv.put("k", 6)),
    "a new branch": (lambda tx: tx.kv.get("k"), lambda db: db.branches.fork("다른 가지")),
}


@pytest.mark.parametrize("name", APART)
def test_what_happens_elsewhere_is_no_conflict(furnished: Workspace, name: str) -> None:
    furnished.branches.fork("가지")
    read, elsewhere = APART[name]
    with furnished.transaction() as tx:
        read(tx)
        tx.kv.put("결과", 1)
        elsewhere(furnished)
    assert tx.commit is not None
    assert furnished.kv.exists("결과")
    assert furnished.verify().ok


def test_a_branch_deleted_meanwhile_takes_no_commit(db: Workspace) -> None:
    db.branches.fork("가지")
    with pytest.raises(strata.BranchNotFound), db.on("가지").transaction() as tx:  # noqa: PT012
        tx.kv.put("k", 1)
        db.branches.delete("가지")
    assert tx.commit is None
    assert db.info().versions == 0


def test_transact_runs_again_until_it_wins(db: Workspace) -> None:
    db.kv.put("n", 0)
    seen: list[Any] = []

    def add(tx: strata.WorkspaceTransaction) -> int:
        found = tx.kv.get("n")
        assert found is not None
        assert isinstance(found.value, int)
        seen.append(found.value)
        if len(seen) < 4:
            db.kv.put("n", found.value + 10)
        tx.kv.put("n", found.value + 1)
        return found.value + 1

    assert db.transact(add) == 31
    assert seen == [0, 10, 20, 30]
    assert [found.value for found in db.kv.history("n")] == [31, 30, 20, 10, 0]


def test_transact_gives_up_after_its_attempts(db: Workspace) -> None:
    tries: list[int] = []

    def lose(tx: strata.WorkspaceTransaction) -> None:
        tries.append(tx.kv.count())
        tx.kv.put("결과", 1)
        db.kv.put(f"방해 {len(tries)}", 1)

    with pytest.raises(strata.TransactionConflict, match="방해"):
        db.transact(lose, attempts=3)
    assert tries == [0, 1, 2]
    assert not db.kv.exists("결과")


def test_transact_does_not_repeat_other_errors(db: Workspace) -> None:
    tries: list[int] = []

    def fail(tx: strata.WorkspaceTransaction) -> None:
        tries.append(1)
        tx.kv.put("k", 1)
        raise KeyError("부르는 이의 잘못")

    with pytest.raises(KeyError):
        db.transact(fail)
    assert tries == [1]
    assert db.info().versions == 0


def test_a_transaction_on_a_branch_commits_there(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.branches.fork("가지")
    with db.on("가지").space("방").transaction() as tx:
        tx.kv.put("k", 2)
    assert db.on("가지").space("방").kv.list() == ["k"]
    assert db.space("방").kv.list() == []


def test_a_failing_call_inside_does_not_spoil_the_rest(db: Workspace) -> None:
    with db.transaction() as tx:
        tx.kv.put("a", 1)
        with pytest.raises(strata.WrongType):
            tx.kv.put("b", b"bytes")  # pyright: ignore[reportArgumentType]
        with pytest.raises(strata.CollectionNotFound):
            tx.vectors.upsert("없음", "x", [1])
    assert db.kv.list() == ["a"]


def test_a_fact_and_the_decision_behind_it_are_one_commit(db: Workspace) -> None:
    old = db.decisions.save("배포", "Use blue", "It was there").memory
    with db.transaction(message="옮긴다") as tx:
        tx.kv["deploy/target"] = "green"
        saved = tx.decisions.save("배포", "초록을 쓴다", "파란 쪽이 느리다")
        assert [one.content for one in tx.decisions.current("배포")] == ["초록을 쓴다"]
        assert db.decisions.get(saved.memory.id) is None
    assert saved.superseded == (old.id,)
    assert tx.commit is not None
    commit, changes = db.show(tx.commit.version)
    assert commit.message == "옮긴다"
    assert sorted(change.kind for change in changes) == ["kv", "link", "memory"]
    assert [one.id for one in db.decisions.current("배포")] == [saved.memory.id]


def test_a_decision_that_is_rolled_back_is_not_kept(db: Workspace) -> None:
    tx = db.begin()
    tx.decisions.checkpoint("절반")
    tx.rollback()
    assert db.decisions.last_checkpoint() is None
    assert list(db.log()) == []


def test_two_transactions_cannot_both_decide_on_a_topic(db: Workspace) -> None:
    first, second = db.begin(), db.begin()
    first.decisions.save("인증", "토큰", "앱이 생겼다")
    second.decisions.save("인증", "세션", "간단하다")
    first.commit()
    with pytest.raises(strata.TransactionConflict):
        second.commit()
    assert [one.content for one in db.decisions.current("인증")] == ["토큰"]
