"""Events: their numbers and the hash over all that came before."""

from strata import Workspace
from strata.base.values import digest
from strata.store import Snapshot, event_hash, event_key, last_event
from tests.unit.store.conftest import Bench


def test_each_hash_covers_the_log_so_far(db: Workspace) -> None:
    first, second = db.events.append_many([("배포", {"환경": "운영"}), ("tick", None)])
    assert first.hash == event_hash("", "배포", '{"환경":"운영"}'.encode())
    assert second.hash == event_hash(first.hash, "tick", b"null")


def test_the_chain_depends_on_type_payload_and_order() -> None:
    base = event_hash("", "a", b"1")
    others = {event_hash("x", "a", b"1"), event_hash("", "b", b"1"), event_hash("", "a", b"2")}
    assert len({base, *others}) == 4
    assert digest(b"1") != digest(b"2")


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
    db.events.append_many([("a" if number % 3 else "b", number) for number in range(12)])
    assert [event.payload for event in db.events.list("b")] == [0, 3, 6, 9]
    assert [event.payload for event in db.events.list("b", after=4, limit=2)] == [6, 9]
    db.branches.fork("try", at=6)
    assert [event.payload for event in db.on("try").events.list("b")] == [0, 3]
