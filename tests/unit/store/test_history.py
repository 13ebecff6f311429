"""Turning times into versions, and walking commits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata import CommitNotFound, TagNotFound, Workspace
from strata.store import Store, version_at
from tests.databases import database_at
from tests.opened import workspace_over
from tests.unit.conftest import Bench, Clock

HOUR_US = 3600 * 1_000_000


@given(
    st.lists(
        st.tuples(st.sampled_from(["default", "try", "both"]), st.integers(-3, 40)), max_size=40
    ),
    st.lists(st.integers(-50, 900), min_size=1, max_size=20),
)
def test_a_time_means_what_a_walk_through_all_commits_finds(
    steps: list[tuple[str, int]], asked: list[int]
) -> None:
    clock = Clock()
    store = Store(database_at(None), now=clock)
    with workspace_over(store) as db:
        start = clock.us
        for branch, step in steps:
            clock.us += step
            if branch == "both" and not db.branches.exists("try"):
                db.branches.fork("try")
            elif branch == "try" and db.branches.exists("try"):
                db.on("try").kv.put("k", step)
            else:
                db.kv.put("k", step)
        for name in [branch.name for branch in db.branches.list()]:
            branch_id = store.catalog.require(name, store.connection()).id
            commits = [(commit.timestamp, commit.version) for commit in db.on(name).log(limit=100)]
            exact = [time + near for time, _version in commits for near in (-1, 0, 1)]
            for moment in [start + offset for offset in asked] + exact:
                linear = max((v for time, v in commits if time <= moment), default=0)
                assert version_at(store, branch_id, moment) == linear


def test_times_grow_strictly_on_a_branch_whatever_the_clock_does(bench: Bench) -> None:
    times: list[int] = []
    for step in (0, 0, -HOUR_US, 5, 0):
        bench.clock.us += step
        times.append(bench.db.kv.put("k", step).timestamp)
    assert times == sorted(set(times))


def test_now_is_the_newest_state_when_the_clock_fell_behind(bench: Bench) -> None:
    bench.db.kv.put("k", "first")
    bench.clock.us -= HOUR_US
    newest = bench.db.kv.put("k", "second").version
    assert bench.db.resolve("now").version == newest
    assert bench.db.tags.create("here").version == newest
    bench.db.branches.fork("try", at="now")
    found = bench.db.on("try").kv.get("k")
    assert found is not None
    assert found.value == "second"


def test_a_version_of_another_branch_is_a_moment_on_this_one(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.branches.fork("try")
    theirs = db.on("try").kv.put("k", "theirs").version
    db.kv.put("k", 2)
    found = db.at(theirs).kv.get("k")
    assert found is not None
    assert found.value == 1


def test_no_state_lies_inside_a_commit(db: Workspace) -> None:
    first, second = db.kv.put_many({"a": 1, "b": 2})
    assert db.at(first.version).kv.list() == ["a", "b"]
    assert db.at(first.version).as_of == db.at(second.version).as_of
    assert db.at(0).kv.list() == []


def test_a_commit_is_found_by_any_of_its_versions(db: Workspace) -> None:
    found = db.kv.put_many({"a": 1, "b": 2, "c": 3})
    assert {db.show(version.version)[0].version for version in found} == {found[-1].version}
    with pytest.raises(CommitNotFound):
        db.show(found[-1].version + 1)


def test_the_log_of_a_fork_goes_on_in_its_parent(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.branches.fork("try")
    db.on("try").kv.put("k", 2)
    db.kv.put("k", 3)
    assert [(c.version, c.branch) for c in db.on("try").log()] == [(2, "try"), (1, "default")]
    assert [c.version for c in db.on("try").log(limit=1)] == [2]
    assert [c.version for c in db.on("try").log(before=2)] == [1]


def test_the_log_of_a_past_view_ends_at_its_moment(db: Workspace) -> None:
    for number in range(4):
        db.kv.put("k", number)
    assert [commit.version for commit in db.at(2).log()] == [2, 1]
    assert [commit.version for commit in db.at(2).log(before=99)] == [2, 1]


def test_an_unknown_tag_is_not_found(db: Workspace) -> None:
    with pytest.raises(TagNotFound) as caught:
        db.at("tag:없음")
    assert caught.value.code == "not_found"
