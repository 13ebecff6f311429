"""Walking through a branch: its present values, or every version that it can see.

One value is in memory at a time, however many there are and however large a commit was.
"""

from collections.abc import Iterator
from typing import cast

import msgspec

from strata.base import clock
from strata.exchange.records import KEYED, KINDS, Commit, Event, Item, Record, State, keyed
from strata.sql import Row
from strata.store import (
    EVENT,
    GONE,
    TRIMMED,
    CommitRow,
    Origin,
    View,
    event_notes,
    event_time,
    meta_of,
    plain,
    read_json,
    state_of,
)
from strata.store import Record as Stored

_KEYS_AT_ONCE = 1_000
_COMMITS_AT_ONCE = 1_000
_VERSIONS_AT_ONCE = 16
# An imported commit is known by the one it was made from.
IMPORT = "import"
# Long enough that no two commits of any store share a mark.
MARK_CHARACTERS = 24


class Selection(msgspec.Struct, frozen=True):
    """What is wanted of a branch; no kinds means all of them."""

    space: str | None = None
    prefix: str = ""
    kinds: tuple[str, ...] = ()

    def takes(self, space: str, kind: str) -> bool:
        """Whether anything of a space and kind is wanted; a prefix is one of keys."""
        if not space or kind not in (self.kinds or KINDS) or self.space not in (None, space):
            return False
        return kind in KEYED or not self.prefix

    def shelves(self, view: View) -> list[tuple[str, str]]:
        """Return the wanted spaces and kinds that hold something, in order."""
        found = (shelf for shelf in view.snapshot.kinds() if self.takes(*shelf))
        return sorted(found, key=lambda shelf: (shelf[0], KINDS.index(shelf[1])))


def count_present(view: View, wanted: Selection) -> int:
    """Return how many records `present` will yield."""
    counts = (
        view.snapshot.count(space, kind, wanted.prefix) for space, kind in wanted.shelves(view)
    )
    return sum(counts)


def present(view: View, wanted: Selection) -> Iterator[Item]:
    """Yield what the view shows, space by space."""
    for space, kind in wanted.shelves(view):
        for key in _keys(view, space, kind, prefix=wanted.prefix):
            stored = view.snapshot.get(space, kind, key)
            assert stored is not None, "a key that is listed holds something"
            plain(stored)  # what retention has removed cannot be exported as if it were there
            yield _item(view, (space, kind, key), stored)


def _keys(view: View, space: str, kind: str, *, prefix: str) -> Iterator[str]:
    after = None
    while page := view.snapshot.keys(space, kind, prefix, after=after, limit=_KEYS_AT_ONCE):
        yield from (key for key, _version in page)
        after = page[-1][0]


def versions(view: View, wanted: Selection) -> Iterator[Record]:
    """Yield every commit that the view can see, oldest first, each before what it wrote."""
    for commit in commits(view):
        head: Commit | None = _commit(commit)
        for row in _written(view, commit):
            space, kind = view.store.shelf_name(row[6])
            if not wanted.takes(space, kind) or not row[7].startswith(wanted.prefix):
                continue
            if head is not None:
                yield head
                head = None
            yield _item(view, (space, kind, row[7]), cast("Stored", row[:5]))


def commits(view: View) -> Iterator[CommitRow]:
    """Yield the commits that a view can see, oldest first."""
    store = view.store
    for ancestor, upto in reversed(store.lineage(view.snapshot.current_branch())):
        after, bound = 0, min(upto, view.snapshot.bound)
        while True:
            values = (ancestor, bound, after, _COMMITS_AT_ONCE)
            rows = store.connection().rows(store.queries.branch_commits_forward, values)
            yield from (CommitRow(*row) for row in rows)
            if len(rows) < _COMMITS_AT_ONCE:
                break
            after = rows[-1][0]


def mark_of(commit: CommitRow) -> str:
    """Return what a commit is known by, in whatever store it has come to."""
    operation, _blank, mark = commit.operation.partition(" ")
    return mark if operation == IMPORT and mark else commit.hash.hex()[:MARK_CHARACTERS]


def _written(view: View, commit: CommitRow) -> Iterator[Row]:
    statement = view.store.queries.versions_of_commit
    for first in range(commit.first, commit.version + 1, _VERSIONS_AT_ONCE):
        values = (first, min(first + _VERSIONS_AT_ONCE - 1, commit.version))
        yield from view.store.connection().rows(statement, values)


def _commit(row: CommitRow) -> Commit:
    return Commit(mark_of(row), clock.iso(row.timestamp), row.version, row.actor, row.message)


def _item(view: View, address: tuple[str, str, str], stored: Stored) -> Item:
    space, kind, key = address
    version, timestamp, flags = stored[:3]
    state = cast("State", state_of(flags))
    value = msgspec.UNSET if flags & (GONE | TRIMMED) else read_json(plain(stored), version)
    if kind == EVENT:
        notes = event_notes(stored)
        first = notes.origin or Origin(
            view.branch, int(key), event_time(stored), notes.hash, notes.id
        )
        # When it was hidden is the time of that commit, and no longer the event's.
        time = "" if state == "deleted" else clock.iso(first.timestamp)
        return Event(
            notes.type, space, value, first.id, first.sequence, first.branch, first.hash,
            state, version, time,
        )  # fmt: skip
    tags = tuple(meta_of(stored).get("tags", ())) if state == "live" else ()
    return keyed(
        kind, key, space=space, value=value, tags=tags, state=state, version=version,
        time=clock.iso(timestamp),
    )  # fmt: skip
