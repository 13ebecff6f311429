"""The vectors of one role, following what is embedded, and the nearest of them.

A process holds the vectors of a small store whole, and of a large one their codes.
"""

import os
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from strata.base import limits
from strata.base.embedder import Embedder
from strata.search.vectors import codes
from strata.search.vectors.coded import CodedVectors
from strata.search.vectors.encode import counting, pieces_of
from strata.search.vectors.held import HeldVectors
from strata.search.vectors.passages import Passage, PassageRequest, best_passage
from strata.search.vectors.tokens import best_matches, nearness
from strata.sql import Connection, Row
from strata.store import Store

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Tells of versions, each by itself, whether a caller wants them.
Passes: TypeAlias = "Callable[[Array], Array]"


class TokenQuestion(NamedTuple):
    """A question token by token: unit vectors, how much each tells, and the whole's vector."""

    vector: "Array"
    tokens: "Array"
    weights: "Array"


class Nearest(NamedTuple):
    """Versions and the cosines of their best chunks, best first; newer ones win a tie."""

    versions: "Array"
    cosines: "Array"


class VectorIndex:
    """What the active model of a role has embedded. Safe to use from several threads."""

    def __init__(self, store: Store, role: str) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._store = store
        self._role = role
        self.begin_afresh()
        _all.add(self)

    def begin_afresh(self) -> None:
        """Drop everything, and the lock with it: after fork() its holder may not exist."""
        self.lock = threading.RLock()
        self._drop(None)

    def _drop(self, active: Row | None) -> None:
        self._model, self._revision, self._position, dimension = 0, -1, 0, 0
        self._embedder: str | None = None
        self._name = ""
        # How many embeddings have tokens.
        self._tokens = 0
        # What the store said of the model when it was followed last.
        self._active: Row | None = None
        if active is not None:
            self._model, _position, self._revision, dimension, self._embedder, self._name = active[
                :6
            ]
        kind = CodedVectors if _is_large(active) else HeldVectors
        self._vectors: HeldVectors | CodedVectors = kind(self._store, self._model, dimension)

    @property
    def embedder(self) -> str | None:
        """The id of the embedder whose vectors are here; only its own queries fit them."""
        return self._embedder

    @property
    def name(self) -> str:
        """The name under which the store knows that embedder."""
        return self._name

    @property
    def has_tokens(self) -> bool:
        """Whether that embedder gives vectors of single tokens."""
        return self._tokens > 0

    def __len__(self) -> int:
        return len(self._vectors)

    def forget(self) -> None:
        """Give the memory back; `refresh` reads everything again."""
        with self.lock:
            self._drop(None)

    @property
    def memory_bytes(self) -> int:
        """How much memory the arrays take."""
        return self._vectors.memory_bytes

    # Following.

    def refresh(self, is_coming: Callable[[str, str], bool] = lambda _name, _id: False) -> bool:
        """Take in what was embedded since the last call; False when no model is active.

        When another model has taken over whose embedder `is_coming` (by name and id), the
        vectors here answer until it is there.
        """
        statement = self._store.queries.active_model
        with self.lock:
            # One row says whether there is anything to follow, which is seldom.
            if self._store.connection().row(statement, (self._role,)) == self._active:
                return self._active is not None
        with self.lock, self._store.database.reading() as connection:
            active = connection.row(statement, (self._role,))
            if active is not None and self._waits_for(active, is_coming):
                return True
            if active is None or not self._follows(active):
                self._drop(active)
            if active is None:
                return False
            self._tokens = active[6]
            if active[1] > self._position:
                self._catch_up(connection, active)
            self._active = active
            return True

    def _catch_up(self, connection: Connection, active: Row) -> None:
        """Take in what was made since; where that is cut short, the next call begins anew."""
        try:
            self._vectors.take(connection, self._position)
        except BaseException:
            self._drop(active)
            raise
        self._position = active[1]

    def _waits_for(self, active: Row, is_coming: Callable[[str, str], bool]) -> bool:
        """Whether the vectors here answer until another model's embedder is there."""
        embedder, name = active[4:6]
        return bool(self._model) and embedder != self._embedder and is_coming(name, embedder)

    def _follows(self, active: Row) -> bool:
        """Whether what is here needs only what was added since."""
        has_grown = _is_large(active) and isinstance(self._vectors, HeldVectors)
        return (active[0], active[2]) == (self._model, self._revision) and not has_grown

    # Comparing.

    def cosines(self, query: "Array", versions: "Array") -> "Array":
        """Return how near each version is, to about 0.002; NaN while it waits.

        Of several chunks the first and the best count, half each: the best alone would favour long
        texts, and the first alone would miss what a page says further down.
        """
        with self.lock:
            return self._vectors.cosines(self._unit(query), versions)

    def vectors(self, versions: "Array") -> "Array":
        """Return a unit vector for each version, the middle of its chunks; NaN while it waits."""
        np_ = self._numpy
        with self.lock:
            chunks = self._vectors.chunks_of(versions)
        found = np_.full((len(versions), chunks.vectors.shape[1]), np_.nan, np_.float32)
        owners, starts = np_.unique(chunks.owners, return_index=True)
        if len(owners):
            found[owners] = np_.add.reduceat(chunks.vectors, starts)
        lengths = np_.sqrt(np_.einsum("ij,ij->i", found, found))
        return found / np_.where(lengths > 0, lengths, 1)[:, None]

    def nearest(self, query: "Array", k: int, passes: "Passes | None" = None) -> Nearest:
        """Return the k nearest versions, of those that pass.

        Where few do, more are looked at, in a large store up to a bound. `passes` is called
        without the lock, so that it may take others.
        """
        np_ = self._numpy
        unit, count = self._unit(query), max(limits.NEAREST_RESCORED, 2 * k)
        while True:
            with self.lock:
                versions, cosines = self._vectors.candidates(unit, count)
                looked_at_max = self._vectors.looked_at_max
            if passes is not None:
                is_wanted = passes(versions)
                versions, cosines = versions[is_wanted], cosines[is_wanted]
            if len(versions) >= k or count >= looked_at_max:
                break
            count *= 4
        order = np_.lexsort((-versions, -cosines))[:k]
        return Nearest(versions[order], cosines[order])

    def _unit(self, query: "Array") -> "Array":
        np_ = self._numpy
        wide = np_.asarray(query, np_.float32)
        return wide / (np_.sqrt(wide @ wide) or np_.float32(1))

    # Tokens.

    def token_weights(self, token_ids: "Array") -> "Array":
        """Return how much each token tells: the fewer texts have it, the more."""
        np_ = self._numpy
        ids: list[int] = np_.asarray(token_ids).tolist()
        values = (self._model, msgspec.json.encode(sorted(set(ids))).decode())
        known = dict(self._store.connection().rows(self._store.queries.token_frequencies, values))
        counts = np_.array([known.get(one, 0) for one in ids])
        texts = max(self._tokens, int(counts.max(initial=0)))
        return np_.log1p((texts - counts + 0.5) / (counts + 0.5)).astype(np_.float32)

    def token_scores(self, question: TokenQuestion, versions: "Array") -> "Array":
        """Return how well each version's tokens match the question's, from -1 to 1.

        Each token of the question counts by its best match and its weight. Of several chunks the
        first and the better of that and the nearest count, half each. NaN where a version has no
        tokens; they are read for these versions only.
        """
        np_ = self._numpy
        found = np_.full(len(versions), np_.nan, np_.float32)
        total = float(np_.sum(question.weights))
        with self.lock:
            chunks = self._vectors.chunks_of(versions)
        if total <= 0 or not len(chunks.owners):
            return found
        near = np_.einsum("ij,j->i", chunks.vectors, self._unit(question.vector))
        owners, starts = np_.unique(chunks.owners, return_index=True)
        nearest = np_.lexsort((-near, chunks.owners))[starts]
        numbers = chunks.numbers[np_.stack([starts, nearest])]
        first, other = self._token_matches(question.tokens, question.weights / total, numbers)
        best = np_.fmax(first, other)
        found[owners] = (best + np_.where(np_.isnan(first), best, first)) / 2
        return found

    def passages(
        self,
        query: "Array",
        texts: Mapping[int, str],
        *,
        embedder: Embedder,
        wanted: PassageRequest,
    ) -> dict[int, Passage]:
        """Return of each version's text the passage that answers a question with these tokens.

        Versions without tokens, and texts that are not those of their tokens, are left out.
        """
        np_ = self._numpy
        versions = np_.asarray(sorted(texts), dtype=np_.int64)
        with self.lock:
            chunks = self._vectors.chunks_of(versions)
        kept = {number: (kind, blob) for number, kind, blob in self._tokens_of(chunks.numbers)}
        found: dict[int, Passage] = {}
        for at, version in enumerate(versions.tolist()):
            numbers = chunks.numbers[chunks.owners == at].tolist()
            if not numbers or not all(number in kept and kept[number][1] for number in numbers):
                continue
            near = [
                nearness(query, kept[number][1], is_earlier=bool(kept[number][0]))
                for number in numbers
            ]
            text = texts[version]
            best = best_passage(
                text,
                pieces_of(embedder, text),
                near,
                count=counting(embedder),
                wanted=wanted,
            )
            if best is not None:
                found[version] = best
        return found

    def _tokens_of(self, numbers: "Array") -> list[Row]:
        """Return number, kind and tokens of those embeddings that have some, in order."""
        wanted = msgspec.json.encode(sorted({*numbers.ravel().tolist()})).decode()
        return self._store.connection().rows(self._store.queries.tokens_by_number, (wanted,))

    def _token_matches(self, query: "Array", weights: "Array", numbers: "Array") -> "Array":
        """Return how well each embedding's tokens match, NaN for one without tokens."""
        np_ = self._numpy
        found = np_.full(numbers.shape, np_.nan, np_.float32)
        if not (rows := self._tokens_of(numbers)):
            return found
        known, kinds, tokens = zip(*rows, strict=True)
        matches = best_matches(query, list(zip(kinds, tokens, strict=True)))
        scores = np_.einsum("ij,j->i", matches, weights)
        at = np_.minimum(np_.searchsorted(known, numbers), len(known) - 1)
        return np_.where(np_.array(known)[at] == numbers, scores[at], found)


def _is_large(active: Row | None) -> bool:
    """Whether a model has so many vectors that only their codes are held."""
    return active is not None and active[7] * codes.PART >= limits.NEAREST_HELD_MAX


_all: "weakref.WeakSet[VectorIndex]" = weakref.WeakSet()


def _begin_in_child() -> None:
    for index in list(_all):
        index.begin_afresh()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)
