"""Which items of a large store are worth ranking: the first of two stages.

It goes over the postings of the question's terms, and over nothing else: how well the words of each
item match, and those of its sequence. The best items are ranked by everything that is known of
them, with their neighbours, which lend them words. A store of fewer items than are chosen is
ranked as a whole, so its answers are exact.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.base import limits
from strata.base.best import kth_best
from strata.search.index import PartView, SearchScope
from strata.search.selection import (
    GROUP_K1,
    ITEM_K1,
    NEIGHBOURS,
    Chosen,
    Selection,
    Statistics,
    Term,
    norm,
)
from strata.search.tokens import rarity

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# How far an item lends its words.
_REACH = max(abs(offset) for offset, _weight in NEIGHBOURS)


class Wanted(NamedTuple):
    """What the first stage goes by: terms with the weights of words and of sequences.

    `bonus` returns what else counts for items of a part, `passes` which of them may be shown at
    all. `versions` are ranked whatever their words are. `times` looks at so many times as many.
    """

    terms: Sequence[Term]
    words: float
    group: float
    bonus: "Callable[[PartView, Array], Array] | None" = None
    passes: "Callable[[PartView, Array], Array] | None" = None
    versions: "Array | None" = None
    times: int = 1


def saturated(counts: "Array", damping: "Array", *, k1: float) -> "Array":
    """Return how much a term counts that occurs so often."""
    return counts * (k1 + 1) / (counts + damping)


def most_candidates(items: int) -> int:
    """Return how many items of so many are ranked by everything that is known of them."""
    return max(limits.CANDIDATES_MIN, items // limits.CANDIDATES_SHARE)


def choose(scope: SearchScope, wanted: Wanted) -> Selection:
    """Return the best items with their neighbours."""
    stages = [_Stage(view) for view in scope.views()]
    items = sum(len(stage.view) for stage in stages)
    words = sum(stage.view.words for stage in stages)
    holders = {term: sum(stage.look_up(term) for stage in stages) for term in wanted.terms}
    lent = sum(stage.view.remembered(_lent_words) for stage in stages)
    mean, with_neighbours = words / max(items, 1), (words + lent) / max(items, 1)
    statistics = Statistics(items, mean, with_neighbours, holders)
    _score(stages, statistics, words=words)
    is_cut = _pick(stages, wanted, most_candidates(items) * wanted.times)
    _spread(stages)
    chosen = [stage for stage in stages if stage.is_taken.any()]
    taken = [_flatnonzero(stage.is_taken) for stage in chosen]
    pairs = list(zip(chosen, taken, strict=True))
    found = Chosen(
        _joined([stage.is_ranked[at] for stage, at in pairs], "?"),
        _joined([stage.group_words(at) for stage, at in pairs], "f4"),
        statistics,
        is_cut,
    )
    return Selection([(stage.view, at) for stage, at in pairs], found)


class _Stage:
    """What the first stage knows of one part."""

    def __init__(self, view: PartView) -> None:
        import numpy as np_

        self.view = view
        self._found: list[tuple[Array, Array, Array, Array]] = []
        self.own: Array = np_.zeros(len(view.part), dtype="f4")
        self.by_group: Array = np_.zeros(len(view.group_length), dtype="f4")
        # By position in the view's order: chosen, ranked, and taken along.
        self.is_picked: Array = np_.zeros(len(view), dtype=bool)
        self.is_ranked: Array = self.is_picked
        self.is_taken: Array = self.is_picked

    def look_up(self, term: Term) -> int:
        """Look a term up; return how many items hold it."""
        import numpy as np_

        items, counts = self.view.postings(term[0])
        if len(term) > 1:
            amounts = np_.zeros(len(self.view.part), dtype="f4")
            amounts[items] += counts
            for form in term[1:]:
                more = self.view.postings(form)
                amounts[more.items] += more.counts
            items = np_.flatnonzero(amounts > 0)
            counts = amounts[items]
        counts = counts.astype("f4")
        # Items are in order, and so are their groups.
        group = self.view.part.take("group", items)
        is_first = np_.ones(len(items), dtype=bool)
        is_first[1:] = group[1:] != group[:-1]
        first = np_.flatnonzero(is_first)
        totals = np_.add.reduceat(counts, first) if len(first) else counts
        self._found.append((items, counts, group[first], totals))
        return len(items)

    def groups_holding(self, number: int) -> int:
        """Return how many groups hold the term of that number."""
        return len(self._found[number][2])

    def add(self, number: int, weight: float, *, mean: float) -> None:
        """Count a term for the items that hold it."""
        items, counts, _holding, _totals = self._found[number]
        damping = norm(self.view.length[items], ITEM_K1, mean)
        self.own[items] += saturated(counts, damping, k1=ITEM_K1) * weight

    def add_to_groups(self, number: int, weight: float, *, mean: float) -> None:
        """Count a term for the groups that hold it."""
        _items, _counts, holding, totals = self._found[number]
        damping = norm(self.view.group_length[holding], GROUP_K1, mean)
        self.by_group[holding] += saturated(totals, damping, k1=GROUP_K1) * weight

    def group_words(self, at: "Array") -> "Array":
        """Return how well the words of the sequences of items match."""
        return self.by_group[self.view.part.take("group", self.view.order[at])]

    def near(self, is_there: "Array") -> "Array":
        """Tell which items are there or are near enough, in the same sequence, to one that is."""
        import numpy as np_

        found, at = is_there.copy(), _flatnonzero(is_there)
        at = at[at >= self.view.singles]
        to = at[:, None] + np_.arange(-_REACH, _REACH + 1)
        found[self._inside(to, self.view.runs.of_item[at])] = True
        return found

    def sequences(self, is_there: "Array") -> "Array":
        """Return the names of the sequences of items."""
        import numpy as np_

        at = _flatnonzero(is_there)
        runs = self.view.runs
        is_there = np_.zeros(len(runs.names), dtype=bool)
        is_there[runs.of_item[at[at >= self.view.singles]]] = True
        return runs.names[is_there]

    def edges(self, names: "Array", *, is_first: bool) -> "Array":
        """Return the first items of some sequences, or the last ones, as many as are near."""
        import numpy as np_

        runs, reach = self.view.runs, np_.arange(_REACH)
        run = runs.named(names)
        run = run[run >= 0]
        if is_first:
            to = runs.starts[run][:, None] + reach
        else:
            to = runs.ends[run][:, None] - 1 - reach
        return self._inside(to, run)

    def _inside(self, at: "Array", run: "Array") -> "Array":
        """Return those of some positions that are in the sequence of their row."""
        low, high = self.view.runs.starts[run][:, None], self.view.runs.ends[run][:, None]
        return at[(at >= low) & (at < high)]


def _spread(stages: list[_Stage]) -> None:
    """Rank the neighbours of what was picked too, and take theirs along for their words."""
    for stage in stages:
        stage.is_ranked = stage.near(stage.is_picked)
    _cross(stages, lambda stage: stage.is_picked, lambda stage: stage.is_ranked)
    for stage in stages:
        stage.is_taken = stage.near(stage.is_ranked)
    _cross(stages, lambda stage: stage.is_ranked, lambda stage: stage.is_taken)


def _cross(
    stages: list[_Stage], source: "Callable[[_Stage], Array]", to: "Callable[[_Stage], Array]"
) -> None:
    """Reach over the borders of parts where sequences go on in the next one."""
    for older, newer in pairwise(stages):
        begun, ended = older.sequences(source(older)), newer.sequences(source(newer))
        to(newer)[newer.edges(begun, is_first=True)] = True
        to(older)[older.edges(ended, is_first=False)] = True


def _score(stages: list[_Stage], statistics: Statistics, *, words: float) -> None:
    """Add up the words of items and of their sequences."""
    groups = sum(stage.view.groups for stage in stages)
    for number, holders in enumerate(statistics.holders.values()):
        holding = sum(stage.groups_holding(number) for stage in stages)
        for stage in stages:
            stage.add(number, rarity(statistics.items, holders), mean=statistics.length)
            stage.add_to_groups(number, rarity(groups, holding), mean=words / max(groups, 1))


def _pick(stages: list[_Stage], wanted: Wanted, most: int) -> bool:
    """Choose the best items of all parts, and those that were asked for; tell if some are left."""
    best_own = max((float(stage.own.max(initial=0)) for stage in stages), default=0) or 1.0
    best_group = max((float(stage.by_group.max(initial=0)) for stage in stages), default=0) or 1.0
    found: list[tuple[_Stage, Array, Array]] = []
    for stage in stages:
        items = _flatnonzero(stage.own > 0)
        if wanted.passes is not None:
            items = items[wanted.passes(stage.view, items)]
        at = stage.view.positions(items)
        own = stage.own[items] / best_own
        whole = stage.by_group[stage.view.part.take("group", items)] / best_group
        is_single = at < stage.view.singles
        score = wanted.words * own + wanted.group * _where(is_single, own, whole)
        if wanted.bonus is not None:
            score += wanted.bonus(stage.view, items)
        found.append((stage, at, score))
    scores = _joined([score for _stage, _at, score in found], "f4")
    least = kth_best(scores, most) if len(scores) > most else -math.inf
    for stage, at, score in found:
        stage.is_picked[at[score >= least]] = True
        if wanted.versions is not None:
            asked = stage.view.items_of(wanted.versions)
            stage.is_picked[stage.view.positions(asked)] = True
    return len(scores) > most


def _lent_words(view: PartView) -> float:
    """Return how many words the items of a part lend to their neighbours."""
    import numpy as np_

    length, group = view.take("length").astype("f4"), view.take("group")
    lent = 0.0
    for offset, weight in NEIGHBOURS:
        is_same = group[abs(offset) :] == group[: -abs(offset)]
        there = length[: -abs(offset)] if offset < 0 else length[abs(offset) :]
        lent += weight * float(np_.dot(there, is_same))
    return lent


def _flatnonzero(values: "Array") -> "Array":
    import numpy

    return numpy.flatnonzero(values)


def _where(condition: "Array", yes: "Array", no: "Array") -> "Array":
    import numpy

    return numpy.where(condition, yes, no)


def _joined(found: "list[Array]", dtype: str) -> "Array":
    import numpy

    return numpy.concatenate(found) if found else numpy.empty(0, dtype=dtype)
