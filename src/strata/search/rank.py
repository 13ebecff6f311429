"""Scoring: how well each visible item answers a question. Pure; arrays in, arrays out.

Words are brought to a scale on which the best item counts 1 before the parts are added by their
weights. The weights are plain numbers, chosen so that they help kinds of text that they were not
chosen on (docs/decisions/0048-ranking-by-sets-left-out.md, 0052-trained-encoder-ships.md,
0057-texts-of-their-own.md).
"""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.base.best import kth_best
from strata.search import cues, everyday, relevance
from strata.search.candidates import saturated
from strata.search.entry import NAMES, NUMBER, QUESTION, TEMPORAL, hash_term
from strata.search.index.scope import PartView, SearchScope
from strata.search.selection import (
    GROUP_K1,
    ITEM_K1,
    NAME_SHARE,
    NEIGHBOURS,
    Selection,
    Term,
)
from strata.search.tokens import rarity

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# A term in less than one of so many items is followed from item to item; for a commoner one
# it is quicker to shift the whole array.
_FEW = 200
# A text of more words says more than its cues do: that it asks, answers, names a time or a person.
_BRIEF = 20
# A text of more words is a long one.
LONG = 40
# Up to so many words a question is brief, and from so many on it is long.
_BRIEF_QUESTION, _LONG_QUESTION = 6, 22
# To a brief question a single text gains that is nearer than so far from the mean to the nearest.
_NEAR_THE_BEST = 2 / 3
# A label that only one or two items carry names no speaker.
_LABEL_ITEMS_MIN = 3


class Weights(NamedTuple):
    """What each part of the score counts."""

    context: float  # the words of the item and, less, of its neighbours
    own: float = 0.0  # the words of the item alone
    apart: float = 0.0  # these again, if it is part of a sequence that is no talk
    wordy: float = 0.0  # these again, if the question is long
    group: float = 1.0  # the words of the whole sequence
    long: float = -0.4  # the item is long: by chance it holds more of any question
    question: float = -0.5  # the item asks something itself
    answer: float = 0.8  # the item before it asks, in the question's words
    label: float = 1.0  # its speaker is named in the question
    party: float = 1.0  # a named speaker takes part in its sequence
    date: float = 2.5  # its date is asked for
    when: float = 0.5  # a time is asked for and it tells one
    who: float = 1.2  # a name is asked for and it tells one
    number: float = 0.5  # a number is asked for and it tells one
    vector: float = 0.0  # its meaning is near the question's
    tokens: float = 0.0  # its words, one by one, mean what the question's do
    multilingual: float = 0.0  # its meaning is near, across languages
    alone: float = 0.75  # so much more for either, if the item belongs to no sequence
    brief: float = 0.0  # so much more again, if it is among the nearest and the question is brief
    talk: float = 0.0  # so much more for either, if the item is part of a talk

    def for_question(self, words: int) -> "Weights":
        """Return the weights for a question of so many words.

        The words of a long question tell more than its meaning as a whole does, and the few words
        of a brief one are in many texts.
        """
        share = brevity(words)
        return self._replace(own=self.own + (1 - share) * self.wordy, brief=share * self.brief)


def brevity(words: int) -> float:
    """Return how brief a question of so many words is: 1 for a brief one, 0 for a long one."""
    return min(max((_LONG_QUESTION - words) / (_LONG_QUESTION - _BRIEF_QUESTION), 0.0), 1.0)


# What the words of a question must amount to for full marks; see match_words.
ENOUGH = 0.25

WORDS_ONLY = Weights(context=1.35, own=1.35, apart=1.0, group=0.5, long=-0.2)
WITH_TOKENS = Weights(
    context=0.7, apart=1.5, wordy=1.5, vector=4.0, tokens=8.0, brief=2.25, talk=-0.4
)
# The tokens are the main model's: they count where it can read the question.
ACROSS_LANGUAGES = Weights(context=0.95, own=0.95, group=0.5, multilingual=3.0, tokens=8.0)
# Nothing but the meaning: every other weight is 0, a float like all of them, because scores are
# added in place.
_NO_WORDS = Weights(*[0.0] * len(Weights._fields))
MEANING_ONLY = _NO_WORDS._replace(vector=4.0, tokens=8.0)
MEANING_ACROSS = _NO_WORDS._replace(multilingual=3.0, tokens=8.0)


