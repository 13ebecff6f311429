"""Category vector: collections that are searched exactly."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, convert, structs

from strata.base import limits
from strata.base.values import Json
from strata.tools.declare import ToolGroup
from strata.tools.developer.shapes import AsOf, WriteReceipt
from strata.tools.session import Call

vector = ToolGroup("developer", pattern="strata_vector_{}", shared=("branch", "space"))

Name = Annotated[str, "Name of the collection"]
Key = Annotated[str, "Key of the vector in its collection"]
Numbers = Annotated[list[float], "Numbers, as many as the collection's dimension"]
Metric = Literal["cosine", "euclidean", "dot_product"]


class VectorEntry(Struct, frozen=True):
    """A vector to keep."""

    key: Annotated[str, "Key of the vector"]
    vector: Annotated[list[float], "Its numbers"]
    metadata: Annotated[Json, "Anything to filter by, an object as a rule"] = None


class VectorCondition(Struct, frozen=True):
    """A test of one member of the metadata."""

    field: Annotated[str, "Member of the metadata; a.b for a member of a member"]
    value: Annotated[Json, "What to compare with; a list for `in`"]
    op: Annotated[
        Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains"], "How to compare"
    ] = "eq"


class StoredVector(Struct, frozen=True):
    """A vector with what was kept beside it; numbers are float32."""

    key: str
    embedding: list[float]
    metadata: Json
    version: int
    timestamp: int


class NearVector(Struct, frozen=True):
    """A vector near the query; higher scores are nearer, euclidean ones are negative."""

    key: str
    score: float
    metadata: Json


class CollectionInfo(Struct, frozen=True):
    """A collection, how many vectors it has, and what they take in memory."""

    name: str
    dimension: int
    metric: str
    count: int
    index_type: str
    memory_bytes: int


@vector.writes(
    idempotent=True,
    example={"collection": "docs", "key": "a", "vector": [0.1, 0.9], "metadata": {"lang": "ko"}},
)
def upsert(
    call: Call,
    *,
    collection: Name,
    key: Key,
    vector: Numbers,
    metadata: Annotated[Json, "Anything to filter by, an object as a rule"] = None,
) -> WriteReceipt:
    """Keep a vector under a key, replacing what is there.

    The collection must exist: strata_vector_create_collection. Text needs no vectors of your own;
    strata_search finds it by meaning already.
    """
    return WriteReceipt(
        call.target.vectors.upsert(collection, key, vector, metadata=metadata).version
    )


@vector.reads(example={"collection": "docs", "key": "a"})
def get(call: Call, *, collection: Name, key: Key, as_of: AsOf = None) -> StoredVector | None:
    """Read a vector by its key.

    Answers {key, embedding, metadata, version, timestamp}, or {result: null} when it is absent.
    """
    found = call.at(as_of).vectors.get(collection, key)
    if found is None:
        return None
    return StoredVector(found.key, found.vector, found.metadata, found.version, found.timestamp)


@vector.writes(idempotent=True, destructive=True, example={"collection": "docs", "key": "a"})
def delete(call: Call, *, collection: Name, key: Key) -> bool:
    """Delete a vector; answer whether it existed.

    For a whole collection use strata_vector_delete_collection.
    """
    return call.target.vectors.delete(collection, key)


@vector.reads(
    lists="results",
    example={
        "collection": "docs",
        "query": [0.1, 0.9],
        "k": 5,
        "filter": [{"field": "lang", "op": "eq", "value": "ko"}],
    },
)
def search(
    call: Call,
    *,
    collection: Name,
    query: Numbers,
    k: Annotated[int, Meta(description="Results at most", ge=1, le=limits.VECTOR_RESULTS_MAX)],
    filter: Annotated[list[VectorCondition] | None, "All of these must hold"] = None,
    metric: Annotated[Metric | None, "Measure; left out, the collection's own"] = None,
    as_of: AsOf = None,
) -> list[NearVector]:
    """Find the nearest vectors of a collection, exactly.

    Answers {results: [{key, score, metadata}]}, nearest first. To ask in words use strata_search.
    """
    conditions = [structs.asdict(one) for one in filter or ()]
    found = call.at(as_of).vectors.search(
        collection, query, limit=k, filter=conditions, metric=metric
    )
    return [NearVector(one.key, one.score, one.metadata) for one in found]


@vector.writes(example={"collection": "docs", "dimension": 384})
def create_collection(
    call: Call,
    *,
    collection: Name,
    dimension: Annotated[
        int,
        Meta(description="Numbers in each vector", ge=1, le=limits.VECTOR_DIMENSION_MAX),
    ],
    metric: Annotated[Metric, "Measure of nearness"] = "cosine",
) -> WriteReceipt:
    """Make a collection of vectors.

    Vectors of any other dimension are refused. A name that is taken is an error of code
    already_exists.
    """
    return WriteReceipt(call.target.vectors.create(collection, dimension, metric).version)


@vector.writes(idempotent=True, destructive=True, example={"collection": "docs"})
def delete_collection(call: Call, *, collection: Name) -> bool:
    """Delete a collection with its vectors; answer whether it existed.

    History keeps it: `as_of` still reads it.
    """
    return call.target.vectors.drop(collection)


@vector.reads(lists="results", example={})
def list_collections(call: Call) -> list[CollectionInfo]:
    """List the collections of vectors.

    Answers {results}.
    """
    found = call.target.vectors.list()
    return convert(found, list[CollectionInfo], from_attributes=True)


@vector.reads(example={"collection": "docs"})
def stats(call: Call, *, collection: Name) -> CollectionInfo:
    """Describe one collection.

    How many vectors it has, of what dimension, and what they take in memory.
    """
    found = call.target.vectors.stats(collection)
    return convert(found, CollectionInfo, from_attributes=True)


@vector.writes(
    idempotent=True,
    lists="versions",
    example={"collection": "docs", "entries": [{"key": "a", "vector": [0.1, 0.9]}]},
)
def batch_upsert(
    call: Call,
    *,
    collection: Name,
    entries: Annotated[
        list[VectorEntry], Meta(description="Vectors to keep", max_length=limits.ITEMS_MAX)
    ],
) -> list[int]:
    """Keep several vectors in one atomic commit.

    All are written or none. Answers {versions} in the order given.
    """
    rows = [structs.asdict(entry) for entry in entries]
    return [found.version for found in call.target.vectors.upsert_many(collection, rows)]
