"""The merge base of two sides: the state they parted from, or the join of several.

Branches that were merged into each other crosswise have more than one newest common state.
Then those states are themselves merged, over what *they* have in common, and so on down;
where they cannot be merged it is unknown what was there, and any change conflicts.
"""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from strata.base.values import Json, decode
from strata.store.branch import Ancestry, Point
from strata.store.chain import EVENT
from strata.store.diff import Place, differ, differing, is_present, visible_record
from strata.store.merging.json_fields import (
    CLASH,
    MISSING,
    AbsentField,
    FieldConflict,
    Part,
    Side,
    merge_values,
)
from strata.store.record import BINARY, Record, meta_of, plain
from strata.store.store import Store

Points: TypeAlias = tuple[Point, ...]  # oldest first, none containing another
_NOTHING: Mapping[str, Part] = {}
_UNKNOWN: Record = (0, 0, 0, msgspec.json.encode(CLASH), None)


def merge_base(store: Store, bases: Points, ancestry: Ancestry) -> dict[Place, Record | None]:
    """Return what the join of several states shows wherever they differ."""
    if len(bases) == 1:
        return {}
    newest = bases[-1]
    places = {
        place
        for base in bases[:-1]
        for place in differing(store, newest, base)
        if store.keyspace_name(place[0])[1] != EVENT  # known by what they are, not by their number
    }
    return _Join(store, ancestry).result(bases, places)


class _Join:
    """One join under way. Histories may cross many times, so it walks instead of recursing."""

    def __init__(self, store: Store, ancestry: Ancestry) -> None:
        self._store = store
        self._ancestry = ancestry
        self._wanted: dict[Points, set[Place]] = {}
        # For each state but the first: what it has in common with those before it.
        self._below: dict[Points, list[Points]] = {}

    def result(self, bases: Points, places: set[Place]) -> dict[Place, Record | None]:
        """Find out what is needed from the top down, then join from the bottom up."""
        self._wanted[bases] = places
        order = self._descend(bases)
        shown: dict[tuple[Points, Place], Record | None] = {}
        for points in reversed(order):
            for place in self._wanted[points]:
                shown[points, place] = self._joined(points, place, shown)
        return {place: shown[bases, place] for place in places}

    def _descend(self, bases: Points) -> list[Points]:
        """Return all groups of states that are needed, each before those it depends on."""
        order: list[Points] = []
        todo = {bases}
        while todo:
            # What a group depends on is older than its newest state.
            points = max(todo, key=lambda group: group[-1].version)
            todo.remove(points)
            order.append(points)
            disputed = {place for place in self._wanted[points] if self._differs(points, place)}
            if disputed:
                below = [self._ancestry.common(points[:n], points[n]) for n in _rest(points)]
                self._below[points] = below
                for group in below:
                    self._wanted.setdefault(group, set()).update(disputed)
                todo.update(below)
        return order

    def _differs(self, points: Points, place: Place) -> bool:
        first, *others = (visible_record(self._store, point, place) for point in points)
        return any(differ(first, other) for other in others)

    def _joined(
        self, points: Points, place: Place, shown: dict[tuple[Points, Place], Record | None]
    ) -> Record | None:
        joined = visible_record(self._store, points[0], place)
        for index, group in enumerate(self._below.get(points, ()), 1):
            if (group, place) in shown:
                other = visible_record(self._store, points[index], place)
                joined = _merged(shown[group, place], joined, other)
        return joined


def _rest(points: Points) -> range:
    return range(1, len(points))


def _merged(base: Record | None, a: Record | None, b: Record | None) -> Record | None:
    """Merge one key of two states; what both changed in their own way is unknown."""
    if not differ(a, b) or not differ(base, b):
        return a
    if not differ(base, a):
        return b
    if a is None or b is None or not (is_json(a) and is_json(b)):
        return _UNKNOWN
    data, meta, _conflicts = merge_records(base, a, b, prefer="neither")
    return (0, 0, 0, data, meta)


def merge_records(
    base: Record | None,
    source: Record,
    target: Record,
    *,
    prefer: Side,
    chosen: Mapping[str, Part] = _NOTHING,
) -> tuple[bytes, bytes | None, list[FieldConflict]]:
    """Merge two present JSON values field by field, with what is kept beside them."""
    parts = (_part(base), _part(source), _part(target))
    merged, conflicts = merge_values(*parts, prefer=prefer, chosen=chosen)
    assert not isinstance(merged, AbsentField), "two present values merge to a value"
    meta = _merged_meta(base, source, target, prefer=prefer)
    return msgspec.json.encode(merged), meta, conflicts


def is_json(record: Record | None) -> bool:
    """Whether a state shows a value that can be merged field by field."""
    return record is not None and is_present(record) and not record[2] & BINARY


def _part(record: Record | None) -> Part:
    if record is None or not is_present(record):
        return MISSING
    return decode(plain(record))


def _merged_meta(
    base: Record | None, source: Record, target: Record, *, prefer: Side
) -> bytes | None:
    """Merge what the kind keeps beside the value."""
    theirs, ours = meta_of(source), meta_of(target)
    before = meta_of(base) if base is not None else {}
    merged, _conflicts = merge_values(before, theirs, ours, prefer=prefer)
    assert isinstance(merged, dict)
    if "counter" in theirs and "counter" in ours:
        # A cell that both sides wrote counts past both, so that no old expectation fits.
        merged["counter"] = max(theirs["counter"], ours["counter"]) + (prefer != "neither")
    if "tags" in theirs or "tags" in ours:
        merged["tags"] = list[Json](
            _merged_tags(before.get("tags", []), theirs.get("tags", []), ours.get("tags", []))
        )
    return msgspec.json.encode(merged) if merged else None


def _merged_tags(base: list[str], source: list[str], target: list[str]) -> list[str]:
    """Tags are a set: what either side added is there, what either side took is not."""
    kept = [tag for tag in target if tag in source or tag not in base]
    return kept + [tag for tag in source if tag not in target and tag not in base]
