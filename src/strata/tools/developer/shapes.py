"""What several developer tools answer with, and what several of them take."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from strata.base import limits
from strata.base.values import Json
from strata.tools.budget import that_fit
from strata.tools.declare import When
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.memory import JsonDocuments, Kv, Version

# A string of its own, because dozens of parameters say it.
AS_OF = (
    "Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "
    '"1h ago", "yesterday", "어제"'
)
AsOf = Annotated[When | None, AS_OF]
Prefix = Annotated[str | None, "Only keys that begin so"]
Cursor = Annotated[str | None, "Go on behind this: the `cursor` of the page before"]


class Value(Struct, frozen=True):
    """A value, the store-wide number of the write, and its time in microseconds."""

    value: Json
    version: int
    timestamp: int


class WriteReceipt(Struct, frozen=True):
    """The store-wide number of a write; 0 while it waits in an open transaction."""

    version: int


class Keys(Struct, frozen=True, omit_defaults=True):
    """Names in order; `cursor` is there when more follow, `next` when the answer was cut."""

    keys: list[str]
    cursor: str | UnsetType = UNSET
    truncated: bool | UnsetType = UNSET
    next: dict[str, Any] | UnsetType = UNSET  # a call: the tool's name, and its arguments


def as_value(found: "Version | None") -> Value | None:
    """Return what was found in the shape of these tools."""
    return None if found is None else Value(found.value, found.version, found.timestamp)


class Past(Struct, frozen=True, omit_defaults=True):
    """A value that once was; `state` is there when it can no longer be read, and says why."""

    value: Json
    version: int
    timestamp: int
    state: str | UnsetType = UNSET


def as_history(found: "Sequence[Version]") -> list[Past] | None:
    """Return the versions of a key, None for one that never was."""
    return [
        Past(one.value, one.version, one.timestamp, UNSET if one.state == "live" else one.state)
        for one in found
    ] or None


def older(arguments: dict[str, Any], shown: list[Any]) -> dict[str, Any]:
    """Return the arguments that go on with a history behind what was shown."""
    # What waits in an open transaction has no number; it comes after all that is committed.
    last = shown[-1]["version"]
    return arguments | {"as_of": last - 1 if last else "now"}


def page(
    call: Call,
    tool: str,
    *,
    kind: "Kv | JsonDocuments",
    cursor: str | None,
    limit: int | None,
    **given: Any,
) -> Keys:
    """Return a page of the keys of a kind, cut where an answer gets too long to be read."""
    wanted = limits.PAGE_ITEMS_MAX - 1 if limit is None else min(limit, limits.PAGE_ITEMS_MAX - 1)
    found = kind.list(given["prefix"] or "", limit=wanted + 1, after=cursor)
    shown = that_fit(found[:wanted], limits.ANSWER_TOKENS_MAX, beside=1)
    if len(shown) == len(found):
        return Keys(found)
    if len(shown) == wanted:
        return Keys(shown, cursor=shown[-1])
    given |= {"limit": limit, "branch": call.branch, "space": call.space}
    rest = {name: value for name, value in given.items() if value is not None}
    following = {"tool": tool, "arguments": {**rest, "cursor": shown[-1]}}
    return Keys(shown, cursor=shown[-1], truncated=True, next=following)
