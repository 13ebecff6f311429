"""Events: their numbers and the hash over all that came before."""

from strata import Workspace
from strata.store import Snapshot, event_key, last_event
from tests.unit.conftest import Bench


def test_each_hash_covers_the_log_so_far(db: Workspace) -> None:
    first, second = db.events.append_many([("배포", {"환경": "운영"}), ("tick", None)])
    assert len({first.hash, second.hash}) == 2
    assert [event.hash for event in db.events.list()] == [first.hash, second.hash]
    db.branches.fork("try", at=0)
    third = db.on("try").events.append("tick", None)
    assert third.hash not in {first.hash, second.hash}


def test_keys_of_events_order_as_their_numbers() -> None:
    numbers = [1, 2, 9, 10, 11, 99, 100, 10**15]
    assert sorted(map(event_key, numbers)) == [event_key(number) for number in numbers]


def test_the_last_event_is_found_on_any_branch_and_at_any_time(bench: Bench) -> None:
    db = bench.db
    hashes = [""]
    for number in range(12):
        hashes.append(db.events.append("tick", number).hash)
    for count in range(13):
        past = Snapshot(bench.store, "default", count)
        assert last_event(past, "default") == (count, hashes[count])
        db.branches.fork(f"from {count}", at=count)
        assert len(db.on(f"from {count}").events) == count
    fork = db.on("from 5")
    assert fork.events.append("own", {}).sequence == 6
    assert last_event(Snapshot(bench.store, "from 5"), "default")[0] == 6
    assert [event.type for event in fork.events.list(after=4)] == ["tick", "own"]
    assert db.verify().ok


def test_spaces_have_logs_of_their_own(db: Workspace) -> None:
    db.events.append("here", 1)
    assert db.space("메모").events.append("there", 1).sequence == 1
    assert [event.type for event in db.space("메모").events.list()] == ["there"]


def test_a_log_goes_on_after_its_space_was_deleted(db: Workspace) -> None:
    there = db.space("메모")
    there.events.append_many([("a", 1), ("b", 2)])
    db.spaces.delete("메모", force=True)
    assert (len(there.events), there.events.list()) == (0, [])
    found = there.events.append("c", 3)
    assert [event.type for event in there.events.list()] == ["c"]
    assert len(there.events) == 1
    again = there.events.get(found.sequence)
    assert again is not None
    assert again.payload == 3
    assert db.verify().ok


def test_listing_by_type_pages_like_listing_all(db: Workspace) -> None:
    for number in range(12):
        db.events.append("a" if number % 3 else "b", number)
    assert [event.payload for event in db.events.list("b")] == [0, 3, 6, 9]
    assert [event.payload for event in db.events.list("b", after=4, limit=2)] == [6, 9]
    db.branches.fork("try", at=6)
    assert [event.payload for event in db.on("try").events.list("b")] == [0, 3]
