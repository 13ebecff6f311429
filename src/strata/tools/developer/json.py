"""Category json: documents that are read and written at a path."""

from typing import Annotated

from msgspec import Meta

from strata.base.values import Json
from strata.tools.declare import ToolGroup
from strata.tools.developer.shapes import (
    AsOf,
    Cursor,
    Keys,
    Past,
    Prefix,
    Value,
    WriteReceipt,
    as_history,
    as_value,
    older,
    page,
)
from strata.tools.session import Call

json = ToolGroup("developer", pattern="strata_json_{}", shared=("branch", "space"))

Key = Annotated[str, "Key of the document"]
Path = Annotated[str, 'Where in the document: "$" is all of it, "$.a.b[0]" a part']


@json.writes(
    name="set", idempotent=True, example={"key": "plan", "path": "$.steps", "value": ["build"]}
)
def set_(
    call: Call, *, key: Key, path: Path, value: Annotated[Json, "Any JSON value"]
) -> WriteReceipt:
    """Set a value at a path of a document.

    Makes the document, and the objects on the way, when they are missing; the rest of it stays.
    Two branches that set different fields merge without a conflict. For a value that is only ever
    replaced whole strata_kv_put is simpler.
    """
    return WriteReceipt(call.target.json.set(key, path, value).version)


@json.reads(example={"key": "plan", "path": "$.steps"})
def get(call: Call, *, key: Key, path: Path, as_of: AsOf = None) -> Value | None:
    """Read a document, or the part of it at a path.

    Answers {value, version, timestamp}, or {result: null} when there is nothing at that place.
    """
    return as_value(call.at(as_of).json.get(key, path))


@json.writes(idempotent=True, destructive=True, example={"key": "plan", "path": "$.steps"})
def delete(call: Call, *, key: Key, path: Path) -> int:
    """Delete a document, or the part of it at a path.

    Answers {result}: how many elements were removed, 0 or 1. History keeps them.
    """
    return call.target.json.delete(key, path)


@json.reads(name="list", example={"prefix": "pl"})
def list_(
    call: Call,
    *,
    prefix: Prefix = None,
    cursor: Cursor = None,
    limit: Annotated[int, Meta(description="Keys at most", ge=1, le=9_999)] = 100,
    as_of: AsOf = None,
) -> Keys:
    """List the keys of documents in order.

    Answers {keys} and, when there are more, `cursor` for the next page.
    """
    kind = call.at(as_of).json
    return page(
        call, "strata_json_list", kind=kind, prefix=prefix, cursor=cursor, limit=limit, as_of=as_of
    )


@json.reads(lists="versions", resume=older, example={"key": "plan"})
def history(call: Call, *, key: Key, as_of: AsOf = None) -> list[Past] | None:
    """List every state of a document, newest first.

    Answers {versions}, each with the whole document, or {result: null} for one that never was.
    """
    return as_history(call.at(as_of).json.history(key))
