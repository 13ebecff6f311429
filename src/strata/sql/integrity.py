"""Digests of whole tables, so that a change that Strata did not make is noticed.

Commits cover what is versioned. Every other table has a row in `digests`: how many rows it holds,
and the sum of their digests. SQLite calls `Tally.note` for each row that a connection writes, and
what it gathers is added to the sums when the transaction commits. So no statement has to care, a
new table is covered from its first row, and rows that are changed, added or removed by anything
else no longer fit their sum.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Protocol

import msgspec

from strata.sql.connection import Read
from strata.sql.queries import Dialect, load

# Tables without a sum, each with the reason.
UNCOVERED = {
    "versions": "the hashes of commits and the digests of values cover it",
    "count_checkpoints": "the versions prove them",
    "counts": "the versions prove them",
    "text_counts": "the versions prove them",
    "attributes": "the version that seals a commit holds a digest of its attributes",
    "links": "the version that seals a commit holds a digest of its links",
    "item_tags": "the version that seals a commit holds a digest of its tags",
    "words": "compared with the texts; `strata reindex` makes it anew",
    "segments": "compared with the entries; `strata reindex` makes them anew",
    "segment_parts": "compared with the entries; `strata reindex` makes them anew",
    "memories": "compared with the records; `strata reindex` makes it anew",
    "memory_links": "compared with the records; `strata reindex` makes it anew",
    "models": "derived: vectors are made anew from the texts",
    "embeddings": "derived: vectors are made anew from the texts",
    "embedding_tokens": "derived: vectors are made anew from the texts",
    "embedding_frequencies": "derived: they are counted anew with the vectors",
    "embedding_codes": "compared with the vectors; `strata reindex` makes them anew",
    "embedded": "derived: vectors are made anew from the texts",
    "leases": "a lease lasts for seconds, and is then taken anew",
    "presence": "a row counts for seconds, and is then written anew",
    "digests": "the sums themselves: a wrong one does not fit its table",
}
_BYTES = 16
_SPAN = 1 << (8 * _BYTES)
# Rows, and the sum of their digests.
Sum = tuple[int, int]
_EMPTY: Sum = (0, 0)


class _Reader(Protocol):
    """A connection, as far as the digest of a commit needs one."""

    dialect: Dialect

    def rows(self, statement: str, values: Sequence[Any] = ...) -> list[tuple[Any, ...]]: ...

    def run(self, statement: str, values: Sequence[Any] = ...) -> None: ...

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None: ...


class _Writer(_Reader, Protocol):
    """A connection to a file, as far as sums need one."""

    def each(self, statement: str) -> Iterator[tuple[Any, ...]]: ...

    def pragma(self, name: str, value: int | str | None = None) -> Any: ...


class _Change(Protocol):
    """A row that is about to be written, as SQLite shows it."""

    @property
    def table_name(self) -> str: ...

    @property
    def old(self) -> tuple[Any, ...] | None: ...

    @property
    def new(self) -> tuple[Any, ...] | None: ...


class Tally:
    """What one transaction has changed so far, table by table."""

    def __init__(self) -> None:
        self._changes: dict[str, list[int]] = {}
        self._doubtful: set[str] = set()

    def note(self, change: _Change) -> None:
        """Take a row into account; called by SQLite, before it writes the row."""
        name = change.table_name
        if name in UNCOVERED:
            return
        gathered = self._changes.setdefault(name, [0, 0])
        for row, sign in ((change.old, -1), (change.new, 1)):
            if row is not None:
                gathered[0] += sign
                gathered[1] += sign * digest_of_row(row)

    def doubt(self) -> None:
        """Note that a statement failed: some of the rows it told about may not be written."""
        self._doubtful.update(self._changes)

    def forget(self) -> None:
        """Begin anew, after the transaction ended."""
        self._changes.clear()
        self._doubtful.clear()

    @property
    def is_empty(self) -> bool:
        """Whether no covered table was changed."""
        return not self._changes

    def write(self, connection: _Writer) -> None:
        """Bring the sums up to date, inside the transaction."""
        stored, sums = _stored(connection), dict[str, Sum]()
        for name, (rows, total) in list(self._changes.items()):
            known = stored.get(name, _EMPTY)
            is_doubtful = name in self._doubtful
            summed = (
                sum_of(connection, name) if is_doubtful else (known[0] + rows, known[1] + total)
            )
            sums[name] = summed
        _seal(connection, sums)
        self.forget()


def seal_all(connection: _Writer) -> None:
    """Compute every sum anew, as a migration must."""
    _seal(connection, {name: sum_of(connection, name) for name in covered_tables(connection)})


def seal_commit(connection: _Reader, first: int, last: int) -> None:
    """Write the digest of what the versions of a commit declare now."""
    _count, digest = declared(connection, first, last)
    connection.run(load(connection.dialect).set_declared, (digest, last))


def declared(connection: _Reader, first: int, last: int) -> tuple[int, bytes | None]:
    """Return how many tags, attributes and links versions declare now, and their digest."""
    rows = connection.rows(*read_of_declared(connection.dialect, first, last))
    return len(rows), digest_of_rows(rows)


def read_of_declared(dialect: Dialect, first: int, last: int) -> Read:
    """Return the read of `declared`, for a caller that foresees it."""
    return load(dialect).declared_between, (first, last)


def wrong_tables(connection: _Writer) -> Iterator[tuple[str, int, int]]:
    """Yield each table that is not as it was written: its name, its rows, and how many it had."""
    sums = _stored(connection)
    for name in covered_tables(connection):
        found, stored = sum_of(connection, name), sums.get(name, _EMPTY)
        if found != stored:
            yield name, found[0], stored[0]


def covered_tables(connection: _Writer) -> list[str]:
    """Return the names of all tables that have a sum."""
    return sorted(
        name
        for schema, name, kind, *_rest in connection.pragma("table_list")
        if schema == "main"
        and kind == "table"
        and name not in UNCOVERED
        and not name.startswith("sqlite_")
    )


def sum_of(connection: _Writer, name: str) -> Sum:
    """Return how many rows a table has, and the sum of their digests."""
    rows = total = 0
    for row in connection.each(load().every_row.replace(":table", name)):
        rows += 1
        total += digest_of_row(row)
    return rows, total % _SPAN


def digest_of_row(row: Iterable[Any]) -> int:
    """Return the digest of one row's columns, in their order, as a number."""
    packed = msgspec.msgpack.encode(tuple(row))
    return int.from_bytes(blake2b(packed, digest_size=_BYTES).digest(), "little")


def digest_of_rows(rows: Sequence[tuple[Any, ...]]) -> bytes | None:
    """Return a digest of some rows, whatever their order; None for none."""
    total = sum(map(digest_of_row, set(rows))) % _SPAN
    return total.to_bytes(_BYTES, "little") if rows else None


def _stored(connection: _Writer) -> dict[str, Sum]:
    rows = connection.rows(load().table_sums)
    return {name: (count, int.from_bytes(total, "little")) for name, count, total in rows}


def _seal(connection: _Writer, sums: Mapping[str, Sum]) -> None:
    rows = [
        (name, count, (total % _SPAN).to_bytes(_BYTES, "little"))
        for name, (count, total) in sums.items()
    ]
    connection.run_many(load().set_table_sum, rows)
