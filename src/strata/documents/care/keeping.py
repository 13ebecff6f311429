"""Which rows of documents retention must keep.

A text is a snapshot and the rows behind it. So a row stays as long as any text that is still
wanted is read through it: one that a branch, a fork point, a tag, a merge or a name shows, or one
that its policy keeps. Rows go together, up to a snapshot.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

import msgspec

from strata.documents.records import NAMED, SNAPSHOT, SPACE, TEXT
from strata.store import GONE, NOW, TRIMMED, Store, meta_of, value_of


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
        wanted = {*kept, *self._named()}
        snapshots = {key: [row.version for row in rows] for key, rows in self._rows(branch, SNAPSHOT)}
        found: set[int] = set()
        for document, rows in self._rows(branch, TEXT):
            for index in _heads(rows, points, wanted):
                first = max(0, index + 1 - rows[index].depth)
                found.update(row.version for row in rows[first : index + 1])
                below = snapshots.get(document, [])
                found.update(below[: bisect_right(below, rows[index].version)][-1:])
        return found

    def _rows(self, branch: int, kind: str) -> Iterator[tuple[str, list[_Row]]]:
        """Yield the documents of a branch with their rows there, oldest first."""
        store = self._store
        shelf = store.catalog.shelf(SPACE, kind, store.connection()) or 0
        rows = store.connection().rows(store.queries.chain_rows, (branch, shelf))
        for key, group in groupby(rows, key=lambda row: row[1]):
            yield key, [_row(row) for row in group]

    def _named(self) -> set[int]:
        """Return the versions that people have named, on whatever branch."""
        store = self._store
        connection, queries = store.connection(), store.queries
        shelf = store.catalog.shelf(SPACE, NAMED, connection) or 0
        newest = [
            row[0]
            for branch in store.catalog.all()
            for row in connection.rows(queries.version_spans, (branch.id, shelf))
            if row[1] is None
        ]
        found = (connection.row(queries.version_number, (number,)) for number in newest)
        values = (value_of(row[:5]) for row in found if row is not None)
        return {msgspec.convert(value, dict[str, int])["version"] for value in values}


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
