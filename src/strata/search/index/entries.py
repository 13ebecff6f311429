"""Entries of the text index as arrays: what segments are sealed from, and what the tail holds."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.base.values import encode
from strata.search.entry import HEAD
from strata.search.text import INDEXED, whole_of
from strata.sql import Row
from strata.store import GONE, GUARDED, Store, onward

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Rows fetched at a time: large enough for numpy, small enough for memory.
_ROWS = 5_000
# Layout, traits, length, date, label, sequence: what entry.HEAD packs.
_HEAD = [
    ("layout", "u1"),
    ("traits", "u1"),
    ("length", "<u2"),
    ("date", "<i4"),
    ("label", "<u4"),
    ("sequence", "<u8"),
]
# What is known of each item, and how it is kept.
COLUMNS = {
    "version": "<i8",
    "branch": "<i4",
    "keyspace": "<i4",
    "timestamp": "<i8",
    "traits": "u1",
    "length": "<u2",
    "date": "<i4",
    "label": "<u4",
    "sequence": "<u8",
    "whole": "<u8",
}


class Replacements(NamedTuple):
    """Versions that were replaced, by which version, and on which branch that was written."""

    version: "Array"
    by: "Array"
    branch: "Array"


class Entries(NamedTuple):
    """Items with a text in the order of their versions, their postings, and what was replaced.

    A version without text is no item, but may have replaced one.
    """

    columns: "dict[str, Array]"
    terms: "Array"
    items: "Array"
    counts: "Array"
    replaced: Replacements

    def __len__(self) -> int:
        return len(self.columns["version"])


def read_entries(store: Store, after: int, upto: int) -> Iterator[Entries]:
    """Yield the entries behind one version, up to another, some thousands at a time."""
    connection, queries = store.connection(), store.queries
    kinds = store.catalog.all_keyspaces(connection)
    indexed = encode([number for number, _space, kind in kinds if kind in INDEXED]).decode()
    guarded = {number for number, _space, kind in kinds if kind in GUARDED}
    is_more = True
    while is_more:
        rows = connection.rows(queries.entries_between, (after, upto, _ROWS, indexed))
        is_more = len(rows) == _ROWS
        if rows:
            after = onward(rows[-1][0], after)
            yield parse(rows, guarded)


def parse(rows: list[Row], guarded: set[int]) -> Entries:
    """Return rows of `entries_between` as arrays."""
    import numpy as np_

    texts = [row for row in rows if row[6] and not row[4] & GONE]
    entries = [row[6] for row in texts]
    heads = np_.frombuffer(b"".join([entry[: HEAD.size] for entry in entries]), dtype=_HEAD)
    given = {
        "version": [row[0] for row in texts],
        "branch": [row[1] for row in texts],
        "keyspace": [row[2] for row in texts],
        "timestamp": [row[5] for row in texts],
        "whole": [hash_whole(whole_of(row[3])) if row[2] in guarded else 0 for row in texts],
    }
    columns = {
        name: np_.asarray(given.get(name, ()), dtype=dtype) if name in given else heads[name]
        for name, dtype in COLUMNS.items()
    }
    sizes = [(len(entry) - HEAD.size) // 5 for entry in entries]
    ends = [HEAD.size + 4 * size for size in sizes]
    terms = b"".join([entry[HEAD.size : end] for entry, end in zip(entries, ends, strict=True)])
    counts = b"".join([entry[end:] for entry, end in zip(entries, ends, strict=True)])
    replacing = [row for row in rows if row[7] is not None]
    return Entries(
        columns,
        np_.frombuffer(terms, dtype="<u4"),
        np_.repeat(np_.arange(len(texts), dtype="<u4"), sizes),
        np_.frombuffer(counts, dtype="u1"),
        Replacements(
            np_.asarray([row[7] for row in replacing], dtype="<i8"),
            np_.asarray([row[0] for row in replacing], dtype="<i8"),
            np_.asarray([row[1] for row in replacing], dtype="<i4"),
        ),
    )


def joined(found: Iterable[Entries]) -> Entries:
    """Return entries that follow each other as one."""
    import numpy as np_

    parts = list(found)
    if not parts:
        return parse([], set())
    if len(parts) == 1:
        return parts[0]
    starts = np_.cumsum([0, *(len(part) for part in parts)])[:-1]
    return Entries(
        {name: np_.concatenate([part.columns[name] for part in parts]) for name in COLUMNS},
        np_.concatenate([part.terms for part in parts]),
        np_.concatenate(
            [part.items + np_.uint32(start) for part, start in zip(parts, starts, strict=True)]
        ),
        np_.concatenate([part.counts for part in parts]),
        Replacements(
            *(np_.concatenate(column) for column in zip(*(p.replaced for p in parts), strict=True))
        ),
    )


def hash_whole(name: str) -> int:
    """Return the number under which the parts of a whole are kept."""
    data = name.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little") or 1
