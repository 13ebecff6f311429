"""What a branch shows: listings over deep ancestries, and look-ups by what was declared."""

import random

import pytest

from strata import Workspace
from strata.store import DELETED, Header, Snapshot, StagedChange, Transaction
from tests.unit.conftest import Bench

KEYS = ["a", "a/1", "a/2", "b", "가", "가나", "각", "🙂", "\U0010ffff", "\U0010ffff\U0010ffff"]


def write(bench: Bench, branch: str, *changes: StagedChange) -> None:
    with Transaction(Snapshot(bench.store, branch), Header("test"), locked=True) as transaction:
        for change in changes:
            transaction.stage(change)


def test_listing_a_deep_fork_finds_what_each_ancestor_left(db: Workspace) -> None:
    chance = random.Random(7)
    expected: dict[str, int] = {}
    branch = "default"
    for depth in range(20):
        for key in chance.sample(KEYS, 3):
            if chance.random() < 0.3:
                db.on(branch).kv.delete(key)
                expected.pop(key, None)
            else:
                db.on(branch).kv.put(key, depth)
                expected[key] = depth
        db.branches.fork(f"fork {depth}", source=branch)
        db.on(branch).kv.put("written after the fork", depth)
        branch = f"fork {depth}"
    room = db.on(branch).kv
    keys = sorted(expected)
    assert {key: found.value for key, found in room.items()} == expected
    for prefix in ("", "a", "a/", "가", "\U0010ffff", "none"):
        fitting = [key for key in keys if key.startswith(prefix)]
        assert room.count(prefix) == len(fitting)
        for limit in (1, 2, 100):
            assert room.list(prefix, limit=limit) == fitting[:limit]
        for after in ("", "a", "a/1", "가", "\U0010ffff"):
            assert room.list(prefix, after=after) == [key for key in fitting if key > after]


def test_pages_together_are_the_whole_list(db: Workspace) -> None:
    db.kv.put_many(dict.fromkeys(KEYS[::2], 1))
    db.branches.fork("try")
    room = db.on("try").kv
    room.put_many(dict.fromkeys(KEYS[1::2], 2))
    found: list[str] = []
    while page := room.list(limit=3, after=found[-1] if found else None):
        found += page
    assert found == sorted(KEYS)
    assert [key for key, _version in room.scan()] == found


def test_a_deleted_key_hides_what_ancestors_hold(db: Workspace) -> None:
    db.kv.put_many({"a": 1, "b": 2})
    db.branches.fork("try")
    db.on("try").kv.delete("a")
    assert db.on("try").kv.list() == ["b"]
    assert db.on("try").kv.count() == 1
    assert db.kv.list() == ["a", "b"]


def test_a_snapshot_does_not_move_when_others_write(bench: Bench) -> None:
    bench.db.kv.put("k", "then")
    pinned = Snapshot(bench.store, "default", bench.store.last_version())
    bench.db.kv.put("k", "now")
    bench.db.kv.put("new", 1)
    assert [key for key, _number in pinned.keys("default", "kv")] == ["k"]
    record = pinned.get("default", "kv", "k")
    assert record is not None
    assert record[3] == b'"then"'


def declare(key: str, topic: str, *links: tuple[str, str]) -> StagedChange:
    # A value says what is declared about it, and its meta names its tags again.
    return StagedChange(
        "default",
        "decision",
        key,
        f'{{"topic":"{topic}"}}'.encode(),
        meta='{"tags":["결정"]}'.encode(),
        tags=("결정",),
        attributes=(("topic", topic), ("status", "open")),
        links=links,
    )


@pytest.fixture
def declared(bench: Bench) -> Bench:
    """Two records on `default`, and a fork that changes one, adds one and deletes none."""
    write(bench, "default", declare("d1", "db", ("refines", "d0")), declare("d2", "db"))
    bench.db.branches.fork("try")
    write(bench, "try", declare("d1", "cache", ("refines", "d9")), declare("d3", "db"))
    return bench


def topics(snapshot: Snapshot, value: str) -> list[str]:
    return snapshot.by_attribute("default", "decision", "topic", value=value)


def test_attributes_count_only_where_their_version_is_shown(declared: Bench) -> None:
    ours, theirs = (Snapshot(declared.store, name) for name in ("default", "try"))
    assert topics(ours, "db") == ["d1", "d2"]
    assert topics(theirs, "db") == ["d2", "d3"]
    assert topics(theirs, "cache") == ["d1"]
    assert topics(ours, "cache") == []
    assert ours.by_attribute("default", "decision", "status", value="open") == ["d1", "d2"]


def test_attributes_are_found_as_they_were(declared: Bench) -> None:
    past = Snapshot(declared.store, "default", declared.store.last_version())
    write(declared, "default", declare("d2", "moved"))
    write(declared, "default", StagedChange("default", "decision", "d1", flags=DELETED))
    now = Snapshot(declared.store, "default")
    assert topics(past, "db") == ["d1", "d2"]
    assert topics(now, "db") == []
    assert topics(now, "moved") == ["d2"]
    assert now.by_tag("default", "decision", "결정") == ["d2"]
    assert past.by_tag("default", "decision", "결정") == ["d1", "d2"]


def test_look_ups_keep_to_their_space_and_kind(declared: Bench) -> None:
    other = declare("d5", "db")
    write(
        declared,
        "default",
        StagedChange("메모", "decision", "d5", b"{}", attributes=other.attributes),
    )
    assert topics(Snapshot(declared.store, "default"), "db") == ["d1", "d2"]
    found = Snapshot(declared.store, "default").by_attribute(
        "메모", "decision", "topic", value="db"
    )
    assert found == ["d5"]


def test_links_are_followed_both_ways_on_each_branch(declared: Bench) -> None:
    ours, theirs = (Snapshot(declared.store, name) for name in ("default", "try"))
    assert ours.links_from("default", "decision", "d1") == [("refines", "d0")]
    assert ours.links_to("d0") == [("default", "decision", "d1", "refines")]
    assert theirs.links_from("default", "decision", "d1") == [("refines", "d9")]
    assert theirs.links_to("d0") == []
    assert theirs.links_to("d9") == [("default", "decision", "d1", "refines")]
    assert theirs.links_from("default", "decision", "nothing") == []


def test_declarations_survive_a_merge(declared: Bench) -> None:
    declared.db.branches.merge("try")
    now = Snapshot(declared.store, "default")
    assert topics(now, "db") == ["d2", "d3"]
    assert topics(now, "cache") == ["d1"]
    assert now.links_to("d9") == [("default", "decision", "d1", "refines")]
    assert now.by_tag("default", "decision", "결정") == ["d1", "d2", "d3"]


def test_kinds_are_those_with_something_to_show(bench: Bench) -> None:
    bench.db.kv.put("k", 1)
    bench.db.space("메모").state.set("c", 1)
    bench.db.space("메모").state.delete("c")
    assert Snapshot(bench.store, "default").kinds() == [("default", "kv")]
