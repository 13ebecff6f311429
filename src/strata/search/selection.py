"""What a branch shows at a moment, in the order that ranking needs.

Items of one sequence are beside each other, in the order they were written, so that an
item's neighbours are the positions beside its own.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.base import limits
from strata.base.best import kth_best
from strata.search.corpus import Corpus
from strata.search.entry import GAPLESS, QUESTION, TOPIC

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# BM25's constants: how soon repeating a word stops counting, how much length matters. A whole
# sequence taken as one text repeats words by nature, so there it stops counting sooner.
ITEM_K1, GROUP_K1, _B = 1.2, 0.9, 0.75
# How much of its neighbours' words counts for an item, by how far behind it they are.
NEIGHBOURS = ((-3, 0.1), (-2, 0.2), (-1, 0.5), (1, 0.3), (2, 0.1))


class Selection:
    """The visible items of one branch and moment, perhaps of some keyspaces only."""

    def __init__(self, corpus: Corpus, items: "Array") -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._corpus = corpus
        self._taken: dict[str, Array] = {}
        self._having: dict[int, Array] = {}
        sequence = corpus.column("sequence")[items]
        # Stable: within a sequence the order of versions stays.
        self.items = items[numpy.argsort(sequence, kind="stable")]
        self.count = len(items)
        self.version: Array = self.take("version")
        self.position: Array = numpy.full(len(corpus), -1, dtype="i4")
        self.position[self.items] = numpy.arange(self.count, dtype="i4")
        self.group, self.groups = self._grouped()
        self.is_single: Array = self.take("sequence") == 0
        self.length: Array = self.take("length").astype("f4")
        self.context_length = self.with_neighbours(self.length)
        self.group_length: Array = numpy.bincount(
            self.group, weights=self.length, minlength=self.groups
        ).astype("f4")

    def take(self, name: str) -> "Array":
        """Return one property of the visible items, in order of position."""
        if name not in self._taken:
            self._taken[name] = self._corpus.column(name)[self.items]
        return self._taken[name]

    def has(self, trait: int) -> "Array":
        """Tell of each item whether its text has a trait."""
        if trait not in self._having:
            self._having[trait] = (self.take("traits") & trait) != 0
        return self._having[trait]

    def _grouped(self) -> "tuple[Array, int]":
        """Number the runs of items that belong together; a single item is its own run."""
        np_ = self._numpy
        if not self.count:
            return np_.empty(0, dtype="i4"), 0
        sequence, times = self.take("sequence"), self.take("timestamp")
        is_gapless = self.has(GAPLESS)
        begins = np_.ones(self.count, dtype=bool)
        pause = np_.diff(times) > limits.SEQUENCE_GAP_S * 1_000_000
        begins[1:] = (
            (sequence[1:] != sequence[:-1]) | (sequence[1:] == 0) | (pause & ~is_gapless[1:])
        )
        group = np_.cumsum(begins, dtype="i4") - 1
        return group, int(group[-1]) + 1

    def with_neighbours(self, values: "Array") -> "Array":
        """Return values with those of each item's neighbours added by their weights."""
        total = values.copy()
        for here, there, weights in self._neighbours:
            total[here] += values[there] * weights
        return total

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
        return (
            _norm(self.length, ITEM_K1),
            _norm(self.context_length, ITEM_K1),
            _norm(self.group_length, GROUP_K1),
        )

    @cached_property
    def behind_question(self) -> "Array":
        """Whether the item before each one asks something, in the same sequence."""
        found = self._numpy.zeros(self.count, dtype="f4")
        found[1:] = self.has(QUESTION)[:-1] & (self.group[1:] == self.group[:-1])
        return found

    @cached_property
    def _labels(self) -> "tuple[Array, Array]":
        """The positions in the order of their labels, and these labels."""
        labels = self.take("label")
        order = self._numpy.argsort(labels, kind="stable")
        return order, labels[order]

    def labelled(self, label: int) -> "Array":
        """Return the positions that carry a label."""
        order, labels = self._labels
        low, high = (self._numpy.searchsorted(labels, label, side) for side in ("left", "right"))
        return order[low:high]

    @cached_property
    def topics(self) -> "tuple[Array, Array]":
        """The positions of what has a topic, topic by topic and oldest first; where each begins.

        What a text says of its own date counts more than when it was written down.
        """
        np_ = self._numpy
        at = np_.flatnonzero(self.has(TOPIC))
        keyspace, label, date = (self.take(name)[at] for name in ("keyspace", "label", "date"))
        order = np_.lexsort((self.version[at], date, label, keyspace))
        keyspace, label = keyspace[order], label[order]
        is_first = np_.ones(len(at), dtype=bool)
        is_first[1:] = (keyspace[1:] != keyspace[:-1]) | (label[1:] != label[:-1])
        return at[order], np_.flatnonzero(is_first)

    def term(self, forms: tuple[int, ...], *, is_live: bool) -> "tuple[Array, Array]":
        """Return the positions at which a term occurs in any form, and how often."""
        positions, counts = self._form(forms[0], is_live=is_live)
        if len(forms) == 1:
            return positions, counts
        found = [(positions, counts), *(self._form(form, is_live=is_live) for form in forms[1:])]
        every, places = self._numpy.unique(
            self._numpy.concatenate([at for at, _counts in found]), return_inverse=True
        )
        total = self._numpy.concatenate([counts for _at, counts in found])
        return every, self._numpy.bincount(places, weights=total).astype("f4")

    def _form(self, number: int, *, is_live: bool) -> "tuple[Array, Array]":
        items, counts = self._corpus.postings_of(number, is_live=is_live)
        # A state of the past was selected before the newest items came.
        known = int(self._numpy.searchsorted(items, len(self.position)))
        items, counts = items[:known], counts[:known]
        positions = self.position[items]
        shown = positions >= 0
        return positions[shown], counts[shown].astype("f4")


