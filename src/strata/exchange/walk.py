"""Walking through a branch: its present values, or every version that it can see.

One value is in memory at a time, however many there are and however large a commit was.
"""

from collections.abc import Iterator
from typing import cast

import msgspec

from strata.base import clock
from strata.base.errors import Damaged
from strata.exchange.outcome import MissingValue
from strata.exchange.records import (
    KEYED,
    KINDS,
    CommitRecord,
    EventRecord,
    Item,
    Record,
    State,
    keyed,
)
from strata.sql import Row
from strata.store import (
    EVENT,
    GONE,
    TRIMMED,
    CommitRow,
    EventOrigin,
    View,
    check_digest,
    commit_rows,
    commits_forward,
    event_notes,
    event_time,
    meta_of,
    plain,
    read_json,
    read_signature,
    state_of,
    version_rows,
)
from strata.store import Record as Stored

_KEYS_AT_ONCE = 1_000
_COMMITS_AT_ONCE = 1_000
_VERSIONS_AT_ONCE = 16
# An imported commit is known by the one it was made from.
IMPORT = "import"
# Long enough that no two commits of any store share a mark.
MARK_CHARACTERS = 24


class ExportSelection(msgspec.Struct, frozen=True):
    """What is wanted of a branch; no kinds means all of them."""

    space: str | None = None
    prefix: str = ""
    kinds: tuple[str, ...] = ()

    def includes(self, space: str, kind: str) -> bool:
        """Whether anything of a space and kind is wanted; a prefix is one of keys."""
        if not space or kind not in (self.kinds or KINDS) or self.space not in (None, space):
            return False
        return kind in KEYED or not self.prefix

    def keyspaces(self, view: View) -> list[tuple[str, str]]:
        """Return the wanted spaces and kinds that hold something, in order."""
        found = (keyspace for keyspace in view.snapshot.kinds() if self.includes(*keyspace))
        return sorted(found, key=lambda keyspace: (keyspace[0], KINDS.index(keyspace[1])))


def count_present(view: View, wanted: ExportSelection) -> int:
    """Return how many records `present` will yield."""
    counts = (
        view.snapshot.count(space, kind, wanted.prefix) for space, kind in wanted.keyspaces(view)
    )
    return sum(counts)


def present(view: View, wanted: ExportSelection) -> Iterator[Item]:
    """Yield what the view shows, space by space."""
    for space, kind in wanted.keyspaces(view):
        for key in _keys(view, space, kind, prefix=wanted.prefix):
            stored = view.snapshot.get(space, kind, key)
            assert stored is not None, "a key that is listed holds something"
            plain(stored)  # what retention has removed cannot be exported as if it were there
            yield _item(view, (space, kind, key), stored)


def readable(view: View, wanted: ExportSelection, damaged: list[MissingValue]) -> Iterator[Item]:
    """Yield what `present` does as far as it can be read; the rest goes on the list.

    Every version is read by itself: a damaged page then costs no more than what lies in it.
    """
    shown = sorted(
        (*view.store.keyspace_name(keyspace), key, version)
        for (keyspace, key), (_depth, version, flags) in _newest(view, damaged).items()
        if not flags & GONE
    )
    for space, kind, key, version in shown:
        if not wanted.includes(space, kind) or not key.startswith(wanted.prefix):
            continue
        try:
            (row,) = version_rows(view.store, version, version)
            stored = cast("Stored", row[:5])
            check_digest(stored, row[8])
            item = _item(view, (space, kind, key), stored)
        except Damaged as error:
            damaged.append(MissingValue(error.message, version, space, kind, key))
            continue
        yield item


def _newest(view: View, damaged: list[MissingValue]) -> dict[tuple[int, str], tuple[int, int, int]]:
    """Return for each key how far up the ancestors its visible version is, the version and marks.

    The index of keys lies apart from the values. Where it is damaged too, the values are asked.
    """
    store, bound = view.store, view.snapshot.bound
    seen = store.lineage(view.snapshot.current_branch())
    lineage = {ancestor: (depth, min(upto, bound)) for depth, (ancestor, upto) in enumerate(seen)}
    found: dict[tuple[int, str], tuple[int, int, int]] = {}
    try:
        rows = store.connection().rows(store.queries.versions_in_index)
    except Damaged as error:
        damaged.append(MissingValue(f"The index of keys cannot be read: {error.message}"))
        rows = list(_scanned(view, damaged))
    for branch, keyspace, key, version, flags in rows:
        depth, upto = lineage.get(branch, (0, -1))
        known = found.get((keyspace, key))
        if version <= upto and (known is None or (depth, -version) < (known[0], -known[1])):
            found[keyspace, key] = (depth, version, flags)
    return found


