"""Reading a deep branch by what its ancestors are known to have written."""

import pytest

import strata
from strata.store import ancestry


def _deep(db: strata.Workspace, depth: int) -> strata.Workspace:
    """Fork a branch off a branch, each of which changes one key and adds another."""
    db.kv.put_many({f"뿌리/{number}": "root" for number in range(depth)})
    branch = "default"
    for level in range(depth):
        db.branches.fork(f"level-{level}", source=branch)
        branch = f"level-{level}"
        work = db.on(branch)
        work.kv.put(f"뿌리/{level}", level)
        work.kv.put("shared", level)
        if level % 3 == 0:
            work.kv.delete("shared")
    return db.on(branch)


def _state(work: strata.Workspace, depth: int) -> list[object]:
    keys = [*(f"뿌리/{number}" for number in range(depth)), "shared", "nobody"]
    return [found and (found.value, found.version) for found in map(work.kv.get, keys)]


def test_reads_are_the_same_before_and_after_the_keys_are_gathered(
    db: strata.Workspace,
) -> None:
    work = _deep(db, 8)
    before = _state(work, 8)
    for _ in range(ancestry.READS_BEFORE):
        work.kv.get("nobody")
    assert _state(work, 8) == before
    shared = work.kv.get("shared")
    assert shared is not None
    assert shared.value == 7


def test_what_an_ancestor_writes_later_stays_unseen(db: strata.Workspace) -> None:
    work = _deep(db, 8)
    for _ in range(ancestry.READS_BEFORE):
        work.kv.get("nobody")
    before = _state(work, 8)
    for level in range(7):
        db.on(f"level-{level}").kv.put("뿌리/0", "too late")
        db.on(f"level-{level}").kv.put("nobody", "too late")
    assert _state(work, 8) == before
    late = db.on("level-7")
    for _ in range(2 * ancestry.READS_BEFORE):
        assert _state(late, 8) == before


def test_own_writes_win_over_gathered_ones(db: strata.Workspace) -> None:
    work = _deep(db, 8)
    for _ in range(ancestry.READS_BEFORE):
        work.kv.get("nobody")
    work.kv.put("뿌리/2", "mine")
    found = work.kv.get("뿌리/2")
    assert found is not None
    assert found.value == "mine"
    work.kv.delete("뿌리/3")
    assert work.kv.get("뿌리/3") is None


def test_a_past_view_of_a_deep_branch_reads_its_own_time(db: strata.Workspace) -> None:
    work = _deep(db, 8)
    middle = db.on("level-4").kv.history("shared")[0].version
    past = work.at(middle)
    before = _state(past, 8)
    for _ in range(ancestry.READS_BEFORE):
        past.kv.get("nobody")
    assert _state(past, 8) == before
    untouched = past.kv.get("뿌리/7")
    assert untouched is not None
    assert untouched.value == "root"


def test_ancestors_that_wrote_too_much_are_read_one_by_one(
    db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ancestry, "VERSIONS_MAX", 5)
    work = _deep(db, 8)
    before = _state(work, 8)
    for _ in range(2 * ancestry.READS_BEFORE):
        work.kv.get("nobody")
    assert _state(work, 8) == before
