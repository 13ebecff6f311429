"""Spaces appear with their first value and go with their last."""

from collections.abc import Iterator

import pytest

import strata
from strata import NotAllowed, SpaceNotFound, Workspace


@pytest.fixture
def db() -> Iterator[Workspace]:
    with strata.open(durability="cache") as db:
        yield db


def test_a_space_appears_with_its_first_value_of_any_kind(db: Workspace) -> None:
    assert db.spaces.list() == ["default"]
    db.space("kv").kv.put("k", 1)
    db.space("log").events.append("a", 1)
    db.space("벡터").vectors.create("c", dimension=1)
    assert db.spaces.list() == ["default", "kv", "log", "벡터"]
    db.space("kv").kv.delete("k")
    assert not db.spaces.exists("kv")


def test_an_empty_space_can_be_made_and_deleted(db: Workspace) -> None:
    db.spaces.create("빈 곳")
    db.spaces.create("빈 곳")
    assert db.spaces.exists("빈 곳")
    assert len(db.log()) == 1
    assert db.spaces.delete("빈 곳") == 0
    assert not db.spaces.exists("빈 곳")
    with pytest.raises(SpaceNotFound):
        db.spaces.delete("빈 곳")


def test_spaces_belong_to_their_branch_and_time(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").space("메모").kv.put("k", 1)
    before = db.on("try").resolve("now").version
    assert db.spaces.list() == ["default"]
    db.on("try").spaces.delete("메모", force=True)
    assert db.on("try").at(before).spaces.list() == ["default", "메모"]


def test_deleting_a_space_keeps_its_history(db: Workspace) -> None:
    there = db.space("메모")
    there.kv.put("k", "값")
    there.json.set("doc", "$", {"a": 1})
    with pytest.raises(NotAllowed):
        db.spaces.delete("메모")
    assert there.kv.exists("k")
    assert db.spaces.delete("메모", force=True) == 2
    assert there.kv.get("k") is None
    assert [found.value for found in there.kv.history("k")] == [None, "값"]
    db.undo()
    found = there.kv.get("k")
    assert found is not None
    assert found.value == "값"


def test_undoing_a_deletion_brings_the_log_back_too(db: Workspace) -> None:
    there = db.space("메모")
    there.events.append_many([("a", 1), ("b", 2)])
    there.kv.put("k", 1)
    db.spaces.delete("메모", force=True)
    db.undo()
    assert there.kv.list() == ["k"]
    assert [event.type for event in there.events.list()] == ["a", "b"]


def test_the_default_space_cannot_be_deleted(db: Workspace) -> None:
    with pytest.raises(NotAllowed):
        db.spaces.delete("default", force=True)


def test_the_same_key_in_two_spaces_is_two_keys(db: Workspace) -> None:
    db.kv.put("k", "here")
    db.space("메모").kv.put("k", "there")
    with db.transaction() as tx:
        tx.kv.put("k", 1)
        tx.space("메모").kv.put("k", 2)
    found = [view.kv.get("k") for view in (db, db.space("메모"))]
    assert [version.value for version in found if version is not None] == [1, 2]
