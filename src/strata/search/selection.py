"""The items that are ranked, in the order that ranking needs.

Items of one sequence are beside each other, in the order they were written, so that an
item's neighbours are the positions beside its own. Mostly these are all items of a scope; in a
large store they are those that `candidates` has chosen, with the statistics of the whole scope.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from strata.base.best import kth_best
from strata.search.entry import QUESTION, TOPIC
from strata.search.index.scope import PartView, bring
from strata.search.index.segment import Postings, begin_groups, is_apart
from strata.search.index.talks import are_talks

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Term: TypeAlias = tuple[int, ...]  # the forms of a word, as they are kept

# BM25's constants: how soon repeating a word stops counting, how much length matters. A whole
# sequence taken as one text repeats words by nature, so there it stops counting sooner.
ITEM_K1, GROUP_K1, _B = 1.2, 0.9, 0.75
# What is read of all items where all of them are ranked.
READ_OF_ALL = ("sequences", "run_ends", "version", "timestamp", "traits", "label", "length")
# How much of its neighbours' words counts for an item, by how far behind it they are.
NEIGHBOURS = ((-3, 0.1), (-2, 0.2), (-1, 0.5), (1, 0.3), (2, 0.1))
# How much of a word counts that names a speaker, in a text whose label tells who speaks.
NAME_SHARE = 0.25


class Statistics(NamedTuple):
    """What is known of a whole scope: its size, mean lengths, and how many items hold each term."""

    items: int
    length: float
    context_length: float
    holders: dict[Term, int]


class Chosen(NamedTuple):
    """A choice of candidates beside what is taken along for their neighbours' words.

    `is_ranked` tells which items are candidates, `group` how well the words of each item's whole
    sequence match, by position in the parts in turn. `postings` are those of each part. `is_cut`
    says that others were left out whose words match too.
    """

    is_ranked: "Array"
    group: "Array"
    statistics: Statistics
    postings: "Mapping[Term, Sequence[Postings]]"
    is_cut: bool


class Selection:
    """Items of one scope: for each part the positions of some of those it shows, in order."""

    def __init__(
        self, taken: "Sequence[tuple[PartView, Array]]", chosen: Chosen | None = None
    ) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._at = taken
        self._parts = [(view, view.items(at)) for view, at in taken]
        bring(
            [view for view, _at in taken], *(READ_OF_ALL if chosen is None else ("traits", "label"))
        )
        self.count = sum(len(at) for _view, at in taken)
        self._taken: dict[str, Array] = {}
        self._having: dict[int, Array] = {}
        self._order: Array = self._sorted()
        self._place: Array = numpy.empty(self.count, dtype="i8")
        self._place[self._order] = numpy.arange(self.count)
        self.is_cut = chosen is not None and chosen.is_cut
        self.statistics = None if chosen is None else chosen.statistics
        self._postings = None if chosen is None else chosen.postings
        self.is_ranked = None if chosen is None else chosen.is_ranked[self._order]
        self.group_words = None if chosen is None else chosen.group[self._order]
        self.group, self.groups = self._grouped([at for _view, at in taken])
        self.is_single: Array = self.take("sequence") == 0
        self.length: Array = self.take("length").astype("f4")
        self.context_length = self.with_neighbours(self.length)
        self.group_length: Array = numpy.bincount(
            self.group, weights=self.length, minlength=self.groups
        ).astype("f4")

    def _sorted(self) -> "Array":
        """Return the items of all parts in the order of their sequences and versions."""
        np_, parts = self._numpy, [view.part for view, _items in self._parts]
        sequence = self._unsorted("sequence")
        if all(older.last < newer.first for older, newer in pairwise(parts)):
            # Each part is in order already, and none overlaps with another.
            return np_.argsort(sequence, kind="stable")
        return np_.lexsort((self._unsorted("version"), sequence))

    def _unsorted(self, name: str) -> "Array":
        return self._joined([view.part.take(name, items) for view, items in self._parts])

    def take(self, name: str) -> "Array":
        """Return one property of the items, in order of position."""
        if name not in self._taken:
            self._taken[name] = self._unsorted(name)[self._order]
        return self._taken[name]

    def _joined(self, found: "list[Array]") -> "Array":
        return self._numpy.concatenate(found) if found else self._numpy.empty(0, dtype="i8")

    @property
    def version(self) -> "Array":
        """The version of each item."""
        return self.take("version")

    def versions_at(self, positions: "Array") -> "Array":
        """Return the versions of some items; of a choice, no others are read."""
        known = self._taken.get("version")
        if known is None and self.statistics is not None:
            return self._few(positions, "version")[0]
        return (self.version if known is None else known)[positions]

    def has(self, trait: int) -> "Array":
        """Tell of each item whether its text has a trait."""
        if trait not in self._having:
            self._having[trait] = (self.take("traits") & trait) != 0
        return self._having[trait]

    def _grouped(self, at: "list[Array]") -> "tuple[Array, int]":
        """Number the runs of items that belong together; a single item is its own run."""
        np_ = self._numpy
        if not self.count:
            return np_.empty(0, dtype="i4"), 0
        if self.is_ranked is None:
            taken = (self.take(name) for name in ("sequence", "timestamp", "traits"))
            begins = begin_groups(*taken)
        else:
            begins = ~self._follow(at)
        group = np_.cumsum(begins, dtype="i4") - 1
        return group, int(group[-1]) + 1

    def _follow(self, at: "list[Array]") -> "Array":
        """Tell which items come right behind the one before them, in the same group."""
        np_ = self._numpy
        pairs = [(view, one) for (view, _items), one in zip(self._parts, at, strict=True)]
        part = np_.repeat(np_.arange(len(at)), [len(one) for one in at])[self._order]
        place = self._joined(at)[self._order]
        group = self._joined([view.groups_at(one) for view, one in pairs])[self._order]
        borders = [view.borders(one) for view, one in pairs]
        sides = zip(*borders, strict=True)
        is_first, is_last = (self._joined(list(side))[self._order] for side in sides)
        sequence = self.take("sequence")
        follows = np_.zeros(self.count, dtype=bool)
        is_same = part[1:] == part[:-1]
        follows[1:] = is_same & (place[1:] == place[:-1] + 1) & (group[1:] == group[:-1])
        # Where a sequence goes on in the next part.
        goes_on = ~is_same & (sequence[1:] == sequence[:-1]) & (sequence[1:] != 0)
        at_border = np_.flatnonzero(goes_on & is_first[1:] & is_last[:-1]) + 1
        if len(at_border):
            sides = np_.concatenate((at_border - 1, at_border))
            (before, after), (_before, traits) = (
                values.reshape(2, -1) for values in self._few(sides, "timestamp", "traits")
            )
            follows[at_border] = ~is_apart(before, after, traits)
        return follows

    def _few(self, positions: "Array", *names: str) -> "list[Array]":
        """Return properties of a few items; only the parts that have them are read."""
        np_ = self._numpy
        place = self._order[positions]
        found = [np_.empty(len(place), dtype="i8") for _name in names]
        here: list[tuple[PartView, Array, Array]] = []
        start = 0
        for view, items in self._parts:
            is_here = (place >= start) & (place < start + len(items))
            if is_here.any():
                here.append((view, is_here, items[place[is_here] - start]))
            start += len(items)
        bring([view for view, _is_here, _items in here], *names)
        for view, is_here, items in here:
            for values, name in zip(found, names, strict=True):
                values[is_here] = view.part.take(name, items)
        return found

    def with_neighbours(self, values: "Array") -> "Array":
        """Return values with those of each item's neighbours added by their weights."""
        total = values.copy()
        for here, there, weights in self._neighbours:
            total[here] += values[there] * weights
        return total

    def best_beside(self, values: "Array") -> "Array":
        """Return the greatest value of each item's neighbours; 0 where there are none."""
        best = self._numpy.zeros_like(values)
        for here, there, weights in self._neighbours:
            best[here] = self._numpy.maximum(best[here], values[there] * (weights > 0))
        return best

    @cached_property
    def _neighbours(self) -> "list[tuple[slice, slice, Array]]":
        """For each distance: the items, their neighbours, and what these count."""
        found: list[tuple[slice, slice, Array]] = []
        for offset, weight in NEIGHBOURS:
            low, high = max(0, -offset), min(self.count, self.count - offset)
            if low < high:
                here, there = slice(low, high), slice(low + offset, high + offset)
                is_same = self.group[here] == self.group[there]
                found.append((here, there, (is_same * weight).astype("f4")))
        return found

    @cached_property
    def norms(self) -> "tuple[Array, Array, Array]":
        """How much the length of an item, its context and its sequence damps a term."""
        known = self.statistics
        return (
            norm(self.length, ITEM_K1, mean=known and known.length),
            norm(self.context_length, ITEM_K1, mean=known and known.context_length),
            norm(self.group_length, GROUP_K1),
        )

    @cached_property
    def behind_question(self) -> "Array":
        """Whether the item before each one asks something, in the same sequence."""
        found = self._numpy.zeros(self.count, dtype="f4")
        found[1:] = self.has(QUESTION)[:-1] & (self.group[1:] == self.group[:-1])
        return found

    def are_talks(self, turns: Sequence[int] = ()) -> "Array":
        """Tell which items are part of a talk: those of the keyspaces of turns, and what is alike.

        Of a choice, the whole of each sequence is judged.
        """
        return self._is_talk | self.is_among(turns) if turns else self._is_talk

    def is_among(self, keyspaces: Sequence[int]) -> "Array":
        """Tell which items are in some keyspaces."""
        return self._numpy.isin(self.take("keyspace"), keyspaces)

    @cached_property
    def _is_talk(self) -> "Array":
        np_ = self._numpy
        if self.statistics is None:
            begins = np_.diff(self.group, prepend=-1) != 0
            return are_talks(begins, self.take("traits"), self.take("label")) & ~self.is_single
        found = self._joined([view.are_talks(at) for view, at in self._at])
        return found[self._order] & ~self.is_single

    @cached_property
    def name_shares(self) -> "tuple[Array, Array]":
        """How much of a word that names a speaker counts in each item, and in each sequence.

        Where a label tells who speaks, the words that name a speaker tell little more.
        """
        np_ = self._numpy
        is_labelled = self.take("label") != 0
        labelled = np_.bincount(self.group[is_labelled], minlength=self.groups)
        return name_share(is_labelled), name_share(labelled > 0)

    def labelled(self, label: int) -> "Array":
        """Return the positions that carry a label."""
        return self._numpy.flatnonzero(self.take("label") == self._numpy.uint32(label))

    @cached_property
    def run(self) -> "Array":
        """Number the sequences: a document's sections are one."""
        sequence = self.take("sequence")
        begins = self._numpy.zeros(self.count, dtype="i8")
        begins[1:] = sequence[1:] != sequence[:-1]
        return self._numpy.cumsum(begins)

    @cached_property
    def topics(self) -> "tuple[Array, Array]":
        """The positions of what has a topic, topic by topic and oldest first; where each begins.

        What a text says of its own date counts more than when it was written down.
        """
        np_ = self._numpy
        at = np_.flatnonzero(self.has(TOPIC))
        if not len(at):
            return at, at
        keyspace, label, date, version = self._few(at, "keyspace", "label", "date", "version")
        order = np_.lexsort((version, date, label, keyspace))
        keyspace, label = keyspace[order], label[order]
        is_first = np_.ones(len(at), dtype=bool)
        is_first[1:] = (keyspace[1:] != keyspace[:-1]) | (label[1:] != label[:-1])
        return at[order], np_.flatnonzero(is_first)

    def term(self, forms: Term) -> "tuple[Array, Array]":
        """Return the positions at which a term occurs in any form, and how often."""
        np_ = self._numpy
        amounts = np_.zeros(self.count + 1, dtype="f4")
        if self._postings is None:
            found = [view.term(forms) for view, _items in self._parts]
        else:
            found = self._postings[forms]
        for (items, counts), place in zip(found, self._places, strict=True):
            amounts[place[items]] = counts
        positions = np_.flatnonzero(amounts[:-1] > 0)
        return positions, amounts[positions]

    @cached_property
    def _places(self) -> "list[Array]":
        """For each part the position of each of its items; behind the last one if it has none."""
        np_ = self._numpy
        found: list[Array] = []
        start = 0
        for view, items in self._parts:
            place = np_.full(len(view.part), self.count, dtype="<u4")
            place[items] = self._place[start : start + len(items)]
            found.append(place)
            start += len(items)
        return found

    def holders(self, forms: Term, here: int) -> tuple[int, int]:
        """Return how many items there are, and how many hold a term; `here` are selected."""
        known = self.statistics
        return (self.count, here) if known is None else (known.items, known.holders[forms])


