"""The text index of a store: sealed segments and the entries that none of them holds yet.

Derived from the entries beside the values. A process reads the list of segments, the unsealed
entries, and of the segments what its searches need. It keeps up to a bound of them in memory, and
drops everything when values were taken out of the store.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.base import limits
from strata.search.entry import GAPLESS, HEAD
from strata.search.index.entries import Entries, Replacements, joined, read_entries
from strata.search.index.reading import PartReader
from strata.search.index.segment import REPLACED, Segment
from strata.search.index.tail import Tail
from strata.sql import Read
from strata.store import NOW, Store

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


class UnsealedVersions(NamedTuple):
    """Versions that no segment covers: those behind one, up to another."""

    after: int
    upto: int


class TextIndex:
    """All items of a store, in parts. One thread at a time may use it.

    Instead of segments whose stamps are in `without` their entries are read.
    """

    def __init__(self, store: Store, without: Collection[int] = ()) -> None:
        self.store = store
        self._without = without
        # Moves whenever anything else is to be found.
        self.state = 0
        self._start_over()

    def _start_over(self) -> None:
        self.removals = self.store.catalog.removals
        self.upto = 0
        self.segments: list[Segment] = []
        # Number, space and kind of each.
        self.keyspaces: list[tuple[int, str, str]] = []
        self.tail = Tail(joined(()))
        self._mark: tuple[int, ...] | None = None
        self.reader = PartReader(self.store)
        self._replaced: list[list[Replacements]] = []

    def look(self) -> None:
        """Read which segments there are, and no entries: enough to plan what to seal."""
        self.store.look()
        connection, queries = self.store.connection(), self.store.queries
        self._mark = self._look_up()
        known = {segment.stamp: segment for segment in self.segments}
        self.segments = [
            known.get(row[5]) or Segment(row, self.reader)
            for row in connection.rows(queries.segments)
            if row[5] not in self._without
        ]

    def replaced_on_default(self, first: int, last: int, *, upto: int = NOW) -> "Array":
        """Return which versions of a run the default branch has replaced, up to a version.

        Asked of the store itself, because it is right at any moment.
        """
        import numpy as np_

        values = (self.store.default_branch, first, last, upto)
        rows = self.store.connection().rows(self.store.queries.replaced_between, values)
        return np_.asarray([row[0] for row in rows], dtype="<i8")

    @property
    def parts(self) -> "list[Segment | Tail]":
        """The segments, oldest first, and the tail."""
        return [*self.segments, self.tail]

    def refresh(self) -> None:
        """Follow what was committed and sealed since."""
        self.store.look()
        is_whole = self.removals == self.store.catalog.removals
        if is_whole and self._look_up() == self._mark:
            return
        with self.store.database.reading() as connection:
            connection.foresee(self._reads())
            try:
                self._follow()
            except BaseException:
                # What was taken in is not whole: the next search begins anew.
                self._mark = None
                raise

    def _reads(self) -> Iterator[Read]:
        """Yield what is read to follow."""
        yield self.store.queries.index_mark, ()
        yield self.store.catalog.read_of_all
        if self._mark is None:
            yield self.store.queries.segments, ()

    def _look_up(self) -> tuple[int, ...]:
        """Return the newest version, and what changes with the segments."""
        row = self.store.connection().row(self.store.queries.index_mark)
        return (0, 0, 0) if row is None else row

    def _follow(self) -> None:
        store = self.store
        store.look()
        if self.removals != store.catalog.removals:
            self._start_over()
        last, *segments = mark = self._look_up()
        if self._mark is None or segments != [*self._mark[1:]]:
            self.look()
            self._begin(joined(self._unsealed(last)))
        elif last > self.upto:
            entries = joined(read_entries(store, self.upto, last))
            if len(entries) or len(entries.replaced.version):
                self._extend(entries)
        # A keyspace is made by the commit that writes to it first.
        self.keyspaces = store.catalog.all_keyspaces(store.connection())
        self.upto, self._mark = last, mark

    def gaps(self, last: int) -> Iterator[UnsealedVersions]:
        """Yield the runs of versions up to one that no segment covers, oldest first."""
        after = 0
        for segment in self.segments:
            if segment.first > after + 1:
                yield UnsealedVersions(after, segment.first - 1)
            after = segment.last
        if last > after:
            yield UnsealedVersions(after, last)

    def _unsealed(self, last: int) -> Iterator[Entries]:
        for gap in self.gaps(last):
            yield from read_entries(self.store, *gap)

    # What was replaced.

    def _begin(self, unsealed: Entries) -> None:
        self.tail = Tail(unsealed)
        self._replaced = [[] for _part in self.parts]
        everything = range(len(self.parts))
        self._bring((one for one in self.segments if one.summary.replaced), *REPLACED)
        self._bring(filter(self._has_replaced, self.segments), "version", "by_version")
        for part in self.parts:
            self._note(part.replaced, everything)
        self.state += 1

    def _bring(self, segments: Iterable[Segment], *columns: str) -> None:
        """Read columns of segments at once, where each part takes a round trip."""
        self.reader.bring(place for one in segments for place in one.places(columns))

    def _has_replaced(self, segment: Segment) -> bool:
        """Tell whether any part has replaced an item of a segment."""
        found = (part.replaced.version for part in self.parts)
        return any(((one >= segment.first) & (one <= segment.last)).any() for one in found)

    def _extend(self, entries: Entries) -> None:
        self.tail = self.tail.extended(entries)
        # Its items have moved. A purge may have left some that are older than a segment.
        last = len(self.segments)
        self._replaced[last] = []
        for segment in self.segments:
            if segment.last > self.tail.first:
                self._note(segment.replaced, [last])
        self._note(self.tail.replaced, [last])
        self._note(entries.replaced, range(last))
        self.state += 1

    def _note(self, found: Replacements, numbers: Iterable[int]) -> None:
        """Let some parts know which of their items were replaced."""
        if not len(found.version):
            return
        parts = self.parts
        for number in numbers:
            part, chosen = parts[number], found
            if isinstance(part, Segment):
                here = (found.version >= part.first) & (found.version <= part.last)
                if not here.any():
                    continue
                chosen = Replacements(*(column[here] for column in found))
            at, is_here = part.items_of(chosen.version)
            if len(at):
                noted = Replacements(at, chosen.by[is_here], chosen.branch[is_here])
                self._replaced[number].append(noted)

    def replaced(self, number: int) -> Iterator[Replacements]:
        """Yield which items of a part were replaced, by which versions, on which branches."""
        yield from self._replaced[number]

    def deaths(self, number: int) -> int:
        """Return how many items of a part are known to be replaced, each time counted."""
        return sum(len(found.by) for found in self._replaced[number])

    # What others ask for.

    def holders(self, term: int) -> Iterator[int]:
        """Yield all versions that hold a term, newest part first."""
        for part in reversed(self.parts):
            found = part.postings(term, live_only=False)
            yield from sorted(part.column("version")[found.items].tolist(), reverse=True)

    def before(self, version: int) -> int | None:
        """Return the version before this one in its sequence, as it was written."""
        store = self.store
        row = store.connection().row(store.queries.entry_place, (version, HEAD.size))
        if row is None or not row[4]:
            return None
        branch, keyspace, key, timestamp, head = row
        _layout, traits, _length, _date, _label, sequence = HEAD.unpack(head)
        if not sequence:
            return None
        lineage = [(one, min(upto, version - 1)) for one, upto in store.lineage(branch)]
        found, when = self._newest_of(sequence, lineage)
        if not traits & GAPLESS and timestamp - when > limits.SEQUENCE_GAP_S * 1_000_000:
            return None
        place = store.connection().row(store.queries.entry_place, (found, 0))
        is_other = place is not None and (place[1], place[2]) != (keyspace, key)
        return found if is_other else None

    def _newest_of(self, sequence: int, lineage: Iterable[tuple[int, int]]) -> tuple[int, int]:
        """Return the newest version of a sequence that a branch sees, and when it was written.

        Nothing is version 0.
        """
        import numpy as np_

        best, when = 0, 0
        for part in reversed(self.parts):
            if isinstance(part, Segment) and part.last < best:
                break
            for is_live in (True, False):
                run = int(part.runs.named(np_.array([sequence], "<u8"), is_live=is_live)[0])
                if run < 0:
                    continue
                here = slice(int(part.runs.starts[run]), int(part.runs.ends[run]))
                version, branch = (part.column(name)[here] for name in ("version", "branch"))
                is_seen = np_.zeros(len(version), dtype=bool)
                for ancestor, upto in lineage:
                    is_seen |= (branch == ancestor) & (version <= upto)
                at = np_.flatnonzero(is_seen)
                if len(at) and version[at[-1]] > best:
                    best = int(version[at[-1]])
                    when = int(part.column("timestamp")[here][at[-1]])
        return best, when
