"""What differs between two states: only keys that either side wrote since they parted."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeAlias, cast

import msgspec

from strata.base.results import Result
from strata.base.values import Json, equal, same
from strata.sql import Read, Row
from strata.store.branch import Point
from strata.store.chain import EVENT, event_notes
from strata.store.history import CommitRow
from strata.store.record import (
    BINARY,
    GONE,
    TRIMMED,
    Address,
    Record,
    damaged,
    meta_of,
    onward,
    plain,
    read_json,
)
from strata.store.rows import version_rows
from strata.store.store import Store
from strata.store.visibility import WHOLE, Visibility

_PAGE = 500
MARK_KIND = "mark"  # what an empty commit writes; never part of a difference


Place: TypeAlias = tuple[int, str]  # keyspace and key
Sides: TypeAlias = tuple[Record | None, Record | None]  # what two states show there
# A place, the newest version that one state wrote there, and what the other state shows.
Written: TypeAlias = tuple[Place, Record, Record | None]


class Change(Result, frozen=True, gc=False):
    """A key that differs: its value before and after, and the version that it has after.

    The key of an event is its sequence number, and `event_type` is its type.
    """

    space: str
    kind: str
    key: str
    action: str
    before: Any
    after: Any
    version: int
    event_type: str | None = None


class Diff(Result, frozen=True):
    """What `b` changed since it parted from `a`; two-sided, all that turns `a` into `b`.

    `base` is the newest version that both contain.
    """

    a: str
    b: str
    base: int
    added: tuple[Change, ...]
    removed: tuple[Change, ...]
    modified: tuple[Change, ...]
    two_sided: bool = False

    @property
    def changes(self) -> tuple[Change, ...]:
        """All changes in order of space, kind and key."""
        both = self.added + self.removed + self.modified
        return tuple(sorted(both, key=_order))

    @property
    def total(self) -> int:
        """How many keys differ."""
        return len(self.added) + len(self.removed) + len(self.modified)


def _order(change: Change) -> tuple[str, str, str, int]:
    """Sort by place; the keys of events are numbers."""
    if change.kind == EVENT:
        return change.space, change.kind, "", int(change.key)
    return change.space, change.kind, change.key, 0


class Pair(msgspec.Struct, frozen=True, gc=False):
    """One key in two states; a record is None where the key never was."""

    address: Address
    before: Record | None
    after: Record | None


def differing(store: Store, a: Point, b: Point) -> dict[Place, Sides]:
    """Return what two states show wherever they differ."""
    found: dict[Place, Sides] = {place: (own, other) for place, own, other in _written(store, a, b)}
    for place, own, other in _written(store, b, a):
        found.setdefault(place, (other, own))
    return {
        place: sides
        for place, sides in found.items()
        if differ(*sides) and store.keyspace_name(place[0])[1] != MARK_KIND
    }


def as_pairs(store: Store, found: dict[Place, Sides]) -> dict[Address, Pair]:
    """Return the same by address, in order of it: which kind was used first is not told."""
    addressed = (((*store.keyspace_name(at[0]), at[1]), sides) for at, sides in found.items())
    ordered = sorted(addressed, key=lambda item: item[0])
    return {address: Pair(address, *sides) for address, sides in ordered}


def _written(store: Store, side: Point, other: Point) -> Iterator[Written]:
    """Yield what one state has written since the two parted, beside what the other shows."""
    decided: set[Place] = set()
    for statement, values in reads_of_pairs(store, side, other):
        for row in store.connection().rows(statement, values):
            place = (row[0], row[1])
            if place not in decided:  # the nearest ancestor decides
                decided.add(place)
                yield place, cast("Record", row[2:7]), cast("Record | None", _or_none(row[7:]))


def reads_of_pairs(store: Store, side: Point, other: Point) -> Iterator[Read]:
    """Yield the reads that find what one state has written since the two parted."""
    seen = {branch: min(upto, other.version) for branch, upto in store.lineage(other.branch)}
    for branch, last in store.lineage(side.branch):
        upto = min(last, side.version)
        after = min(upto, seen.get(branch, 0))
        if after != upto:
            values = (branch, after, upto, other.branch, other.version)
            yield store.queries.changed_pairs, values


def _or_none(columns: Row) -> Row | None:
    return columns if columns[0] is not None else None


def visible_record(store: Store, point: Point, place: Place) -> Record | None:
    """Return what a point shows for a key."""
    row = store.connection().row(*read_of_visible(store, point, place))
    return cast("Record | None", row)


def read_of_visible(store: Store, point: Point, place: Place) -> Read:
    """Return the read of `visible_record`, for a caller that foresees it."""
    values = (point.branch, *place, point.version)
    return store.queries.version_through_lineage, values


def differ(a: Record | None, b: Record | None) -> bool:
    """Whether two states show something else for a key."""
    if a is None or b is None or a[2] & GONE or b[2] & GONE:
        return is_present(a) != is_present(b)
    if a[0] == b[0] and a[0]:  # what several bases were joined to has no number
        return False
    if (a[2] | b[2]) & TRIMMED:
        return True
    return not same_content(a, b)


def same_content(a: Record, b: Record) -> bool:
    """Whether two live versions hold the same value, tags and the like."""
    same_bytes = a[3] == b[3] and a[2] == b[2]
    if not same_bytes and ((a[2] | b[2]) & BINARY or not same(plain(a), plain(b))):
        return False
    return a[4] == b[4] or equal(meta_of(a), meta_of(b))


def is_present(record: Record | None) -> bool:
    """Whether a state shows a value there."""
    return record is not None and not record[2] & GONE


def as_change(pair: Pair) -> Change:
    """Return the public form of a difference."""
    before, after = pair.before, pair.after
    action = "modified"
    if not is_present(before):
        action = "added"
    elif not is_present(after):
        action = "removed"
    space, kind, key = pair.address
    number = after[0] if after is not None else 0
    values = readable_value(before, kind), readable_value(after, kind)
    change = Change(space, kind, key, action, *values, number)
    if kind != EVENT:
        return change
    record = after or before
    type_ = None if record is None else event_notes(record).type
    return msgspec.structs.replace(change, key=str(int(key)), event_type=type_)


def readable_change(store: Store, pair: Pair) -> Change | None:
    """Return a difference to show to users and tools; None for internal records."""
    joiner = store.joiner
    if joiner is not None and pair.address[1] in joiner.shows:
        return joiner.readable_change(pair)
    return as_change(pair)


def readable_value(record: Record | None, kind: str = "vector") -> Json:
    """Return a value for people and tools to look at; vectors as lists of numbers."""
    if record is None or record[2] & (GONE | TRIMMED):
        return None
    data = plain(record)
    if not record[2] & BINARY:
        return read_json(data, record[0])
    if kind == "vector":
        return cast("Json", unpack_floats(data, record[0]))
    return {"bytes": len(data)}


def unpack_floats(data: bytes, version: int) -> list[float]:
    """Return little-endian float32 numbers as a list."""
    if len(data) % 4:
        raise damaged(version)
    import struct  # noqa: PLC0415  (only vectors need it)

    return list(struct.unpack(f"<{len(data) // 4}f", data))


def changes_of_commit(
    store: Store, commit: CommitRow, *, visibility: Visibility = WHOLE
) -> list[Change]:
    """Return what a commit changed on its own branch, as far as the user sees it."""
    rows = version_rows(store, commit.first, commit.version)
    before = Point(commit.branch, commit.first - 1)
    found = (
        _written_change(store, row, before) for row in rows if _is_readable(store, row, visibility)
    )
    return [change for change in found if change is not None]


def changes_since(
    store: Store, point: Point, *, after: int, limit: int, visibility: Visibility = WHOLE
) -> list[Change]:
    """Return what was written after a version and is visible at a point, oldest first."""
    with store.database.reading():
        rows = (
            row for row in _rows_since(store, point, after) if _is_readable(store, row, visibility)
        )
        found = (_written_change(store, row, Point(row[5], row[0] - 1)) for row in rows)
        return list(islice((change for change in found if change is not None), limit))


def _rows_since(store: Store, point: Point, after: int) -> Iterator[Row]:
    for branch, upto in reversed(store.lineage(point.branch)):
        last = after
        while True:
            values = (branch, last, min(upto, point.version), _PAGE)
            rows = store.connection().rows(store.queries.versions_since, values)
            yield from rows
            if len(rows) < _PAGE:
                break
            last = onward(rows[-1][0], last)


def _is_readable(store: Store, row: Row, visibility: Visibility) -> bool:
    space, kind = store.keyspace_name(row[6])
    return kind != MARK_KIND and visibility.shows((space, kind, row[7]))


def _written_change(store: Store, row: Row, before: Point) -> Change | None:
    """Return one written version as a change of what its branch showed before."""
    space, kind = store.keyspace_name(row[6])
    earlier = visible_record(store, before, (row[6], row[7]))
    record = cast("Record", row[:5])
    return readable_change(store, Pair((space, kind, row[7]), earlier, record))
