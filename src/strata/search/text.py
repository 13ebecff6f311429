"""The searchable text of a version: what a person would read of its value."""

from collections.abc import Iterator
from typing import Any, cast

from strata.base.values import Json, decode
from strata.search import cues
from strata.store import BINARY, DELETED, EVENT, Change, Record, plain

# Kinds whose values people and agents look for. Vectors and bookkeeping are not among them.
SEARCHABLE = frozenset({"kv", "json", "state", EVENT})

# Records of a conversation name the speaker and what was said by members like these.
_WHO = ("speaker", "author", "sender", "from", "role", "user", "name")
_SAID = ("text", "content", "message", "body")


def text_of_change(change: Change) -> str | None:
    """Return the text of a change, or None for what nobody searches."""
    if change.kind not in SEARCHABLE or change.flags & (DELETED | BINARY):
        return None
    return text_of(change.kind, change.data, change.meta)


def text_of(kind: str, data: bytes, meta: bytes | None) -> str:
    """Return the text of a value as it was put; an event's type comes first."""
    text = readable(decode(data))
    if kind == EVENT and meta is not None:
        return f"{type_of(meta)}: {text}"
    return text


def text_of_row(kind: str, record: Record) -> str:
    """Return the text of a version without a date in front: the words that have a meaning."""
    if kind not in SEARCHABLE or record[2] & BINARY:
        return ""
    text = text_of(kind, plain(record), record[4])
    return text[cues.read(text).start :]


def type_of(meta: bytes) -> str:
    """Return the type in an event's notes."""
    return str(cast("dict[str, Any]", decode(meta)).get("type", ""))


def readable(value: Json) -> str:
    """Return a JSON value as lines of text, each member behind its name."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        said = _as_said(value)
        if said is not None:
            return said
    return "\n".join(_lines(value, ""))


def _as_said(value: dict[str, Json]) -> str | None:
    """Return what somebody said as `Name: words`, if the record looks like that."""
    said = next((value[name] for name in _SAID if isinstance(value.get(name), str)), None)
    who = next((value[name] for name in _WHO if isinstance(value.get(name), str)), None)
    if not isinstance(said, str) or not isinstance(who, str):
        return None
    rest = {name: item for name, item in value.items() if item is not said and item is not who}
    return "\n".join([f"{who}: {said}", *_lines(rest, "")])


def _lines(value: Json, name: str) -> Iterator[str]:
    """Yield the leaves of a value in order, depth first, without recursion."""
    waiting: list[tuple[Json, str]] = [(value, name)]
    while waiting:
        item, label = waiting.pop()
        if isinstance(item, dict):
            waiting.extend((child, key) for key, child in reversed(item.items()))
        elif isinstance(item, list):
            waiting.extend((child, label) for child in reversed(item))
        elif item is not None:
            shown = item if isinstance(item, str) else _plain(item)
            yield f"{label}: {shown}" if label else shown


def _plain(item: float | bool) -> str:
    return ("true" if item else "false") if isinstance(item, bool) else str(item)
