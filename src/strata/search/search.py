"""One search for everything: words, meaning, neighbours, on any branch, at any time."""

import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

import msgspec

from strata.search import rank
from strata.search.corpus import Corpus
from strata.search.entry import FOREIGN
from strata.search.query import Answer, Hit, Part, Query, Ranking
from strata.search.scoring import Meaning, Scored, Scorer
from strata.search.selection import (
    Selection,
    best_of_groups,
    shown_in_groups,
    visible_items,
)
from strata.search.snippets import snippet
from strata.search.text import text_of_value, type_of
from strata.store import (
    DEFAULT_BRANCH,
    EVENT,
    GUARDED,
    NOW,
    Record,
    Snapshot,
    Store,
    event_time,
    meta_of,
    value_of,
)

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_SELECTIONS_MAX = 8


class Search:
    """Searches one store. Safe from several threads, one at a time."""

    def __init__(self, store: Store, meaning: Meaning | None = None) -> None:
        self._store = store
        self._meaning = meaning
        self._scorer = Scorer(store, meaning)
        self.begin_afresh()
        _all.add(self)

    def begin_afresh(self) -> None:
        """Drop everything, and the lock with it: after fork() its holder may not exist."""
        # One for every corpus there will be, because `forget` puts a new one in its place.
        self._lock = threading.RLock()
        self._corpus: Corpus | None = None
        self._selections: OrderedDict[tuple[object, ...], tuple[object, Selection]] = OrderedDict()

    @property
    def corpus(self) -> Corpus:
        """Everything searchable, up to date after `refresh`."""
        if self._corpus is None:
            self._corpus = Corpus(self._store, self._lock)
        return self._corpus

    def find(self, snapshot: Snapshot, query: Query) -> Answer:
        """Return what answers the query best in the state that a snapshot shows."""
        question = self._scorer.read(query)
        with self._lock:
            selection = self._selection(snapshot, query)
            scored = self._scorer.score(
                selection, query, question=question, is_live=_is_live(snapshot)
            )
            order = self._ordered(selection, scored, query)
            hits = tuple(self._hits(selection, scored, order, query=query))
        pending = 0
        if self._meaning is not None and query.mode != "keyword":
            pending = self._meaning.pending()
        return Answer(hits, scored.mode, pending, self._notes(query, scored))

    def rank(self, snapshot: Snapshot, query: Query, *, by_whole: bool) -> Ranking:
        """Return the best parts, or the best part of each whole, without reading any of them.

        The query names guarded kinds.
        """
        question = self._scorer.read(query)
        with self._lock:
            selection = self._selection(snapshot, query)
            scored = self._scorer.score(
                selection, query, question=question, is_live=_is_live(snapshot)
            )
            # What is only beside a match is no place that answers.
            answers = scored._replace(
                is_found=scored.is_found & (scored.has_words | scored.has_meaning)
            )
            is_shown = self._passing(selection, answers, query)
            if by_whole:
                chosen = best_of_groups(selection, scored.score, is_shown, k=query.k)
            else:
                chosen = self._ordered(selection, answers, query)[: query.k]
            parts = tuple(self._parts(selection, answers, chosen, is_shown=is_shown))
        return Ranking(parts, scored.terms, scored.mode)

    def _parts(
        self, selection: Selection, scored: Scored, chosen: "Array", *, is_shown: "Array"
    ) -> Iterator[Part]:
        whole = selection.take("whole")
        count = shown_in_groups(selection, is_shown & scored.has_words)
        for at in chosen.tolist():
            yield Part(
                whole=self.corpus.name_of(int(whole[at])),
                version=int(selection.version[at]),
                score=round(float(scored.score[at]), 4),
                others=int(count[selection.group[at]]) - bool(scored.has_words[at]),
                by_words=bool(scored.has_words[at]),
                by_meaning=bool(scored.has_meaning[at]),
            )

    def like(self, snapshot: Snapshot, query: Query, whole: str) -> list[tuple[str, float]]:
        """Return the wholes that mean nearly what one does, nearest first, each with its cosine.

        Of the query only its filters and `k` count. Without vectors there is nothing.
        """
        import numpy as np_

        if self._meaning is None:
            return []
        with self._lock:
            selection = self._selection(snapshot, query)
            number = self.corpus.number_of(whole)
            own = selection.take("whole") == number
            if not own.any():
                return []
            is_foreign = bool(selection.has(FOREIGN)[own].mean() > 0.5)
            versions = selection.version
            near = self._meaning.likeness(versions[own], versions, is_foreign=is_foreign)
            if near is None:
                return []
            chosen = best_of_groups(selection, near, ~own & ~np_.isnan(near), k=query.k)
            wholes = selection.take("whole")
            return [(self.corpus.name_of(int(wholes[at])), float(near[at])) for at in chosen]

    def part(self, version: int) -> tuple[str, str]:
        """Return kind and key of a part that a ranking holds."""
        [(_record, keyspace, key)] = self._records([version], at_once=1)
        return self._store.keyspace_name(keyspace)[1], key

    def forget(self) -> None:
        """Drop what is in memory; the next search reads it anew."""
        with self._lock:
            self._corpus = None
            self._selections.clear()

    # What is visible.

    def _selection(self, snapshot: Snapshot, query: Query) -> Selection:
        corpus = self.corpus
        corpus.refresh()
        branch = snapshot.current_branch()
        guarded = tuple(kind for kind in query.kinds if kind in GUARDED)
        key = (branch, snapshot.bound, query.namespaces, guarded, query.among)
        stamp, found = self._selections.get(key, (None, None))
        # A state of the past does not change, unless something is taken out of it.
        if found is None or stamp != corpus.stamp(snapshot.bound):
            items = visible_items(corpus, self._store.lineage(branch), bound=snapshot.bound)
            if _is_live(snapshot):
                corpus.narrow(items)
            found = Selection(corpus, self._inside(items, query, guarded=guarded))
            self._selections[key] = (corpus.stamp(snapshot.bound), found)
        self._selections.move_to_end(key)
        while len(self._selections) > _SELECTIONS_MAX:
            self._selections.popitem(last=False)
        return found

    def _inside(self, items: "Array", query: Query, *, guarded: tuple[str, ...]) -> "Array":
        """Leave out what the query must not see, so that nothing of it can count."""

        def fits(space: str, kind: str) -> bool:
            is_open = kind in query.kinds if guarded else kind not in GUARDED
            return is_open and (not query.namespaces or space in query.namespaces)

        corpus = self.corpus
        left_out = self._keyspaces(lambda space, kind: not fits(space, kind))
        if left_out:
            items = items[~_is_among(corpus.column("keyspace")[items], left_out)]
        if query.among is None:
            return items
        return items[corpus.are_among(query.among)[corpus.column("whole")[items]]]

    def _keyspaces(self, fits: Callable[[str, str], bool]) -> list[int]:
        keyspaces = self._store.catalog.all_keyspaces(self._store.connection())
        return [number for number, space, kind in keyspaces if fits(space, kind)]

    # What is shown.

    def _passing(self, selection: Selection, scored: Scored, query: Query) -> "Array":
        """Tell which positions were found and pass the filters."""
        is_shown = scored.is_found.copy()
        if query.kinds:
            keyspaces = self._keyspaces(lambda _space, kind: kind in query.kinds)
            is_shown &= _is_among(selection.take("keyspace"), keyspaces)
        for tag in query.tags:
            rows = self._store.connection().rows(self._store.queries.versions_by_tag, (tag,))
            is_shown &= _is_among(selection.version, [row[0] for row in rows])
        if query.since is not None:
            is_shown &= selection.take("timestamp") >= query.since
        if query.until is not None:
            is_shown &= selection.take("timestamp") <= query.until
        return is_shown

    def _ordered(self, selection: Selection, scored: Scored, query: Query) -> "Array":
        """Return the positions that pass the filters, best first; ties newest first."""
        import numpy as np_

        at = np_.flatnonzero(self._passing(selection, scored, query))
        if query.passes is None and len(at) > 4 * query.k:
            at = at[rank.best(scored.score[at], query.k)]
        return at[np_.lexsort((-selection.version[at], -scored.score[at]))]

    def _hits(
        self, selection: Selection, scored: Scored, order: "Array", *, query: Query
    ) -> Iterator[Hit]:
        found = 0
        rows = self._records(selection.version[order].tolist(), at_once=query.k)
        for position, (record, keyspace, key) in zip(order.tolist(), rows, strict=True):
            value = value_of(record)
            if query.passes is not None and not query.passes(value):
                continue
            found += 1
            space, kind = self._store.keyspace_name(keyspace)
            part = snippet(text_of_value(kind, value, record[4]), scored.terms)
            yield Hit(
                key=str(int(key)) if kind == EVENT else key,
                namespace=space,
                kind=kind,
                value=value,
                score=round(float(scored.score[position]), 4),
                rank=found,
                snippet=part.text,
                marks=part.marks,
                version=record[0],
                timestamp=event_time(record) if kind == EVENT else record[1],
                tags=tuple(meta_of(record).get("tags", ())),
                event=type_of(record[4] or b"{}") if kind == EVENT else "",
            )
            if found == query.k:
                return

    def _records(self, versions: list[int], *, at_once: int) -> Iterator[tuple[Record, int, str]]:
        """Yield versions in their order, each with its keyspace and key, some read at once."""
        connection, statement = self._store.connection(), self._store.queries.versions_by_number
        for start in range(0, len(versions), at_once):
            wanted = versions[start : start + at_once]
            rows = connection.rows(statement, (msgspec.json.encode(wanted).decode(),))
            found = {row[0]: row for row in rows}
            for version in wanted:
                row = found[version]
                yield cast("Record", row[:5]), row[5], row[6]

    def _notes(self, query: Query, scored: Scored) -> tuple[str, ...]:
        if query.mode in ("semantic", "hybrid") and scored.mode == "keyword":
            return ("Searched by words only: no vectors are there yet, or no model is ready.",)
        return ()


def _is_live(snapshot: Snapshot) -> bool:
    return snapshot.bound == NOW and snapshot.branch == DEFAULT_BRANCH


def _is_among(values: "Array", wanted: list[int]) -> "Array":
    import numpy as np_

    return np_.isin(values, np_.asarray(wanted, dtype=values.dtype))


_all: "weakref.WeakSet[Search]" = weakref.WeakSet()


def _begin_in_child() -> None:
    for search in list(_all):
        search.begin_afresh()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)
