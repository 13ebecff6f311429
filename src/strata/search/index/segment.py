"""A sealed run of entries: how it is written, and how a search reads the little it needs of it.

Items are ordered so that what the default branch showed when the segment was sealed comes first
(the live ones), the rest behind it; within each half by sequence, and within a sequence by version.
So neighbours are beside each other, and a search of the present reads nothing of the past.

Postings lie in blocks in the order of their terms, those of the live items apart from the others. A
term is in one block of each half, and the summary knows which, so it is found by one look-up.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from strata.base import limits
from strata.search.entry import GAPLESS
from strata.search.index.entries import COLUMNS, Entries, Replacements
from strata.search.index.parts import (
    BLOCKS_FROM,
    KEPT,
    LAYOUT,
    SLOT,
    DamagedSegment,
    SegmentParts,
    SegmentSummary,
)

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# A block is read as a whole, mostly for one rare term.
_POSTINGS_OF_BLOCK = 2_048
# The columns of what was replaced, in the order of Replacements.
REPLACED = ("replaced", "replaced_by", "replaced_on")
# How far apart items of a group may be to lend each other words.
REACH = 3


class SealedSegment(NamedTuple):
    """A segment as it is to be written: its summary, and its parts by number."""

    items: int
    summary: bytes
    parts: dict[int, bytes]


class Postings(NamedTuple):
    """The items that hold a term, in order, and how often each does."""

    items: "Array"
    counts: "Array"


class Runs:
    """Sequences in the order of their items, each half in the order of their names.

    `ends` tells behind which item each ends, `live` how many runs the first half has.
    """

    def __init__(self, names: "Array", ends: "Array", live: int) -> None:
        self.names = names
        self.ends = ends
        self.live = live

    @cached_property
    def starts(self) -> "Array":
        """With which item each begins."""
        import numpy as np_

        return np_.append(0, self.ends)[:-1]

    def holding(self, items: "Array") -> "Array":
        """Return which run each of some items belongs to."""
        return self.ends.searchsorted(items, side="right")

    def named(self, names: "Array", *, is_live: bool = True) -> "Array":
        """Return which run of a half has each name; -1 for none."""
        import numpy as np_

        low, high = (0, self.live) if is_live else (self.live, len(self.names))
        known = self.names[low:high]
        if not len(known):
            return np_.full(len(names), -1)
        at = np_.minimum(known.searchsorted(names), len(known) - 1)
        return np_.where(known[at] == names, low + at, -1)


# ---------------------------------------------------------------- writing


def seal(entries: Entries, is_live: "Array", *, first: int, seen: int) -> SealedSegment:
    """Return entries of versions from `first` on as a segment."""
    import numpy as np_

    columns = entries.columns
    order = np_.lexsort((columns["sequence"], ~is_live))  # stable: versions stay in order
    live = int(is_live.sum())
    kept = {name: columns[name][order] for name in COLUMNS}
    kept["group"] = _groups(kept, live)
    ends = run_ends(kept["sequence"], live)
    kept["run_ends"], kept["sequences"] = ends, kept.pop("sequence")[ends - 1]
    kept["by_version"] = np_.argsort(order, kind="stable")
    labelled = np_.flatnonzero(kept["label"])
    labelled = labelled[np_.argsort(kept["label"][labelled], kind="stable")]
    kept["labels"], kept["labelled"] = kept["label"][labelled], labelled
    kept["replaced"], kept["replaced_by"], kept["replaced_on"] = entries.replaced
    kept["version"] = kept["version"] - first
    constants = {
        name: int(kept[name][0])
        for name in KEPT
        if len(kept[name]) and (kept[name] == kept[name][0]).all()
    }
    parts = {
        SLOT[name]: kept[name].astype(dtype).tobytes()
        for name, dtype in KEPT.items()
        if len(kept[name]) and name not in constants
    }
    blocks = _blocks(entries, kept["by_version"], live)
    firsts: list[list[int]] = [[], []]
    for slot, (is_rest, first_term, data) in enumerate(blocks, BLOCKS_FROM):
        firsts[is_rest].append(first_term)
        parts[slot] = data
    summary = SegmentSummary(
        layout=LAYOUT,
        seen=seen,
        live=live,
        runs=len(ends),
        live_runs=int(ends.searchsorted(live, side="right")),
        labelled=len(labelled),
        replaced=len(entries.replaced.version),
        keyspaces=tuple(sorted(set(kept["keyspace"].tolist()))),
        words=int(kept["length"][:live].sum(dtype="i8")),
        beside=words_beside(kept["length"][:live], kept["group"][:live]),
        constants=constants,
        live_blocks=np_.asarray(firsts[0], dtype="<u4").tobytes(),
        rest_blocks=np_.asarray(firsts[1], dtype="<u4").tobytes(),
    )
    return SealedSegment(len(order), msgspec.msgpack.encode(summary), parts)


def _groups(columns: "dict[str, Array]", live: int) -> "Array":
    """Number the runs of items that belong together; a half begins with a new one."""
    import numpy as np_

    begins = begin_groups(columns["sequence"], columns["timestamp"], columns["traits"])
    if live < len(begins):
        begins[live] = True
    return np_.cumsum(begins) - 1


def begin_groups(sequence: "Array", timestamp: "Array", traits: "Array") -> "Array":
    """Tell of items in the order of their sequences which of them begin a run of their own."""
    import numpy as np_

    begins = np_.ones(len(sequence), dtype=bool)
    begins[1:] = (sequence[1:] != sequence[:-1]) | (sequence[1:] == 0)
    begins[1:] |= is_apart(timestamp[:-1], timestamp[1:], traits[1:])
    return begins


def is_apart(before: "Array", after: "Array", traits: "Array") -> "Array":
    """Tell which items of a sequence come after a pause that ends a group."""
    return (after - before > limits.SEQUENCE_GAP_S * 1_000_000) & ((traits & GAPLESS) == 0)


def run_ends(sequence: "Array", live: int) -> "Array":
    """Return behind which item each sequence ends; both halves have runs of their own."""
    import numpy as np_

    is_last = np_.ones(len(sequence), dtype=bool)
    is_last[:-1] = sequence[1:] != sequence[:-1]
    if 0 < live < len(sequence):
        is_last[live - 1] = True
    return np_.flatnonzero(is_last) + 1


def words_beside(length: "Array", group: "Array") -> tuple[tuple[int, int], ...]:
    """Return how many words items have that are so far apart in one group, as a summary has it."""
    found: list[tuple[int, int]] = []
    for distance in range(1, REACH + 1):
        is_same = group[distance:] == group[:-distance]
        earlier, later = length[:-distance][is_same], length[distance:][is_same]
        found.append((int(earlier.sum(dtype="i8")), int(later.sum(dtype="i8"))))
    return tuple(found)


def _blocks(entries: Entries, to: "Array", live: int) -> Iterator[tuple[bool, int, bytes]]:
    """Yield the blocks of both halves: of which half, with which term first, and its bytes."""
    import numpy as np_

    if not len(entries.terms):
        return
    items = to[entries.items].astype("<u8")
    packed = (items >= live).astype("<u8") << np_.uint64(56)
    packed |= entries.terms.astype("<u8") << np_.uint64(24)
    packed |= items << np_.uint64(8)
    packed |= entries.counts
    packed.sort()  # of plain numbers, by far the fastest way to sort postings
    heads = packed >> np_.uint64(24)
    starts = np_.flatnonzero(np_.diff(heads, prepend=~heads[:1]))
    is_rest = (heads[starts] >> np_.uint64(32)).astype(bool)
    # A block ends with the first term behind which it is full.
    block = starts // _POSTINGS_OF_BLOCK
    begins = np_.flatnonzero(np_.diff(block, prepend=-1) | np_.diff(is_rest, prepend=False))
    ends = np_.append(starts[1:], len(packed))
    for low, high in pairwise([*begins.tolist(), len(starts)]):
        first, last = int(starts[low]), int(ends[high - 1])
        terms = heads[starts[low:high]].astype("<u4")
        data = b"".join(
            (
                (high - low).to_bytes(4, "little"),
                terms.tobytes(),
                (ends[low:high] - first).astype("<u4").tobytes(),
                (packed[first:last] >> np_.uint64(8)).astype("<u2").tobytes(),
                packed[first:last].astype("u1").tobytes(),
            )
        )
        yield bool(is_rest[low]), int(terms[0]), data


# ---------------------------------------------------------------- reading


class Segment(SegmentParts):
    """A sealed segment of which columns and blocks are read when they are needed, as arrays."""

    def __len__(self) -> int:
        return self.items

    def column(self, name: str) -> "Array":
        """Return one property of all items, in order."""
        if name == "sequence":
            runs = self.runs
            return runs.names.repeat(runs.ends - runs.starts)
        values = self._kept(name, self.items)
        return values.astype("i8") + self.first if name == "version" else values

    def take(self, name: str, items: "Array") -> "Array":
        """Return one property of some items."""
        if name == "sequence":
            return self.runs.names.take(self.runs.holding(items))
        values = self._kept(name, self.items).take(items)
        return values.astype("i8") + self.first if name == "version" else values

    @cached_property
    def runs(self) -> "Runs":
        """The sequences in the order of their items."""
        count = self.summary.runs
        ends = self._kept("run_ends", count).astype("i8")
        return Runs(self._kept("sequences", count), ends, self.summary.live_runs)

    def _kept(self, name: str, count: int) -> "Array":
        import numpy as np_

        dtype = np_.dtype(KEPT[name])
        if not count:
            return np_.empty(0, dtype=dtype)
        if name in self.summary.constants:
            value = np_.asarray(self.summary.constants[name], dtype=dtype)
            return np_.broadcast_to(value, (count,))
        values = np_.frombuffer(self.part(SLOT[name]), dtype=dtype)
        if len(values) != count:
            raise DamagedSegment(self.stamp, f"the column {name} has {len(values)} values")
        return values

    def postings(self, term: int, *, live_only: bool) -> Postings:
        """Return the items that hold a term; of the live ones only, or of all."""
        import numpy as np_

        found = [self._of_half(term, half) for half in range(1 if live_only else 2)]
        known = [one for one in found if one is not None]
        if len(known) == 1:
            return known[0]
        if not known:
            return Postings(np_.empty(0, dtype="<u2"), np_.empty(0, dtype="u1"))
        return Postings(
            np_.concatenate([one.items for one in known]),
            np_.concatenate([one.counts for one in known]),
        )

    def _of_half(self, term: int, half: int) -> Postings | None:
        import numpy as np_

        found = self.find_postings(term, half)
        if found is None:
            return None
        items, counts = found
        return Postings(np_.frombuffer(items, dtype="<u2"), np_.frombuffer(counts, dtype="u1"))

    def known_labels(self, labels: "Array") -> "Array":
        """Return which of some labels an item carries: their places."""
        import numpy as np_

        count = self.summary.labelled
        if not count:
            return np_.empty(0, dtype="i8")
        known = self._kept("labels", count)
        at = np_.minimum(known.searchsorted(labels), count - 1)
        return np_.flatnonzero(known[at] == labels)

    def labelled(self, label: int) -> "Array":
        """Return the items that carry a label."""
        import numpy as np_

        count = self.summary.labelled
        if not count:
            return np_.empty(0, dtype="<u2")
        labels = self._kept("labels", count)
        low, high = (
            int(labels.searchsorted(np_.uint32(label), side)) for side in ("left", "right")
        )
        return self._kept("labelled", count)[low:high]

    @cached_property
    def replaced(self) -> Replacements:
        """What versions of this segment have replaced."""
        count = self.summary.replaced
        return Replacements(*(self._kept(name, count) for name in REPLACED))

    def items_of(self, versions: "Array") -> "tuple[Array, Array]":
        """Return the items of versions that have one here, and which versions those are."""
        import numpy as np_

        is_here = (versions >= self.first) & (versions <= self.last)
        if not is_here.any():
            return np_.empty(0, dtype="<u2"), is_here
        wanted: Array = (versions[is_here] - self.first).astype("<u4")
        at: Array = np_.minimum(self._versions.searchsorted(wanted), self.items - 1)
        is_known = self._versions[at] == wanted
        is_here[is_here] = is_known
        return self.column("by_version")[at[is_known]], is_here

    @cached_property
    def _versions(self) -> "Array":
        """The versions in their order, as distances from the first one."""
        return self._kept("version", self.items)[self.column("by_version")]
