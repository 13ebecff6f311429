"""Sealing: entries become segments, small segments become larger ones.

All of it happens beside the writers, by whichever process has the turn. A segment is made outside
any transaction and written in one, together with the removal of those it replaces; if values were
taken out of the store meanwhile, or another process was quicker, it is thrown away.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from secrets import randbits
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from strata.base import limits
from strata.search.index.entries import joined, read_entries
from strata.search.index.parts import (
    ITEMS_MAX,
    DamagedSegment,
    framed,
    part_id,
    summary_of,
)
from strata.search.index.segment import SealedSegment, Segment, seal
from strata.search.index.text_index import TextIndex
from strata.store import Store

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_log = logging.getLogger(__name__)
LEASE = "sealing"


class SealingTurn(Protocol):
    """The right to seal, held by one process at a time."""

    def take(self) -> bool:
        """Take the turn, or keep it; False when it is another process's."""
        ...

    def release(self) -> None:
        """Let another process go on."""
        ...

    def abandon(self) -> None:
        """Forget it, after fork()."""
        ...


class Run(NamedTuple):
    """Versions that become one segment."""

    first: int
    last: int


class Sealer:
    """Seals what there is to seal, a segment at a time. One thread at a time may use it."""

    def __init__(self, store: Store, turn: SealingTurn) -> None:
        self._store = store
        self.turn = turn
        self._looked = (-1, -1)
        # Until when it is left to the process that has the turn.
        self._rests_until = 0.0

    def step(self, _is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Make one segment if there is one to make; tell whether there was."""
        store = self._store
        stamp = (store.last_version() // limits.SEAL_VERSIONS, store.removals())
        if stamp == self._looked or time.monotonic() < self._rests_until:
            return False
        if not self.turn.take():
            self._rests_until = time.monotonic() + limits.EMBED_REST_S
            return False
        index = TextIndex(store)
        try:
            with store.database.reading():
                index.look()
                run = next(plan(index, store.last_version()), None)
                removals = store.removals()
                sealed = None if run is None else make(index, run)
        except DamagedSegment as damaged:
            self._drop_unreadable(damaged)
            return True
        if run is None or sealed is None:
            self._looked = stamp
            self.turn.release()
            return False
        with store.writing():
            # What was taken out of the store meanwhile may be in the segment.
            if store.removals() == removals:
                write(store, run, sealed)
        return True

    def _drop_unreadable(self, damaged: DamagedSegment) -> None:
        """Remove every segment that cannot be read; the next steps make them again."""
        store = self._store
        with store.writing():
            stamps = {damaged.stamp, *unreadable_stamps(store)}
            drop_stamped(store, stamps)
        _log.info("%d segments of the text index are made again: %s", len(stamps), damaged)

    def catch_up(self) -> None:
        """Seal everything that there is to seal now, unless another process does."""
        while self.step():
            pass
        self.turn.release()


def write(store: Store, run: Run, sealed: SealedSegment) -> None:
    """Put a segment in the place of all that its versions overlap with, in a transaction."""
    connection, queries = store.connection(), store.queries
    replaced = [row[0] for row in connection.rows(queries.segments_overlapping, run)]
    _drop(store, replaced)
    stamp = randbits(40)
    row = connection.row(queries.insert_segment, (*run, sealed.items, sealed.summary, stamp))
    assert row is not None, "INSERT … RETURNING gave no row"
    rows = [
        (part_id(row[0], slot), framed(data, stamp)) for slot, data in sorted(sealed.parts.items())
    ]
    connection.run_many(queries.insert_segment_part, rows)


def _drop(store: Store, segments: Iterable[int]) -> None:
    """Remove segments, in a transaction; what they held is read from the entries again."""
    connection, queries = store.connection(), store.queries
    for segment in segments:
        connection.run(queries.delete_segment_parts, (segment,))
        connection.run(queries.delete_segment, (segment,))


def drop_stamped(store: Store, stamps: Iterable[int]) -> None:
    """Remove the segments that have these stamps, in a transaction, if they are still there."""
    connection, statement = store.connection(), store.queries.segment_of_stamp
    rows = [row for stamp in stamps for row in connection.rows(statement, (stamp,))]
    _drop(store, [row[0] for row in rows])


def unreadable_stamps(store: Store) -> Iterator[int]:
    """Yield the stamps of segments with another layout than this program's, or with none."""
    for row in store.connection().rows(store.queries.segments):
        try:
            summary_of(row)
        except DamagedSegment as damaged:
            yield damaged.stamp


def drop_holders(store: Store, versions: Iterable[int]) -> None:
    """Remove the segments that hold versions whose values go, in the transaction that does it."""
    connection, statement = store.connection(), store.queries.segments_overlapping
    for version in sorted(versions):
        rows = connection.rows(statement, (version, version))
        _drop(store, [row[0] for row in rows])


# ---------------------------------------------------------------- what to seal


def plan(index: TextIndex, last: int) -> Iterator[Run]:
    """Yield runs of versions that should become one segment each, the most urgent first."""
    for after, upto in index.gaps(last):
        is_newest = upto == last
        if not is_newest or upto - after >= limits.SEAL_VERSIONS:
            yield Run(after + 1, min(upto, after + ITEMS_MAX))
    few = limits.SEGMENT_ITEMS_FEW
    for most, count in ((few, 8), (3 * few, 3)):
        for row in _rows(index.segments, most):
            if len(row) >= count:
                yield Run(row[0].first, row[-1].last)
    dead = _replaced(index)
    for segment in index.segments:
        at, _is_here = segment.items_of(dead)
        if (at < segment.live).sum() > limits.SEGMENT_REPLACED_SHARE * segment.live:
            yield Run(segment.first, segment.last)


def _rows(segments: list[Segment], most: int) -> Iterator[list[Segment]]:
    """Yield small segments that follow each other, as many as fit into one."""
    row: list[Segment] = []
    for segment in segments:
        follows = not row or row[-1].last + 1 == segment.first
        has_room = sum(map(len, row)) + len(segment) <= ITEMS_MAX
        if len(segment) < most and follows and has_room:
            row.append(segment)
            continue
        yield row
        row = [segment] if len(segment) < most else []
    yield row


def _replaced(index: TextIndex) -> "Array":
    """Return the versions that the default branch has replaced, as far as segments know."""
    import numpy as np_

    found = [segment.replaced for segment in index.segments]
    default = index.store.default_branch
    versions = [one.version[one.branch == default] for one in found]
    return np_.concatenate([np_.empty(0, dtype="<i8"), *versions])


# ---------------------------------------------------------------- how


def make(index: TextIndex, run: Run, seen: int | None = None) -> SealedSegment:
    """Return the segment of some versions as it was, or would have been, sealed at a version."""
    import numpy as np_

    store = index.store
    seen = store.last_version() if seen is None else seen
    entries = joined(read_entries(store, run.first - 1, run.last))
    dead = index.replaced_on_default(run.first, run.last, upto=seen)
    columns = entries.columns
    is_live = columns["branch"] == store.default_branch
    is_live &= ~np_.isin(columns["version"], dead)
    return seal(entries, is_live, first=run.first, seen=seen)
