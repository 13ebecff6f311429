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
from strata.search.index.scope import PartView, SearchScope, TermPostings
from strata.search.selection import (
    GROUP_K1,
    ITEM_K1,
    NEIGHBOURS,
    Chosen,
    Selection,
    Statistics,
    Term,
    name_share,
    norm,
)
from strata.search.tokens import rarity

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# What is read of all items to choose some of them.
READ_TO_CHOOSE = ("group", "length", "sequences", "run_ends")
# How far an item lends its words.
_REACH = max(abs(offset) for offset, _weight in NEIGHBOURS)


class Wanted(NamedTuple):
    """What the first stage goes by: terms with the weights of words and of sequences.

    `names` are those of the terms that name a speaker. `bonus` returns what else counts for items
    of a part, `passes` which of them may be shown at all. `versions` are ranked whatever their
    words are. `times` looks at so many times as many.
    """

    terms: Sequence[Term]
    words: float
    group: float
    names: frozenset[Term] = frozenset()
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
    terms = list(dict.fromkeys(wanted.terms))
    scope.bring(*READ_TO_CHOOSE, terms=[form for forms in terms for form in forms])
    stages = [_Stage(view, view.look_up(terms)) for view in scope.views()]
    items = sum(len(stage.view) for stage in stages)
    words = sum(stage.view.words for stage in stages)
    holders = _added([stage.found.sizes for stage in stages])
    lent = sum(_lent_words(stage.view) for stage in stages)
    mean, with_neighbours = words / max(items, 1), (words + lent) / max(items, 1)
    known = dict(zip(terms, holders, strict=True))
    statistics = Statistics(items, mean, with_neighbours, known)
    _score(stages, statistics, wanted.names, words=words)
    is_cut = _pick(stages, wanted, most_candidates(items) * wanted.times)
    _spread(stages)
    chosen = [stage for stage in stages if stage.is_taken.any()]
    taken = [_flatnonzero(stage.is_taken) for stage in chosen]
    pairs = list(zip(chosen, taken, strict=True))
    found = Chosen(
        _joined([stage.is_ranked[at] for stage, at in pairs], "?"),
        _joined([stage.group_words(at) for stage, at in pairs], "f4"),
        statistics,
        {term: [stage.found.of_term(n) for stage in chosen] for n, term in enumerate(known)},
        is_cut,
    )
    return Selection([(stage.view, at) for stage, at in pairs], found)


