"""Category kv: any JSON value under a key."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from strata.base import limits
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

kv = ToolGroup("developer", pattern="strata_kv_{}", shared=("branch", "space"))

Key = Annotated[str, "Key, up to 1,024 bytes"]


class KeyValue(Struct, frozen=True):
    """A key and what to keep under it."""

    key: Annotated[str, "Key to write"]
    value: Annotated[Json, "Any JSON value"]


@kv.writes(idempotent=True, example={"key": "deploy/target", "value": {"region": "서울"}})
def put(call: Call, *, key: Key, value: Annotated[Json, "Any JSON value"]) -> WriteReceipt:
    """Keep a value under a key.

    Replaces what is there; earlier values stay in the key's history. For several keys at once use
    strata_kv_put_many, for one field of a document strata_json_set, to write only if no other
    writer did strata_state_cas.
    """
    return WriteReceipt(call.target.kv.put(key, value).version)


@kv.reads(example={"key": "deploy/target"})
def get(call: Call, *, key: Key, as_of: AsOf = None) -> Value | None:
    """Read the value of a key.

    Answers {value, version, timestamp}, or {result: null} when the key is absent. Without the
    exact key use strata_search or strata_kv_list.
    """
    return as_value(call.at(as_of).kv.get(key))


@kv.writes(idempotent=True, destructive=True, example={"key": "deploy/target"})
def delete(call: Call, *, key: Key) -> bool:
    """Delete a key; answer whether it existed.

    Its history stays readable. To erase a value for good use the command `strata purge`.
    """
    return call.target.kv.delete(key)


@kv.reads(name="list", example={"prefix": "deploy/"})
def list_(
    call: Call,
    *,
    prefix: Prefix = None,
    cursor: Cursor = None,
    limit: Annotated[int | None, Meta(description="Keys at most", ge=1, le=9_999)] = None,
    as_of: AsOf = None,
) -> Keys:
    """List keys in order.

    Answers {keys} and, when there are more, `cursor` for the next page. To find by content use
    strata_search.
    """
    kind = call.at(as_of).kv
    return page(
        call, "strata_kv_list", kind=kind, prefix=prefix, cursor=cursor, limit=limit, as_of=as_of
    )


@kv.reads(lists="versions", resume=older, example={"key": "deploy/target"})
def history(call: Call, *, key: Key, as_of: AsOf = None) -> list[Past] | None:
    """List every value a key held, newest first.

    Answers {versions}, or {result: null} for a key that never was. `state` marks versions that were
    deleted, trimmed or erased. Use it when the previous value is wanted and its time is not known;
    with a known time use strata_kv_get and `as_of`.
    """
    return as_history(call.at(as_of).kv.history(key))


@kv.writes(
    idempotent=True,
    lists="results",
    example={"items": [{"key": "a", "value": 1}, {"key": "b", "value": [2, 3]}]},
)
def put_many(
    call: Call,
    *,
    items: Annotated[
        list[KeyValue], Meta(description="Keys with their values", max_length=limits.ITEMS_MAX)
    ],
) -> list[WriteReceipt]:
    """Keep several values in one atomic commit.

    All are written or none. Answers {results: [{version}]} in the order given.
    """
    found = call.target.kv.put_many([(item.key, item.value) for item in items])
    return [WriteReceipt(one.version) for one in found]


def _rest(arguments: dict[str, Any], shown: list[Any]) -> dict[str, Any]:
    return arguments | {"keys": arguments["keys"][len(shown) :]}


@kv.reads(lists="results", resume=_rest, example={"keys": ["a", "b"]})
def get_many(
    call: Call,
    *,
    keys: Annotated[list[str], Meta(description="Keys to read", max_length=limits.ITEMS_MAX)],
) -> list[Value | None]:
    """Read several keys at one state of the store.

    Answers {results} in the order given, null for a key that is absent.
    """
    return [as_value(found) for found in call.target.kv.get_many(keys)]


@kv.writes(idempotent=True, destructive=True, lists="results", example={"keys": ["a", "b"]})
def delete_many(
    call: Call,
    *,
    keys: Annotated[list[str], Meta(description="Keys to delete", max_length=limits.ITEMS_MAX)],
) -> list[bool]:
    """Delete several keys in one atomic commit.

    Answers {results}: of each key, whether it existed. History keeps the values.
    """
    return call.target.kv.delete_many(keys)
