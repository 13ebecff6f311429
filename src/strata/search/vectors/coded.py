"""The vectors of a large store: their codes in memory, the vectors themselves in the store.

The codes choose some hundred candidates, and only their vectors are read.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from strata.base import limits
from strata.search.vectors import codes
from strata.search.vectors.held import Chunks, nearness, pages
from strata.search.vectors.int8 import unpack
from strata.sql import Connection
from strata.store import Store

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


class CodedVectors:
    """What a model has embedded, as of the last `take`. One thread at a time may use it."""

    looked_at_max = 16 * limits.NEAREST_RESCORED

    def __init__(self, store: Store, model: int, dimension: int) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._store = store
        self._model = model
        self._dimension = dimension
        self._columns = len(codes.encode(numpy.zeros(1), numpy.zeros((1, dimension))).words)
        # Chunks of 65,536, and what came after them.
        self._chunks: list[codes.Codes] = []
        self._tail = codes.join([], self._columns)

    def __len__(self) -> int:
        return sum(len(one.numbers) for one in (*self._chunks, self._tail))

    @property
    def memory_bytes(self) -> int:
        """How much memory the arrays take."""
        return sum(array.nbytes for one in (*self._chunks, self._tail) for array in one)

    def take(self, connection: Connection, _position: int) -> None:
        """Take in what was made since the last call."""
        if not len(self):
            self._read_codes(connection)
        held = [one for one in (*self._chunks, self._tail) if len(one.numbers)]
        last = int(held[-1].numbers[-1]) if held else 0
        statement = self._store.queries.embeddings_after
        for rows in pages(connection, statement, self._model, after=last):
            numbers, _scales, vectors = zip(*rows, strict=True)
            self._append([codes.of_rows(numbers, vectors, self._dimension)])

    def _read_codes(self, connection: Connection) -> None:
        """Take in what the store keeps as codes, so many at a time that little is held twice."""
        part = -1
        statement = self._store.queries.codes_after
        while rows := connection.rows(statement, (self._model, part, codes.PARTS)):
            self._append([codes.unpack(at, kept, self._dimension) for at, kept in rows])
            part = rows[-1][0]

    def _append(self, parts: list[codes.Codes]) -> None:
        self._tail = codes.join([self._tail, *parts], self._columns)
        if len(self._tail.numbers) >= codes.PARTS * codes.PART:
            self._chunks.append(self._tail)
            self._tail = codes.join([], self._columns)

    def cosines(self, unit: "Array", versions: "Array") -> "Array":
        """Return how near each version is, by its first and best chunk; NaN for one not here."""
        first, best = nearness(self.chunks_of(versions), unit, len(versions))
        return (first + best) / 2

    def candidates(self, unit: "Array", count: int) -> "tuple[Array, Array]":
        """Return the nearest versions, at least so many if there are, and their cosines."""
        np_ = self._numpy
        numbers = codes.nearest(unit, (*self._chunks, self._tail), count)
        rows = self._by(self._store.queries.embeddings_by_number, numbers)
        if not rows:
            return np_.empty(0, np_.int64), np_.empty(0, np_.float32)
        found, chunk, scales, vectors = zip(*rows, strict=True)
        near = np_.einsum("ij,j->i", unpack(scales, vectors, self._dimension), unit)
        best: dict[int, float] = {}
        for first, cosine in zip((np_.array(found) - chunk).tolist(), near.tolist(), strict=True):
            best[first] = max(cosine, best.get(first, -2.0))
        owners = self._by(self._store.queries.versions_of_embeddings, best)
        versions = np_.array([version for _first, version in owners], np_.int64)
        return versions, np_.array([best[first] for first, _version in owners], np_.float32)

    def _by(self, statement: str, numbers: "Iterable[int] | Array") -> list[Any]:
        wanted = msgspec.json.encode([int(number) for number in numbers]).decode()
        return self._store.connection().rows(statement, (wanted,))

    def chunks_of(self, versions: "Array") -> Chunks:
        """Return all vectors of some versions."""
        np_ = self._numpy
        wanted = msgspec.json.encode(np_.asarray(versions).tolist()).decode()
        statement = self._store.queries.embeddings_of_versions
        rows = self._store.connection().rows(statement, (self._model, wanted))
        owners, numbers, scales, vectors = zip(*rows, strict=True) if rows else ((),) * 4
        return Chunks(
            np_.array(owners, np_.int64),
            np_.array(numbers, np_.int64),
            unpack(scales, vectors, self._dimension),
        )
