"""One search for everything: words, meaning, neighbours, on any branch, at any time."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from strata.base import limits
from strata.search import cues, rank, tokens
from strata.search.corpus import Corpus
from strata.search.entry import hash_term
from strata.search.query import Answer, Hit, Query
from strata.search.selection import Selection, visible_items
from strata.search.snippets import snippet
from strata.search.text import readable, type_of
from strata.store import EVENT, NOW, Record, Snapshot, Store, after_prefix, meta_of, value_of

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_SELECTIONS_MAX = 8
# Items that the slower look at single words' meanings is given to.
_CLOSER_LOOK = 100


class Meaning(Protocol):
    """What the models know of a question; handed in, because search does not know models.

    Each returns None when it cannot tell now, and NaN for versions whose vectors are still
    to be made.
    """

    def vectors(self, question: str, versions: "Array", *, waits: bool) -> "Array | None":
        """Return how near each version's meaning is, from -1 to 1."""
        ...

    def words(self, question: str, versions: "Array") -> "Array | None":
        """Return how well each version's words mean what the question's do, from 0 to 1."""
        ...

    def languages(self, question: str, versions: "Array", *, waits: bool) -> "Array | None":
        """Return how near each version's meaning is across languages, from -1 to 1."""
        ...

    def pending(self) -> int:
        """Return how many texts wait for their vectors."""
        ...


class Scored(NamedTuple):
    """Scores of a selection, which positions may be shown at all, and how they came about."""

    score: "Array"
    is_found: "Array"
    terms: dict[str, float]
    mode: Literal["keyword", "semantic", "hybrid"]


