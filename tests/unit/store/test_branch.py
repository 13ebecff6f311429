"""Branches: where they part and meet, and views that outlive them."""

import pytest

from strata import BranchNotFound, Workspace
from strata.access import OF_DOCUMENTS, Grant
from strata.base.limits import DISTANCE_MAX
from strata.store import NOW, Point, common_base
from strata.store.branch import Ancestry
from strata.workspace.branches import BranchDistance
from tests.unit.conftest import Bench

DAY_US = 24 * 3600 * 1_000_000


def point(bench: Bench, name: str, version: int = NOW) -> Point:
    return Point(bench.store.catalog.require(name, bench.store.connection()).id, version)


def base(bench: Bench, a: str, b: str) -> int:
    found = common_base(bench.store, point(bench, a), point(bench, b)).version
    assert found == common_base(bench.store, point(bench, b), point(bench, a)).version
    return found


def test_forks_meet_where_they_parted(bench: Bench) -> None:
    db = bench.db
    db.kv.put("k", 1)
    parting = db.kv.put("k", 2).version
    db.branches.fork("try")
    db.on("try").kv.put("k", 3)
    db.kv.put("k", 4)
    assert base(bench, "default", "try") == parting
    db.branches.fork("past", at=1)
    assert base(bench, "past", "try") == 1
    assert base(bench, "past", "default") == 1


def test_branches_without_a_common_past_meet_in_the_empty_state(bench: Bench) -> None:
    bench.db.kv.put("k", 1)
    bench.db.branches.create_empty("blank")
    bench.db.on("blank").kv.put("k", 2)
    assert base(bench, "default", "blank") == 0


def test_a_merge_moves_the_base(bench: Bench) -> None:
    db = bench.db
    db.branches.fork("try")
    theirs = db.on("try").kv.put("a", 1).version
    db.kv.put("b", 1)
    assert base(bench, "default", "try") == 0
    merge = db.branches.merge("try").commit
    assert merge is not None
    assert base(bench, "default", "try") == theirs
    back = db.branches.merge("default", into="try").commit
    assert back is not None
    assert base(bench, "default", "try") == merge


def test_a_merge_brings_what_was_merged_before_it(bench: Bench) -> None:
    db = bench.db
    db.branches.fork("a")
    db.branches.fork("b")
    inner = db.on("a").kv.put("k", 1).version
    outer = db.branches.merge("a", into="b").commit
    db.branches.merge("b")
    found = Ancestry(bench.store).reach(point(bench, "default"))
    assert found[point(bench, "a").branch] == inner
    assert found[point(bench, "b").branch] == outer
    assert base(bench, "default", "a") == inner


def test_a_past_point_does_not_contain_later_merges(bench: Bench) -> None:
    db = bench.db
    before = db.kv.put("k", 1).version
    db.branches.fork("try")
    db.on("try").kv.put("new", 1)
    db.branches.merge("try")
    found = Ancestry(bench.store).reach(point(bench, "default", before))
    assert found == {point(bench, "default").branch: before}


def test_a_criss_cross_has_the_newest_common_commit_as_base(bench: Bench) -> None:
    db = bench.db
    db.branches.fork("left")
    db.branches.fork("right")
    ours = db.on("left").kv.put("l", 1).version
    theirs = db.on("right").kv.put("r", 1).version
    for name in ("left", "right"):
        db.branches.fork(f"{name} then", source=name)
    db.branches.merge("right then", into="left")
    db.branches.merge("left then", into="right")
    assert base(bench, "left", "right") == max(ours, theirs)
    merge = db.branches.merge("left", into="right")
    assert (merge.applied, merge.conflicts) == (0, ())


def test_a_view_of_a_deleted_branch_neither_reads_nor_writes(db: Workspace) -> None:
    db.branches.fork("gone")
    view = db.on("gone")
    view.kv.put("k", 1)
    db.branches.delete("gone", force=True)
    assert db.kv.get("k") is None  # another view looks first and notices the deletion
    for call in (
        lambda: view.kv.get("k"),
        view.kv.list,
        lambda: view.kv.put("k", 2),
        lambda: view.kv.put_many({"k": 2}),
        lambda: view.events.append("a", 1),
        view.undo,
    ):
        with pytest.raises(BranchNotFound):
            call()
    assert [found.value for found in _restored(db, "gone").kv.history("k")] == [1]


