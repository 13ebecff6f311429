"""All vectors of a model in memory, for a store that has not too many.

A vector takes about its dimension in bytes, and is compared as it lies there.
"""

import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.base.best import kth_best
from strata.search.vectors.column import Column
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
# Alignments kept: one for each state that is searched in turn.
_ALIGNED_MAX = 16


def pages(connection: Connection, statement: str, model: int, *, after: int) -> Iterator[list[Row]]:
    """Yield rows of a model behind a number, page by page; a short page is the last one."""
    is_more = True
    while is_more:
        rows = connection.rows(statement, (model, after, _PAGE))
        is_more = len(rows) == _PAGE
        if rows:
            after = rows[-1][0]
            yield rows


class Chunks(NamedTuple):
    """The vectors of some versions: which of them each belongs to, in order, and its number."""

    owners: "Array"
    numbers: "Array"
    vectors: "Array"  # float32 rows


def nearness(chunks: Chunks, unit: "Array", count: int) -> "tuple[Array, Array]":
    """Return how near the first and the best chunk of each of so many versions is.

    NaN for one without any.
    """
    import numpy

    near = numpy.einsum("ij,j->i", chunks.vectors, unit)
    owners, starts = numpy.unique(chunks.owners, return_index=True)
    first, best = numpy.full((2, count), numpy.nan, numpy.float32)
    if len(owners):
        first[owners], best[owners] = near[starts], numpy.maximum.reduceat(near, starts)
    return first, best


class HeldVectors:
    """What a model has embedded, as of the last `take`. One thread at a time may use it."""

    def __init__(self, store: Store, model: int, dimension: int) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._store = store
        self._model = model
        self._dimension = dimension
        self._blocks: list[Array] = []
        # One row a vector; total is the sum of its bytes.
        self._numbers, self._scales, self._totals = Column("i8"), Column("f4"), Column("i4")
        # One row a version: where its vectors begin, and how many they are.
        self._versions, self._firsts, self._chunks = Column("i8"), Column("i4"), Column("u1")
        self._aligned: dict[int, tuple[weakref.ref[Array], int, Array]] = {}

    def __len__(self) -> int:
        return self._numbers.size

    @property
    def looked_at_max(self) -> int:
        """How many candidates are looked at before an answer may be short: all."""
        return max(1, self._versions.size)

    @property
    def memory_bytes(self) -> int:
        """How much memory the arrays take."""
        columns = (self._numbers, self._scales, self._totals, self._versions, self._firsts)
        blocks = sum(block.nbytes for block in self._blocks)
        return blocks + sum(column.memory_bytes for column in (*columns, self._chunks))

    def take(self, connection: Connection, position: int) -> None:
        """Take in what was made since the model was at a position."""
        last = int(self._numbers.values[-1]) if self._numbers.size else 0
        queries = self._store.queries
        for rows in pages(connection, queries.embeddings_after, self._model, after=last):
            self._append(rows)
        for rows in pages(connection, queries.embedded_after, self._model, after=position):
            self._append_versions(rows)

    def _append(self, rows: Sequence[Row]) -> None:
        np_ = self._numpy
        numbers, scales, vectors = zip(*rows, strict=True)
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

    def _append_versions(self, rows: Sequence[Row]) -> None:
        np_ = self._numpy
        versions, numbers, chunks = (np_.array(column) for column in zip(*rows, strict=True))
        self._versions.extend(versions)
        self._firsts.extend(np_.searchsorted(self._numbers.values, numbers))
        self._chunks.extend(chunks)

    def cosines(self, unit: "Array", versions: "Array") -> "Array":
        """Return how near each version is, by its first and best chunk; NaN for one not here."""
        np_ = self._numpy
        places = self._places(versions)
        found = np_.full(len(places), np_.nan, np_.float32)
        is_there = places >= 0
        if is_there.any():
            scores, known = self._scores(unit), places[is_there]
            first = scores[self._firsts.values[known]]
            found[is_there] = (first + self._best_chunks(scores, known)) / 2
        return found

    def candidates(self, unit: "Array", count: int) -> "tuple[Array, Array]":
        """Return the nearest versions, at least so many if there are, and their cosines."""
        np_, versions = self._numpy, self._versions.values
        if len(versions) > count:
            # The question is rounded for the product, so the best are compared once more.
            rough = self._best_chunks(self._scores(unit), np_.arange(len(versions)))
            versions = versions[rough >= kth_best(rough, count)]
        return versions, nearness(self.chunks_of(versions), unit, len(versions))[1]

    def chunks_of(self, versions: "Array") -> Chunks:
        """Return all vectors of some versions."""
        np_ = self._numpy
        places = self._places(versions)
        known = np_.flatnonzero(places >= 0)
        chunks = self._chunks.values[places[known]].astype(np_.int64)
        offsets = np_.arange(chunks.sum()) - np_.repeat(np_.cumsum(chunks) - chunks, chunks)
        rows = np_.repeat(self._firsts.values[places[known]], chunks) + offsets
        return Chunks(np_.repeat(known, chunks), self._numbers.values[rows], self._floats(rows))

    def _floats(self, rows: "Array") -> "Array":
        np_ = self._numpy
        found = np_.empty((len(rows), self._dimension), np_.float32)
        # Not `unique`: its first call loads `numpy.ma`, which takes 7 MB and 40 ms.
        for number in np_.flatnonzero(np_.bincount(rows // _BLOCK)):
            here = np_.flatnonzero(rows // _BLOCK == number)
            found[here] = np_.transpose(self._blocks[number][:, rows[here] % _BLOCK])
        return found * self._scales.values[rows][:, None]

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
