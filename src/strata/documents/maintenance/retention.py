"""Which rows of documents retention must keep.

A text is a snapshot and the rows behind it. So a row stays as long as any text that is still
wanted is read through it: one that a branch, a fork point, a tag, a merge or a name shows, or one
that its policy keeps. Rows go together, up to a snapshot. And a merge compares edits one by one,
so those of a document that a branch has changed stay as long as the branch could be merged.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

import msgspec

from strata.documents.records import NAMED, SNAPSHOT, SPACE, TEXT
from strata.store import (
    GONE,
    NOW,
    TRIMMED,
    BranchRow,
    Store,
    expiry,
    meta_of,
    value_of,
    version_row,
)
from strata.upkeep import version_spans


class _Row(msgspec.Struct, frozen=True):
    """A row of a branch: its version, and how many rows a text is read through from here."""

    version: int
    depth: int
    is_readable: bool


class TextChains:
    """Tells retention what the texts of documents need."""

    # A snapshot is nothing by itself: it goes with the rows that need it.
    kinds: Mapping[str, str] = MappingProxyType({TEXT: TEXT, SNAPSHOT: TEXT})

    def __init__(self, store: Store) -> None:
        self._store = store

    def needed(self, branch: int, points: Sequence[int], kept: Collection[int]) -> set[int]:
        """Return the rows and snapshots of a branch without which a wanted text is lost."""
        wanted, merging = {*kept, *self._named()}, _Merging(self._store, branch)
        snapshots = dict(self._rows(branch, SNAPSHOT))
        found: set[int] = set()
        for document, rows in self._rows(branch, TEXT):
            since = merging.since(document)
            merged = (row.version for row in rows if row.version > since)
            for index in _heads(rows, points, wanted.union(merged)):
                first = max(0, index + 1 - rows[index].depth)
                found.update(row.version for row in rows[first : index + 1])
                below = [row.version for row in snapshots.get(document, ())]
                found.update(below[: bisect_right(below, rows[index].version)][-1:])
        return found

    def _rows(self, branch: int, kind: str) -> Iterator[tuple[str, list[_Row]]]:
        """Yield the documents of a branch with their rows there, oldest first."""
        store = self._store
        keyspace = store.catalog.keyspace(SPACE, kind, store.connection()) or 0
        rows = store.connection().rows(store.queries.chain_rows, (branch, keyspace))
        for key, group in groupby(rows, key=lambda row: row[1]):
            yield key, [_row(row) for row in group]

    def _named(self) -> set[int]:
        """Return the versions that users have named, on whatever branch."""
        store = self._store
        keyspace = store.catalog.keyspace(SPACE, NAMED, store.connection()) or 0
        found = (
            version_row(store, span.version)
            for branch in store.catalog.all()
            for span in version_spans(store, branch.id, keyspace)
            if span.next_version == NOW
        )
        values = (value_of(row[:5]) for row in found if row is not None)
        return {msgspec.convert(value, dict[str, int])["version"] for value in values}


class _Merging:
    """What merges of a branch with any other one may have to compare."""

    def __init__(self, store: Store, branch: int) -> None:
        self._store = store
        alive = [row for row in store.catalog.all() if not _has_expired(store, row)]
        lineages = {row.id: dict(store.lineage(row.id)) for row in alive}
        self._is_fork = len(lineages.get(branch, {})) > 1
        # Where others have left this branch, and what they changed since.
        forks = {at: upto[branch] for at, upto in lineages.items() if branch in upto}
        forks.pop(branch, None)
        self._first_fork = min(forks.values(), default=NOW)
        self._changed = self._documents(forks)
        # Branches without a common ancestor compare everything.
        roots = {row.id for row in alive if row.parent is None}
        self._elsewhere = self._documents(roots - {branch} if branch in roots else ())

    def _documents(self, branches: Iterable[int]) -> set[str]:
        store = self._store
        keyspace = store.catalog.keyspace(SPACE, TEXT, store.connection()) or 0
        statement = store.queries.chain_rows
        return {
            row[1]
            for branch in branches
            for row in store.connection().rows(statement, (branch, keyspace))
        }

    def since(self, document: str) -> int:
        """Return the version behind which every row of a document on the branch is needed."""
        if self._is_fork or document in self._elsewhere:
            return 0
        return self._first_fork if document in self._changed else NOW


def _has_expired(store: Store, row: BranchRow) -> bool:
    return row.deleted is not None and row.deleted <= expiry(store)


def _row(row: tuple[int, str, int, bytes | None]) -> _Row:
    version, _key, flags, meta = row
    depth = meta_of((version, 0, flags, None, meta)).get("rows", 1)
    return _Row(version, max(int(depth), 1), not flags & (GONE | TRIMMED))


def _heads(rows: Sequence[_Row], points: Sequence[int], wanted: Collection[int]) -> Iterator[int]:
    """Yield the places of rows whose text is wanted."""
    following = [row.version for row in rows[1:]] + [NOW]
    for index, (row, end) in enumerate(zip(rows, following, strict=True)):
        at = bisect_left(points, row.version)
        is_shown = at < len(points) and points[at] < end
        if row.is_readable and (is_shown or row.version in wanted):
            yield index
