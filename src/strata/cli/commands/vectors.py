"""Collections of vectors."""

from pathlib import Path
from typing import Annotated, Any

import click
import msgspec

import strata
from strata.base.counts import plural
from strata.base.values import Json, decode
from strata.cli.command import Output, Spelling, group, reads
from strata.cli.commands.values import masked_in, masked_lines, read_value
from strata.cli.completion import complete_collections
from strata.cli.show.text import inline, one_line, pretty, table
from strata.cli.words import Contents
from strata.memory import Metric
from strata.workspace import Workspace

CollectionName = Annotated[
    str, "The name of the collection.", Spelling("COLLECTION", complete=complete_collections)
]
VectorKey = Annotated[str, "The name of the vector."]
Numbers = Annotated[str | None, "A JSON list; - reads it from standard input."]

vector = group(
    "vector",
    """Store vectors and find the nearest ones.

    Alone it lists the collections.

        strata vector create places 2
        strata vector put places 서울 '[0.9, 0.1]' --metadata '{"country": "kr"}'
        strata vector search places '[1, 0]'
        strata vector
    """,
    takes="branch space at",
)


@reads("vector", takes="branch space at")
def list_collections(db: Workspace) -> Output:
    """List the collections."""
    found = db.vectors.list()
    rows = [(one.name, one.dimension, one.metric, f"{one.count:,}") for one in found]
    headers = ("COLLECTION", "DIMENSION", "METRIC", "VECTORS")
    return Output(
        {"collections": found},
        table(headers, rows, right=["DIMENSION", "VECTORS"]),
        empty="no collections here; `strata vector create` makes one",
    )


vector.alone = list_collections


@vector.writes("create", takes="branch space actor", creates=True)
def create(
    db: Workspace,
    collection: Annotated[str, "The name of the collection."],
    dimension: Annotated[int, "How many numbers each vector has."],
    *,
    metric: Annotated[Metric, "How nearness is measured."] = "cosine",
) -> Output:
    """Make a collection of vectors of one dimension.

    Dimension and metric are fixed from then on.

        strata vector create places 2 --metric euclidean
    """
    found = db.vectors.create(collection, dimension, metric)
    return Output(found, f"made collection {one_line(collection)}")


@vector.writes("put", takes="branch space actor allow-secrets")
def put(
    db: Workspace,
    collection: CollectionName,
    key: VectorKey,
    numbers: Numbers = None,
    *,
    file: Contents = None,
    metadata: Annotated[str | None, "A JSON object that goes with it."] = None,
) -> Output:
    """Keep a vector under a key.

    NUMBERS is a JSON list; `-` reads it from standard input.

        strata vector create places 2
        strata vector put places 서울 '[0.9, 0.1]' --metadata '{"country": "kr"}'
    """
    wanted = _numbers(numbers, file)
    beside = None if metadata is None else _object(metadata, "--metadata")
    found = db.vectors.upsert(collection, key, wanted, metadata=beside)
    masked = masked_in(beside, found.value)
    lines = [f"put {one_line(key)}, version {found.version}", *masked_lines(masked)]
    return Output(found, lines, key=key, masked=masked)


@vector.reads("get")
def get(db: Workspace, collection: CollectionName, key: VectorKey) -> Output:
    """Show a vector and its metadata.

    Numbers are kept as float32, so they may differ from what was typed in the eighth digit.

        strata vector create places 2
        strata vector put places 서울 '[0.9, 0.1]'
        strata vector get places 서울
    """
    found = db.vectors.get(collection, key)
    if found is None:
        raise _absent(collection, key)
    return Output(found, pretty({"vector": list(found.vector), "metadata": found.metadata}))


@vector.reads("search")
def search(
    db: Workspace,
    collection: CollectionName,
    numbers: Numbers = None,
    *,
    file: Contents = None,
    count: Annotated[int, "How many.", Spelling(flags="-k")] = 10,
    filters: Annotated[
        tuple[str, ...],
        "A condition on the metadata, as JSON; may be repeated.",
        Spelling(flags="--filter"),
    ] = (),
) -> Output:
    """Find the vectors nearest to another one.

    A --filter is an object with field, op (eq, ne, gt, gte, lt, lte, in, contains) and value.
    When nothing is found, the exit code is 1.

        strata vector create places 2
        strata vector put places 서울 '[0.9, 0.1]' --metadata '{"country": "kr"}'
        strata vector search places '[1, 0]' -k 3
        strata vector search places '[1, 0]' --filter '{"field":"country","op":"eq","value":"kr"}'
    """
    wanted = _numbers(numbers, file)
    conditions = [_object(text, "--filter") for text in filters]
    found = db.vectors.search(collection, wanted, limit=count, filter=conditions or None)
    rows = [
        (one.key, f"{one.score:.4f}", inline(one.metadata) if one.metadata else "") for one in found
    ]
    lines = table(("KEY", "SCORE", "METADATA"), rows, right=["SCORE"])
    return Output({"matches": found}, lines, empty="nothing found", code=0 if found else 1)


@vector.writes("delete", takes="branch space actor")
def delete(db: Workspace, collection: CollectionName, key: VectorKey) -> Output:
    """Remove a vector; its history stays.

    `--at` still finds it in the past.

        strata vector create places 2
        strata vector put places 서울 '[0.9, 0.1]'
        strata vector delete places 서울
    """
    if not db.vectors.delete(collection, key):
        raise _absent(collection, key)
    return Output({"deleted": key}, f"deleted {one_line(key)}")


@vector.writes("drop", takes="branch space actor")
def drop(db: Workspace, collection: CollectionName) -> Output:
    """Remove a collection with its vectors.

    History keeps them; `strata undo` brings them back.

        strata vector create places 2
        strata vector drop places
    """
    count = db.vectors.stats(collection).count
    db.vectors.drop(collection)
    line = f"dropped {one_line(collection)} with {plural(count, 'vector')}"
    return Output({"dropped": collection, "vectors": count}, line)


def _numbers(text: str | None, file: Path | None) -> list[float]:
    try:
        return msgspec.convert(read_value(text, file), list[float])
    except msgspec.ValidationError:
        raise click.UsageError("A vector is a JSON list of numbers, such as [0.9, 0.1].") from None


def _object(text: str, option: str) -> dict[str, Json]:
    try:
        return msgspec.convert(decode(text), dict[str, Any])  # Any: what an object may hold
    except msgspec.MsgspecError:
        raise click.UsageError(f"{option} takes a JSON object, not {text!r}.") from None


def _absent(collection: str, key: str) -> strata.NotFound:
    return strata.NotFound(
        f"There is no vector {key!r} in collection {collection!r}.",
        hint="`strata vector` lists the collections.",
    )
