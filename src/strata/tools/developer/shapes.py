"""What several developer tools answer with, and what several of them take."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Protocol

from msgspec import UNSET, Struct, UnsetType

from strata.base import limits
from strata.base.values import Json
from strata.tools.budget import tokens
from strata.tools.declare import When

# A string of its own, because dozens of parameters say it.
AS_OF = (
    "Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "
    '"1h ago", "yesterday", "어제"'
)
AsOf = Annotated[When | None, AS_OF]


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


class StoredVersion(Protocol):
    """A version as the SDK gives it."""

    @property
    def value(self) -> Json:
        """What was kept."""
        ...

    @property
    def version(self) -> int:
        """The number of the write."""
        ...

    @property
    def timestamp(self) -> int:
        """Its time in microseconds."""
        ...

    @property
    def state(self) -> str:
        """Whether it is live, or was deleted, trimmed or erased."""
        ...


def as_value(found: StoredVersion | None) -> Value | None:
    """Return what was found in the shape of these tools."""
    return None if found is None else Value(found.value, found.version, found.timestamp)


class Past(Struct, frozen=True, omit_defaults=True):
    """A value that once was; `state` is there when it can no longer be read, and says why."""

    value: Json
    version: int
    timestamp: int
    state: str | UnsetType = UNSET


def as_history(found: Sequence[StoredVersion]) -> list[Past] | None:
    """Return the versions of a key, None for one that never was."""
    return [_as_past(one) for one in found] or None


def _as_past(found: StoredVersion) -> Past:
    state = UNSET if found.state == "live" else found.state
    return Past(found.value, found.version, found.timestamp, state)


def older(arguments: dict[str, Any], shown: list[Any]) -> dict[str, Any]:
    """Return the arguments that go on with a history behind what was shown."""
    # What waits in an open transaction has no number; it comes after all that is committed.
    last = shown[-1]["version"]
    return arguments | {"as_of": last - 1 if last else "now"}


def page(
    tool: str,
    given: dict[str, Any],
    fetch: Callable[[int], list[str]],
    *,
    limit: int | None,
) -> Keys:
    """Return a page of names, cut where an answer gets too long to be read."""
    wanted = limits.PAGE_ITEMS_MAX - 1 if limit is None else min(limit, limits.PAGE_ITEMS_MAX - 1)
    found = fetch(wanted + 1)
    shown = _that_fit(found[:wanted])
    if len(shown) == len(found):
        return Keys(found)
    if len(shown) == wanted:
        return Keys(shown, cursor=shown[-1])
    rest = {name: value for name, value in given.items() if value is not None}
    following = {"tool": tool, "arguments": {**rest, "cursor": shown[-1]}}
    return Keys(shown, cursor=shown[-1], truncated=True, next=following)


def _that_fit(keys: list[str]) -> list[str]:
    budget = limits.ANSWER_TOKENS_MAX
    for index, key in enumerate(keys):
        budget -= tokens(key) + 1
        if budget < 0 and index:
            return keys[:index]
    return keys
