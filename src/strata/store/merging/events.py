"""Merging logs: events never conflict, and none comes twice."""

from strata.base.values import decode
from strata.store.chain import (
    EVENT,
    EventOrigin,
    event_change,
    event_deletion,
    event_notes,
    event_return,
    find_event,
    last_event,
    origin_of,
)
from strata.store.diff import Pair, as_change, is_present
from strata.store.merging.plan import MergeTask, Plan
from strata.store.record import DELETED, Address, Record, plain
from strata.store.rows import version_row
from strata.store.snapshot import Snapshot
from strata.store.store import Store


def plan_events(store: Store, plan: Plan, task: MergeTask, *, pairs: list[Pair]) -> None:
    """Append the source's new events behind the target's; hide and show what the source did.

    A log says what happened, so taking a commit back takes no event out. But where a space
    was deleted its events are hidden, and that can be done, undone and merged.
    """
    tails: dict[str, tuple[int, str]] = {}
    for pair in pairs:
        (space, _kind, key), event = pair.address, pair.after
        if event is None:
            continue
        branch = store.catalog.by_id(_branch_of(store, event[0]), store.connection()).name
        origin = origin_of(event, branch=branch, sequence=int(key))
        found = find_event(plan.target, space, origin)
        if found is not None:
            if _has_turned(store, plan, task, event=(space, found, event, origin)):
                _turn_event(plan, (space, EVENT, found), event)
        elif task.takes_events and is_present(event):
            sequence, previous = tails.get(space) or last_event(plan.target, space)
            change = event_change(
                space,
                plain(event),
                type_=event_notes(event).type,
                sequence=sequence + 1,
                previous=previous,
                origin=origin,
            )
            tails[space] = (sequence + 1, decode(change.meta or b"{}")["hash"])
            plan.add(change, as_change(Pair(change.address, None, event)))


def _has_turned(
    store: Store, plan: Plan, task: MergeTask, *, event: tuple[str, str, Record, EventOrigin]
) -> bool:
    """Whether the source has hidden or shown an event since, and the target has not."""
    space, key, source, origin = event
    if _is_hidden(plan.target.get(space, EVENT, key)) == _is_hidden(source):
        return False
    bases = (Snapshot(store, "", base.version, branch_id=base.branch) for base in task.bases)
    before = [
        _is_hidden(base.get(space, EVENT, found))
        for base in bases
        if (found := find_event(base, space, origin)) is not None
    ]
    return bool(before) and _is_hidden(source) not in before


def _is_hidden(event: Record | None) -> bool:
    return event is not None and bool(event[2] & DELETED)


def _turn_event(plan: Plan, address: Address, source: Record) -> None:
    """Hide or show an event that the target has, as the source does."""
    space, _kind, key = address
    record = plan.target.get(*address)
    assert record is not None, "the event was just found"
    if _is_hidden(source):
        change = event_deletion(space, key, record)
    elif is_present(source):
        change = event_return(space, key, record, data=plain(source))
    else:
        return  # it was erased meanwhile
    plan.add(change, as_change(Pair(address, record, source)))


def _branch_of(store: Store, version: int) -> int:
    row = version_row(store, version)
    return row[5] if row is not None else 0