class Usual(NamedTuple):
    """Mean and spread of scores between texts that have nothing to do with each other."""

    mean: float
    spread: float


# Measured over questions and notes that were not written for each other.
USUAL_VECTORS, USUAL_TOKENS, USUAL_ACROSS = Usual(0.1, 0.07), Usual(0.29, 0.057), Usual(0.04, 0.07)
_FEW_VALUES = 30


class Matched(NamedTuple):
    """How well the words match: in context, alone, and by the whole sequence.

    `held` tells how much of what the question says an item holds, `told` how much each word says,
    and `unseen` which words no visible item holds.
    """

    context: "Array"
    own: "Array"
    group: "Array"
    held: relevance.Held
    told: dict[Term, float]
    unseen: frozenset[Term]


def match_words(
    selection: Selection, terms: Iterable[Term], names: frozenset[Term], *, enough: float
) -> Matched:
    """Score the words of a question, each in any of its forms, against every visible item.

    The best item counts 1 if it has `enough` of the words: 1 would be an item of ordinary
    length with each word once. With less it counts less, so that a single common word does
    not outweigh the meaning. `names` are the terms that name a speaker: they count less where a
    label tells who speaks, and in full where nothing but the words can tell.
    """
    import numpy as np_

    count = selection.count
    own, context = (np_.zeros(count, dtype="f4") for _ in range(2))
    group = np_.zeros(selection.groups, dtype="f4")
    own_norm, context_norm, group_norm = selection.norms
    has_sequences = selection.groups < count
    least = 0.0
    told: dict[Term, float] = {}
    found: list[tuple[float, Array]] = []
    unseen = set[Term]()
    for term in terms:
        at, counts = selection.term(term)
        holders = selection.holders(term, len(at))
        if not holders[1]:
            unseen.add(term)
        weight, is_name = rarity(*holders), term in names
        least += enough * weight * (NAME_SHARE if is_name else 1.0)
        told[term] = everyday.term_weight(*holders, *term)
        found.append((told[term], at))
        if not len(at):
            continue
        share = selection.name_shares[0][at] if is_name else 1.0
        own[at] += saturated(counts, own_norm[at], k1=ITEM_K1) * weight * share
        if has_sequences:
            near, amounts = _lent(selection, at, counts)
            share = selection.name_shares[0][near] if is_name else 1.0
            context[near] += saturated(amounts, context_norm[near], k1=ITEM_K1) * weight * share
            total = np_.bincount(selection.group[at], weights=counts, minlength=selection.groups)
            holds = np_.flatnonzero(total > 0)
            held = total[holds].astype("f4")
            share = selection.name_shares[1][holds] if is_name else 1.0
            weight = rarity(selection.groups, len(holds))
            group[holds] += saturated(held, group_norm[holds], k1=GROUP_K1) * weight * share
    held = relevance.held(found, count)
    if not has_sequences:
        own = scaled(own, least)
        return Matched(own, own, own, held, told, frozenset(unseen))
    context = scaled(context, least)
    # The first stage has counted the words of whole sequences, of which not all is selected.
    group = group[selection.group] if selection.group_words is None else selection.group_words
    # An item without neighbours is its own sequence.
    whole = np_.where(selection.is_single, context, scaled(group, least))
    own = scaled(own, least)
    return Matched(context, own, whole, held, told, frozenset(unseen))


def _lent(selection: Selection, at: "Array", counts: "Array") -> "tuple[Array, Array]":
    """Return where a term counts when items lend it to their neighbours, and how much."""
    import numpy as np_

    amounts = np_.zeros(selection.count, dtype="f4")
    amounts[at] = counts
    if len(at) * _FEW > selection.count:
        amounts = selection.with_neighbours(amounts)
        near = np_.flatnonzero(amounts > 0)
        return near, amounts[near]
    for offset, weight in NEIGHBOURS:
        to = at - offset
        inside = (to >= 0) & (to < selection.count)
        inside[inside] = selection.group[to[inside]] == selection.group[at[inside]]
        amounts[to[inside]] += weight * counts[inside]
    near = np_.flatnonzero(amounts > 0)
    return near, amounts[near]


def scaled(values: "Array", least: float) -> "Array":
    """Bring scores to a scale on which the best one is 1, or less if it is below `least`."""
    best = max(float(values.max()), least) if len(values) else 0.0
    return values / best if best > 0 else values


