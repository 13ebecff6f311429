"""What a question asks for, and how well everything visible answers it."""

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from strata.base import limits
from strata.search import cues, rank, tokens
from strata.search.entry import FOREIGN, hash_term
from strata.search.query import Query
from strata.search.selection import Selection
from strata.store import Store, after_prefix

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Items that the slower look at single words' meanings is given to.
_CLOSER_LOOK = 100
# Letters at the end of a question from which on they may be a word that is being typed.
_TYPED_MIN = 3


class Meaning(Protocol):
    """What the models know of a question; handed in, because search does not know models.

    Each returns None when it cannot tell now, and NaN for versions whose vectors are still
    to be made.
    """

    def prepare(self, question: str, *, is_foreign: bool, waits: bool) -> None:
        """Let the models read a question, which takes long, before anything is locked."""
        ...

    def vectors(self, question: str, versions: "Array") -> "Array | None":
        """Return how near each version's meaning is, from -1 to 1."""
        ...

    def words(self, question: str, versions: "Array") -> "Array | None":
        """Return how well each version's words mean what the question's do, from 0 to 1."""
        ...

    def languages(self, question: str, versions: "Array") -> "Array | None":
        """Return how near each version's meaning is across languages, from -1 to 1."""
        ...

    def likeness(self, own: "Array", versions: "Array", *, is_foreign: bool) -> "Array | None":
        """Return how near each version is to what some versions mean together.

        `is_foreign` asks for the model that reads all languages.
        """
        ...

    def pending(self) -> int:
        """Return how many texts wait for their vectors."""
        ...


class Scored(NamedTuple):
    """Scores of a selection, which positions may be shown at all, and how they came about.

    Found is what has the question's words or is near to its meaning, what is beside the one
    in a sequence, and what replaced either. The nearest are found however near they are;
    `has_meaning` tells which of them are nearer than texts usually are to each other.
    """

    score: "Array"
    is_found: "Array"
    has_words: "Array"
    has_meaning: "Array"
    terms: dict[str, float]
    mode: Literal["keyword", "semantic", "hybrid"]


class Legs(NamedTuple):
    """What the models say of every item: by the main one, and across languages."""

    weights: rank.Weights
    near: "Array | None" = None
    across: "Array | None" = None


