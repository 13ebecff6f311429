"""One search for everything: words, meaning, neighbours, on any branch, at any time."""

import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from strata.base import limits
from strata.base.values import encode
from strata.search import judging, rank, relevance
from strata.search.cues import read_front
from strata.search.entry import FOREIGN
from strata.search.hits import Place, hit_of, text_of_hit
from strata.search.index.entries import hash_whole
from strata.search.index.parts import DamagedSegment
from strata.search.index.scope import Limits, PartView, SearchScope
from strata.search.index.sealing import drop_stamped
from strata.search.index.text_index import TextIndex
from strata.search.query import Answer, Hit, Part, Query, Ranking
from strata.search.scoring import Asking, Meaning, Scored, Scorer, Sieve
from strata.search.selection import Selection, best_of_runs, shown_in_runs
from strata.search.snippets import WIDTH, share_of, snippet
from strata.search.text import TURN, text_of_row, whole_of
from strata.search.tokens import Finder, composed
from strata.search.vectors.passages import PassageRequest
from strata.sql import Read
from strata.store import (
    DEFAULT_BRANCH,
    GUARDED,
    NOW,
    Record,
    Snapshot,
    Store,
    read_of_versions,
    rows_of_versions,
    value_of,
)

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

T = TypeVar("T")
_Found = TypeVar("_Found", Hit, Part)

# Numpy is loaded by the first search. Its threads would then wait for work in a busy loop, which
# takes as long as loading it does; 2^20 steps of the clock are enough. What the environment says
# already stays.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")

_SCOPES_MAX = 8
# How many times as many candidates are looked at while a filter lets too few hits pass.
_FURTHER = 8
_NEAREST_CHARACTERS = 80
# How much of its score a turn of a conversation keeps beside facts and decisions.
_TURN_SHARE = 0.8
# A snippet that shows so much of what the words of a question say shows what answers it.
_SAYS_ENOUGH = 0.7
# Hits whose passage is looked for: each takes half a millisecond, and the first ones are read.
_PASSAGES_MAX = 5
# The kind of what holds the title of a document; its text lies in its sections.
_TITLE = "document"
_UNKNOWN = "ask in other words, or with strict false to see what comes nearest."


