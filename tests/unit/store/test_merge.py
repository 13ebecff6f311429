"""Merging where ancestry, tags, counters or events make it hard."""

import time
from typing import Any

import pytest

from strata import MergeConflict, TransactionConflict, Workspace
from strata.store import Header, Snapshot, StagedChange, Transaction
from tests.unit.conftest import Bench


def value(db: Workspace, key: str) -> Any:
    found = db.kv.get(key)
    return None if found is None else found.value


def test_a_fork_without_commits_of_its_own_brings_what_it_inherited(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.branches.fork("heir")
    db.branches.create_empty("blank")
    assert db.branches.merge("heir", into="blank").applied == 1
    assert value(db.on("blank"), "k") == 1


def test_a_fork_of_an_earlier_point_is_merged_from_there(db: Workspace) -> None:
    db.kv.put("k", "first")
    db.kv.put("k", "second")
    db.branches.fork("parent")
    db.branches.fork("child", source="parent", at=1)
    db.on("child").kv.put("new", 1)
    merge = db.branches.merge("child", into="parent")
    assert (merge.base, merge.applied) == (1, 1)
    assert value(db.on("parent"), "k") == "second"
    back = db.branches.merge("parent", into="child")
    assert back.applied == 1
    assert value(db.on("child"), "k") == "second"


def test_a_conflict_once_decided_is_not_asked_again(db: Workspace) -> None:
    db.kv.put("k", "base")
    db.branches.fork("try")
    db.on("try").kv.put("k", "theirs")
    db.kv.put("k", "ours")
    with pytest.raises(MergeConflict):
        db.branches.merge("try")
    db.branches.merge("try", strategy="target_wins")
    assert db.branches.merge("try").commit is None
    db.on("try").kv.put("other", 1)
    assert db.branches.merge("try").applied == 1
    assert value(db, "k") == "ours"
    assert db.branches.merge("default", into="try").conflicts == ()
    assert value(db.on("try"), "k") == "ours"


def test_a_criss_cross_does_not_bring_back_what_was_taken_back(db: Workspace) -> None:
    db.kv.put("k", "old")
    for side in ("left", "right"):
        db.branches.fork(side)
    db.on("left").kv.put("k", "new")
    db.on("right").kv.put("other", 1)
    for side in ("left", "right"):
        db.branches.fork(f"{side} then", source=side)
    db.branches.merge("right then", into="left")
    db.branches.merge("left then", into="right")
    db.on("left").kv.put("k", "old")
    try:
        db.branches.merge("right", into="left")
    except MergeConflict:
        return  # to ask is as good
    assert value(db.on("left"), "k") == "old"


def cross(db: Workspace, a: str, b: str, strategy: Any = "strict") -> None:
    """Merge two branches into each other, each as it was before the other merge."""
    for side in (a, b):
        db.branches.fork(f"{side} then", source=side)
    db.branches.merge(f"{b} then", into=a, strategy=strategy)
    db.branches.merge(f"{a} then", into=b, strategy=strategy)
    for side in (a, b):
        db.branches.delete(f"{side} then", force=True)


def crossed(db: Workspace, left: Any, right: Any) -> None:
    """Let both branches decide one conflict in their own way, crosswise."""
    for side, found in (("left", left), ("right", right)):
        db.branches.fork(side)
        db.on(side).kv.put("k", found)
    cross(db, "left", "right", "target_wins")


def test_what_several_bases_disagree_on_is_asked_and_has_no_base(db: Workspace) -> None:
    db.kv.put("k", {"같음": 1, "other": {"in": 0}})
    crossed(db, {"같음": 1, "other": {"in": 1}}, {"같음": 1, "other": {"in": 2}})
    with pytest.raises(MergeConflict) as caught:
        db.branches.merge("right", into="left")
    conflict: Any
    (conflict,) = caught.value.conflicts
    assert (conflict.path, conflict.base) == ("$.other.in", None)
    assert (conflict.source, conflict.target) == (2, 1)
    db.branches.merge("right", into="left", strategy="source_wins")
    assert value(db.on("left"), "k") == {"같음": 1, "other": {"in": 2}}
    db.on("right").kv.put("k", {"other": {"in": 3}})
    db.branches.merge("right", into="left")
    assert value(db.on("left"), "k") == {"other": {"in": 3}}


def test_a_deletion_beside_a_change_in_crossed_bases_is_asked(db: Workspace) -> None:
    db.kv.put("k", 1)
    for side in ("left", "right"):
        db.branches.fork(side)
    db.on("left").kv.delete("k")
    db.on("right").kv.put("k", 2)
    cross(db, "left", "right", "target_wins")
    with pytest.raises(MergeConflict) as caught:
        db.branches.merge("right", into="left")
    conflict: Any
    (conflict,) = caught.value.conflicts
    assert conflict.base is None


def test_three_branches_that_crossed_agree_without_a_question(db: Workspace) -> None:
    names = ("하나", "둘", "셋")
    for name in names:
        db.branches.fork(name)
        db.on(name).kv.put(f"of {name}", name)
    for name in names:
        db.branches.fork(f"{name} then", source=name)
    for target in names:
        for source in names:
            if source != target:
                db.branches.merge(f"{source} then", into=target)
    db.on("하나").kv.delete("of 둘")
    merge = db.branches.merge("셋", into="하나")
    assert (merge.applied, merge.conflicts) == (0, ())
    assert db.on("하나").kv.list() == ["of 셋", "of 하나"]
    assert db.branches.merge("하나", into="둘").applied == 1
    assert db.on("둘").kv.list() == ["of 셋", "of 하나"]


@pytest.mark.slow
def test_histories_that_crossed_for_long_merge_as_quickly(db: Workspace) -> None:
    for side in ("left", "right"):
        db.branches.fork(side)
        db.on(side).kv.put("k", side)
    for number in range(60):
        db.on("left").kv.put("n", number)
        cross(db, "left", "right", "target_wins")
    started = time.process_time()
    assert len(db.branches.merge("right", into="left", preview=True).conflicts) == 1
    assert time.process_time() - started < 5


def test_tags_that_both_sides_changed_are_not_lost_in_silence(db: Workspace) -> None:
    db.kv.put("k", 1, tags=["base"])
    db.branches.fork("try")
    db.on("try").kv.put("k", 1, tags=["base", "theirs"])
    db.kv.put("k", 1, tags=["base", "ours"])
    try:
        db.branches.merge("try")
    except MergeConflict:
        return
    found = db.kv.get("k")
    assert found is not None
    assert {"theirs", "ours"} <= {*found.tags}


def test_tags_that_one_side_changed_come_along(db: Workspace) -> None:
    db.kv.put("k", {"a": 1}, tags=["old"])
    db.branches.fork("try")
    db.on("try").kv.put("k", {"a": 1}, tags=["new"])
    db.kv.put("k", {"a": 1, "b": 2}, tags=["old"])
    assert db.branches.merge("try").conflicts == ()
    found = db.kv.get("k")
    assert found is not None
    assert (found.value, found.tags) == ({"a": 1, "b": 2}, ("new",))
    assert db.kv.list(tags=["new"]) == ["k"]
    assert db.kv.list(tags=["old"]) == []


def counters(db: Workspace, cell: str) -> list[int]:
    return [found.counter for found in db.state.history(cell)]


def test_a_counter_grows_over_a_revert_and_an_undo(db: Workspace) -> None:
    db.state.set("n", 1)
    wrong = db.state.set("n", 2)
    db.revert(wrong.version)
    db.undo()
    assert counters(db, "n") == [4, 3, 2, 1]
    assert db.state.cas("n", 9, expected=wrong.counter) is None


def test_a_counter_grows_over_a_merge_onto_a_deleted_cell(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").state.set("n", "theirs")
    first = db.state.set("n", "ours")
    db.state.delete("n")
    db.branches.merge("try")
    assert counters(db, "n")[0] > 2
    assert db.state.cas("n", 9, expected=first.counter) is None


def test_a_counter_grows_when_the_source_wins_over_a_deletion(db: Workspace) -> None:
    db.state.set("n", 0)
    db.branches.fork("try")
    db.on("try").state.set("n", "theirs")
    for number in range(3):
        db.state.set("n", number)
    db.state.delete("n")
    db.branches.merge("try", strategy="source_wins")
    assert counters(db, "n")[0] > counters(db, "n")[1] == 5


def test_a_counter_grows_over_the_deletion_of_its_space(db: Workspace) -> None:
    there = db.space("메모")
    first = there.state.set("n", 1)
    db.spaces.delete("메모", force=True)
    assert there.state.set("n", 2).counter > first.counter + 1
    assert there.state.cas("n", 3, expected=first.counter) is None


def test_a_preview_needs_no_right_to_write(tmp_path: Any) -> None:
    import strata

    with strata.open(tmp_path / "store.db", durability="standard") as db:
        db.branches.fork("try")
        db.on("try").kv.put("k", 1)
    with strata.open(tmp_path / "store.db", read_only=True) as reader:
        assert reader.branches.merge("try", preview=True).applied == 1


def types(db: Workspace) -> list[str]:
    return [event.type for event in db.events.list()]


def test_events_go_back_and_forth_without_repeating(db: Workspace) -> None:
    db.events.append("root", 0)
    db.branches.fork("try")
    db.on("try").events.append_many([("t1", 1), ("t2", 2)])
    db.events.append("d1", 1)
    for _time in range(3):
        db.branches.merge("try")
        db.branches.merge("default", into="try")
    assert types(db) == ["root", "d1", "t1", "t2"]
    assert types(db.on("try")) == ["root", "t1", "t2", "d1"]
    db.on("try").events.append("t3", 3)
    db.branches.merge("try")
    assert types(db) == ["root", "d1", "t1", "t2", "t3"]
    assert db.verify().ok


def test_the_same_thing_that_happened_twice_is_two_events(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").events.append("tick", {})
    db.events.append("tick", {})
    db.branches.merge("try")
    db.branches.merge("default", into="try")
    assert (len(db.events), len(db.on("try").events)) == (2, 2)
    assert db.verify().ok


def test_a_picked_event_is_not_merged_again(db: Workspace) -> None:
    db.branches.fork("try")
    picked = db.on("try").events.append("picked", {}).version
    db.on("try").events.append("later", {})
    db.cherry_pick(picked)
    db.branches.merge("try")
    assert types(db) == ["picked", "later"]


def test_a_merged_event_tells_where_it_was_first_written(db: Workspace) -> None:
    db.branches.fork("a")
    first = db.on("a").events.append("first", {})
    db.branches.fork("b")
    db.branches.merge("a", into="b")
    db.branches.merge("b")
    found = db.events.get(1)
    assert found is not None
    assert found.origin is not None
    assert (found.origin.branch, found.origin.sequence) == ("a", 1)
    assert found.origin.timestamp == first.timestamp


def test_merged_events_interleave_by_the_time_they_happened(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").events.append("early", {})
    db.events.append("late", {})
    db.branches.merge("try")
    assert types(db) == ["late", "early"]
    assert [event.type for event in db.events.list(order="time")] == ["early", "late"]


def test_a_deleted_log_is_merged_as_deleted_and_comes_back_with_an_undo(db: Workspace) -> None:
    here = db.space("메모")
    here.events.append("root", 0)
    db.branches.fork("try")
    there = db.on("try").space("메모")
    there.events.append("theirs", 1)
    here.events.append_many([("ours", 1), ("ours", 2)])
    db.branches.merge("try")
    here.events.append("last", 3)
    db.on("try").spaces.delete("메모", force=True)
    assert db.branches.merge("try").applied == 2
    assert [(event.sequence, event.type) for event in here.events.list()] == [
        (2, "ours"),
        (3, "ours"),
        (5, "last"),
    ]
    assert len(here.events) == 3
    db.undo()
    assert [event.type for event in here.events.list()] == [
        "root",
        "ours",
        "ours",
        "theirs",
        "last",
    ]
    assert here.events.append("next", 4).sequence == len(here.events) == 6
    assert db.verify().ok


def test_a_log_that_came_back_on_one_branch_comes_back_on_the_other(db: Workspace) -> None:
    db.space("메모").events.append_many([("a", 1), ("b", 2)])
    db.branches.fork("try")
    db.spaces.delete("메모", force=True)
    db.branches.merge("default", into="try")
    assert len(db.on("try").space("메모").events) == 0
    db.undo()
    db.branches.merge("default", into="try")
    assert types(db.on("try").space("메모")) == ["a", "b"]
    db.on("try").spaces.delete("메모", force=True)
    assert db.branches.merge("default", into="try").commit is None
    assert len(db.on("try").space("메모").events) == 0
    assert db.verify().ok


def test_an_event_that_was_hidden_is_not_appended_again(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").space("메모").events.append("theirs", 1)
    db.branches.merge("try")
    db.spaces.delete("메모", force=True)
    db.on("try").space("메모").events.append("more", 2)
    db.branches.merge("try")
    assert types(db.space("메모")) == ["more"]


def test_a_bundle_carries_a_log_that_came_back(db: Workspace, tmp_path: Any) -> None:
    there = db.space("메모")
    there.events.append_many([("a", "하나"), ("b", "둘")])
    db.spaces.delete("메모", force=True)
    there.events.append("c", "셋")
    db.undo()
    db.bundles.export(tmp_path / "bundle")
    db.bundles.load(tmp_path / "bundle", branch="copy")
    assert types(db.on("copy").space("메모")) == ["a", "b", "c"]
    assert len(db.on("copy").space("메모").events) == 3
    assert db.verify().ok


def tagged(bench: Bench, branch: str, key: str) -> StagedChange:
    """Write a value whose tags stand in the index only, as some other kind may do."""
    change = StagedChange("default", "kv", key, b'{"a":1}', tags=("표",), links=(("see", "別"),))
    header = Header("put")
    with Transaction(Snapshot(bench.store, branch), header, locked=True) as transaction:
        transaction.stage(change)
    return change


def test_what_a_version_declares_goes_along_whatever_its_notes_say(
    bench: Bench, tmp_path: Any
) -> None:
    db = bench.db
    db.branches.fork("try")
    tagged(bench, "try", "k")
    db.branches.merge("try")
    assert db.kv.list(tags=["표"]) == ["k"]
    db.on("try").kv.put("k", {"a": 1, "b": 2})
    tagged(bench, "default", "k")
    db.branches.merge("try")
    assert value(db, "k") == {"a": 1, "b": 2}
    tagged(bench, "default", "둘")
    db.bundles.export(tmp_path / "bundle")
    db.bundles.load(tmp_path / "bundle", branch="copy")
    assert db.on("copy").kv.list(tags=["표"]) == ["둘"]
    assert Snapshot(bench.store, "copy").links_from("default", "kv", "둘") == [("see", "別")]
    db.branches.create_empty("empty")
    db.on("empty").cherry_pick(db.log(limit=1)[0].version)
    assert db.on("empty").kv.list(tags=["표"]) == ["둘"]


def test_a_look_up_by_tag_conflicts_whatever_the_notes_say(bench: Bench) -> None:
    transaction = Transaction(Snapshot(bench.store, "default"), Header("read"), locked=False)
    assert transaction.by_tag("default", "kv", "표") == []
    tagged(bench, "default", "k")
    transaction.stage(StagedChange("default", "kv", "other", b"1"))
    with pytest.raises(TransactionConflict):
        transaction.commit()
