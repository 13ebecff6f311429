"""The vectors of one role in memory, following what is embedded, and the nearest of them.

A vector takes about its dimension in bytes, and is compared as it lies there: exact search, no
graph to build or to keep right. The few best are compared again with the exact vectors.
"""

import os
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from strata.base import limits
from strata.base.best import kth_best
from strata.search.vectors.column import Column
from strata.search.vectors.int8 import STEPS, Packed, unpack
from strata.search.vectors.product import MIDDLE, product, rounded
from strata.sql import Connection, Row
from strata.store import Store

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Vectors of one block, one a column: the product of bytes is three times faster that way, and
# what comes later needs no copy of what is there.
_BLOCK = 4096
_PAGE = 4096
# By how many standard deviations rounding may have moved two scores apart. The error of one
# is spread evenly over a step, so its deviation is the step divided by the root of twelve.
_DEVIATIONS = 6.0
# Multiplications that numpy's library does without starting threads.
_PRODUCT = 200_000
# Alignments kept: one for each state that is searched in turn.
_ALIGNED_MAX = 16


class Nearest(msgspec.Struct, frozen=True, eq=False):
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
        self._model, self._revision, self._dimension = 0, -1, 0
        self._position = 0
        self._embedder: str | None = None
        self._name = ""
        if active is not None:
            self._model, _position, self._revision, self._dimension, *named = active
            self._embedder, self._name = named
        self._blocks: list[Array] = []
        # One row a vector; total is the sum of its bytes.
        self._numbers, self._scales, self._totals = Column("i8"), Column("f4"), Column("i4")
        # One row a version: where its vectors begin, and how many they are.
        self._versions, self._firsts, self._chunks = Column("i8"), Column("i4"), Column("u1")
        # In how many vectors' texts a token occurs, and how many tell their tokens.
        self._frequencies: Array = self._numpy.zeros(1, self._numpy.int64)
        self._texts = 0
        self._aligned: dict[int, tuple[weakref.ref[Array], int, Array]] = {}

    @property
    def embedder(self) -> str | None:
        """The id of the embedder whose vectors are here; only its own queries fit them."""
        return self._embedder

    @property
    def name(self) -> str:
        """The name under which the store knows that embedder."""
        return self._name

    def __len__(self) -> int:
        return self._versions.size

    def forget(self) -> None:
        """Give the memory back; `refresh` reads everything again."""
        with self.lock:
            self._drop(None)

    @property
    def memory_bytes(self) -> int:
        """How much memory the arrays take."""
        columns = (self._numbers, self._scales, self._totals, self._versions, self._firsts)
        blocks = sum(block.nbytes for block in self._blocks)
        return blocks + sum(column.memory_bytes for column in (*columns, self._chunks))

    # Following.

    def refresh(self, is_coming: Callable[[str, str], bool] = lambda _name, _id: False) -> bool:
        """Take in what was embedded since the last call; False when no model is active.

        When another model has taken over whose embedder `is_coming` (by name and id), the
        vectors here answer until it is there.
        """
        with self.lock, self._store.database.reading() as connection:
            queries = self._store.queries
            active = connection.row(queries.active_model, (self._role,))
            if active is not None and self._waits_for(active, is_coming):
                return True
            if active is None or (active[0], active[2]) != (self._model, self._revision):
                self._drop(active)
            if active is not None and active[1] > self._position:
                self._take_vectors(connection)
                self._take_versions(connection)
                self._position = active[1]
            return active is not None

    def _waits_for(self, active: Row, is_coming: Callable[[str, str], bool]) -> bool:
        """Whether the vectors here answer until another model's embedder is there."""
        embedder, name = active[4:]
        return bool(self._model) and embedder != self._embedder and is_coming(name, embedder)

    def _take_vectors(self, connection: Connection) -> None:
        last = int(self._numbers.values[-1]) if self._numbers.size else 0
        statement = self._store.queries.embeddings_after
        while rows := connection.rows(statement, (self._model, last, _PAGE)):
            last = rows[-1][0]
            self._append(rows)

    def _append(self, rows: Sequence[Row]) -> None:
        np_ = self._numpy
        numbers, scales, vectors, token_ids = zip(*rows, strict=True)
        matrix = np_.frombuffer(b"".join(vectors), np_.int8).reshape(len(rows), self._dimension)
        start = self._numbers.size
        while len(matrix) > 0:
            column = start % _BLOCK
            if column == 0:
                self._blocks.append(np_.zeros((self._dimension, _BLOCK), np_.int8))
            part, matrix = matrix[: _BLOCK - column], matrix[_BLOCK - column :]
            self._blocks[-1][:, column : column + len(part)] = part.T
            self._totals.extend(part.sum(axis=1, dtype=np_.int32))
            start += len(part)
        self._scales.extend(np_.array(scales, np_.float32))
        self._numbers.extend(np_.array(numbers, np_.int64))
        self._count_tokens([ids for ids in token_ids if ids is not None])

    def _count_tokens(self, token_ids: list[bytes]) -> None:
        ids = self._numpy.frombuffer(b"".join(token_ids), "<u4")
        counts = self._numpy.bincount(ids, minlength=len(self._frequencies))
        counts[: len(self._frequencies)] += self._frequencies
        self._frequencies = counts
        self._texts += len(token_ids)

    def _take_versions(self, connection: Connection) -> None:
        np_ = self._numpy
        last = self._position
        statement = self._store.queries.embedded_after
        while rows := connection.rows(statement, (self._model, last, _PAGE)):
            versions, numbers, chunks = (np_.array(column) for column in zip(*rows, strict=True))
            last = rows[-1][0]
            self._versions.extend(versions)
            self._firsts.extend(np_.searchsorted(self._numbers.values, numbers))
            self._chunks.extend(chunks)

    # Comparing.

    def cosines(self, query: "Array", versions: "Array") -> "Array":
        """Return how near each version is, to about 0.002; NaN while it waits.

        Of several chunks the first and the best count, half each: the best alone would favour long
        texts, and the first alone would miss what a page says further down.
        """
        with self.lock:
            return self._cosines(self._unit(query), self._places(versions))

    def vectors(self, versions: "Array") -> "Array":
        """Return a unit vector for each version, the middle of its chunks; NaN while it waits."""
        np_ = self._numpy
        with self.lock:
            places = self._places(versions)
            found = np_.full((len(places), self._dimension), np_.nan, np_.float32)
            known = np_.flatnonzero(places >= 0)
            if len(known):
                rows, starts = self._rows(places[known])
                found[known] = np_.add.reduceat(self._coarse(rows), starts)
        lengths = np_.sqrt(np_.einsum("ij,ij->i", found, found))
        return found / np_.where(lengths > 0, lengths, 1)[:, None]

    def _coarse(self, rows: "Array") -> "Array":
        """Return vectors as they lie in memory, to about 0.002."""
        np_ = self._numpy
        found = np_.empty((len(rows), self._dimension), np_.float32)
        for number in np_.unique(rows // _BLOCK):
            here = np_.flatnonzero(rows // _BLOCK == number)
            found[here] = np_.transpose(self._blocks[number][:, rows[here] % _BLOCK])
        return found * self._scales.values[rows][:, None]

    def nearest(self, query: "Array", k: int, versions: "Array | None" = None) -> Nearest:
        """Return the k nearest of some versions, or of all: exactly those, exactly so near."""
        np_ = self._numpy
        with self.lock:
            unit = self._unit(query)
            all_ = self._versions.values
            places = np_.arange(len(all_)) if versions is None else self._places(versions)
            places = places[places >= 0]
            if not len(places):
                return Nearest(all_[:0], self._scales.values[:0])
            scores = self._best_chunks(self._scores(unit), places)
            close = self._close(unit, scores, (places, k))
            cosines = self._exact(unit, close)
            order = np_.lexsort((-all_[close], -cosines))[:k]
            return Nearest(all_[close[order]], cosines[order])

    def _unit(self, query: "Array") -> "Array":
        np_ = self._numpy
        wide = np_.asarray(query, np_.float32)
        return wide / (np_.sqrt(wide @ wide) or np_.float32(1))

    def _places(self, versions: "Array") -> "Array":
        """Return the place of each version among those embedded; -1 for none."""
        known = self._aligned.get(id(versions))
        if known is not None and known[0]() is versions and known[1] == self._versions.size:
            return known[2]
        np_, values = self._numpy, self._versions.values
        places = np_.searchsorted(values, versions)
        is_there = places < len(values)
        is_there[is_there] = values[places[is_there]] == np_.asarray(versions)[is_there]
        places[~is_there] = -1
        self._remember(versions, places)
        return places

    def _remember(self, versions: "Array", places: "Array") -> None:
        if len(self._aligned) >= _ALIGNED_MAX:
            self._aligned = {
                key: entry for key, entry in self._aligned.items() if entry[0]() is not None
            }
        if len(self._aligned) >= _ALIGNED_MAX:
            self._aligned.pop(next(iter(self._aligned)))
        self._aligned[id(versions)] = (weakref.ref(versions), self._versions.size, places)

    def _cosines(self, unit: "Array", places: "Array") -> "Array":
        np_ = self._numpy
        found = np_.full(len(places), np_.nan, np_.float32)
        is_there = places >= 0
        if is_there.any():
            scores, known = self._scores(unit), places[is_there]
            first = scores[self._firsts.values[known]]
            found[is_there] = (first + self._best_chunks(scores, known)) / 2
        return found

    def _scores(self, unit: "Array") -> "Array":
        """Return the rounded cosine of every vector."""
        np_ = self._numpy
        row, step = rounded(unit)
        sums = np_.concatenate([product(row, block) for block in self._blocks])
        sums = sums[: self._numbers.size]
        sums -= MIDDLE * self._totals.values
        return sums * (self._scales.values * np_.float32(step))

    def _best_chunks(self, scores: "Array", places: "Array") -> "Array":
        """Return the best score of each version's chunks."""
        np_ = self._numpy
        firsts, chunks = self._firsts.values[places], self._chunks.values[places]
        best = scores[firsts]
        many = np_.flatnonzero(chunks > 1)
        if len(many):
            borders = np_.stack([firsts[many], firsts[many] + chunks[many]], axis=1)
            padded = np_.append(scores, np_.float32(-2))
            best[many] = np_.maximum.reduceat(padded, borders.ravel())[::2]
        return best

    def _close(self, unit: "Array", cosines: "Array", wanted: "tuple[Array, int]") -> "Array":
        """Return the places that rounding could have kept from the k best."""
        np_ = self._numpy
        places, k = wanted
        most = max(limits.NEAREST_EXACT_MAX, 2 * k)
        if len(places) > most:
            some = np_.argpartition(cosines, len(cosines) - most)[-most:]
            places, cosines = places[some], cosines[some]
        if len(places) <= k:
            return places
        step = rounded(unit)[1]
        scales = self._scales.values[self._firsts.values[places]]
        doubt = _DEVIATIONS / np_.sqrt(12) * np_.sqrt(scales * scales + step * step)
        least = kth_best(cosines - doubt, k)
        return places[cosines + doubt >= least]

    def _exact(self, unit: "Array", places: "Array") -> "Array":
        """Return the cosines of versions from their exact vectors, which lie in the store."""
        np_ = self._numpy
        rows, starts = self._rows(places)
        numbers = np_.unique(self._numbers.values[rows])
        wanted = msgspec.json.encode(numbers.tolist()).decode()
        statement = self._store.queries.embeddings_by_number
        found = self._store.connection().rows(statement, (wanted,))
        vectors = unpack([Packed(*row[1:]) for row in found], self._dimension)
        exact = np_.einsum("ij,j->i", vectors, unit)
        at = np_.searchsorted(self._numbers.values, [row[0] for row in found])
        # One that was taken out meanwhile is not near to anything any more.
        scores = np_.full(self._numbers.size, -2, np_.float32)
        scores[at] = exact
        return np_.maximum.reduceat(scores[rows], starts)

    def _rows(self, places: "Array") -> "tuple[Array, Array]":
        """Return the rows of all chunks of versions, and where each version's begin there."""
        np_ = self._numpy
        chunks = self._chunks.values[places].astype(np_.int64)
        starts = np_.cumsum(chunks) - chunks
        offsets = np_.arange(chunks.sum()) - np_.repeat(starts, chunks)
        return np_.repeat(self._firsts.values[places], chunks) + offsets, starts

    # Tokens.

    def token_weights(self, token_ids: "Array") -> "Array":
        """Return how much each token tells: the fewer texts have it, the more."""
        np_ = self._numpy
        with self.lock:
            known = np_.minimum(np_.asarray(token_ids), len(self._frequencies) - 1)
            counts = self._frequencies[known] * (known == token_ids)
            texts = max(self._texts, int(counts.max(initial=0)))
            return np_.log1p((texts - counts + 0.5) / (counts + 0.5)).astype(np_.float32)

    def token_scores(self, query_tokens: "Array", weights: "Array", versions: "Array") -> "Array":
        """Return how well each version's tokens match the query's, from -1 to 1.

        Each token of the query counts by its best match and its weight; of several chunks the
        first and the best count, half each. NaN where a version has no tokens; they are read for
        these versions only.
        """
        np_ = self._numpy
        found = np_.full(len(versions), np_.nan, np_.float32)
        with self.lock:
            places = self._places(versions)
            known = np_.flatnonzero(places >= 0)
            total = float(np_.sum(weights))
            if len(known) and total > 0:
                rows, starts = self._rows(places[known])
                scores = self._token_scores(query_tokens, weights / total, rows)
                best, first = np_.fmax.reduceat(scores, starts), scores[starts]
                found[known] = (best + np_.where(np_.isnan(first), best, first)) / 2
        return found

    def _token_scores(self, query: "Array", weights: "Array", rows: "Array") -> "Array":
        """Return the score of each row, NaN for one without tokens."""
        np_ = self._numpy
        numbers = self._numbers.values[rows]
        wanted = msgspec.json.encode(np_.unique(numbers).tolist()).decode()
        statement = self._store.queries.tokens_by_number
        found = self._store.connection().rows(statement, (self._model, wanted))
        width = query.shape[1]
        found = [(number, tokens) for number, tokens in found if len(tokens) >= width]
        scores = np_.full(len(rows), np_.nan, np_.float32)
        if not found:
            return scores
        matrix = np_.frombuffer(b"".join([tokens for _, tokens in found]), np_.int8)
        matches = self._matches(matrix.reshape(-1, width).astype(np_.float32), query)
        sizes = np_.array([len(tokens) // width for _, tokens in found])
        best = np_.maximum.reduceat(matches, np_.cumsum(sizes) - sizes, axis=0)
        known = np_.array([number for number, _ in found])
        at = np_.minimum(np_.searchsorted(known, numbers), len(known) - 1)
        has_tokens = known[at] == numbers
        scores[has_tokens] = np_.einsum("ij,j->i", best, weights / STEPS)[at[has_tokens]]
        return scores

    def _matches(self, tokens: "Array", query: "Array") -> "Array":
        """Multiply in small pieces: for a large one numpy's library starts threads.

        They cost more than they bring: 8 ms where this takes 0.2, on a busy machine.
        """
        wide = self._numpy.ascontiguousarray(query.T, self._numpy.float32)
        rows = max(1, _PRODUCT // wide.size)
        parts = [tokens[at : at + rows] @ wide for at in range(0, len(tokens), rows)]
        return self._numpy.concatenate(parts)


_all: "weakref.WeakSet[VectorIndex]" = weakref.WeakSet()


def _begin_in_child() -> None:
    for index in list(_all):
        index.begin_afresh()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)