class Search:
    """Searches one store. Safe from several threads, one at a time.

    `seal` is called before a search that would have to look at many unsealed entries.
    """

    def __init__(
        self,
        store: Store,
        meaning: Meaning | None = None,
        *,
        seal: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._meaning = meaning
        self._scorer = Scorer(store, meaning)
        self._seal = seal
        self.begin_afresh()
        _all.add(self)

    def begin_afresh(self) -> None:
        """Drop everything, and the lock with it: after fork() its holder may not exist."""
        # One for every index there will be, because `forget` puts a new one in its place.
        self._lock = threading.RLock()
        # Segments that cannot be read, of a store that cannot be written.
        self._unreadable: set[int] = set()
        self.forget()

    @contextmanager
    def index(self) -> Generator[TextIndex]:
        """Give the text index as it is now; no other thread uses it meanwhile.

        Parts of it are read later, and may be gone by then: then DamagedSegment is raised. In a
        transaction nothing would go, but one that waits for a model's lock would stop writers of
        a store in memory, and so itself.
        """
        with self._lock:
            if self._index is None:
                self._index = TextIndex(self._store, without=self._unreadable)
            self._index.refresh()
            yield self._index

    def reads(self) -> Iterator[Read]:
        """Yield what every search reads to see whether anything is new."""
        yield self._store.queries.index_mark, ()
        if self._meaning is not None:
            yield from self._meaning.reads()

    def find(self, snapshot: Snapshot, query: Query) -> Answer:
        """Return what answers the query best in the state that a snapshot shows."""
        return self._mended(lambda: self._find(snapshot, query))

    def _find(self, snapshot: Snapshot, query: Query) -> Answer:
        question = self._scorer.read(query)
        wide = msgspec.structs.replace(query, k=max(query.k, relevance.LOOKED_AT, judging.FIRST))
        with self._scope(snapshot, query) as scope:
            turns = self._keyspaces(lambda _space, kind: kind == TURN)
            asking = Asking(wide, question, self._sieve(query), turns)
            while True:
                selection, scored = self._scorer.score(scope, asking)
                if turns:
                    _lower_turns(scored, selection.is_among(turns))
                order = self._ordered(selection, scored, asking)
                talk: dict[int, judging.TalkPart] = {}
                if query.is_judged and scored.reads_tokens:
                    words = len(question.terms)
                    talk = judging.parts_among(selection, order, scored.is_talk, words=words)
                shown = self._with_befores(query, selection, order, talk=talk) if talk else query
                hits = tuple(self._hits(selection, scored, order, query=shown))
                if len(hits) >= query.k or not selection.is_cut or query.passes is None:
                    break
                asking = asking._replace(times=asking.times * _FURTHER)
            befores = self._texts_of(judging.befores(talk)) if talk else {}
        if talk and self._meaning is not None:
            hits = judging.judged(self._meaning, query, hits, talk=talk, befores=befores)
        if scored.reads_tokens and self._meaning is not None:
            hits = self._by_passage(query, scored, hits, meaning=self._meaning)
        pending = 0
        if self._meaning is not None and query.mode != "keyword":
            pending = self._meaning.pending()
        notes = self._notes(query, scored)
        answer = Answer(hits, scored.mode, pending, notes, missing=scored.missing)
        # More hits than are asked for tell whether anything is relevant; a filter may hide them.
        seen = scored.relevance[order[: relevance.LOOKED_AT]] if query.passes is None else ()
        return settled(answer, strict=query.strict, seen=seen)

    def rank(self, snapshot: Snapshot, query: Query, *, by_whole: bool) -> Ranking:
        """Return the best parts, or the best part of each whole, without reading any of them.

        The query names guarded kinds.
        """
        return self._mended(lambda: self._rank(snapshot, query, by_whole=by_whole))

    def _rank(self, snapshot: Snapshot, query: Query, *, by_whole: bool) -> Ranking:
        question = self._scorer.read(query)
        with self._scope(snapshot, query) as scope:
            asking = Asking(query, question, self._sieve(query))
            selection, scored = self._scorer.score(scope, asking)
            # What is only beside a match is no place that answers.
            answers = scored._replace(
                is_found=scored.is_found & (scored.has_words | scored.has_meaning)
            )
            is_shown = _passing(selection, answers, asking)
            if by_whole:
                chosen = best_of_runs(selection, scored.score, is_shown, k=query.k)
            else:
                chosen = self._ordered(selection, answers, asking)[: query.k]
            parts = tuple(self._parts(selection, answers, chosen, is_shown=is_shown))
        nearest = None
        if query.strict and not _has_relevant(parts):
            parts, nearest = (), nearest_of(parts)
        elif query.strict:
            parts = tuple(_worth(parts))
        return Ranking(parts, scored.terms, scored.mode, nearest)

    def _parts(
        self, selection: Selection, scored: Scored, chosen: "Array", *, is_shown: "Array"
    ) -> Iterator[Part]:
        count = shown_in_runs(selection, is_shown & scored.has_words)
        versions = selection.versions_at(chosen).tolist()
        keys = self._keys(versions)
        for at, version in zip(chosen.tolist(), versions, strict=True):
            yield Part(
                whole=whole_of(keys[version]),
                version=version,
                passage=self._passage(selection, scored, at),
                score=round(float(scored.score[at]), 4),
                others=int(count[selection.run[at]]) - bool(scored.has_words[at]),
                by_words=bool(scored.has_words[at]),
                by_meaning=bool(scored.has_meaning[at]),
                relevance=round(float(scored.relevance[at]), 4),
            )

    def _passage(self, selection: Selection, scored: Scored, at: int) -> int:
        """Return the version of what to show: for a title the best part of its document's text."""
        import numpy as np_

        titles = self._keyspaces(lambda _space, kind: kind == _TITLE)
        keyspaces = selection.take("keyspace")
        shown = at
        if int(keyspaces[at]) in titles:
            whole = (selection.run == selection.run[at]).nonzero()[0].tolist()
            parts = [one for one in whole if int(keyspaces[one]) not in titles]
            shown = max(parts, key=lambda one: float(scored.score[one]), default=at)
        return int(selection.versions_at(np_.asarray([shown]))[0])

    def _keys(self, versions: list[int]) -> dict[int, str]:
        statement = self._store.queries.keys_by_number
        rows = self._store.connection().rows(statement, (encode(versions).decode(),))
        return {row[0]: row[1] for row in rows}

    def like(self, snapshot: Snapshot, query: Query, whole: str) -> list[tuple[str, float]]:
        """Return the wholes that mean nearly what one does, nearest first, each with its cosine.

        Of the query only its filters and `k` count. Without vectors there is nothing.
        """
        return self._mended(lambda: self._like(snapshot, query, whole))

    def _like(self, snapshot: Snapshot, query: Query, whole: str) -> list[tuple[str, float]]:
        import numpy as np_

        if self._meaning is None:
            return []
        with self._scope(snapshot, query) as scope:
            selection = scope.remembered(Selection)
            own = selection.take("whole") == np_.uint64(hash_whole(whole))
            if not own.any():
                return []
            is_foreign = bool(selection.has(FOREIGN)[own].mean() > 0.5)
            versions = selection.version
            near = self._meaning.likeness(versions[own], versions, is_foreign=is_foreign)
            if near is None:
                return []
            chosen = best_of_runs(selection, near, ~own & ~np_.isnan(near), k=query.k)
            keys = self._keys(versions[chosen].tolist())
            return [(whole_of(keys[int(versions[at])]), float(near[at])) for at in chosen]

    def reads_of_parts(self, versions: Iterable[int]) -> Iterator[Read]:
        """Yield what `part` reads, for a caller that foresees it."""
        return (read_of_versions(self._store, [version]) for version in versions)

    def part(self, version: int) -> tuple[str, str]:
        """Return kind and key of a part that a ranking holds."""
        _space, kind, key = self._read(version)[1]
        return kind, key

    def _read(self, version: int) -> tuple[Record, Place]:
        [(record, keyspace, key)] = self._records([int(version)], at_once=1)
        return record, (*self._store.keyspace_name(keyspace), key)

    def forget(self) -> None:
        """Drop what is in memory; the next search reads it anew."""
        with self._lock:
            self._index: TextIndex | None = None
            self._scopes: OrderedDict[tuple[object, ...], SearchScope] = OrderedDict()
            self._shown = weakref.WeakValueDictionary[int, PartView]()

    def before(self, version: int) -> int | None:
        """Return the version before this one in its sequence, as it was written."""

        def find() -> int | None:
            with self.index() as index:
                return index.before(version)

        return self._mended(find)

    def _mended(self, work: Callable[[], T]) -> T:
        """Return what some work returns; without a damaged segment, if there is one."""
        while True:
            try:
                return work()
            except DamagedSegment as damaged:
                self.forget()
                self._put_aside(damaged.stamp)

    def _put_aside(self, stamp: int) -> None:
        """Do without a segment, unless it was only replaced: its entries are read instead."""
        connection, statement = self._store.connection(), self._store.queries.segment_of_stamp
        if connection.row(statement, (stamp,)) is None:
            return
        self._unreadable.add(stamp)
        if not self._store.database.read_only and not connection.in_transaction:
            with self._store.writing():
                drop_stamped(self._store, [stamp])

    # What is visible.

    @contextmanager
    def _scope(self, snapshot: Snapshot, query: Query) -> Generator[SearchScope]:
        """Give what a query may see, and keep others from the index meanwhile."""
        self._seal_many()
        with self.index() as index:
            branch, keyspaces = snapshot.current_branch(), self._keyspaces_of(query)
            key = (branch, snapshot.bound, keyspaces, query.among)
            scope = self._scopes.get(key)
            if scope is None:
                within = _limits(snapshot, query, keyspaces)
                scope = self._scopes[key] = SearchScope(index, within, self._shown)
            self._scopes.move_to_end(key)
            while len(self._scopes) > _SCOPES_MAX:
                self._scopes.popitem(last=False)
            yield scope

    def _seal_many(self) -> None:
        """Have entries sealed if a search would have to look at many of them one by one."""
        index = self._index
        if index is None:
            row = self._store.connection().row(self._store.queries.sealed_upto)
            unsealed = self._store.last_version() - (row[0] if row else 0)
        else:
            unsealed = len(index.tail)
        if unsealed > limits.UNSEALED_MAX:
            self._seal()

    def _keyspaces_of(self, query: Query) -> tuple[int, ...]:
        """Return the keyspaces that a query may see."""
        is_guarded_only = bool(query.kinds) and GUARDED.issuperset(query.kinds)

        def fits(space: str, kind: str) -> bool:
            if is_guarded_only:
                is_seen = kind in query.kinds
            else:
                is_seen = kind not in GUARDED or query.among is not None
            return is_seen and (not query.namespaces or space in query.namespaces)

        return self._keyspaces(fits)

    def _keyspaces(self, fits: Callable[[str, str], bool]) -> tuple[int, ...]:
        index = self._index
        keyspaces = [] if index is None else index.keyspaces
        return tuple(number for number, space, kind in keyspaces if fits(space, kind))

    # What is shown.

    def _sieve(self, query: Query) -> Sieve:
        connection, queries = self._store.connection(), self._store.queries
        tagged = [connection.rows(queries.versions_by_tag, (tag,)) for tag in query.tags]
        return Sieve(
            self._keyspaces(lambda _space, kind: kind in query.kinds) if query.kinds else None,
            tuple([row[0] for row in rows] for rows in tagged),
            query.since,
            query.until,
        )

    def _ordered(self, selection: Selection, scored: Scored, asking: Asking) -> "Array":
        """Return the positions that pass the filters, best first; ties newest first."""
        import numpy as np_

        query = asking.query
        at = np_.flatnonzero(_passing(selection, scored, asking))
        if query.passes is None and query.among is None and len(at) > 4 * query.k:
            at = at[rank.best(scored.score[at], query.k)]
        return at[np_.lexsort((-selection.versions_at(at), -scored.score[at]))]

    def _hits(
        self, selection: Selection, scored: Scored, order: "Array", *, query: Query
    ) -> Iterator[Hit]:
        found = 0
        wholes = set[str]()
        finder = Finder(scored.terms)
        rows = self._records(selection.versions_at(order).tolist(), at_once=query.k)
        for position, (record, keyspace, key) in zip(order.tolist(), rows, strict=True):
            space, kind = self._store.keyspace_name(keyspace)
            if query.passes is not None and not query.passes(value_of(record)):
                continue
            if kind in GUARDED:
                # A whole is in the answer once, by its best part.
                if whole_of(key) in wholes:
                    continue
                wholes.add(whole_of(key))
            shown = record, (space, kind, key)
            if kind == _TITLE:
                shown = self._read(self._passage(selection, scored, position))
            found += 1
            yield hit_of(
                *shown,
                scored.terms,
                finder=finder,
                score=float(scored.score[position]),
                rank=found,
                relevance=float(scored.relevance[position]),
            )
            if found == query.k:
                return

    def _with_befores(
        self,
        query: Query,
        selection: Selection,
        order: "Array",
        *,
        talk: Mapping[int, judging.TalkPart],
    ) -> Query:
        """Foresee what is read to judge hits, and return a query for as many as are judged."""
        wider = msgspec.structs.replace(query, k=max(query.k, judging.FIRST))
        first = selection.versions_at(order[: wider.k]).tolist()
        reads = (read_of_versions(self._store, one) for one in (first, judging.befores(talk)))
        self._store.connection().foresee(reads)
        return wider

    def _texts_of(self, versions: list[int]) -> dict[int, str]:
        """Return the texts of some versions, without the dates before them."""
        rows = self._records(versions, at_once=max(1, len(versions)))
        return {
            record[0]: text_of_row(self._store.keyspace_name(keyspace)[1], record)
            for record, keyspace, _key in rows
        }

    def _by_passage(
        self, query: Query, scored: Scored, hits: tuple[Hit, ...], *, meaning: Meaning
    ) -> tuple[Hit, ...]:
        """Show the passage of a long text that answers, where no part has most of the words."""
        finder = Finder(scored.terms)
        bodies: dict[int, tuple[str, int]] = {}
        for hit in hits[:_PASSAGES_MAX]:
            if share_of(scored.terms, hit.snippet, finder) < _SAYS_ENOUGH:
                text = composed(text_of_hit(hit)[: limits.INDEXED_CHARACTERS_MAX])
                if len(text) > WIDTH:
                    bodies[hit.version] = text, read_front(text).start
        if not bodies:
            return hits
        texts = {version: text[start:] for version, (text, start) in bodies.items()}
        wanted = PassageRequest(query.text, scored.terms, finder, WIDTH)
        found = meaning.passages(wanted, texts)

        def with_passage(hit: Hit) -> Hit:
            if hit.version not in found:
                return hit
            text, start = bodies[hit.version]
            first, last = found[hit.version]
            around = first + start, last + start
            part = snippet(text, scored.terms, finder=finder, around=around)
            return msgspec.structs.replace(hit, snippet=part.text, marks=part.marks)

        return tuple(map(with_passage, hits))

    def _records(self, versions: list[int], *, at_once: int) -> Iterator[tuple[Record, int, str]]:
        """Yield versions in their order, each with its keyspace and key, some read at once."""
        for start in range(0, len(versions), at_once):
            wanted = versions[start : start + at_once]
            found = {row[0]: row for row in rows_of_versions(self._store, wanted)}
            for version in wanted:
                row = found[version]
                yield cast("Record", row[:5]), row[5], row[6]

    def _notes(self, query: Query, scored: Scored) -> tuple[str, ...]:
        if query.mode in ("semantic", "hybrid") and scored.mode == "keyword":
            return ("Searched by words only: no vectors are there yet, or no model is ready.",)
        return ()


def settled(answer: Answer, *, strict: bool, seen: Iterable[float] = ()) -> Answer:
    """Say whether a hit is relevant; a strict answer without one has no hits, and no weak ones.

    `seen` is the relevance of more things that were found.
    """
    if _has_relevant(answer.hits) or any(one >= relevance.FLOOR for one in seen):
        hits = tuple(_worth(answer.hits)) if strict else answer.hits
        return msgspec.structs.replace(answer, hits=hits, known=True)
    nearest = nearest_of(answer.hits)
    if nearest is None:
        return msgspec.structs.replace(answer, known=False)
    said = " ".join(nearest.snippet.split())
    name = whole_of(nearest.key) if nearest.kind in GUARDED else nearest.key
    return msgspec.structs.replace(
        answer,
        hits=() if strict else answer.hits,
        notes=(*answer.notes, f"{_lack(answer)}: {_UNKNOWN}") if strict else answer.notes,
        known=False,
        nearest=f"{name}: {said[:_NEAREST_CHARACTERS]}",
    )


def nearest_of(found: Sequence[_Found]) -> _Found | None:
    """Return what came nearest where nothing is relevant, of what was found first."""
    return max(found[: relevance.LOOKED_AT], key=lambda one: one.relevance, default=None)


def _lack(answer: Answer) -> str:
    if answer.missing:
        return f"Nothing here mentions {' or '.join(answer.missing)}"
    return "Nothing here is relevant"


def _has_relevant(found: Sequence[Hit | Part]) -> bool:
    return any(one.relevance >= relevance.FLOOR for one in found[: relevance.LOOKED_AT])


def _worth(found: Sequence[_Found]) -> list[_Found]:
    """Return what is worth showing beside what answers."""
    return [one for one in found if one.relevance >= relevance.WEAK]


def _lower_turns(scored: Scored, is_turn: "Array") -> None:
    """Let what was only said rank below what was kept, where both answer as well."""
    scored.score[is_turn & (scored.score > 0)] *= _TURN_SHARE


def _limits(snapshot: Snapshot, query: Query, keyspaces: tuple[int, ...]) -> Limits:
    """Leave out what the query must not see, so that nothing of it can count."""
    import numpy as np_

    wholes = None
    if query.among is not None:
        wholes = np_.sort(np_.asarray([hash_whole(name) for name in query.among], dtype="<u8"))
    return Limits(
        snapshot.store.lineage(snapshot.current_branch()),
        snapshot.bound,
        is_present=snapshot.bound == NOW and snapshot.branch == DEFAULT_BRANCH,
        keyspaces=keyspaces,
        wholes=wholes,
    )


def _passing(selection: Selection, scored: Scored, asking: Asking) -> "Array":
    """Tell which positions were found and pass the filters."""
    is_passing = asking.sieve.passes(selection.take)
    return scored.is_found if is_passing is None else scored.is_found & is_passing


_all: "weakref.WeakSet[Search]" = weakref.WeakSet()


def _begin_in_child() -> None:
    for search in list(_all):
        search.begin_afresh()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)
