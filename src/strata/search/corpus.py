"""Every searchable version of a store as arrays in memory, following the commits.

Derived: read from the entries that the commits wrote, brought up to date by those written
since, and dropped whenever values were taken out of the store.
"""

import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from strata.base import limits
from strata.search.entry import FOREIGN, GAPLESS, HEAD
from strata.search.postings import Column, Postings
from strata.search.text import INDEXED, whole_of
from strata.sql import Row
from strata.store import GONE, GUARDED, Store, onward

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Rows fetched at a time: large enough for numpy, small enough for memory.
_ROWS = 5_000
# Below this many postings a search takes no time anyway.
_NARROW_MIN = 1 << 18
_COLUMNS = {
    "version": "i8",
    "branch": "i4",
    "keyspace": "i4",
    "place": "i4",
    "timestamp": "i8",
    "before": "i4",
    "traits": "u1",
    "length": "u2",
    "date": "i4",
    "label": "u4",
    "sequence": "i4",
    "whole": "i4",
    "has_text": "?",
}
# Layout, traits, length, date, label, sequence: what entry.HEAD packs.
_HEAD = [
    ("layout", "u1"),
    ("traits", "u1"),
    ("length", "<u2"),
    ("date", "<i4"),
    ("label", "<u4"),
    ("sequence", "<u8"),
]


