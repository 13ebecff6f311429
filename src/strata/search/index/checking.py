"""Whether segments hold what their entries say: each is made again and compared."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from strata.search.index.parts import SegmentSummary, part_id, unframed
from strata.search.index.sealing import Run, drop_stamped, make
from strata.search.index.text_index import TextIndex
from strata.sql import Row
from strata.store import Store


class WrongSegment(NamedTuple):
    """A segment that does not hold what its entries say."""

    stamp: int
    run: Run


def wrong_segments(store: Store) -> Iterator[WrongSegment]:
    """Yield the segments that are damaged, oldest first."""
    for row in store.connection().rows(store.queries.segments):
        if not _is_right(store, row):
            yield WrongSegment(row[5], Run(row[1], row[2]))


def drop_wrong_segments(store: Store) -> int:
    """Remove the segments that are damaged; return how many those were."""
    with store.database.reading():
        wrong = [segment.stamp for segment in wrong_segments(store)]
    if wrong:
        with store.writing():
            drop_stamped(store, wrong)
    return len(wrong)


def _is_right(store: Store, row: Row) -> bool:
    number, first, last, items, summary, stamp = row
    try:
        seen = msgspec.msgpack.decode(summary, type=SegmentSummary).seen
    except msgspec.MsgspecError:
        return False
    if not last <= seen <= store.last_version():
        return False
    expected = make(TextIndex(store), Run(first, last), seen)
    if (items, summary) != (expected.items, expected.summary):
        return False
    low, high = part_id(number, 0), part_id(number + 1, 0)
    found = store.connection().rows(store.queries.segment_parts_between, (low, high))
    return {part - low: unframed(data, stamp) for part, data in found} == expected.parts