def _restored(db: Workspace, name: str) -> Workspace:
    db.branches.restore(name)
    return db.on(name)


def test_a_view_follows_its_name_to_a_new_branch(db: Workspace) -> None:
    db.branches.fork("again")
    view = db.on("again")
    view.kv.put("k", "old")
    db.branches.delete("again", force=True)
    db.branches.fork("again")
    assert db.kv.get("k") is None
    assert view.kv.get("k") is None
    view.kv.put("k", "new")
    view.json.set("doc", "$", {"a": 1})
    seen = db.on("again")
    assert seen.kv.get("k") is not None
    assert seen.json.get("doc") is not None
    assert [found.value for found in seen.kv.history("k")] == ["new"]


def test_a_renamed_branch_is_gone_under_its_old_name(db: Workspace) -> None:
    db.branches.fork("old")
    view = db.on("old")
    db.branches.rename("old", "새 이름")
    assert db.kv.get("k") is None
    with pytest.raises(BranchNotFound):
        view.kv.put("k", 1)
    assert db.on("새 이름").kv.get("k") is None


def test_only_branches_that_can_return_are_listed_as_deleted(bench: Bench) -> None:
    branches = bench.db.branches
    branches.fork("old")
    branches.delete("old")
    bench.clock.us += 29 * DAY_US
    assert [branch.name for branch in branches.list(deleted=True)] == ["old"]
    bench.clock.us += 2 * DAY_US
    assert branches.list(deleted=True) == []
    with pytest.raises(BranchNotFound):
        branches.restore("old")


def test_of_two_deleted_branches_the_last_one_returns(bench: Bench) -> None:
    for value in ("first", "second"):
        bench.clock.us += 1
        bench.db.branches.fork("twin")
        bench.db.on("twin").kv.put("k", value)
        bench.db.branches.delete("twin", force=True)
    restored = _restored(bench.db, "twin")
    found = restored.kv.get("k")
    assert found is not None
    assert found.value == "second"


def test_work_that_another_branch_contains_may_be_deleted(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").kv.put("k", 1)
    db.branches.fork("child", source="try")
    assert db.branches.delete("try").status == "deleted"
    found = db.on("child").kv.get("k")
    assert found is not None


def test_a_branch_is_ahead_and_behind_by_what_was_not_merged(db: Workspace) -> None:
    db.kv.put("k", 0)
    db.branches.fork("초안")
    assert db.branches.distance("초안", "default") == BranchDistance(0, 0)
    for number in range(3):
        db.on("초안").kv.put(f"mine/{number}", number)
    db.kv.put("theirs", 1)
    assert db.branches.distance("초안", "default") == BranchDistance(3, 1)
    assert db.branches.distance("default", "초안") == BranchDistance(1, 3)
    db.branches.merge("초안", into="default")
    assert db.branches.distance("초안", "default").ahead == 0
    db.on("초안").kv.put("later", 1)
    assert db.branches.distance("초안", "default").ahead == 1


def test_a_distance_is_counted_up_to_a_limit_and_by_what_is_seen(db: Workspace) -> None:
    ann = db.users.add("ann@example.com")
    db.branches.fork("초안")
    for number in range(DISTANCE_MAX + 5):
        db.on("초안").kv.put("k", number)
    assert db.branches.distance("초안", "default").ahead == DISTANCE_MAX
    db.on("초안").documents.create("비밀", "x")
    reader = db.serving.as_granted(Grant("ann", ann.id, groups=frozenset(OF_DOCUMENTS)))
    assert reader.branches.distance("초안", "default").ahead == 0
    reader.on("초안").documents.create("일기", "x")
    assert db.on("초안").log(limit=1)[0].version
    assert len(reader.on("초안").log()) == 1