def _scanned(view: View, damaged: list[MissingValue]) -> Iterator[tuple[int, int, str, int, int]]:
    """Yield what the index of keys says of every version, from the versions themselves."""
    for version in range(1, view.store.last_version() + 1):
        try:
            for row in version_rows(view.store, version, version):
                yield row[5], row[6], row[7], row[0], row[2]
        except Damaged as error:
            damaged.append(MissingValue(error.message, version))


def _keys(view: View, space: str, kind: str, *, prefix: str) -> Iterator[str]:
    after = None
    while page := view.snapshot.keys(space, kind, prefix, after=after, limit=_KEYS_AT_ONCE):
        yield from (key for key, _version in page)
        after = page[-1][0]


def versions(
    view: View, wanted: ExportSelection, *, damaged: list[MissingValue] | None = None
) -> Iterator[Record]:
    """Yield every commit that the view can see, oldest first, each before what it wrote."""
    for commit in commits(view) if damaged is None else _readable_commits(view, damaged):
        head: CommitRecord | None = _commit(commit)
        for row in _written(view, commit, damaged):
            space, kind = view.store.keyspace_name(row[6])
            if not wanted.includes(space, kind) or not row[7].startswith(wanted.prefix):
                continue
            item = _item_of(view, row, damaged)
            if item is None:
                continue
            if head is not None:
                yield head
                head = None
            yield item


def _item_of(view: View, row: Row, damaged: list[MissingValue] | None) -> Item | None:
    """Return a version as a record; None for a damaged one, where there is a list for those."""
    stored, address = cast("Stored", row[:5]), (*view.store.keyspace_name(row[6]), row[7])
    if damaged is None:
        return _item(view, address, stored)
    try:
        check_digest(stored, row[8])
        return _item(view, address, stored)
    except Damaged as error:
        damaged.append(MissingValue(error.message, row[0], *address))
        return None


def commits(view: View) -> Iterator[CommitRow]:
    """Yield the commits that a view can see, oldest first."""
    snapshot = view.snapshot
    yield from commits_forward(view.store, snapshot.current_branch(), bound=snapshot.bound)


def _readable_commits(view: View, damaged: list[MissingValue]) -> Iterator[CommitRow]:
    """Yield the commits that can be read, one by one."""
    store = view.store
    last = store.last_version()
    for ancestor, upto in reversed(store.lineage(view.snapshot.current_branch())):
        after, bound = 0, min(upto, view.snapshot.bound, last)
        while after < bound:
            try:
                rows = commit_rows(store, ancestor, after=after, upto=bound, most=1)
            except Damaged as error:
                after += 1
                damaged.append(MissingValue(error.message, after))
                continue
            yield from (CommitRow(*row) for row in rows)
            after = rows[-1][0] if rows else bound


def mark_of(commit: CommitRow) -> str:
    """Return what a commit is known by, in whatever store it has come to."""
    operation, _blank, mark = commit.operation.partition(" ")
    return mark if operation == IMPORT and mark else commit.hash.hex()[:MARK_CHARACTERS]


def _written(view: View, commit: CommitRow, damaged: list[MissingValue] | None) -> Iterator[Row]:
    """Yield the versions of a commit, a few at a time; where some may be damaged, one by one."""
    step = _VERSIONS_AT_ONCE if damaged is None else 1
    for first in range(commit.first, commit.version + 1, step):
        try:
            yield from version_rows(view.store, first, min(first + step - 1, commit.version))
        except Damaged as error:
            if damaged is None:
                raise
            damaged.append(MissingValue(error.message, first))


def _commit(row: CommitRow) -> CommitRecord:
    actor = read_signature(row.actor).actor
    return CommitRecord(mark_of(row), clock.iso(row.timestamp), row.version, actor, row.message)


def _item(view: View, address: tuple[str, str, str], stored: Stored) -> Item:
    space, kind, key = address
    version, timestamp, flags = stored[:3]
    state = cast("State", state_of(flags))
    value = msgspec.UNSET if flags & (GONE | TRIMMED) else read_json(plain(stored), version)
    if kind == EVENT:
        notes = event_notes(stored)
        first = notes.origin or EventOrigin(
            view.branch, int(key), event_time(stored), notes.hash, notes.id
        )
        # When it was hidden is the time of that commit, and no longer the event's.
        time = "" if state == "deleted" else clock.iso(first.timestamp)
        return EventRecord(
            notes.type,
            space,
            value,
            first.id,
            first.sequence,
            first.branch,
            first.hash,
            state,
            version,
            time,
        )
    tags = tuple(meta_of(stored).get("tags", ())) if state == "live" else ()
    return keyed(
        kind,
        key,
        space=space,
        value=value,
        tags=tags,
        state=state,
        version=version,
        time=clock.iso(timestamp),
    )
