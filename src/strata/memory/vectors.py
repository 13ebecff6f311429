"""Collections of vectors: kept exactly, searched exactly, on any branch and at any time."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from strata.base import limits
from strata.base.checks import check_many, check_number
from strata.base.errors import (
    AlreadyExists,
    CollectionNotFound,
    DimensionMismatch,
    InvalidArgument,
    WrongType,
)
from strata.base.results import Result, TimedResult
from strata.base.values import Json, encode
from strata.memory.filters import Filter, compile_filter
from strata.memory.keyed import Version, check_count
from strata.memory.matrix import VECTOR, Matrices, Matrix, pack_floats, read_matrix
from strata.store import (
    BINARY,
    DELETED,
    GONE,
    Snapshot,
    StagedChange,
    Transaction,
    View,
    check_key,
    check_name,
    damaged,
    meta_of,
    plain,
    unpack_floats,
    value_of,
)

if TYPE_CHECKING:
    import numpy as np

Metric: TypeAlias = Literal["cosine", "euclidean", "dot_product"]
METRICS = ("cosine", "euclidean", "dot_product")
COLLECTION = "collection"


class Collection(Result, frozen=True):
    """A named set of vectors of one dimension; `version` is that of its making."""

    name: str
    dimension: int
    metric: str
    count: int = 0
    index_type: str = "exact"
    memory_bytes: int = 0
    version: int = 0


class Vector(TimedResult, frozen=True):
    """A stored vector with its metadata."""

    key: str
    vector: list[float]
    metadata: Any
    version: int
    timestamp: int


class Match(Result, frozen=True, gc=False):
    """A vector near the query. Higher scores are nearer; euclidean ones are negative."""

    key: str
    score: float
    metadata: Any


class Vectors:
    """Vector collections. Reached as `db.vectors`."""

    def __init__(self, view: View, matrices: Matrices) -> None:
        self._view = view
        self._space = view.space
        self._matrices = matrices

    def create(self, collection: str, dimension: int, metric: Metric = "cosine") -> Collection:
        """Make a collection; vectors of any other dimension are refused.

        >>> db.vectors.create("docs", dimension=3).metric
        'cosine'
        """
        check_collection(collection)
        check_number(dimension, name="dimension", most=limits.VECTOR_DIMENSION_MAX)
        check_metric(metric)
        with self._view.writing("create collection") as transaction:
            record = transaction.get(self._space, COLLECTION, collection)
            if record is not None and not record[2] & GONE:
                raise AlreadyExists(
                    f"There is a collection {collection!r} already.",
                    hint="Use it, or drop it first.",
                    collection=collection,
                )
            # Its definition may have been purged; what lay in the old one is not in this one.
            _clear(transaction, self._space, collection)
            data = encode({"dimension": dimension, "metric": metric})
            number, _time = transaction.stage(
                StagedChange(self._space, COLLECTION, collection, data)
            )
        return Collection(collection, dimension, metric, version=number)

    def upsert(
        self, collection: str, key: str, vector: Sequence[float], *, metadata: Json = None
    ) -> Version:
        """Keep a vector under a key of a collection; numbers are stored as float32.

        >>> _ = db.vectors.create("c", dimension=2)
        >>> _ = db.vectors.upsert("c", "one", [1, 0], metadata={"lang": "ko"})
        >>> db.vectors.get("c", "one").metadata
        {'lang': 'ko'}
        """
        entry = {"key": key, "vector": vector, "metadata": metadata}
        return self.upsert_many(collection, [entry])[0]

    def upsert_many(self, collection: str, entries: Iterable[Mapping[str, Any]]) -> "list[Version]":
        """Keep several vectors in one commit; entries have key, vector and metadata.

        >>> _ = db.vectors.create("c", dimension=2)
        >>> len(db.vectors.upsert_many("c", [{"key": "a", "vector": [0, 1]}]))
        1
        """
        wanted = check_many(entries, name="entries")
        check_count(len(wanted))
        check_entries(wanted)
        with self._view.writing("upsert") as transaction:
            found = self._require(transaction, collection)
            made = [self._change(found, entry) for entry in wanted]
            places = transaction.stage_many([change for _metadata, change in made])
        return [
            Version(metadata, number, timestamp)
            for (metadata, _change), (number, timestamp) in zip(made, places, strict=True)
        ]

    def _change(
        self, collection: Collection, entry: Mapping[str, Any]
    ) -> tuple[Json, StagedChange]:
        """Return the metadata as it is kept, and the change that keeps it and the vector."""
        key = vector_key(collection.name, entry.get("key", ""))
        data = pack_floats(as_row(entry.get("vector"), collection.dimension))
        metadata = entry.get("metadata")
        if metadata is None:
            return None, StagedChange(self._space, VECTOR, key, data, BINARY)
        whole, meta = self._view.encoded({"metadata": metadata}, what="metadata")
        assert isinstance(whole, dict), "masking keeps the shape"
        return whole["metadata"], StagedChange(self._space, VECTOR, key, data, BINARY, meta)

    def get(self, collection: str, key: str) -> Vector | None:
        """Return a vector, or None.

        >>> _ = db.vectors.create("c", dimension=2)
        >>> _ = db.vectors.upsert("c", "a", [0.5, 0.25])
        >>> db.vectors.get("c", "a").vector
        [0.5, 0.25]
        """
        found = self._require(self._view.snapshot, collection)
        record = self._view.snapshot.get(self._space, VECTOR, vector_key(collection, key))
        if record is None or record[2] & GONE:
            return None
        row = unpack_floats(plain(record), record[0])
        if len(row) != found.dimension:
            raise damaged(record[0])  # nothing lets it in, so it was not written like this
        return Vector(key, row, meta_of(record).get("metadata"), record[0], record[1])

    def delete(self, collection: str, key: str) -> bool:
        """Remove a vector; tell whether it was there.

        >>> _ = db.vectors.create("c", dimension=1)
        >>> db.vectors.delete("c", "missing")
        False
        """
        with self._view.writing("delete") as transaction:
            self._require(transaction, collection)
            place = vector_key(collection, key)
            record = transaction.get(self._space, VECTOR, place)
            if record is None or record[2] & GONE:
                return False
            transaction.stage(StagedChange(self._space, VECTOR, place, flags=DELETED))
        return True

    def search(
        self,
        collection: str,
        vector: Sequence[float],
        *,
        limit: int = 10,
        filter: Iterable[Filter] | None = None,
        metric: Metric | None = None,
    ) -> "list[Match]":
        """Return the nearest vectors that pass the filter, nearest first, at most `limit`.

        >>> _ = db.vectors.create("c", dimension=2)
        >>> _ = db.vectors.upsert("c", "east", [1, 0], metadata={"n": 1})
        >>> _ = db.vectors.upsert("c", "north", [0, 1], metadata={"n": 2})
        >>> [match.key for match in db.vectors.search("c", [0.9, 0.1], limit=1)]
        ['east']
        >>> passing = [{"field": "n", "op": "gte", "value": 2}]
        >>> [match.key for match in db.vectors.search("c", [0.9, 0.1], filter=passing)]
        ['north']
        """
        check_number(limit, name="limit", most=limits.VECTOR_RESULTS_MAX)
        found = self._require(self._view.snapshot, collection)
        chosen = check_metric(metric or found.metric)
        query = as_row(vector, found.dimension)
        test = compile_filter(filter)
        with self._matrix(found) as matrix:
            scores = matrix.scores(query, chosen)
            if test is not None:
                scores[matrix.failing(test)] = float("-inf")
            return [
                Match(matrix.keys[index], float(scores[index]), matrix.metadata[index])
                for index in matrix.best(scores, limit)
                if scores[index] != float("-inf")
            ]

    def _matrix(self, collection: Collection) -> AbstractContextManager[Matrix]:
        snapshot = self._view.snapshot
        place = (self._space, collection.name, collection.dimension)
        if isinstance(snapshot, Transaction):
            # What a transaction staged must not be seen by others, so its matrix is its own.
            return nullcontext(read_matrix(snapshot, place))
        return self._matrices.using(snapshot, place)

    def drop(self, collection: str) -> bool:
        """Delete a collection with its vectors; tell whether it was there.

        >>> _ = db.vectors.create("c", dimension=1)
        >>> db.vectors.drop("c"), db.vectors.drop("c")
        (True, False)
        """
        check_collection(collection)
        with self._view.writing("drop collection") as transaction:
            record = transaction.get(self._space, COLLECTION, collection)
            if record is None or record[2] & GONE:
                return False
            _clear(transaction, self._space, collection)
            transaction.stage(StagedChange(self._space, COLLECTION, collection, flags=DELETED))
        return True

    def list(self) -> "list[Collection]":
        """Return all collections.

        >>> _ = db.vectors.create("c", dimension=2, metric="euclidean")
        >>> [(found.name, found.dimension) for found in db.vectors.list()]
        [('c', 2)]
        """
        snapshot = self._view.snapshot
        return [self.stats(key) for key, _version in snapshot.keys(self._space, COLLECTION)]

    def stats(self, collection: str) -> Collection:
        """Return one collection with its count and what its matrix takes in memory.

        >>> _ = db.vectors.create("c", dimension=2)
        >>> db.vectors.stats("c").count
        0
        """
        found = self._require(self._view.snapshot, collection)
        count = self._view.snapshot.count(self._space, VECTOR, f"{collection}/")
        memory = self._matrices.memory_bytes(self._space, collection)
        return msgspec.structs.replace(found, count=count, memory_bytes=memory)

    def _require(self, snapshot: Snapshot, collection: str) -> Collection:
        check_collection(collection)
        record = snapshot.get(self._space, COLLECTION, collection)
        if record is None or record[2] & GONE:
            raise CollectionNotFound(
                f"There is no collection {collection!r}.",
                hint="Make it with create(), naming its dimension.",
                collection=collection,
            )
        try:
            stored = msgspec.convert(value_of(record), _Definition)
        except msgspec.ValidationError as error:
            raise damaged(record[0]) from error
        return Collection(collection, stored.dimension, stored.metric, version=record[0])


class _Definition(msgspec.Struct, frozen=True):
    """What create() keeps of a collection."""

    dimension: int
    metric: Metric


def _clear(transaction: Transaction, space: str, collection: str) -> None:
    for key, _version in transaction.keys(space, VECTOR, f"{collection}/"):
        transaction.stage(StagedChange(space, VECTOR, key, flags=DELETED))


def check_entries(entries: Iterable[object]) -> None:
    """Refuse an entry that is no object with key and vector."""
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise InvalidArgument(f"{entry!r} is not an entry.", parameter="entries")


def vector_key(collection: str, key: str) -> str:
    """Return the key of a vector in the store: its collection's name comes first."""
    return check_key(f"{collection}/{check_key(key)}")


