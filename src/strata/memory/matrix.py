"""The vectors of one collection as one array in memory, following the commits.

Derived: it is built from the versions at the first search, brought up to date by the
versions written since, and can be dropped at any time.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeAlias

from strata.base.best import least_of_best
from strata.store import GONE, Commits, Derived, Record, Snapshot, Store, meta_of, plain

if TYPE_CHECKING:
    import numpy as np

VECTOR = "vector"
# Products and squared distances of vectors shorter than this stay within float32.
_LENGTH_SAFE = 1e18
# A search touches few collections at a time; older matrices are rebuilt when needed.
_MATRICES_MAX = 16


class Matrix:
    """Keys, metadata and float32 rows; deleted rows are filled from the end."""

    def __init__(self, dimension: int) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._longest = 0.0
        self.keys: list[str] = []
        self.metadata: list[Any] = []  # whatever JSON the caller attached
        self._index: dict[str, int] = {}
        self._rows: np.ndarray[Any, Any] = numpy.empty((64, dimension), dtype=numpy.float32)
        self._norms: np.ndarray[Any, Any] = numpy.empty(64, dtype=numpy.float32)

    def load(self, items: Iterable[tuple[str, Record]]) -> None:
        """Take in key and newest version of each changed vector."""
        width = self._rows.shape[1] * 4
        for key, record in items:
            # A merge may bring vectors of a collection that was made anew in another size.
            if record[2] & GONE or len(plain(record)) != width:
                self._remove(key)
            else:
                self._set(key, record)

    def _set(self, key: str, record: Record) -> None:
        index = self._index.get(key)
        if index is None:
            index = self._index[key] = len(self.keys)
            self.keys.append(key)
            self.metadata.append(None)
            if index == len(self._rows):
                self._grow()
        row = self._numpy.frombuffer(plain(record), dtype="<f4")
        self._rows[index] = row
        with self._numpy.errstate(over="ignore"):
            norm = self._norms[index] = self._numpy.sqrt(row @ row) or 1.0
        self._longest = max(self._longest, float(norm))
        self.metadata[index] = meta_of(record).get("metadata")

    def _grow(self) -> None:
        size, dimension = self._rows.shape
        rows = self._numpy.empty((size * 2, dimension), dtype=self._numpy.float32)
        norms = self._numpy.empty(size * 2, dtype=self._numpy.float32)
        rows[:size], norms[:size] = self._rows, self._norms
        self._rows, self._norms = rows, norms

    def _remove(self, key: str) -> None:
        index = self._index.pop(key, None)
        if index is None:
            return
        last = len(self.keys) - 1
        if index != last:
            self.keys[index] = moved = self.keys[last]
            self.metadata[index] = self.metadata[last]
            self._rows[index], self._norms[index] = self._rows[last], self._norms[last]
            self._index[moved] = index
        self.keys.pop()
        self.metadata.pop()

    def scores(self, query: "np.ndarray[Any, Any]", metric: str) -> "np.ndarray[Any, Any]":
        """Return one score a row; a higher one is nearer under any metric."""
        rows, norms = self._rows[: len(self.keys)], self._norms[: len(self.keys)]
        length = float(self._numpy.sqrt(query.astype(self._numpy.float64) @ query))
        if max(self._longest, length) < _LENGTH_SAFE:
            return self._scores(rows, norms, query, metric=metric)
        # Squares of such numbers do not fit float32.
        wide = rows.astype(self._numpy.float64)
        norms = self._numpy.sqrt(self._numpy.square(wide).sum(axis=1))
        norms[norms == 0] = 1.0
        return self._scores(wide, norms, query.astype(self._numpy.float64), metric=metric)

    def _scores(
        self,
        rows: "np.ndarray[Any, Any]",
        norms: "np.ndarray[Any, Any]",
        query: "np.ndarray[Any, Any]",
        *,
        metric: str,
    ) -> "np.ndarray[Any, Any]":
        if metric == "euclidean":
            return -self._numpy.sqrt(self._numpy.square(rows - query).sum(axis=1))
        products = rows @ query
        if metric == "dot_product":
            return products
        products /= norms
        products /= self._numpy.sqrt(query @ query) or 1.0
        return products

    def failing(self, test: Callable[[Any], bool]) -> list[int]:
        """Return the indexes of the rows whose metadata does not pass."""
        return [index for index, metadata in enumerate(self.metadata) if not test(metadata)]

    def best(self, scores: "np.ndarray[Any, Any]", k: int) -> list[int]:
        """Return the indexes of the k best scores, best first, ties by key."""
        np_ = self._numpy
        if k < len(scores):
            # All that tie with the k-th best take part, so that ties fall the same way.
            indexes = np_.flatnonzero(scores >= least_of_best(scores, k))
        else:
            indexes = np_.arange(len(scores))
        found: list[int] = indexes.tolist()
        return sorted(found, key=lambda index: (-float(scores[index]), self.keys[index]))[:k]

    @property
    def memory_bytes(self) -> int:
        """How much memory the rows take."""
        return self._rows.nbytes + self._norms.nbytes


# Space, collection, dimension.
Place: TypeAlias = tuple[str, str, int]


class Matrices:
    """The matrices of one process, most recently used last."""

    def __init__(self, store: Store) -> None:
        self._matrices: Derived[Place, Matrix] = Derived(
            store, build=read_matrix, follow=_follow, most=_MATRICES_MAX
        )

    def using(self, snapshot: Snapshot, place: Place) -> AbstractContextManager[Matrix]:
        """Give the matrix of a collection as the snapshot shows it, for one thread at a time."""
        return self._matrices.using(snapshot, place)

    def memory_bytes(self, space: str, collection: str) -> int:
        """Return what the matrices of a collection take now."""
        held = self._matrices.held()
        return sum(one.memory_bytes for place, one in held if place[:2] == (space, collection))


def read_matrix(snapshot: Snapshot, place: Place) -> Matrix:
    """Return the vectors that a snapshot shows of a collection."""
    space, collection, dimension = place
    matrix, prefix = Matrix(dimension), f"{collection}/"
    items = snapshot.items(space, VECTOR, prefix)
    matrix.load((key[len(prefix) :], record) for key, record in items)
    return matrix


def _follow(matrix: Matrix, commits: Commits, place: Place) -> Matrix:
    """Take in the vectors written on the branch since; its ancestors cannot change."""
    space, collection, _dimension = place
    prefix = f"{collection}/"
    matrix.load(
        (key[len(prefix) :], record)
        for key, record in commits.records(space, VECTOR)
        if key.startswith(prefix)
    )
    return matrix


def pack_floats(vector: "np.ndarray[Any, Any]") -> bytes:
    """Return the stored form of a vector: little-endian float32."""
    return vector.astype("<f4").tobytes()