class Search:
    """Searches one store. Safe from several threads, one at a time."""

    def __init__(self, store: Store, meaning: Meaning | None = None) -> None:
        self._store = store
        self._meaning = meaning
        self._corpus: Corpus | None = None
        self._selections: OrderedDict[tuple[object, ...], tuple[object, Selection]] = OrderedDict()

    @property
    def corpus(self) -> Corpus:
        """Everything searchable, up to date after `refresh`."""
        if self._corpus is None:
            self._corpus = Corpus(self._store)
        return self._corpus

    def find(self, snapshot: Snapshot, query: Query) -> Answer:
        """Return what answers the query best in the state that a snapshot shows."""
        with self.corpus.lock:
            selection = self._selection(snapshot, query.namespaces)
            scored = self._score(selection, query, is_live=_is_live(snapshot))
            order = self._ordered(selection, scored, query)
            hits = tuple(self._hits(selection, scored, order, query=query))
        pending = self._meaning.pending() if self._meaning is not None else 0
        return Answer(hits, scored.mode, pending, self._notes(query, scored))

    def forget(self) -> None:
        """Drop what is in memory; the next search reads it anew."""
        self._corpus = None
        self._selections.clear()

    # What is visible.

    def _selection(self, snapshot: Snapshot, namespaces: tuple[str, ...]) -> Selection:
        corpus = self.corpus
        corpus.refresh()
        branch = snapshot.current_branch()
        key = (branch, snapshot.bound, namespaces)
        stamp, found = self._selections.get(key, (None, None))
        # A state of the past does not change, unless something is taken out of it.
        if found is None or stamp != corpus.stamp(snapshot.bound):
            items = visible_items(corpus, self._store.lineage(branch), bound=snapshot.bound)
            if _is_live(snapshot):
                corpus.narrow(items)
            found = Selection(corpus, self._inside(items, namespaces))
            self._selections[key] = (corpus.stamp(snapshot.bound), found)
        self._selections.move_to_end(key)
        while len(self._selections) > _SELECTIONS_MAX:
            self._selections.popitem(last=False)
        return found

    def _inside(self, items: "Array", namespaces: tuple[str, ...]) -> "Array":
        if not namespaces:
            return items
        shelves = self._shelves(lambda space, _kind: space in namespaces)
        return items[_is_among(self.corpus.column("shelf")[items], shelves)]

    def _shelves(self, fits: Any) -> list[int]:
        shelves = self._store.catalog.all_shelves(self._store.connection())
        return [number for number, space, kind in shelves if fits(space, kind)]

    # How well it answers.

    def _score(self, selection: Selection, query: Query, *, is_live: bool) -> Scored:
        question, asked = tokens.question(query.text), cues.ask(query.text)
        named = rank.speakers(selection, cues.names(query.text))
        words = self._words(question, without=named)
        wanted = [tuple(map(hash_term, forms)) for forms in words]
        matched = rank.match_words(selection, wanted, is_live=is_live)
        weights, legs = self._legs(selection, query, question)
        score = rank.add_cues(selection, matched, asked, weights=weights)
        for at in named.values():
            score[at] += weights.label
        is_found = matched.context > 0
        for leg, weight in legs:
            score += weight * rank.filled(leg, is_found)
            is_found = is_found | rank.is_near(leg)
        score = self._look_closer(selection, query, score, weights=weights).round(4)
        weighted = {form: 1.0 for forms in words for form in forms}
        return Scored(score, is_found, weighted, "hybrid" if legs else "keyword")

    def _words(
        self, question: tokens.Question, without: Iterable[str]
    ) -> list[tuple[str, ...]]:
        """Return the terms to look for, each with the forms that a prefix may stand for."""
        dropped = {term for name in without for term in tokens.question(name).terms}
        terms = [term for term in question.terms if term not in dropped] or list(question.terms)
        found = [(term,) for term in terms]
        for prefix in question.prefixes:
            found.append(self._completed(prefix))
        return [forms for forms in found if forms]

    def _completed(self, prefix: str) -> tuple[str, ...]:
        """Return the terms of the words that begin with a prefix."""
        values = (prefix, after_prefix(prefix), limits.COMPLETIONS_MAX)
        rows = self._store.connection().rows(self._store.queries.words_from, values)
        return tuple(dict.fromkeys(term for (word,) in rows for term in tokens.analyse(word).terms))

    def _legs(
        self, selection: Selection, query: Query, question: tokens.Question
    ) -> "tuple[rank.Weights, list[tuple[Array, float]]]":
        """Choose the weights that fit the question, and ask the models that can tell."""
        meaning = self._meaning
        if meaning is None or query.mode == "keyword" or not selection.count:
            return rank.WORDS_ONLY, []
        waits = query.mode != "auto"
        if question.cjk > question.latin:
            near = meaning.languages(query.text, selection.version, waits=waits)
            weights = rank.ACROSS_LANGUAGES
            return (weights, [(near, weights.multilingual)]) if near is not None else (
                rank.WORDS_ONLY, [])  # fmt: skip
        near = meaning.vectors(query.text, selection.version, waits=waits)
        if near is None:
            return rank.WORDS_ONLY, []
        return rank.WITH_TOKENS, [(near, rank.WITH_TOKENS.vector)]

    def _look_closer(
        self, selection: Selection, query: Query, score: "Array", *, weights: rank.Weights
    ) -> "Array":
        """Compare the question word by word with the best items so far."""
        if self._meaning is None or not weights.tokens:
            return score
        best = rank.best(score, _CLOSER_LOOK)
        close = self._meaning.words(query.text, selection.version[best])
        if close is not None:
            score[best] += weights.tokens * rank.filled(close, None)
        return score

    # What is shown.

    def _ordered(self, selection: Selection, scored: Scored, query: Query) -> "Array":
        """Return the positions that pass the filters, best first; ties newest first."""
        import numpy as np_

        is_shown = scored.is_found.copy()
        if query.kinds:
            shelves = self._shelves(lambda _space, kind: kind in query.kinds)
            is_shown &= _is_among(selection.take("shelf"), shelves)
        for tag in query.tags:
            rows = self._store.connection().rows(self._store.queries.versions_by_tag, (tag,))
            is_shown &= _is_among(selection.version, [row[0] for row in rows])
        if query.since is not None:
            is_shown &= selection.take("timestamp") >= query.since
        if query.until is not None:
            is_shown &= selection.take("timestamp") <= query.until
        at = np_.flatnonzero(is_shown)
        if query.passes is None and len(at) > 4 * query.k:
            at = at[rank.best(scored.score[at], query.k)]
        return at[np_.lexsort((-selection.version[at], -scored.score[at]))]

    def _hits(
        self, selection: Selection, scored: Scored, order: "Array", *, query: Query
    ) -> Iterator[Hit]:
        found = 0
        for position in order.tolist():
            record, shelf, key = self._record(int(selection.version[position]))
            value = value_of(record)
            if query.passes is not None and not query.passes(value):
                continue
            found += 1
            space, kind = self._store.shelf_name(shelf)
            text = _shown_text(kind, record, value)
            part = snippet(text, scored.terms)
            yield Hit(
                str(int(key)) if kind == EVENT else key, space, kind, value, round(float(scored.score[position]), 4), found,
                part.text, part.marks, record[0], record[1], tuple(meta_of(record).get("tags", ())),
            )  # fmt: skip
            if found == query.k:
                return

    def _record(self, version: int) -> tuple[Record, int, str]:
        row = self._store.connection().row(self._store.queries.version_number, (version,))
        assert row is not None, f"version {version} is indexed but missing"
        return (row[0], row[1], row[2], row[3], row[4]), row[6], row[7]

    def _notes(self, query: Query, scored: Scored) -> tuple[str, ...]:
        if query.mode in ("semantic", "hybrid") and scored.mode == "keyword":
            return ("Searched by words only: no embedding model is ready.",)
        return ()


def _is_live(snapshot: Snapshot) -> bool:
    return snapshot.bound == NOW and snapshot.branch_id == 1


def _is_among(values: "Array", wanted: list[int]) -> "Array":
    import numpy as np_

    return np_.isin(values, np_.asarray(wanted, dtype=values.dtype))


def _shown_text(kind: str, record: Record, value: Any) -> str:
    text = readable(value)
    return f"{type_of(record[4])}: {text}" if kind == EVENT and record[4] else text