class _Stage:
    """What the first stage knows of one part."""

    def __init__(self, view: PartView, found: TermPostings) -> None:
        import numpy as np_

        self.view = view
        self.found = found
        # Which groups hold each term, and how often: items are in order, and so are their groups.
        group = view.part.take("group", found.items)
        term = np_.repeat(np_.arange(len(found.sizes)), found.sizes)
        is_first = np_.ones(len(group), dtype=bool)
        is_first[1:] = (group[1:] != group[:-1]) | (term[1:] != term[:-1])
        first = np_.flatnonzero(is_first)
        self._term, self._held_term, self._held_by = term, term.take(first), group.take(first)
        self._held = np_.add.reduceat(found.counts, first) if len(first) else found.counts
        self.groups_holding = np_.bincount(self._held_term, minlength=len(found.sizes))
        # By position in the view's order: chosen, ranked, and taken along.
        self.is_picked: Array = np_.zeros(len(view), dtype=bool)
        self.is_ranked: Array = self.is_picked
        self.is_taken: Array = self.is_picked

    def add_up(self, weights: "Array", is_name: "Array", *, mean: float) -> None:
        """Add up what the terms count for the items that hold them."""
        import numpy as np_

        items, counts, _sizes = self.found
        damping = norm(self.view.length.take(items), ITEM_K1, mean)
        each = saturated(counts, damping, k1=ITEM_K1) * weights.take(self._term)
        if is_name.any():
            is_named = is_name.take(self._term)
            each[is_named] *= name_share(self.view.part.take("label", items[is_named]) != 0)
        total = np_.bincount(items, each, minlength=len(self.view.part))
        self.items: Array = np_.flatnonzero(total > 0)
        self.own: Array = total.take(self.items).astype("f4")

    def add_up_groups(self, weights: "Array", is_name: "Array", *, mean: float) -> None:
        """Add up what the terms count for the groups that hold them."""
        import numpy as np_

        damping = norm(self.view.group_length.take(self._held_by), GROUP_K1, mean)
        each = saturated(self._held, damping, k1=GROUP_K1) * weights.take(self._held_term)
        groups = len(self.view.group_length)
        if is_name.any():
            labelled = self.view.take("group")[self.view.take("label") != 0]
            is_labelled = np_.zeros(groups, dtype=bool)
            is_labelled[labelled] = True
            is_named = is_name.take(self._held_term)
            each[is_named] *= name_share(is_labelled.take(self._held_by[is_named]))
        self.by_group: Array = np_.bincount(self._held_by, each, minlength=groups).astype("f4")

    def group_words(self, at: "Array") -> "Array":
        """Return how well the words of the sequences of items match."""
        return self.by_group.take(self.view.part.take("group", self.view.items(at)))

    def near(self, is_there: "Array") -> "Array":
        """Tell which items are there or are near enough, in the same sequence, to one that is."""
        import numpy as np_

        found, at = is_there.copy(), _flatnonzero(is_there)
        at = at[at >= self.view.singles]
        runs = self.view.runs
        run = runs.holding(at)
        to = at[:, None] + np_.arange(-_REACH, _REACH + 1)
        found[np_.clip(to, runs.starts[run][:, None], runs.ends[run][:, None] - 1)] = True
        return found

    def reaches(self, is_there: "Array", runs: "Array") -> "Array":
        """Tell which sequences have an item that is there."""
        import numpy as np_

        has_one = np_.zeros(len(self.view.runs.names), dtype=bool)
        has_one[self.view.runs.holding(_flatnonzero(is_there))] = True
        return has_one[runs]


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
    import numpy as np_

    reach = np_.arange(_REACH)
    for older, newer in pairwise(stages):
        ended, begun = newer.view.continued(older.view)
        if not len(ended):
            continue
        runs = newer.view.runs
        begun_here = begun[older.reaches(source(older), ended)]
        first, last = runs.starts[begun_here][:, None], runs.ends[begun_here][:, None] - 1
        to(newer)[np_.minimum(first + reach, last)] = True
        runs = older.view.runs
        ended_here = ended[newer.reaches(source(newer), begun)]
        first, last = runs.starts[ended_here][:, None], runs.ends[ended_here][:, None] - 1
        to(older)[np_.maximum(last - reach, first)] = True


def _score(
    stages: list[_Stage], statistics: Statistics, names: frozenset[Term], *, words: float
) -> None:
    """Add up the words of items and of their sequences."""
    import numpy as np_

    groups = sum(stage.view.groups for stage in stages)
    holding = _added([stage.groups_holding for stage in stages])
    is_name = np_.asarray([term in names for term in statistics.holders], dtype=bool)
    weights = [rarity(statistics.items, held) for held in statistics.holders.values()]
    by_group = [rarity(groups, held) for held in holding]
    mean = words / max(groups, 1)
    for stage in stages:
        stage.add_up(np_.asarray(weights, dtype="f4"), is_name, mean=statistics.length)
        stage.add_up_groups(np_.asarray(by_group, dtype="f4"), is_name, mean=mean)


def _pick(stages: list[_Stage], wanted: Wanted, most: int) -> bool:
    """Choose the best items of all parts, and those that were asked for; tell if some are left."""
    best_own = max((float(stage.own.max(initial=0)) for stage in stages), default=0) or 1.0
    best_group = max((float(stage.by_group.max(initial=0)) for stage in stages), default=0) or 1.0
    found: list[tuple[_Stage, Array, Array]] = []
    for stage in stages:
        items, own = stage.items, stage.own
        if wanted.passes is not None:
            is_passing = wanted.passes(stage.view, items)
            items, own = items[is_passing], own[is_passing]
        at = stage.view.positions(items)
        own = own / best_own
        whole = stage.by_group.take(stage.view.part.take("group", items)) / best_group
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
    lent = ((view.beside[abs(offset) - 1], offset, weight) for offset, weight in NEIGHBOURS)
    return sum(weight * words[0 if offset < 0 else 1] for words, offset, weight in lent)


def _flatnonzero(values: "Array") -> "Array":
    import numpy

    return numpy.flatnonzero(values)


def _where(condition: "Array", yes: "Array", no: "Array") -> "Array":
    import numpy

    return numpy.where(condition, yes, no)


def _added(counts: "list[Array]") -> list[int]:
    import numpy

    return numpy.sum(counts, axis=0).tolist()


def _joined(found: "list[Array]", dtype: str) -> "Array":
    import numpy

    return numpy.concatenate(found) if found else numpy.empty(0, dtype=dtype)