def add_cues(
    selection: Selection,
    matched: Matched,
    asked: cues.Asked,
    *,
    is_talk: "Array",
    weights: Weights,
) -> "Array":
    """Return the score of words and of everything else that the texts tell."""
    import numpy as np_

    cue = weights.question * selection.has(QUESTION)
    cue[1:] += weights.answer * matched.own[:-1] * selection.behind_question[1:]
    if asked.is_when:
        cue += weights.when * selection.has(TEMPORAL)
    if asked.is_who:
        names = (selection.take("traits") // NAMES) & 3
        cue += weights.who / 3 * names
    if asked.is_how_many:
        cue += weights.number * selection.has(NUMBER)
    score = weights.context * matched.context + weights.group * matched.group
    score += weights.own * matched.own
    if selection.groups < selection.count:
        is_apart = ~(is_talk | selection.is_single)
        score += weights.apart * is_apart * matched.own
    score += cue * np_.minimum(1, _BRIEF / np_.maximum(selection.length, 1))
    score += weights.long * np_.log(np_.maximum(selection.length / LONG, 1))
    if asked.dates:
        score += weights.date * _closeness(selection, asked)
    return score


def _closeness(selection: Selection, asked: cues.Asked) -> "Array":
    """Return how near each item's date is to one that is asked for."""
    return _nearness(selection.take("date"), asked)


def _nearness(dates: "Array", asked: cues.Asked) -> "Array":
    import numpy as np_

    days, places = np_.unique(dates, return_inverse=True)
    near = [
        max(cues.closeness(date, day) for date in asked.dates) if day else 0.0
        for day in days.tolist()
    ]
    return np_.asarray(near, dtype="f4")[places]


def add_speakers(
    selection: Selection, score: "Array", named: Sequence[str], *, weights: Weights
) -> None:
    """Add the weight of a speaker or participant that the question names."""
    import numpy as np_

    takes_part = np_.zeros(selection.groups, dtype=bool)
    for at in (selection.labelled(hash_term(name)) for name in named):
        score[at] += weights.label
        takes_part[selection.group[at]] = True
    if named:
        score += weights.party * (takes_part[selection.group] & ~selection.is_single)


def early_bonus(
    view: PartView, items: "Array", *, asked: cues.Asked, named: Sequence[str]
) -> "Array":
    """Return what dates and speakers count for some items, before their words are looked at."""
    import numpy as np_

    weights = WORDS_ONLY
    found = np_.zeros(len(items), dtype="f4")
    if asked.dates:
        found += weights.date * _nearness(view.part.take("date", items), asked)
    if named:
        labels = view.part.take("label", items)
        takes_part = np_.zeros(len(view.group_length), dtype=bool)
        for name in named:
            found += weights.label * (labels == np_.uint32(hash_term(name)))
            takes_part[view.part.take("group", view.labelled(hash_term(name)))] = True
        found += weights.party * takes_part[view.part.take("group", items)]
    return found


def put_newest_first(
    selection: Selection, score: "Array", is_found: "Array", *, relevant: "Array"
) -> None:
    """Let what replaced something rank above it, wherever either of them is found.

    The newest text on a topic takes the best place that any of them has, and is as relevant.
    """
    import numpy as np_

    at, begins = selection.topics
    if not len(at):
        return
    sizes = np_.diff(begins, append=len(at))
    newest = at[begins + sizes - 1]
    is_hit = np_.logical_or.reduceat(is_found[at], begins)
    newest_hit = newest[is_hit]
    for values in (score, relevant):
        best = np_.maximum.reduceat(np_.where(is_found[at], values[at], -np_.inf), begins)
        values[newest_hit] = np_.maximum(best[is_hit], values[newest_hit])
    is_found[newest_hit] = True
    is_older = np_.repeat(is_hit, sizes) & (at != np_.repeat(newest, sizes))
    most = np_.repeat(score[newest] - 1e-4, sizes)
    score[at[is_older]] = np_.minimum(score[at[is_older]], most[is_older])


def speakers(scope: SearchScope, names: Iterable[str]) -> list[str]:
    """Return which of the names are labels here."""
    asked = list(names)
    counts = scope.labelled([hash_term(name) for name in asked])
    pairs = zip(asked, counts, strict=True)
    return [name for name, count in pairs if count >= _LABEL_ITEMS_MIN]


def filled(near: "Array", counts: "Array | None") -> "Array":
    """Return a leg's scores with the median where a vector is still to be made."""
    import numpy as np_

    is_missing = np_.isnan(near)
    if not is_missing.any():
        return near
    known = near[~is_missing if counts is None else ~is_missing & counts]
    middle = float(np_.median(known)) if len(known) else 0.0
    return np_.where(is_missing, middle, near)


def by_meaning(
    near: "Array", *, is_read: "Array", is_single: "Array", is_talk: "Array", weights: Weights
) -> "Array":
    """Return what the nearness of each item's meaning counts.

    A text without a sequence says by itself what it is about, and has nothing else to go by: by how
    much it is nearer than the mean, or less near, counts more. In a talk it counts less: a turn is
    near to much that it does not answer. To a brief question the vector of a single text counts
    more still, as far as it is among the nearest of all: single texts as a kind gain nothing. What
    the main model has not read, as `is_read` tells, loses nothing by that: its vector is still to
    be made, or another model's.
    """
    import numpy as np_

    mean, best = near.mean(), near.max(initial=-1.0)
    more = weights.alone * is_single + weights.talk * is_talk
    among: Array = near - mean - _NEAR_THE_BEST * (best - mean)
    among = np_.where(is_read, among, np_.maximum(among, 0))
    found = near + more * (near - mean) + weights.brief * is_single * among
    return (weights.vector or weights.multilingual) * found


def in_other_scripts(
    near: "Array", across: "Array | None", is_foreign: "Array", *, usual: Usual
) -> "Array":
    """Judge texts in scripts that the main model cannot read by the multilingual one.

    Two models' cosines cannot be compared, but how far one stands out from all others can: by
    as many standard deviations, it counts the same in both.
    """
    import numpy as np_

    found = np_.where(is_foreign, np_.nan, near)
    if across is not None:
        found[is_foreign] = _converted(across, USUAL_ACROSS, moments(found, usual))[is_foreign]
    return found


def completed(across: "Array", main: "Array") -> "Array":
    """Judge texts that the multilingual model has not read yet by the main one, which has."""
    import numpy as np_

    as_across = _converted(main, USUAL_VECTORS, moments(across, USUAL_ACROSS))
    return np_.where(np_.isnan(across), as_across, across)


def _converted(values: "Array", usual: Usual, scale: Usual) -> "Array":
    """Return one model's cosines on the scale of another one's."""
    mean, spread = moments(values, usual)
    return scale.mean + (values - mean) / spread * scale.spread


def in_units(near: "Array", usual: Usual) -> "Array":
    """Return by how many usual spreads items are nearer than unrelated texts are."""
    return (near - usual.mean) / usual.spread


def moments(values: "Array", usual: Usual) -> Usual:
    """Return mean and spread; of few values, more what is usual than what they happen to be."""
    import numpy as np_

    known = values[~np_.isnan(values)]
    share = len(known) / (len(known) + _FEW_VALUES)
    mean = share * float(known.mean()) + (1 - share) * usual.mean if share else usual.mean
    squares = float(np_.square(known - mean).mean()) if share else 0.0
    return Usual(mean, math.sqrt(share * squares + (1 - share) * usual.spread**2))


def is_near(near: "Array | None", count: int) -> "Array":
    """Tell which items stand out by their meaning alone."""
    import numpy as np_

    known = np_.empty(0) if near is None else near[~np_.isnan(near)]
    if near is None or not len(known):
        return np_.zeros(count, dtype=bool)
    # The nearest hundred, however near: who asks by meaning wants to see the nearest.
    return np_.nan_to_num(near, nan=-2.0) >= kth_best(known, min(100, len(known)))


def stands_out(near: "Array | None", weights: Weights) -> "Array | bool":
    """Tell which items are nearer than texts that have nothing to do with each other."""
    if near is None:
        return False
    usual = USUAL_VECTORS if weights.vector else USUAL_ACROSS
    return near >= usual.mean + usual.spread


def best(score: "Array", count: int) -> "Array":
    """Return the positions of the best scores, in no order, ties with the last included."""
    import numpy as np_

    if count >= len(score):
        return np_.arange(len(score))
    return np_.flatnonzero(score >= kth_best(score, count))
