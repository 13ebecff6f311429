"""What a branch shows at a moment, in the order that ranking needs.

Items of one sequence stand beside each other, in the order they were written, so that an
item's neighbours are the positions beside its own.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from strata.base import limits
from strata.search.corpus import Corpus
from strata.search.entry import GAPLESS

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# How much of its neighbours' words counts for an item, by how far behind it they stand.
NEIGHBOURS = ((-3, 0.1), (-2, 0.2), (-1, 0.5), (1, 0.3), (2, 0.1))


class Selection:
    """The visible items of one branch and moment, perhaps of some shelves only."""

    def __init__(self, corpus: Corpus, items: "Array") -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._corpus = corpus
        self._taken: dict[str, Array] = {}
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
        return (self.take("traits") & trait) != 0

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
        for offset, weight in NEIGHBOURS:
            low, high = max(0, -offset), min(self.count, self.count - offset)
            if low < high:
                here, there = slice(low, high), slice(low + offset, high + offset)
                is_same = self.group[here] == self.group[there]
                total[here] += weight * values[there] * is_same
        return total

    def term(self, forms: tuple[int, ...], *, is_live: bool) -> "tuple[Array, Array]":
        """Return the positions at which a term stands in any form, and how often."""
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


def visible_items(
    corpus: Corpus, lineage: Iterable[tuple[int, int]], *, bound: int
) -> "Array":
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
