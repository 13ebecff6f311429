"""Lists of threads and suggestions: as much as a model can read, and the call for the rest."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from strata.base import limits
from strata.tools.budget import cut, tokens

T = TypeVar("T", bound=msgspec.Struct)
# What a list may hold beside its items.
_ROOM = limits.ANSWER_TOKENS_MAX - 500


def that_fit(items: Sequence[T]) -> list[T]:
    """Return as many items as fit into an answer; one at least, so that reading goes on."""
    kept: list[T] = []
    room = _ROOM
    for item in items:
        room -= tokens(item)
        if kept and (room < 0 or len(kept) == limits.REVIEW_ITEMS_SHOWN):
            break
        kept.append(item)
    return kept


def shortened(text: str) -> tuple[str, bool]:
    """Return a text as a list shows it, and whether something is missing."""
    most = limits.ANSWER_VALUE_TOKENS_MAX
    if len(text) <= most or tokens(text) <= most:
        return text, False
    return f"{cut(text, most)}…", True


def rest(tool: str, given: dict[str, Any], last: str) -> dict[str, Any]:
    """Return the call that lists what comes behind an item."""
    asked = {name: value for name, value in given.items() if value is not None}
    return {"tool": tool, "arguments": {"action": "list", **asked, "after": last}}
