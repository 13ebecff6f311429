"""Retention where the past is still asked for."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import pytest

import strata
from strata import InvalidArgument, TooOld, Workspace
from tests.unit.conftest import Bench


def trimmed(db: Workspace) -> Workspace:
    """Three values of one key, of which retention keeps the last."""
    for number in range(3):
        db.kv.put("k", {"n": number}, tags=["x"])
    db.json.set("doc", "$", {"a": 1})
    db.retention.set(max_versions=1)
    assert db.retention.apply().versions == 2
    return db


def test_a_trimmed_past_never_gives_a_wrong_value(db: Workspace) -> None:
    past = trimmed(db).at(1)
    for read in (
        lambda: past.kv.get("k"),
        lambda: past.kv.get_many(["k"]),
        past.kv.items,
        lambda: list(past.kv.scan()),
    ):
        with pytest.raises(TooOld):
            read()
    assert [found.state for found in db.kv.history("k")] == ["live", "trimmed", "trimmed"]
    assert [found.value for found in db.kv.history("k")] == [{"n": 2}, None, None]


def test_a_trimmed_past_does_not_pretend_to_have_had_no_tags(db: Workspace) -> None:
    past = trimmed(db).at(1)
    try:
        found = past.kv.list(tags=["x"])
    except TooOld:
        return
    assert found == ["k"]


def test_a_branch_does_not_begin_where_values_are_gone(db: Workspace) -> None:
    trimmed(db)
    with pytest.raises(TooOld):
        db.branches.fork("late", at=1)
    assert not db.branches.exists("late")


def test_a_tag_does_not_name_what_is_gone(db: Workspace) -> None:
    trimmed(db)
    with pytest.raises(TooOld):
        db.tags.create("late", at=1)
    assert db.tags.list() == []


def test_a_commit_whose_values_are_gone_is_not_taken_back_blindly(db: Workspace) -> None:
    trimmed(db)
    before = db.resolve("now")
    with pytest.raises(TooOld):
        db.revert(3)
    assert db.resolve("now") == before
    found = db.kv.get("k")
    assert found is not None
    assert found.value == {"n": 2}


def test_trimming_twice_finds_nothing_more(db: Workspace) -> None:
    trimmed(db)
    again = db.retention.apply()
    assert (again.versions, again.bytes) == (0, 0)
    found = db.verify()
    assert (found.ok, found.trimmed) == (True, 2)


def test_trimming_reports_what_it_kept_for_others(db: Workspace) -> None:
    for number in range(4):
        db.kv.put("k", number)
        if number == 1:
            db.tags.create("here")
        if number == 2:
            db.branches.fork("try")
    db.retention.set(max_versions=1)
    done = db.retention.apply()
    assert (done.versions, done.needed) == (1, 2)
    found = [db.at("tag:here").kv.get("k"), db.on("try").kv.get("k"), db.kv.get("k")]
    assert [version.value for version in found if version is not None] == [1, 2, 3]


def test_a_deleted_tag_gives_its_state_up(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.tags.create("here")
    db.kv.put("k", 2)
    db.retention.set(max_versions=1)
    assert db.retention.apply().versions == 0
    db.tags.delete("here")
    assert db.retention.apply().versions == 1


def test_policies_are_kept_listed_and_removed(bench: Bench) -> None:
    retention = bench.db.retention
    retention.set(space="메모", kind="kv", max_age="30d")
    retention.set(max_versions=5)
    retention.set(max_versions=3)
    assert [(p.space, p.kind, p.max_age_us, p.max_versions) for p in retention.list()] == [
        ("메모", "kv", 30 * 86400 * 1_000_000, None),
        ("*", "*", None, 3),
    ]
    assert retention.remove()
    assert not retention.remove()
    assert len(retention.list()) == 1


def test_policies_that_are_set_at_once_are_all_kept(tmp_path: Path) -> None:
    start = Barrier(2)
    with ExitStack() as stack:
        opened = [
            stack.enter_context(strata.open(tmp_path / "a.db", auto_embed=False)) for _ in range(2)
        ]

        def add(number: int) -> None:
            for at in range(20):
                start.wait()
                opened[number].retention.set(space=f"s{number}-{at}", max_versions=3)

        with ThreadPoolExecutor() as pool:
            list(pool.map(add, range(2)))
        assert len(opened[0].retention.list()) == 2 * 20


@pytest.mark.parametrize(
    "limits", [{}, {"max_versions": 0}, {"max_versions": True}, {"max_age": "often"}]
)
def test_a_policy_needs_a_limit_that_makes_sense(db: Workspace, limits: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument):
        db.retention.set(**limits)  # pyright: ignore[reportArgumentType]
    assert db.retention.list() == []
