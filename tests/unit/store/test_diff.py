"""Differences of two states, in both directions and over every shape of ancestry."""

from typing import Any

import pytest

from strata import Change, Workspace


def rows(changes: Any) -> list[tuple[str, str, Any, Any]]:
    return [(change.action, change.key, change.before, change.after) for change in changes]


def test_a_two_sided_difference_reads_the_other_way_round_backwards(db: Workspace) -> None:
    db.kv.put_many({"same": 1, "old": 1, "both": 1})
    db.branches.fork("try")
    db.on("try").kv.put_many({"새것": 1, "both": 2})
    db.on("try").kv.delete("old")
    there = db.branches.diff("default", "try")
    assert rows(there.changes) == [
        ("modified", "both", 1, 2),
        ("removed", "old", 1, None),
        ("added", "새것", None, 1),
    ]
    assert there.total == 3
    back = db.branches.diff("try", "default", two_sided=True)
    assert rows(back.changes) == [
        ("modified", "both", 2, 1),
        ("added", "old", None, 1),
        ("removed", "새것", 1, None),
    ]


def test_a_fork_of_a_point_before_its_parent_began_differs_from_it(db: Workspace) -> None:
    db.kv.put("k", "first")
    db.kv.put("k", "second")
    db.branches.fork("parent")
    db.branches.fork("child", source="parent", at=1)
    there = db.branches.diff("parent", "child", two_sided=True)
    assert rows(there.changes) == [("modified", "k", "second", "first")]
    back = db.branches.diff("child", "parent")
    assert rows(back.changes) == [("modified", "k", "first", "second")]