def name_share(is_labelled: "Array") -> "Array":
    """Return how much of a word counts that names a speaker, where a label may tell who speaks."""
    import numpy

    return numpy.where(is_labelled, numpy.float32(NAME_SHARE), numpy.float32(1))


def norm(length: "Array", k1: float, mean: float | None = None) -> "Array":
    """Return how much the length of texts damps a term; long ones damp it more."""
    if mean is None:
        mean = float(length.mean()) if len(length) else 1.0
    return k1 * _B / max(mean, 1e-9) * length + k1 * (1 - _B)


def shown_in_runs(selection: Selection, is_shown: "Array") -> "Array":
    """Count in each sequence the items that are shown."""
    import numpy

    return numpy.bincount(selection.run[is_shown], minlength=selection.count)


def best_of_runs(selection: Selection, score: "Array", is_shown: "Array", *, k: int) -> "Array":
    """Return the best position of each of the k best sequences, best first; ties newest first."""
    import numpy

    if not selection.count:
        return numpy.empty(0, dtype="i8")
    begins = numpy.flatnonzero(numpy.diff(selection.run, prepend=-1))
    shown = numpy.where(is_shown, score, -numpy.inf)
    highest = numpy.maximum.reduceat(shown, begins)
    runs = numpy.flatnonzero(highest > -numpy.inf)
    if len(runs) > k:
        runs = runs[highest[runs] >= kth_best(highest[runs], k)]
    is_chosen = numpy.zeros(len(begins), dtype=bool)
    is_chosen[runs] = True
    at = numpy.flatnonzero((shown == highest[selection.run]) & is_chosen[selection.run])
    at = at[numpy.lexsort((-selection.versions_at(at), -shown[at]))]
    # A sequence may have several that are equally good: the newest represents it.
    _run, first = numpy.unique(selection.run[at], return_index=True)
    return at[numpy.sort(first)][:k]
