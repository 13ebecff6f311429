"""What a question asks for, and how well everything visible answers it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from strata.base import limits
from strata.base.embedder import TextInContext
from strata.search import cues, rank, relevance, tokens
from strata.search.candidates import READ_TO_CHOOSE, Wanted, choose
from strata.search.entry import FOREIGN, hash_term
from strata.search.index.scope import PartView, SearchScope
from strata.search.query import Query
from strata.search.selection import READ_OF_ALL, Selection, Term
from strata.search.vectors.passages import Passage, PassageRequest
from strata.sql import Read
from strata.store import Store, after_prefix

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Items that the slower look at single words' meanings is given to.
_CLOSER_LOOK = 50
# Items that are ranked because their meaning is near, whatever their words are.
_NEAREST = 400
# Letters at the end of a question from which on they may be a word that is being typed.
_TYPED_MIN = 3


class Meaning(Protocol):
    """What the models know of a question; handed in, because search does not know models.

    Each returns None when it cannot tell now, and NaN for versions whose vectors are still
    to be made.
    """

    def reads(self) -> Iterable[Read]:
        """Return what is read before every question to see whether anything is new."""
        ...

    def prepare(self, question: str, *, is_foreign: bool, is_korean: bool, waits: bool) -> None:
        """Let the models read a question, which takes long, before anything is locked."""
        ...

    def vectors(self, question: str, versions: "Array") -> "Array | None":
        """Return how near each version's meaning is, from -1 to 1."""
        ...

    def nearest(
        self,
        question: str,
        k: int,
        *,
        is_foreign: bool,
        is_korean: bool,
        passes: "Callable[[Array], Array]",
    ) -> "Array | None":
        """Return the versions whose meaning is nearest, of those that pass.

        `is_foreign` asks for the model that reads all languages, `is_korean` for the main one too
        while that one has not read all texts.
        """
        ...

    def words(self, question: str, versions: "Array") -> "Array | None":
        """Return how well each version's words mean what the question's do, from 0 to 1."""
        ...

    def passages(self, wanted: PassageRequest, texts: Mapping[int, str]) -> dict[int, Passage]:
        """Return of each version's text the passage that answers best.

        Versions for which the models cannot tell are left out.
        """
        ...

    def judge(self, question: str, texts: Sequence[TextInContext]) -> Sequence[float]:
        """Return how well each of the first texts answers, given it and the text before it.

        The higher the better; nothing while no model may or can tell.
        """
        ...

    def languages(self, question: str, versions: "Array") -> "Array | None":
        """Return how near each version's meaning is across languages, from -1 to 1."""
        ...

    def usual(self, question: str, *, is_foreign: bool) -> float | None:
        """Return how near a question is to texts that have nothing to do with it.

        None for a model that does not know, or was not asked. `is_foreign` asks for the model that
        reads all languages.
        """
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
    `has_meaning` tells which of them are nearer than texts usually are to each other. `terms` are
    the words of the question, each with how much it says. `missing` is what the question names and
    no text here mentions. `reads_tokens` tells whether the question was compared word by word, and
    `is_talk` which positions are part of a talk.
    """

    score: "Array"
    relevance: "Array"
    is_found: "Array"
    has_words: "Array"
    has_meaning: "Array"
    terms: dict[str, float]
    mode: Literal["keyword", "semantic", "hybrid"]
    missing: tuple[str, ...]
    reads_tokens: bool
    is_talk: "Array"


class Sieve(NamedTuple):
    """What of a scope may be shown: of some keyspaces, among some versions, of some time.

    It has no part in any score.
    """

    keyspaces: tuple[int, ...] | None = None
    versions: tuple[list[int], ...] = ()
    since: int | None = None
    until: int | None = None

    def passes(self, take: "Callable[[str], Array]") -> "Array | None":
        """Tell of items, whose properties are taken by name, which of them pass; None for all."""
        import numpy as np_

        found: list[Array] = []
        if self.keyspaces is not None:
            found.append(np_.isin(take("keyspace"), self.keyspaces))
        found += [np_.isin(take("version"), versions) for versions in self.versions]
        if self.since is not None:
            found.append(take("timestamp") >= self.since)
        if self.until is not None:
            found.append(take("timestamp") <= self.until)
        return np_.logical_and.reduce(found) if found else None

    def among(self, view: PartView, items: "Array") -> "Array":
        """Return which items of a part pass."""
        import numpy as np_

        is_passing = self.passes(lambda name: view.part.take(name, items))
        return np_.ones(len(items), dtype=bool) if is_passing is None else is_passing


class Asking(NamedTuple):
    """A query as the models have read it, what of its answer may be shown, and how far to look.

    `turns` are the keyspaces of what was said in conversations.
    """

    query: Query
    question: tokens.Question
    sieve: Sieve
    turns: tuple[int, ...] = ()
    times: int = 1


class Legs(NamedTuple):
    """What the models say of every item: by the main one, and across languages.

    `units` tell by how many usual spreads each is nearer than unrelated texts are.
    """

    weights: rank.Weights
    near: "Array | None" = None
    across: "Array | None" = None
    units: "Array | None" = None


class Lack(NamedTuple):
    """What a question names and no text mentions: names, of how many, and identifiers."""

    names: tuple[str, ...]
    named: int
    identifiers: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """All of it, each once."""
        return tuple(dict.fromkeys(self.names + self.identifiers))


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
            is_foreign, is_korean = _is_foreign(question), _is_korean(question)
            self._meaning.prepare(
                query.text, is_foreign=is_foreign, is_korean=is_korean, waits=waits
            )
        return question

    def score(self, scope: SearchScope, asking: Asking) -> "tuple[Selection, Scored]":
        """Return what was ranked, how well each of it answers, and which of it may be shown."""
        query, question, *_ = asking
        asked = cues.ask(query.text)
        said, last = cues.names(query.text), _last_terms(question)
        if self._store.database.foresees:
            _bring(scope, (*question.terms, *(last or ())), names=said)
        named = rank.speakers(scope, said)
        prefixes = list(question.prefixes)
        # The word at the end may be the beginning of one if it occurs in no text.
        if last is not None and not any(scope.holds((hash_term(term),)) for term in last):
            prefixes.append(question.last)
        words: list[tuple[str, ...]] = [(term,) for term in question.terms]
        words += filter(None, [self._completed(prefix, scope) for prefix in prefixes])
        wanted = [tuple(map(hash_term, forms)) for forms in words]
        names = frozenset(term for name in named for term in _terms_of(name))
        sought = Wanted(
            wanted,
            words=rank.WORDS_ONLY.context + rank.WORDS_ONLY.own,
            group=rank.WORDS_ONLY.group,
            names=names,
            bonus=partial(rank.early_bonus, asked=asked, named=named),
        )
        selection = self._select(scope, asking, sought)
        legs = self._legs(selection, query, question)
        weights = legs.weights
        enough = 0.0 if legs.near is None else rank.ENOUGH
        matched = rank.match_words(selection, wanted, names, enough=enough)
        is_talk = selection.are_talks(asking.turns)
        score = rank.add_cues(selection, matched, asked, is_talk=is_talk, weights=weights)
        rank.add_speakers(selection, score, named, weights=weights)
        is_found = (matched.context > 0) & (weights.context > 0)
        has_words = (matched.own > 0) & (weights.context > 0)
        is_near = rank.is_near(legs.near, selection.count)
        if legs.near is not None:
            filled = rank.filled(legs.near, is_found)
            score += _by_meaning(selection, legs, filled, is_talk=is_talk)
        is_found |= is_near
        has_meaning = is_near & rank.stands_out(legs.near, weights)
        score = self._look_closer(selection, query, score, legs=legs).round(4)
        if selection.is_ranked is not None:
            is_found &= selection.is_ranked
        pairs = zip(words, wanted, strict=True)
        terms = {form: matched.told[term] for forms, term in pairs for form in forms}
        lack = _lack(query.text, matched.unseen)
        relevant = _relevance(selection, matched.held, lack, is_talk=is_talk, units=legs.units)
        rank.put_newest_first(selection, score, is_found, relevant=relevant)
        return selection, Scored(
            score,
            relevant,
            is_found,
            has_words,
            has_meaning,
            terms,
            _mode(legs),
            lack.missing,
            reads_tokens=legs.near is not None and legs.weights.tokens > 0,
            is_talk=is_talk,
        )

    def _select(self, scope: SearchScope, asking: Asking, wanted: Wanted) -> Selection:
        """Return what is to be ranked: all of a small scope, or what may be the best of it."""
        if len(scope) <= limits.RANKED_WHOLE_MAX:
            return scope.remembered(Selection)
        return choose(
            scope,
            wanted._replace(
                passes=asking.sieve.among,
                versions=self._nearest(scope, asking),
                times=asking.times,
            ),
        )

    def _nearest(self, scope: SearchScope, asking: Asking) -> "Array | None":
        query, question, *_ = asking
        if self._meaning is None or query.mode == "keyword":
            return None
        return self._meaning.nearest(
            query.text,
            _NEAREST * asking.times,
            is_foreign=_is_foreign(question),
            is_korean=_is_korean(question),
            passes=scope.shows,
        )

    def _completed(self, prefix: str, scope: SearchScope) -> tuple[str, ...]:
        """Return the terms of the words that begin with a prefix and occur in what is visible.

        The list of words is that of the whole store: words of what one may not see must not
        take the place of others.
        """
        values = (prefix, after_prefix(prefix), limits.COMPLETIONS_LOOKED_AT)
        rows = self._store.connection().rows(self._store.queries.words_from, values)
        terms = (term for (word,) in rows for term in tokens.analyse(word).terms)
        shown = (term for term in dict.fromkeys(terms) if scope.holds((hash_term(term),)))
        return tuple(islice(shown, limits.COMPLETIONS_MAX))

    def _legs(self, selection: Selection, query: Query, question: tokens.Question) -> Legs:
        """Choose the weights that fit the question, and ask the models that can tell."""
        meaning, text = self._meaning, query.text
        if meaning is None or query.mode == "keyword" or not selection.count:
            return Legs(rank.WORDS_ONLY)
        versions = selection.version
        if _is_foreign(question):
            return _legs_across(meaning, query, versions, is_korean=_is_korean(question))
        near = meaning.vectors(text, versions)
        if near is None:
            return Legs(rank.WORDS_ONLY)
        weights = rank.MEANING_ONLY if query.mode == "semantic" else rank.WITH_TOKENS
        weights = weights.for_question(len(question.terms))
        is_foreign = selection.has(FOREIGN)
        units = _units(near, meaning.usual(text, is_foreign=False), rank.USUAL_VECTORS)
        if not is_foreign.any():
            return Legs(weights, near, units=units)
        across = meaning.languages(text, versions)
        near = rank.in_other_scripts(near, across, is_foreign, usual=rank.USUAL_VECTORS)
        told: Array | float = float("nan")
        if across is not None:
            told = _units(across, meaning.usual(text, is_foreign=True), rank.USUAL_ACROSS)
        return Legs(weights, near, across, _replaced(units, is_foreign, told))

    def _look_closer(
        self, selection: Selection, query: Query, score: "Array", *, legs: Legs
    ) -> "Array":
        """Compare the question word by word with the best items so far."""
        if self._meaning is None or not legs.weights.tokens:
            return score
        best = rank.best(score, _CLOSER_LOOK)
        close = self._meaning.words(query.text, selection.versions_at(best))
        if close is None:
            return score
        is_foreign = selection.has(FOREIGN)[best]
        if legs.weights.vector and is_foreign.any():
            across = None if legs.across is None else legs.across[best]
            close = rank.in_other_scripts(close, across, is_foreign, usual=rank.USUAL_TOKENS)
        score[best] += legs.weights.tokens * rank.filled(close, None)
        return score


def _legs_across(meaning: Meaning, query: Query, versions: "Array", *, is_korean: bool) -> Legs:
    """Ask the model that reads all languages, and for a Korean question the main one too."""
    import numpy as np_

    weights = rank.MEANING_ACROSS if query.mode == "semantic" else rank.ACROSS_LANGUAGES
    if not is_korean:
        weights = weights._replace(tokens=0.0)
    across = meaning.languages(query.text, versions)
    usual = meaning.usual(query.text, is_foreign=False) if is_korean else None
    main = None if usual is None else meaning.vectors(query.text, versions)
    if across is None and main is None:
        return Legs(rank.WORDS_ONLY)
    near = np_.full(len(versions), np_.nan) if across is None else across
    units = _units(near, meaning.usual(query.text, is_foreign=True), rank.USUAL_ACROSS)
    if main is not None:
        # What the other model has not read yet is judged by the main one. Where both have read a
        # text the mean counts, since each is wrong about other texts.
        near = rank.completed(near, main)
        units = _mean(units, _units(main, usual, rank.USUAL_VECTORS))
    return Legs(weights, near, units=units)


def _by_meaning(selection: Selection, legs: Legs, near: "Array", *, is_talk: "Array") -> "Array":
    """Return what nearness counts, where the legs without a vector are filled."""
    import numpy as np_

    assert legs.near is not None, "only a leg that was read can be filled"
    is_read = ~(np_.isnan(legs.near) | selection.has(FOREIGN))
    return rank.by_meaning(
        near,
        is_read=is_read,
        is_single=selection.is_single,
        is_talk=is_talk,
        weights=legs.weights,
    )


def _units(near: "Array", mean: float | None, usual: rank.Usual) -> "Array":
    """Return by how many usual spreads items are nearer than texts are on average."""
    return rank.in_units(near, usual if mean is None else usual._replace(mean=mean))


def _mean(one: "Array", other: "Array") -> "Array":
    """Return the mean of two models' units, or those of the one that has some."""
    import numpy as np_

    either = np_.where(np_.isnan(one), other, one)
    return np_.where(np_.isnan(one) | np_.isnan(other), either, (one + other) / 2)


