"""Purging events, which are known by other numbers on other branches."""

from strata import Workspace

FIRST = "0000000000000001"


def payloads(db: Workspace) -> dict[str, object]:
    return {event.type: event.payload for event in db.events.list()}


def merged(db: Workspace) -> Workspace:
    """An event of `try` that stands on `default` too, behind one of its own."""
    db.branches.fork("try")
    db.events.append("own", "kept")
    db.on("try").events.append("secret", "hunter2")
    db.branches.merge("try")
    assert payloads(db) == {"own": "kept", "secret": "hunter2"}
    return db


def test_a_purged_event_is_gone_under_every_number(db: Workspace) -> None:
    merged(db)
    db.on("try").purge(FIRST, kind="event")
    assert payloads(db.on("try"))["secret"] is None
    assert payloads(db)["secret"] is None


def test_purging_a_merged_event_reaches_where_it_came_from(db: Workspace) -> None:
    merged(db)
    db.purge("0000000000000002", kind="event")
    assert payloads(db)["secret"] is None
    assert payloads(db.on("try"))["secret"] is None


def test_another_event_of_the_same_number_is_left_alone(db: Workspace) -> None:
    merged(db)
    db.on("try").purge(FIRST, kind="event")
    assert payloads(db)["own"] == "kept"


def test_a_log_with_an_erased_event_goes_on_and_verifies(db: Workspace) -> None:
    merged(db)
    db.purge(FIRST, kind="event")
    assert db.events.append("next", 1).sequence == 3
    db.branches.merge("default", into="try")
    assert db.verify().ok
    assert len(db.events.list()) == len(db.events) == 3