class Corpus:
    """Items in the order of their versions, and which terms they hold.

    An item is one version of something searchable. One without text only hides older ones.
    """

    def __init__(self, store: Store, lock: threading.RLock) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._store = store
        self.lock = lock
        self._start_over()

    def _start_over(self) -> None:
        self.upto = 0
        self.removals = self._store.catalog.removals
        self.postings = Postings()
        # The same without what the default branch does not show any more, once that is much.
        self._live: Postings | None = None
        self._looked_at = 0
        self._columns = {name: Column(dtype) for name, dtype in _COLUMNS.items()}
        # Whether any text is written in a script that an English model cannot read.
        self.has_foreign = False
        self._places: dict[int, int] = {}
        self._sequences: dict[int, int] = {}
        # What guarded items are parts of; all others are parts of nothing, which has no name.
        self._wholes: dict[str, int] = {"": 0}
        self._names: list[str] = [""]
        self._guarded: set[int] = set()
        # The newest item of each sequence on each branch.
        self._ends: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return self._columns["version"].size

    def column(self, name: str) -> "Array":
        """Return one property of all items."""
        return self._columns[name].values

    @property
    def places(self) -> int:
        """How many different keys there are, over all branches and times."""
        return len(self._places)

    def refresh(self) -> None:
        """Take in what was committed since the last call."""
        self._store.refresh()
        if self.removals != self._store.catalog.removals:
            self._start_over()
        known = len(self)
        for rows in self._newer_rows():
            self._append(rows)
        if len(self) - known > _ROWS:
            # Reading from end to end has filled the page cache with what is not needed again.
            self._store.connection().pragma("shrink_memory")

    def _newer_rows(self) -> Iterator[list[Row]]:
        connection, queries = self._store.connection(), self._store.queries
        while rows := connection.rows(queries.texts_since, (self.upto, _ROWS)):
            self.upto = onward(rows[-1][0], self.upto)
            kinds = self._store.catalog.all_keyspaces(connection)
            keyspaces = {number for number, _space, kind in kinds if kind in INDEXED}
            self._guarded = {number for number, _space, kind in kinds if kind in GUARDED}
            yield [row for row in rows if row[2] in keyspaces]

    def _append(self, rows: list[Row]) -> None:
        if not rows:
            return
        np_ = self._numpy
        first = len(self)
        numbers, branches, keyspaces, keys, flags, times, entries = zip(*rows, strict=True)
        texts = [
            (entry or b"") if not flag & GONE else b""
            for entry, flag in zip(entries, flags, strict=True)
        ]
        heads = np_.frombuffer(
            b"".join(text[: HEAD.size].ljust(HEAD.size, b"\0") for text in texts), dtype=_HEAD
        )
        self.has_foreign = self.has_foreign or bool((heads["traits"] & FOREIGN).any())
        sequences = self._dense_sequences(heads["sequence"])
        places = [
            self._places.setdefault(hash((keyspace, key)), len(self._places))
            for keyspace, key in zip(keyspaces, keys, strict=True)
        ]
        added = {
            "version": numbers,
            "branch": branches,
            "keyspace": keyspaces,
            "place": places,
            "timestamp": times,
            "traits": heads["traits"],
            "length": heads["length"],
            "date": heads["date"],
            "label": heads["label"],
            "sequence": sequences,
            "whole": [
                self._whole(keyspace, key) for keyspace, key in zip(keyspaces, keys, strict=True)
            ],
            "has_text": [bool(text) for text in texts],
        }
        for name, values in added.items():
            self._columns[name].extend(np_.asarray(values, dtype=_COLUMNS[name]))
        self._columns["before"].extend(self._predecessors(first, len(rows)))
        self._add_postings(texts, first)

    def _whole(self, keyspace: int, key: str) -> int:
        """Return the number of what an item is a part of; 0 for what is not guarded."""
        if keyspace not in self._guarded:
            return 0
        name = whole_of(key)
        number = self._wholes.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number

    def number_of(self, whole: str) -> int:
        """Return the number that the parts of a whole carry; -1 for one without parts."""
        return self._wholes.get(whole, -1) or -1

    def name_of(self, number: int) -> str:
        """Return the name of a whole."""
        return self._names[number]

    def are_among(self, wholes: Iterable[str]) -> "Array":
        """Tell of every whole, by its number, whether it is among some."""
        known = self._wholes
        numbers = [known[name] for name in wholes if name in known]
        found = self._numpy.zeros(len(self._names), dtype=bool)
        found[numbers] = True
        found[0] = False
        return found

    def _dense_sequences(self, hashes: "Array") -> "list[int]":
        """Number the sequences from 1; 0 stays "none"."""
        known = self._sequences
        return [
            known.setdefault(number, len(known) + 1) if number else 0 for number in hashes.tolist()
        ]

    def _predecessors(self, first: int, count: int) -> "Array":
        """Find for each new item the one before it in its sequence, as it was written."""
        np_ = self._numpy
        before = np_.full(count, -1, dtype="i4")
        branch, sequence = self.column("branch"), self.column("sequence")
        at = first + np_.flatnonzero(sequence[first:])
        at = at[np_.lexsort((sequence[at], branch[at]))]  # stable: versions stay in order
        begins = np_.ones(len(at), dtype=bool)
        begins[1:] = (branch[at][1:] != branch[at][:-1]) | (sequence[at][1:] != sequence[at][:-1])
        previous = np_.full(len(at), -1, dtype="i8")
        previous[1:] = at[:-1]
        for number in np_.flatnonzero(begins).tolist():
            index = at[number]
            previous[number] = self._end_of(int(branch[index]), int(sequence[index]))
        follows = self._follows(at, previous)
        before[at[follows] - first] = previous[follows]
        ends = np_.append(begins[1:], True)[: len(at)]
        for index in at[ends].tolist():
            self._ends[int(branch[index]), int(sequence[index])] = index
        return before

    def _end_of(self, branch: int, sequence: int) -> int:
        """Return the newest item of a sequence that a branch knew so far; -1 for none."""
        found = self._ends.get((branch, sequence))
        if found is not None:
            return found
        version = self.column("version")
        for ancestor, upto in self._store.lineage(branch)[1:]:
            end = self._ends.get((ancestor, sequence))
            if end is not None and version[end] <= upto:
                return end
        return -1

    def _follows(self, at: "Array", previous: "Array") -> "Array":
        """Tell which items go on where the ones before them ended."""
        place, times = self.column("place"), self.column("timestamp")
        is_gapless = (self.column("traits")[at] & GAPLESS) != 0
        pause = times[at] - times[previous]
        is_near = is_gapless | (pause <= limits.SEQUENCE_GAP_S * 1_000_000)
        return (previous >= 0) & (place[at] != place[previous]) & is_near

    def _add_postings(self, texts: list[bytes], first: int) -> None:
        np_ = self._numpy
        sizes = [max(len(text) - HEAD.size, 0) // 5 for text in texts]
        ends = [HEAD.size + 4 * size for size in sizes]
        terms = b"".join([text[HEAD.size : end] for text, end in zip(texts, ends, strict=True)])
        counts = b"".join([text[end:] for text, end in zip(texts, ends, strict=True)])
        items = np_.repeat(np_.arange(first, first + len(texts), dtype="i4"), sizes)
        added = np_.frombuffer(terms, dtype="<u4"), items, np_.frombuffer(counts, dtype="u1")
        self.postings.add(*added)
        if self._live is not None:
            self._live.add(*added)

    def narrow(self, shown: "Array") -> None:
        """Let look-ups on the default branch pass over what it does not show.

        History must not slow down the search for what is there now.
        """
        known = self.postings if self._live is None else self._live
        if len(known) < max(_NARROW_MIN, 1.25 * self._looked_at):
            return
        is_shown = self._numpy.zeros(len(self), dtype=bool)
        is_shown[shown] = True
        narrowed = known.only(is_shown)
        if len(narrowed) < 0.8 * len(known):
            self._live = narrowed
        self._looked_at = min(len(known), len(narrowed))

    def postings_of(self, term: int, *, is_live: bool) -> "tuple[Array, Array]":
        """Return the items that hold a term; `is_live` when only the default branch counts."""
        known = self._live if is_live and self._live is not None else self.postings
        return known.of(term)

    def stamp(self, bound: int) -> tuple[int, int]:
        """Return what changes whenever the state at a bound may look different."""
        return self.removals, min(self.upto, bound)

    def index_of(self, version: int) -> int | None:
        """Return which item a version is."""
        versions = self.column("version")
        index = int(self._numpy.searchsorted(versions, version))
        return index if index < len(versions) and versions[index] == version else None

    def before(self, version: int) -> int | None:
        """Return the version before this one in its sequence, as it was written."""
        index = self.index_of(version)
        found = -1 if index is None else int(self.column("before")[index])
        return None if found < 0 else int(self.column("version")[found])

    @property
    def memory_bytes(self) -> int:
        """How much memory the arrays take, and about what the look-ups take."""
        columns = sum(column.memory_bytes for column in self._columns.values())
        live = 0 if self._live is None else self._live.memory_bytes
        return columns + self.postings.memory_bytes + live + 110 * len(self._places)