def _replaced(values: "Array", where: "Array", others: "Array | float") -> "Array":
    import numpy as np_

    return np_.where(where, others, values)


def _relevance(
    selection: Selection,
    words: relevance.Held,
    lack: Lack,
    *,
    is_talk: "Array",
    units: "Array | None",
) -> "Array":
    absent = len(lack.names) / max(lack.named, 1)
    if units is None:
        return _with_lent(selection, relevance.by_words(words, absent), words.most > 0)
    known = selection.statistics
    items = selection.count if known is None else known.items
    near = relevance.Near(units, items, is_talk)
    return relevance.by_meaning(words, absent, near, lacks_identifier=bool(lack.identifiers))


def _with_lent(selection: Selection, relevant: "Array", has_words: "Array") -> "Array":
    """Let items without a word of the question be as relevant as the best one beside them."""
    import numpy as np_

    return np_.where(has_words, relevant, np_.maximum(relevant, selection.best_beside(relevant)))


def _lack(text: str, unseen: frozenset[Term]) -> Lack:
    """Return what a question names and no text mentions."""

    def missing(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if unseen.issuperset(_terms_of(name)))

    named = cues.named(text)
    return Lack(missing(named), len(named), missing(cues.identifiers(text)))


def _terms_of(name: str) -> list[Term]:
    """Return the terms of a name as a question has them, each in its one form."""
    return [(hash_term(term),) for term in tokens.question(name).terms]


def _mode(legs: Legs) -> Literal["keyword", "semantic", "hybrid"]:
    if legs.near is None:
        return "keyword"
    return "hybrid" if legs.weights.context else "semantic"


def _bring(scope: SearchScope, terms: Iterable[str], *, names: Collection[str]) -> None:
    """Read at once what is soon needed of a question's words, and of the names in it."""
    labels = ("labels",) if names else ()
    is_whole = len(scope) <= limits.RANKED_WHOLE_MAX
    columns = READ_OF_ALL if is_whole else READ_TO_CHOOSE
    scope.bring(*labels, *columns, terms=[hash_term(term) for term in terms])


def _last_terms(question: tokens.Question) -> list[str] | None:
    """Return the terms of the word at the end; None if it is too short to be an unfinished one."""
    if len(question.last) < _TYPED_MIN:
        return None
    return list(tokens.question(question.last).terms)


def _is_foreign(question: tokens.Question) -> bool:
    """Whether a question is mostly written in other letters than Latin ones."""
    return question.cjk + question.other > question.latin


def _is_korean(question: tokens.Question) -> bool:
    """Whether the main model can read a foreign question: its other letters are mostly Hangul."""
    return 2 * question.hangul > question.cjk + question.other
