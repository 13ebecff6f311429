"""How the records of decisions are shown among the changes of a branch.

A link is part of the memory that it was saved with: lists of changes leave it out, and
`load_context` shows it.
"""

from typing import Any, cast

from strata.base import clock
from strata.base.values import Json

MEMORY, LINK = "memory", "link"
# What is kept of each memory for the store's own use.
_INTERNAL = frozenset({"schema_version", "outcome_at", "v1", "alias"})


def readable(kind: str, value: Json) -> Json:
    """Return a value as a reader wants it: a memory without what only the store needs."""
    if kind != MEMORY or not isinstance(value, dict):
        return value
    metadata: dict[str, Any] = value.get("metadata") or {}
    told = {name: item for name, item in metadata.items() if name not in _INTERNAL and item}
    topic = {"topic": value["topic"]} if value.get("topic") else {}
    head = {"type": value.get("type"), **topic, "content": value.get("content")}
    made = value.get("created_at")
    return head | told | ({"timestamp": clock.iso(made * 1000)} if isinstance(made, int) else {})


def differing(kind: str, sides: dict[str, Json]) -> dict[str, Json]:
    """Return the sides of a conflict: of a memory only what differs, and what it is about."""
    values = list(sides.values())
    if kind != MEMORY or not all(isinstance(value, dict) for value in values):
        return sides
    records = {name: cast("dict[str, Json]", value) for name, value in sides.items()}
    names = {name for record in records.values() for name in record}
    same = {
        name for name in names if len({repr(record.get(name)) for record in records.values()}) == 1
    }
    return {
        side: {name: item for name, item in record.items() if name not in same}
        for side, record in records.items()
    }
