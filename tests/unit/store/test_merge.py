"""Merging where ancestry, tags, counters or events make it hard."""

from typing import Any

import pytest

from strata import MergeConflict, Workspace


def value(db: Workspace, key: str) -> Any:
    found = db.kv.get(key)
    return None if found is None else found.value


def test_a_fork_without_commits_of_its_own_brings_what_it_inherited(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.branches.fork("heir")
    db.branches.create("blank")
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


@pytest.mark.xfail(strict=True, reason="of two equally good bases only the newest is used")
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
