"""A segment as it lies in the database: its summary, and its parts by number.

This is the only place that knows where things are in them. It needs no numpy, because a hook must
answer before that would be loaded.
"""

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, Protocol, TypeAlias
from zlib import crc32

import msgspec

from strata.search.index.entries import COLUMNS
from strata.sql import Row

# An item's number takes two bytes.
ITEMS_MAX = 1 << 16
# Parts of a segment, by number: columns first, then the blocks of postings.
_SLOTS = 1 << 16
BLOCKS_FROM = 64
LAYOUT = 4
# Columns as they are kept. The version is a distance from the segment's first one.
KEPT = {
    **{name: dtype for name, dtype in COLUMNS.items() if name != "sequence"},
    "version": "<u4",
    # The sequences in order, and behind which item each ends.
    "sequences": "<u8",
    "run_ends": "<u4",
    "group": "<u2",
    # The items in the order of their versions.
    "by_version": "<u2",
    # Labels in their order, and the items that carry them.
    "labels": "<u4",
    "labelled": "<u2",
    "replaced": "<i8",
    "replaced_by": "<i8",
    "replaced_on": "<i4",
}
SLOT = {name: number for number, name in enumerate(KEPT)}


class DamagedSegment(Exception):
    """A part of a segment is missing, or is not what was written. It can be made again.

    A process that has just not noticed that the segment was replaced finds the same.
    """

    def __init__(self, stamp: int, reason: str) -> None:
        super().__init__(reason)
        self.stamp = stamp


class SegmentSummary(msgspec.Struct, frozen=True, array_like=True):
    """What is read of a segment before anything else.

    `seen` is the newest version that was there when it was sealed. `words` is how many words the
    live items have, and `beside` how many the earlier and the later ones of all pairs have that are
    one, two and more places apart in one group. `constants` are columns of which all values are
    equal; they have no part. `live_blocks` and `rest_blocks` hold the first term of each block.
    """

    layout: int
    seen: int
    live: int
    runs: int
    live_runs: int
    labelled: int
    replaced: int
    keyspaces: tuple[int, ...]
    words: int
    beside: tuple[tuple[int, int], ...]
    constants: dict[str, int]
    live_blocks: bytes
    rest_blocks: bytes


def framed(data: bytes, stamp: int) -> bytes:
    """Return data behind a checksum of it and of its segment's stamp."""
    return crc32(data, stamp & 0xFFFFFFFF).to_bytes(4, "little") + data


def unframed(data: bytes, stamp: int) -> memoryview | None:
    """Return what is behind a checksum; None if it does not fit."""
    found = memoryview(data)[4:]
    is_fit = crc32(found, stamp & 0xFFFFFFFF) == int.from_bytes(data[:4], "little")
    return found if is_fit else None


# One, two, four or eight bytes, or four with a sign, as `array` and memoryviews call them.
Kind: TypeAlias = Literal["B", "H", "I", "Q", "i"]


def part_id(segment: int, slot: int) -> int:
    """Return the key of a part in the table of parts."""
    return segment * _SLOTS + slot


def numbers(data: bytes | memoryview, kind: Kind) -> Sequence[int]:
    """Return numbers as they are kept, the lowest byte first."""
    if sys.byteorder == "little":
        return memoryview(data).cast(kind)
    found = array(kind, bytes(data))
    found.byteswap()
    return found


# The key of a part, and the stamp of its segment.
PartPlace: TypeAlias = tuple[int, int]


class Reader(Protocol):
    """Reads parts of segments."""

    def read(self, place: PartPlace) -> memoryview | None:
        """Return a part; None for one that is not what was written."""
        ...

    def bring(self, wanted: Iterable[PartPlace]) -> None:
        """Read at once what is soon needed, where each statement takes a round trip."""
        ...


def summary_of(row: Row) -> SegmentSummary:
    """Return the summary of a segment; raise DamagedSegment where it cannot be read.

    A row is what the statement `segments` returns.
    """
    _id, _first, _last, _items, data, stamp = row
    try:
        summary = msgspec.msgpack.decode(data, type=SegmentSummary)
    except msgspec.MsgspecError as error:
        raise DamagedSegment(stamp, str(error)) from error
    if summary.layout != LAYOUT:
        raise DamagedSegment(stamp, "it has another layout")
    return summary


class SegmentParts:
    """A sealed segment of which parts are read when they are needed."""

    def __init__(self, row: Row, reader: Reader) -> None:
        self.id, self.first, self.last, self.items, _summary, self.stamp = row
        self.reader = reader
        self.summary = summary_of(row)
        self.live = self.summary.live
        halves = (self.summary.live_blocks, self.summary.rest_blocks)
        self._directories = [numbers(half, "I") for half in halves]

    def part(self, slot: int) -> memoryview:
        """Return a part; raise DamagedSegment where it is not what was written."""
        found = self.reader.read(self._place(slot))
        if found is None:
            raise DamagedSegment(self.stamp, f"part {slot} is not what was written")
        return found

    def _place(self, slot: int) -> PartPlace:
        return part_id(self.id, slot), self.stamp

    def places(
        self, columns: Iterable[str] = (), terms: Iterable[int] = (), *, live_only: bool = True
    ) -> Iterator[PartPlace]:
        """Yield where columns lie, and the postings of terms, of the live items or of all."""
        slots = {SLOT[name] for name in columns if name not in self.summary.constants}
        halves = range(1 if live_only else 2)
        blocks = (self._slot_of(term, half) for term in terms for half in halves)
        slots.update(slot for slot in blocks if slot is not None)
        return map(self._place, sorted(slots))

    def _slot_of(self, term: int, half: int) -> int | None:
        """Return which part has the postings of a term in a half; None if it has no such term."""
        number = bisect_right(self._directories[half], term) - 1
        if number < 0:
            return None
        return BLOCKS_FROM + half * len(self._directories[0]) + number

    def find_postings(self, term: int, half: int) -> tuple[memoryview, memoryview] | None:
        """Return the items of a half that hold a term, two bytes each, and how often, one each.

        The first half has the live items, the second one the rest.
        """
        slot = self._slot_of(term, half)
        if slot is None:
            return None
        data = self.part(slot)
        count = int.from_bytes(data[:4], "little")
        items_at = 4 + 8 * count
        terms = numbers(data[4 : 4 + 4 * count], "I")
        at = bisect_left(terms, term)
        if at == count or terms[at] != term:
            return None
        ends = numbers(data[4 + 4 * count : items_at], "I")
        low, high = ends[at - 1] if at else 0, ends[at]
        counts_at = items_at + 2 * ends[-1]
        return data[items_at + 2 * low : items_at + 2 * high], data[
            counts_at + low : counts_at + high
        ]
