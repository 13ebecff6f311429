"""Comparing branches: what one changed since it parted from another, or all that differs."""

import msgspec

from strata.store.branch import Ancestry, Point
from strata.store.chain import EVENT, event_notes
from strata.store.diff import (
    Diff,
    Pair,
    Place,
    Sides,
    as_pairs,
    differ,
    differing,
    is_present,
    readable_change,
    visible_record,
)
from strata.store.merging.keys import changed_since
from strata.store.merging.merge_base import Points
from strata.store.record import NOW, Address, Record
from strata.store.store import Store
from strata.store.visibility import WHOLE, Visibility


def compare_branches(
    store: Store, a: str, b: str, *, two_sided: bool = False, visibility: Visibility = WHOLE
) -> Diff:
    """Return what branch `b` changed since it parted from `a`, as far as a caller sees it.

    What `a` changed meanwhile is left out, and so is what both show alike by now: the answer is
    what a merge of `b` into `a` would bring. `two_sided` returns every difference instead, with
    what `a` shows as the value before.
    """
    with store.database.reading() as connection:
        ancestry = Ancestry(store)
        known = [store.catalog.known(one) for one in (a, b)]
        ancestry.foresee([Point(row.id, NOW) for row in known if row is not None])
        ours, theirs = (Point(store.catalog.readable(one, connection).id, NOW) for one in (a, b))
        bases = ancestry.common((ours,), theirs)
        if two_sided:
            found = _matched(store, differing(store, ours, theirs))
        else:
            found = _changed_alone(store, bases, (ours, theirs), ancestry=ancestry)
        shown = (readable_change(store, pair) for pair in found if visibility.shows(pair.address))
        changes = [change for change in shown if change is not None]
    by_action = {
        action: tuple(change for change in changes if change.action == action)
        for action in ("added", "removed", "modified")
    }
    return Diff(a, b, bases[-1].version, **by_action, two_sided=two_sided)


def _changed_alone(
    store: Store, bases: Points, sides: tuple[Point, Point], *, ancestry: Ancestry
) -> list[Pair]:
    """Return what the second state changed since both parted, and the first not in the same way."""
    ours, theirs = (
        _matched(store, _without_joins(store, bases[-1], changed))
        for changed in changed_since(store, bases, sides, ancestry=ancestry)
    )
    known = {_identity(pair): pair.after for pair in ours}
    return [
        pair
        for pair in theirs
        if (key := _identity(pair)) not in known or _disagree(key, known[key], pair.after)
    ]


def _disagree(key: Address, ours: Record | None, theirs: Record | None) -> bool:
    if key[1] == EVENT:  # the same event, so only whether it is shown can differ
        return is_present(ours) != is_present(theirs)
    return differ(ours, theirs)


def _without_joins(store: Store, newest: Point, changed: dict[Place, Sides]) -> dict[Place, Sides]:
    """Show the newest of several bases in place of their join, which is no version."""
    return {
        place: (
            before if before is None or before[0] else visible_record(store, newest, place),
            after,
        )
        for place, (before, after) in changed.items()
    }


def _matched(store: Store, found: dict[Place, Sides]) -> list[Pair]:
    """Return differences by address, with events matched by what they are.

    A merge appends events behind those of its target, so the same event may have another number
    on each side: that is no difference.
    """
    ordered = as_pairs(store, found).values()
    events = [pair for pair in ordered if pair.address[1] == EVENT]
    before = {_event_in(pair, pair.before) for pair in events}
    after = {_event_in(pair, pair.after) for pair in events}
    matched: list[Pair] = []
    for pair in ordered:
        if pair.address[1] != EVENT:
            matched.append(pair)
            continue
        if _event_in(pair, pair.before) not in after:
            matched.append(msgspec.structs.replace(pair, after=None))
        if _event_in(pair, pair.after) not in before:
            matched.append(msgspec.structs.replace(pair, before=None))
    return [pair for pair in matched if is_present(pair.before) or is_present(pair.after)]


def _event_in(pair: Pair, record: Record | None) -> Address | None:
    """Return what names an event on every branch, or None where a state shows none."""
    if record is None or not is_present(record):
        return None
    return (pair.address[0], EVENT, event_notes(record).id)


def _identity(pair: Pair) -> Address:
    if pair.address[1] != EVENT:
        return pair.address
    return _event_in(pair, pair.after) or _event_in(pair, pair.before) or pair.address
