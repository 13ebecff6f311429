"""Undo walks back commit by commit, whatever stands in between."""

import pytest

from strata import CommitNotFound, MergeConflict, Workspace


def value(db: Workspace, key: str = "k") -> object:
    found = db.kv.get(key)
    return None if found is None else found.value


def test_each_undo_takes_one_more_commit_back(db: Workspace) -> None:
    for number in range(3):
        db.kv.put("k", number)
    seen: list[object] = []
    for _time in range(3):
        db.undo()
        seen.append(value(db))
    assert seen == [1, 0, None]
    with pytest.raises(CommitNotFound):
        db.undo()


def test_a_write_of_the_same_value_does_not_stand_in_the_way(db: Workspace) -> None:
    db.kv.put("k", "first")
    db.kv.put("k", "second")
    db.kv.put("k", "second")
    for _time in range(3):
        db.undo()
        if value(db) != "second":
            break
    assert value(db) == "first"


def test_events_do_not_stand_in_the_way(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.events.append_many([("a", 1), ("b", 2)])
    db.undo()
    assert value(db) is None
    assert len(db.events) == 2


def test_an_empty_merge_does_not_stand_in_the_way(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").kv.put("k", "same")
    db.kv.put("k", "same")
    assert db.branches.merge("try").applied == 0
    db.undo()
    assert value(db) is None


def test_what_was_done_after_an_undo_is_undone_first(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.kv.put("k", 2)
    db.undo()
    db.kv.put("k", 3)
    db.undo()
    assert value(db) == 1
    db.undo()
    assert value(db) is None


def test_a_fork_undoes_what_it_inherited_and_the_parent_keeps_it(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.kv.put("k", 2)
    db.branches.fork("try")
    db.on("try").undo()
    assert (value(db.on("try")), value(db)) == (1, 2)


def test_an_undone_undo_on_another_branch_does_not_count_here(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.kv.put("k", 2)
    db.branches.fork("try")
    db.on("try").undo()
    db.undo()
    assert value(db) == 1


def test_an_actor_undoes_only_their_own(db: Workspace) -> None:
    db.as_actor("소연").kv.put("a", 1)
    db.as_actor("박").kv.put("b", 1)
    db.as_actor("소연").undo()
    assert db.kv.list() == ["b"]
    with pytest.raises(CommitNotFound):
        db.undo(actor="nobody")


def test_a_change_that_others_built_on_is_not_torn_out(db: Workspace) -> None:
    first = db.kv.put("k", {"a": 1, "b": 1})
    db.kv.put("k", {"a": 2, "b": 1})
    db.kv.put("k", {"a": 2, "b": 2})
    db.revert(2)
    assert value(db) == {"a": 1, "b": 2}
    with pytest.raises(MergeConflict):
        db.revert(first.version)
    assert value(db) == {"a": 1, "b": 2}