class Scorer:
    """Scores what a selection shows, by words and by meaning."""

    def __init__(self, store: Store, meaning: Meaning | None) -> None:
        self._store = store
        self._meaning = meaning

    def read(self, query: Query) -> tokens.Question:
        """Return what is asked for, after the models have read it: they take long.

        To be called before anything is locked.
        """
        question = tokens.question(query.text)
        if self._meaning is not None and query.mode != "keyword":
            waits = query.mode != "auto"
            self._meaning.prepare(query.text, is_foreign=_is_foreign(question), waits=waits)
        return question

    def score(
        self, selection: Selection, query: Query, *, question: tokens.Question, is_live: bool
    ) -> Scored:
        """Return how well each item answers, and which of them may be shown."""
        asked = cues.ask(query.text)
        named = rank.speakers(selection, cues.names(query.text))
        prefixes = list(question.prefixes)
        if _is_unfinished(question.last, selection, is_live=is_live):
            prefixes.append(question.last)
        words = self._words(question, without=named)
        words += [self._completed(prefix, selection, is_live=is_live) for prefix in prefixes]
        wanted = [tuple(map(hash_term, forms)) for forms in words if forms]
        legs = self._legs(selection, query, question)
        weights = legs.weights
        enough = 0.0 if legs.near is None else rank.ENOUGH
        matched = rank.match_words(selection, wanted, is_live=is_live, enough=enough)
        score = rank.add_cues(selection, matched, asked, weights=weights)
        rank.add_speakers(selection, score, named, weights=weights)
        is_found = (matched.context > 0) & (weights.context > 0)
        has_words = (matched.own > 0) & (weights.context > 0)
        is_near = rank.is_near(legs.near, selection.count)
        if legs.near is not None:
            leading = weights.vector or weights.multilingual
            score += leading * rank.filled(legs.near, is_found)
        is_found |= is_near
        has_meaning = is_near & rank.stands_out(legs.near, weights)
        score = self._look_closer(selection, query, score, legs=legs).round(4)
        rank.put_newest_first(selection, score, is_found)
        terms = {form: 1.0 for forms in words for form in forms}
        return Scored(score, is_found, has_words, has_meaning, terms, _mode(legs))

    def _words(self, question: tokens.Question, without: Iterable[str]) -> list[tuple[str, ...]]:
        """Return the terms to look for, without the names of the speakers in question."""
        dropped = {term for name in without for term in tokens.question(name).terms}
        terms = [term for term in question.terms if term not in dropped] or question.terms
        return [(term,) for term in terms]

    def _completed(self, prefix: str, selection: Selection, *, is_live: bool) -> tuple[str, ...]:
        """Return the terms of the words that begin with a prefix and occur in what is selected.

        The list of words is that of the whole store: words of what one may not see must not
        take the place of others.
        """
        values = (prefix, after_prefix(prefix), limits.COMPLETIONS_LOOKED_AT)
        rows = self._store.connection().rows(self._store.queries.words_from, values)
        terms = (term for (word,) in rows for term in tokens.analyse(word).terms)
        shown = (
            term
            for term in dict.fromkeys(terms)
            if len(selection.term((hash_term(term),), is_live=is_live)[0])
        )
        return tuple(islice(shown, limits.COMPLETIONS_MAX))

    def _legs(self, selection: Selection, query: Query, question: tokens.Question) -> Legs:
        """Choose the weights that fit the question, and ask the models that can tell."""
        meaning, text, versions = self._meaning, query.text, selection.version
        if meaning is None or query.mode == "keyword" or not selection.count:
            return Legs(rank.WORDS_ONLY)
        is_semantic = query.mode == "semantic"
        if _is_foreign(question):
            near = meaning.languages(text, versions)
            weights = rank.MEANING_ACROSS if is_semantic else rank.ACROSS_LANGUAGES
            return Legs(rank.WORDS_ONLY) if near is None else Legs(weights, near)
        near = meaning.vectors(text, versions)
        if near is None:
            return Legs(rank.WORDS_ONLY)
        weights = rank.MEANING_ONLY if is_semantic else rank.WITH_TOKENS
        is_foreign = selection.has(FOREIGN)
        if not is_foreign.any():
            return Legs(weights, near)
        across = meaning.languages(text, versions)
        near = rank.in_other_scripts(near, across, is_foreign, usual=rank.USUAL_VECTORS)
        return Legs(weights, near, across)

    def _look_closer(
        self, selection: Selection, query: Query, score: "Array", *, legs: Legs
    ) -> "Array":
        """Compare the question word by word with the best items so far."""
        if self._meaning is None or not legs.weights.tokens:
            return score
        best = rank.best(score, _CLOSER_LOOK)
        close = self._meaning.words(query.text, selection.version[best])
        if close is None:
            return score
        is_foreign = selection.has(FOREIGN)[best]
        if is_foreign.any():
            across = None if legs.across is None else legs.across[best]
            close = rank.in_other_scripts(close, across, is_foreign, usual=rank.USUAL_TOKENS)
        score[best] += legs.weights.tokens * rank.filled(close, None)
        return score


def _mode(legs: Legs) -> Literal["keyword", "semantic", "hybrid"]:
    if legs.near is None:
        return "keyword"
    return "hybrid" if legs.weights.context else "semantic"


def _is_unfinished(last: str, selection: Selection, *, is_live: bool) -> bool:
    """Whether the word at the end occurs in no text, so that it may be the beginning of one."""
    if len(last) < _TYPED_MIN:
        return False
    terms = tokens.question(last).terms
    return not any(len(selection.term((hash_term(t),), is_live=is_live)[0]) for t in terms)


def _is_foreign(question: tokens.Question) -> bool:
    """Whether a question is mostly written in letters that the main model cannot read."""
    return question.cjk + question.other > question.latin
