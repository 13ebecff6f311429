"""Tags: names that go on meaning the same state."""

from pathlib import Path

import pytest

import strata
from strata import AlreadyExists, Workspace


def value(db: Workspace) -> object:
    found = db.kv.get("k")
    return None if found is None else found.value


def tagged(db: Workspace) -> Workspace:
    """A tag on a branch that is then deleted."""
    db.kv.put("k", "default's")
    db.branches.fork("try")
    db.on("try").kv.put("k", "tagged")
    db.on("try").tags.create("v1", message="첫 출시")
    db.on("try").kv.put("k", "later")
    assert value(db.at("tag:v1")) == "tagged"
    db.branches.delete("try", force=True)
    return db


def test_a_tag_outlives_its_branch(db: Workspace) -> None:
    assert value(tagged(db).at("tag:v1")) == "tagged"
    assert db.branches.fork("rescued", at="tag:v1").version == 2
    assert value(db.on("rescued")) == "tagged"


def test_a_tag_does_not_follow_a_name_to_another_branch(db: Workspace) -> None:
    tagged(db).branches.fork("try")
    db.on("try").kv.put("k", "another")
    assert value(db.at("tag:v1")) == "tagged"
    assert value(db.on("try").at("tag:v1")) == "tagged"


def test_a_tag_follows_its_branch_to_another_name(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").kv.put("k", "tagged")
    db.on("try").tags.create("v1")
    db.branches.rename("try", "새 이름")
    assert value(db.at("tag:v1")) == "tagged"
    found = db.tags.get("v1")
    assert found is not None
    assert found.branch == "새 이름"


def test_resolving_and_looking_mean_the_same_moment(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.branches.fork("try")
    db.on("try").kv.put("k", 2)
    db.on("try").tags.create("v1")
    assert db.resolve("tag:v1") == db.at("tag:v1").as_of


def test_a_name_is_taken_once_and_free_after_deletion(db: Workspace) -> None:
    db.kv.put("k", 1)
    first = db.tags.create("v1", message="하나")
    db.kv.put("k", 2)
    with pytest.raises(AlreadyExists):
        db.tags.create("v1")
    assert db.tags.get("v1") == first
    assert db.tags.delete("v1")
    assert db.tags.create("v1").version == 2
    assert [tag.name for tag in db.tags.list()] == ["v1"]


def test_a_tag_on_a_branch_that_another_opener_made_is_known(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path) as one, strata.open(path) as other:
        one.kv.put("k", 1)
        other.branches.fork("새 가지")
        version = other.on("새 가지").kv.put("k", 2).version
        other.on("새 가지").tags.create("v1")
        assert [tag.branch for tag in one.tags.list()] == ["새 가지"]
        found = one.tags.get("v1")
        assert found is not None
        assert found.branch == "새 가지"
        assert one.show(version)[0].branch == "새 가지"


def test_a_tag_of_an_empty_branch_holds(db: Workspace) -> None:
    db.tags.create("비었다")
    assert db.verify().ok
    db.kv.put("k", 1)
    assert db.at("tag:비었다").kv.list() == []
