"""The log backwards, and how much of it there was each day."""

from strata import Workspace
from strata.store import EVENT, Header, Snapshot, Transaction, event_deletion, event_key


def numbers(db: Workspace, type_: str | None = None, **given: object) -> list[int]:
    return [event.sequence for event in db.events.newest(type_, **given)]  # type: ignore[arg-type]


def test_the_newest_come_first_and_pages_leave_none_out(db: Workspace) -> None:
    db.events.append_many([("배포", {"n": n}) if n % 3 else ("메모", {"n": n}) for n in range(10)])
    assert numbers(db) == list(range(10, 0, -1))
    assert numbers(db, "메모") == [10, 7, 4, 1]
    for type_ in (None, "배포", "메모", "없음"):
        whole = numbers(db, type_)
        for limit in (1, 2, 3, 10):
            paged = db.events.newest(type_, limit=limit).all()
            assert [event.sequence for event in paged] == whole


def test_hidden_events_leave_no_hole_in_a_page(db: Workspace) -> None:
    db.events.append_many([("a", {"n": n}) for n in range(6)])
    here = Snapshot(db.serving.store, db.branch)
    with Transaction(here, Header("test"), locked=True) as transaction:
        for key in (event_key(4), event_key(5)):
            record = transaction.get("default", EVENT, key)
            assert record is not None
            transaction.stage(event_deletion("default", key, record))
    assert numbers(db, limit=3) == [6, 3, 2]
    assert numbers(db, "a", limit=3) == [6, 3, 2]


def test_the_past_and_branches_have_their_own_log(db: Workspace) -> None:
    db.events.append_many([("a", {}), ("b", {})])
    before = db.info().versions
    db.branches.fork("초안")
    db.on("초안").events.append("c", {})
    db.events.append("d", {})
    assert numbers(db.at(before)) == [2, 1]
    assert [event.type for event in db.on("초안").events.newest()] == ["c", "b", "a"]
    assert [one.type for one in db.events.types()] == ["d", "b", "a"]
    assert [one.type for one in db.at(before).events.types()] == ["b", "a"]


def test_a_time_leads_to_what_was_recorded_by_then(db: Workspace) -> None:
    first = db.events.append("a", {}, time="2020-01-01")
    second = db.events.append("a", {})
    db.events.append("a", {})
    assert numbers(db, until=second.recorded_at) == [2, 1]
    assert numbers(db, "a", until=first.recorded_at, limit=1) == [1]
    assert numbers(db, until=first.recorded_at - 1) == []


def test_days_begin_where_the_reader_lives(db: Workspace) -> None:
    assert db.events.types() == []
    db.events.append_many([("a", {}), ("b", {}), ("a", {})])
    for offset in (-720, 0, 540):
        counted = db.events.types(days=3, utc_offset_min=offset)
        assert [(one.type, one.count, one.days) for one in counted] == [
            ("a", 2, (0, 0, 2)),
            ("b", 1, (0, 0, 1)),
        ]
