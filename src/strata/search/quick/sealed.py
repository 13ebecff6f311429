"""What sealed segments hold of a prompt's terms, read without numpy.

Loading numpy takes longer than a hook may. Of each segment only the blocks of the prompt's terms
are read. They tell how rare each term is in the whole store; the items of the rarest ones are
looked at, and of the best of these everything is known.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from heapq import nlargest
from itertools import chain
from time import thread_time
from typing import NamedTuple

from strata.base import limits
from strata.search.entry import QUESTION, hash_term
from strata.search.index.parts import SLOT, DamagedSegment, Kind, SegmentParts, numbers
from strata.search.index.reading import PartReader
from strata.search.index.talks import asks_often
from strata.sql import Row
from strata.store import NOW, Store

# For each byte of traits, whether the item asks something.
_IS_QUESTION = bytes(bool(traits & QUESTION) for traits in range(256))
# What tells whether an item is part of a talk.
_TALK_COLUMNS = ("run_ends", "sequences", "traits")


class SealedText(NamedTuple):
    """A text in a segment: its version, which terms of the prompt it holds, and if it is talk."""

    version: int
    terms: frozenset[str]
    is_talk: bool


class SealedHolders:
    """The texts in segments that hold terms of a prompt.

    `live_only` leaves out what the default branch did not show when a segment was sealed.
    """

    def __init__(
        self, store: Store, terms: Sequence[str], *, guarded: frozenset[int], live_only: bool
    ) -> None:
        self._terms = {term: hash_term(term) for term in terms}
        self._guarded = guarded
        # How many texts there are, and how many of them hold each term.
        self.texts = 0
        self.held: Counter[str] = Counter()
        self._segments: list[_Segment] = []
        # Versions that no segment covers, newest first: those behind one, up to another.
        self.gaps: list[tuple[int, int]] = []
        self._reader = PartReader(store)
        self._read(store, live_only=live_only)

    def _read(self, store: Store, *, live_only: bool) -> None:
        until, upto = thread_time() + limits.LOOK_SEALED_S, NOW
        terms, segments = self._terms.values(), list[_Segment]()
        for row in reversed(store.connection().rows(store.queries.segments)):
            with suppress(DamagedSegment):
                segments.append(_Segment(row, self._reader, live_only=live_only))
        self._reader.bring(
            place for one in segments for place in one.places(terms=terms, live_only=live_only)
        )
        for segment in segments:
            try:
                segment.look_up(terms)
            except DamagedSegment:
                continue
            if segment.last < upto:
                self.gaps.append((segment.last, upto))
            upto = segment.first - 1
            self._segments.append(segment)
            self.texts += segment.texts
            for term, number in self._terms.items():
                self.held[term] += sum(map(len, segment.postings[number]))
            if thread_time() > until:
                return
        if upto:
            self.gaps.append((0, upto))

    def best(self, rarity: dict[str, float]) -> Iterator[SealedText]:
        """Yield the texts that hold most of the rarest terms, in no order."""
        chosen, adding = self._rarest(rarity)
        scored: list[tuple[float, int, int]] = []
        guarding = [one for one in self._segments if one.may_hold(self._guarded)]
        self._bring(guarding, "keyspace")
        for at, segment in enumerate(self._segments):
            with suppress(DamagedSegment):
                found = segment.scored(chosen, adding, guarded=self._guarded)
                scored += [(score, at, item) for item, score in found]
        by_segment: dict[int, list[int]] = {}
        for _score, at, item in nlargest(limits.LOOK_CANDIDATES, scored):
            by_segment.setdefault(at, []).append(item)
        self._bring([self._segments[at] for at in by_segment], "version", *_TALK_COLUMNS)
        for at, items in by_segment.items():
            with suppress(DamagedSegment):
                yield from self._texts_of(self._segments[at], items)

    def _bring(self, segments: "Iterable[_Segment]", *columns: str) -> None:
        """Read columns of segments at once, where each part takes a round trip."""
        self._reader.bring(place for one in segments for place in one.places(columns))

    def _texts_of(self, segment: "_Segment", items: list[int]) -> list[SealedText]:
        items.sort()
        terms: list[list[str]] = [[] for _item in items]
        for term, number in self._terms.items():
            for place in segment.holding(number, items):
                terms[place].append(term)
        talks = segment.talks(items)
        return list(map(SealedText, segment.versions(items), map(frozenset, terms), talks))

    def _rarest(self, rarity: dict[str, float]) -> tuple[dict[int, float], dict[int, float]]:
        """Return the terms with the fewest postings, and those that only add to these.

        Each is as many as there is time for: looking into postings is quicker than walking them.
        """
        chosen: dict[int, float] = {}
        adding: dict[int, float] = {}
        postings = 0
        for term in sorted(self._terms, key=lambda term: self.held[term]):
            postings += self.held[term]
            number, weight = self._terms[term], rarity[term]
            if not chosen or postings <= limits.LOOK_POSTINGS:
                chosen[number] = weight
            elif postings <= limits.LOOK_POSTINGS_MORE:
                adding[number] = weight
        return chosen, adding


class _Segment(SegmentParts):
    """A segment as far as some terms go: the items that hold each, those of both halves apart."""

    def __init__(self, row: Row, reader: PartReader, *, live_only: bool) -> None:
        super().__init__(row, reader)
        self.texts: int = self.live if live_only else self.items
        self._halves = range(1 if live_only else 2)
        self.postings: dict[int, list[Sequence[int]]] = {}

    def look_up(self, terms: Iterable[int]) -> None:
        """Read the postings of terms."""
        for term in terms:
            self.postings[term] = [self._items(term, half) for half in self._halves]

    def may_hold(self, keyspaces: frozenset[int]) -> bool:
        """Tell whether an item may be of one of some keyspaces."""
        return not keyspaces.isdisjoint(self.summary.keyspaces)

    def _items(self, term: int, half: int) -> Sequence[int]:
        """Return the items of a half that hold a term, in order."""
        found = self.find_postings(term, half)
        return () if found is None else numbers(found[0], "H")

    def scored(
        self, chosen: dict[int, float], adding: dict[int, float], *, guarded: frozenset[int]
    ) -> Iterable[tuple[int, float]]:
        """Return the items that hold some of the chosen terms, and what all of theirs weigh."""
        found: dict[int, float] = {}
        for term, weight in chosen.items():
            # Most items hold one of the rare terms, and these are added without looking at each.
            more = dict.fromkeys(chain.from_iterable(self.postings[term]), weight)
            for item in found.keys() & more.keys():
                more[item] += found[item]
            found |= more
        for term, weight in adding.items():
            for item in found.keys() & chain.from_iterable(self.postings[term]):
                found[item] += weight
        if not self.may_hold(guarded):
            return found.items()
        keyspaces = self._column("keyspace", "i", list(found))
        pairs = zip(found.items(), keyspaces, strict=True)
        return (pair for pair, keyspace in pairs if keyspace not in guarded)

    def versions(self, items: list[int]) -> list[int]:
        """Return the versions of items."""
        return [self.first + distance for distance in self._column("version", "I", items)]

    def talks(self, items: list[int]) -> list[bool]:
        """Tell which items are part of a talk, as far as it is in this segment."""
        ends = self._values("run_ends", "I", self.summary.runs)
        sequences = self._values("sequences", "Q", self.summary.runs)
        runs = [bisect_right(ends, item) for item in items]
        found = dict.fromkeys(runs, False)
        in_sequence = [run for run in found if sequences[run]]
        traits = bytes(self._values("traits", "B", self.items)) if in_sequence else b""
        for run in in_sequence:
            begin, end = ends[run - 1] if run else 0, ends[run]
            asking = traits[begin:end].translate(_IS_QUESTION).count(1)
            found[run] = asks_often(end - begin, asking)
        return [found[run] for run in runs]

    def _column(self, name: str, kind: Kind, items: list[int]) -> list[int]:
        values = self._values(name, kind, self.items)
        return [values[item] for item in items]

    def _values(self, name: str, kind: Kind, count: int) -> Sequence[int]:
        """Return a column of so many values."""
        if name in self.summary.constants:
            return array(kind, [self.summary.constants[name]]) * count
        return numbers(self.part(SLOT[name]), kind)

    def holding(self, term: int, items: list[int]) -> Iterator[int]:
        """Yield the places of those of some items, which are in order, that hold a term."""
        for holders in self.postings[term]:
            at, count = 0, len(holders)
            for place, item in enumerate(items):
                at = bisect_left(holders, item, at)
                if at == count:
                    break
                if holders[at] == item:
                    yield place