def as_row(vector: object, dimension: int) -> "np.ndarray[Any, Any]":
    """Return a vector as float32, or raise WrongType or DimensionMismatch."""
    import numpy

    try:
        given = numpy.asarray(vector)
        if given.dtype.kind not in "iuf":
            raise TypeError(given.dtype)
        with numpy.errstate(over="ignore"):  # too large becomes infinite, which is refused below
            row = given.astype(numpy.float32)
    except (TypeError, ValueError) as error:
        raise WrongType("The vector must be a list of numbers.", parameter="vector") from error
    if row.shape != (dimension,):
        size = row.shape[0] if row.ndim == 1 else list(row.shape)
        raise DimensionMismatch(
            f"The vector has dimension {size}; the collection's is {dimension}.",
            hint="Embed with the model that filled the collection.",
            parameter="vector",
            expected=dimension,
            found=size,
        )
    if not numpy.isfinite(row).all():
        raise WrongType(
            "The vector holds a number that is not finite in float32.", parameter="vector"
        )
    return row


def check_collection(name: str) -> None:
    """Refuse what cannot name a collection; a slash separates it from its keys."""
    check_name(name, what="collection")
    if "/" in name:
        raise InvalidArgument(
            f"A collection's name has no slash: {name!r}.", parameter="collection"
        )


def check_metric(metric: str) -> str:
    """Return the metric or raise InvalidArgument."""
    if metric not in METRICS:
        raise InvalidArgument(
            f"{metric!r} is not a metric.", hint=f"Use {', '.join(METRICS)}.", parameter="metric"
        )
    return metric
