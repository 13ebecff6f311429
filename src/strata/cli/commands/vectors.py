"""Collections of vectors."""

from typing import Any, Literal, TypeAlias, get_args

import click
import msgspec

import strata
from strata.base.values import Json, decode
from strata.cli.completion import complete_collections
from strata.cli.decorated import command, group
from strata.cli.output import answer, plural
from strata.cli.session import Invocation
from strata.cli.show.secrets import masked_in, masked_lines
from strata.cli.show.tables import table
from strata.cli.show.text import inline, one_line, pretty
from strata.cli.values import read_value

Metric: TypeAlias = Literal["cosine", "euclidean", "dot_product"]


@group(
    "vector",
    takes="branch space at",
    examples="""
    strata vector create places 2
    strata vector put places 서울 '[0.9, 0.1]' --metadata '{"country": "kr"}'
    strata vector search places '[1, 0]'
    strata vector
    """,
)
def vector(session: Invocation) -> None:
    """Keep vectors and find the nearest ones.

    Alone it lists the collections.
    """
    with session.reading() as db:
        found = db.vectors.list()
        rows = [
            (one_line(one.name), str(one.dimension), one.metric, f"{one.count:,}") for one in found
        ]
        headers = ("COLLECTION", "DIMENSION", "METRIC", "VECTORS")
        lines = table(headers, rows, right=["DIMENSION", "VECTORS"])
        none = "no collections here; `strata vector create` makes one"
        answer(session, {"collections": found}, lines, empty=none)


@command(
    "create",
    group=vector,
    takes="branch space actor",
    examples="""
    strata vector create places 2 --metric euclidean
    """,
)
@click.argument("collection", help="The name of the collection.")
@click.argument("dimension", type=int, help="How many numbers each vector has.")
@click.option("--metric", type=click.Choice(get_args(Metric)),
              default="cosine", show_default=True, help="How nearness is measured.")  # fmt: skip
def create(session: Invocation, *, collection: str, dimension: int, metric: Metric) -> None:
    """Make a collection of vectors of one dimension.

    Dimension and metric are fixed from then on.
    """
    session.rehearse(lambda db: db.vectors.create(collection, dimension, metric))
    with session.writing(create=True) as db:
        found = db.vectors.create(collection, dimension, metric)
        answer(session, found, [f"made collection {one_line(collection)}"])


@command(
    "put",
    group=vector,
    takes="branch space actor allow-secrets",
    examples="""
    strata vector create places 2
    strata vector put places 서울 '[0.9, 0.1]' --metadata '{"country": "kr"}'
    """,
)
@click.argument(
    "collection", shell_complete=complete_collections, help="The name of the collection."
)
@click.argument("key", help="The name of the vector.")
@click.argument("numbers", required=False, help="A JSON list; - reads it from standard input.")
@click.option("--file", type=click.Path(exists=True, dir_okay=False), help="Read them here.")
@click.option("--metadata", help="A JSON object that goes with it.")
def put(
    session: Invocation, *, collection: str, key: str, numbers: str | None, file: str | None,
    metadata: str | None,
) -> None:  # fmt: skip
    """Keep a vector under a key.

    NUMBERS is a JSON list; `-` reads it from standard input.
    """
    wanted = _numbers(numbers, file)
    beside = None if metadata is None else _object(metadata, "--metadata")
    with session.writing() as db:
        found = db.vectors.upsert(collection, key, wanted, metadata=beside)
        masked = masked_in(beside, found.value)
        lines = [f"put {one_line(key)}, version {found.version}", *masked_lines(masked)]
        answer(session, found, lines, key=key, masked=masked)


@command(
    "get",
    group=vector,
    takes="branch space at",
    examples="""
    strata vector create places 2
    strata vector put places 서울 '[0.9, 0.1]'
    strata vector get places 서울
    """,
)
@click.argument(
    "collection", shell_complete=complete_collections, help="The name of the collection."
)
@click.argument("key", help="The name of the vector.")
def get(session: Invocation, *, collection: str, key: str) -> None:
    """Show a vector and its metadata.

    Numbers are kept as float32, so they may differ from what was typed in the eighth digit.
    """
    with session.reading() as db:
        found = db.vectors.get(collection, key)
        if found is None:
            raise _absent(collection, key)
        shown = pretty({"vector": list(found.vector), "metadata": found.metadata})
        answer(session, found, [shown])


@command(
    "search",
    group=vector,
    takes="branch space at",
    examples="""
    strata vector create places 2
    strata vector put places 서울 '[0.9, 0.1]' --metadata '{"country": "kr"}'
    strata vector search places '[1, 0]' -k 3
    strata vector search places '[1, 0]' --filter '{"field": "country", "op": "eq", "value": "kr"}'
    """,
)
@click.argument(
    "collection", shell_complete=complete_collections, help="The name of the collection."
)
@click.argument("numbers", required=False, help="A JSON list; - reads it from standard input.")
@click.option("--file", type=click.Path(exists=True, dir_okay=False), help="Read them here.")
@click.option("-k", "count", type=int, default=10, show_default=True, help="How many.")
@click.option("--filter", "filters", multiple=True,
              help="A condition on the metadata, as JSON; may be repeated.")  # fmt: skip
def search(
    session: Invocation, *, collection: str, numbers: str | None, file: str | None, count: int,
    filters: tuple[str, ...],
) -> None:  # fmt: skip
    """Find the vectors nearest to another one.

    A --filter is an object with field, op (eq, ne, gt, gte, lt, lte, in, contains) and value.
    """
    wanted = _numbers(numbers, file)
    conditions = [_object(text, "--filter") for text in filters]
    with session.reading() as db:
        found = db.vectors.search(collection, wanted, limit=count, filter=conditions or None)
        rows = [
            (one_line(one.key), f"{one.score:.4f}", inline(one.metadata) if one.metadata else "")
            for one in found
        ]
        lines = table(("KEY", "SCORE", "METADATA"), rows, right=["SCORE"])
        answer(session, {"matches": found}, lines, empty="nothing found")


@command(
    "delete",
    group=vector,
    takes="branch space actor",
    examples="""
    strata vector create places 2
    strata vector put places 서울 '[0.9, 0.1]'
    strata vector delete places 서울
    """,
)
@click.argument(
    "collection", shell_complete=complete_collections, help="The name of the collection."
)
@click.argument("key", help="The name of the vector.")
def delete(session: Invocation, *, collection: str, key: str) -> None:
    """Remove a vector; its history stays.

    `--at` still finds it in the past.
    """
    with session.writing() as db:
        if not db.vectors.delete(collection, key):
            raise _absent(collection, key)
        answer(session, {"deleted": key}, [f"deleted {one_line(key)}"])


@command(
    "drop",
    group=vector,
    takes="branch space actor",
    examples="""
    strata vector create places 2
    strata vector drop places
    """,
)
@click.argument(
    "collection", shell_complete=complete_collections, help="The name of the collection."
)
def drop(session: Invocation, *, collection: str) -> None:
    """Remove a collection with its vectors.

    History keeps them; `strata undo` brings them back.
    """
    with session.writing() as db:
        count = db.vectors.stats(collection).count
        db.vectors.drop(collection)
        line = f"dropped {one_line(collection)} with {plural(count, 'vector')}"
        answer(session, {"dropped": collection, "vectors": count}, [line])


def _numbers(text: str | None, file: str | None) -> list[float]:
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