def test_a_fork_without_commits_of_its_own_differs_from_an_empty_branch(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.branches.fork("heir")
    db.branches.create_empty("blank")
    assert rows(db.branches.diff("blank", "heir").changes) == [("added", "k", None, 1)]
    assert rows(db.branches.diff("heir", "blank").changes) == []
    back = db.branches.diff("heir", "blank", two_sided=True)
    assert rows(back.changes) == [("removed", "k", 1, None)]


def test_cousins_differ_by_what_either_family_wrote(db: Workspace) -> None:
    db.kv.put("k", 0)
    for side in ("left", "right"):
        db.branches.fork(side)
        db.on(side).kv.put(f"{side} only", 1)
        db.branches.fork(f"{side} child", source=side)
        db.on(f"{side} child").kv.put("k", side)
    found = db.branches.diff("left child", "right child", two_sided=True)
    assert rows(found.changes) == [
        ("modified", "k", "left", "right"),
        ("removed", "left only", 1, None),
        ("added", "right only", None, 1),
    ]
    since = db.branches.diff("left child", "right child")
    assert rows(since.changes) == [
        ("modified", "k", 0, "right"),
        ("added", "right only", None, 1),
    ]
    assert since.base == 1


def test_what_the_other_branch_did_meanwhile_is_no_change_of_the_compared_one(
    db: Workspace,
) -> None:
    db.kv.put_many({"monitoring": "메일", "both": 0})
    db.branches.fork("try")
    db.kv.put_many({"main-only": 1, "monitoring": "호출기", "both": "같다"})
    db.on("try").kv.put_many({"t-only": 1, "both": "같다"})
    found = db.branches.diff("default", "try")
    assert rows(found.changes) == [("added", "t-only", None, 1)]
    preview = db.branches.merge("try", preview=True)
    assert [change.key for change in preview.changes] == ["t-only"]
    assert rows(db.branches.diff("default", "try", two_sided=True).removed) == [
        ("removed", "main-only", 1, None)
    ]


def test_branches_merged_crosswise_are_compared_with_all_they_share(db: Workspace) -> None:
    db.kv.put("k", 0)
    db.branches.fork("try")
    there = db.on("try")
    db.kv.put("k", "여기")
    there.kv.put("n", {"a": 1})
    db.branches.fork("old default")
    db.branches.merge("try")
    db.branches.merge("old default", into="try")
    db.kv.put("later here", 1)
    there.kv.put("n", {"a": 2})
    assert rows(db.branches.diff("default", "try").changes) == [
        ("modified", "n", {"a": 1}, {"a": 2})
    ]
    assert rows(db.branches.diff("try", "default").changes) == [("added", "later here", None, 1)]


def test_writing_the_old_value_again_is_no_difference(db: Workspace) -> None:
    db.kv.put("k", {"a": 1, "b": 2})
    db.branches.fork("try")
    db.on("try").kv.put("k", 0)
    db.on("try").kv.put("k", {"b": 2, "a": 1})
    db.on("try").kv.put("gone", 1)
    db.on("try").kv.delete("gone")
    assert db.branches.diff("default", "try").total == 0


@pytest.mark.parametrize(("old", "new"), [(1, True), (1, 1.0), (0, False), (None, 0), ("1", 1)])
def test_values_of_another_type_are_different(db: Workspace, old: Any, new: Any) -> None:
    db.vectors.create("c", dimension=2)
    db.kv.put("k", {"n": old})
    db.kv.put("tagged", "값", tags=["x"])
    db.vectors.upsert("c", "v", [1, 0], metadata={"n": old})
    db.branches.fork("try")
    db.on("try").kv.put("k", {"n": new})
    db.on("try").kv.put("tagged", "값", tags=["x", "y"])
    db.on("try").vectors.upsert("c", "v", [1, 0], metadata={"n": new})
    changed = db.branches.diff("default", "try").modified
    assert [change.key for change in changed] == ["k", "tagged", "c/v"]
    merge = db.branches.merge("try")
    assert merge.applied == 3
    found = db.vectors.get("c", "v")
    assert found is not None
    assert repr(found.metadata) == repr({"n": new})


def test_a_difference_can_be_narrowed_to_a_space_and_kinds(db: Workspace) -> None:
    db.branches.fork("try")
    there = db.on("try")
    there.kv.put("k", 1)
    there.state.set("k", 1)
    there.space("메모").kv.put("k", 1)
    found = db.branches.diff("default", "try", space="default", kinds=["kv"])
    assert [(change.space, change.kind) for change in found.changes] == [("default", "kv")]
    assert db.branches.diff("default", "try").total == 3


def test_events_in_a_difference_are_those_the_other_lacks(db: Workspace) -> None:
    db.events.append("both", 1)
    db.branches.fork("try")
    db.on("try").events.append("theirs", {"n": 2})
    found = db.branches.diff("default", "try")
    assert [(change.kind, change.after) for change in found.added] == [("event", {"n": 2})]
    assert found.total == 1


def test_logs_that_were_merged_both_ways_do_not_differ(db: Workspace) -> None:
    db.events.append("시작", 0)
    db.branches.fork("try")
    there = db.on("try")
    there.events.append("deploy", {"n": 1})
    there.events.append("배포", {"n": 2})
    db.events.append("alert", {"n": 3})
    db.branches.merge("try")
    db.branches.merge("default", into="try")
    assert [event.payload for event in db.events.list()] != [
        event.payload for event in there.events.list()
    ]
    for two_sided in (False, True):
        assert db.branches.diff("default", "try", two_sided=two_sided).total == 0
        assert db.branches.diff("try", "default", two_sided=two_sided).total == 0


def test_an_event_in_a_difference_has_its_type_and_its_number(db: Workspace) -> None:
    db.events.append("시작", 0)
    db.branches.fork("try")
    db.events.append("alert", "여기")
    seen = db.on("try").events.append("배포", {"n": 1})
    found = db.branches.diff("default", "try")
    assert [(one.key, one.event_type, one.after) for one in found.changes] == [
        ("2", "배포", {"n": 1})
    ]
    both = db.branches.diff("default", "try", two_sided=True)
    assert [(one.action, one.key, one.event_type) for one in both.changes] == [
        ("added", "2", "배포"),
        ("removed", "2", "alert"),
    ]
    _commit, changes = db.show(seen.version)
    merged = db.branches.merge("try")
    assert [(one.key, one.event_type) for one in changes] == [("2", "배포")]
    assert [(one.key, one.event_type) for one in merged.changes] == [("3", "배포")]


def test_what_a_commit_changed_is_told_against_the_state_before(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.branches.fork("try")
    with db.on("try").transaction() as tx:
        tx.kv.put("k", 2)
        tx.kv.put("new", 3)
    done = tx.commit
    assert done is not None
    commit, changes = db.show(done.version)
    assert (commit.branch, commit.changes) == ("try", 2)
    assert rows(changes) == [("modified", "k", 1, 2), ("added", "new", None, 3)]


def test_a_page_of_changes_is_full_while_more_follow(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").kv.put("k", 1)
    seen = db.kv.put("k", 1).version
    assert db.branches.merge("try").commit is not None  # writes a mark and no change
    db.kv.put("next", 1)
    assert changed_keys(db.changes(seen, limit=1)) == ["next"]
    assert changed_keys(db.changes(0)) == ["k", "next"]


def changed_keys(changes: list[Change]) -> list[str]:
    return [change.key for change in changes]