def _norm(length: "Array", k1: float) -> "Array":
    mean = float(length.mean()) if len(length) else 1.0
    return k1 * (1 - _B + _B * length / max(mean, 1e-9))


def shown_in_groups(selection: Selection, is_shown: "Array") -> "Array":
    """Count in each group the items that are shown."""
    import numpy

    return numpy.bincount(selection.group[is_shown], minlength=selection.groups)


def best_of_groups(selection: Selection, score: "Array", is_shown: "Array", *, k: int) -> "Array":
    """Return the best position of each of the k best groups, best first; ties newest first."""
    import numpy

    if not selection.count:
        return numpy.empty(0, dtype="i8")
    begins = numpy.flatnonzero(numpy.diff(selection.group, prepend=-1))
    shown = numpy.where(is_shown, score, -numpy.inf)
    highest = numpy.maximum.reduceat(shown, begins)
    groups = numpy.flatnonzero(highest > -numpy.inf)
    if len(groups) > k:
        groups = groups[highest[groups] >= kth_best(highest[groups], k)]
    is_chosen = numpy.zeros(selection.groups, dtype=bool)
    is_chosen[groups] = True
    at = numpy.flatnonzero((shown == highest[selection.group]) & is_chosen[selection.group])
    at = at[numpy.lexsort((-selection.version[at], -shown[at]))]
    # A group may have several that are equally good: the newest represents it.
    _group, first = numpy.unique(selection.group[at], return_index=True)
    return at[numpy.sort(first)][:k]


def visible_items(corpus: Corpus, lineage: Iterable[tuple[int, int]], *, bound: int) -> "Array":
    """Return the items with text that a branch shows, in order of version.

    What a nearer ancestor wrote is always newer than what a farther one did, so the newest
    version of a key that the branch can see is the one it shows.
    """
    import numpy

    branch, version, place = (corpus.column(name) for name in ("branch", "version", "place"))
    seen = numpy.zeros(len(corpus), dtype=bool)
    for ancestor, upto in lineage:
        seen |= (branch == ancestor) & (version <= min(upto, bound))
    indexes = numpy.flatnonzero(seen).astype("i4")
    newest = numpy.full(corpus.places, -1, dtype="i4")
    newest[place[indexes]] = indexes
    shown = numpy.sort(newest[newest >= 0])
    return shown[corpus.column("has_text")[shown]]
