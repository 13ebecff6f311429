"""The searchable text of a version: what a person would read of its value."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from typing import Any, cast

from strata.base import limits
from strata.base.values import Json, decode
from strata.search import cues
from strata.store import BINARY, DELETED, ERASED, EVENT, TRIMMED, Record, StagedChange, plain

# Kinds that users and agents look for. Vectors and bookkeeping are not among them.
TURN = "turn"
SEARCHABLE = frozenset({"kv", "json", "state", EVENT, "memory", "document", TURN})
# Everything that has an entry in the index. What is guarded is passed over by every search that
# does not say what of it the user may read.
INDEXED = SEARCHABLE | {"section"}
# What of a memory says something, in the order in which a user would read it.
_OF_MEMORY = ("reasoning", "failure_reason", "limitation", "next_steps", "category", "tags")

# Records of a conversation name the speaker and what was said by members like these.
_WHO = ("speaker", "author", "sender", "from", "role", "user", "name")
_SAID = ("text", "content", "message", "body")
# A version of such flags has no text: it is gone, or no JSON.
_TEXTLESS = DELETED | TRIMMED | ERASED | BINARY


def text_of_change(change: StagedChange) -> str | None:
    """Return the text of a change, or None for what is not searched."""
    # What was trimmed or erased comes out of a bundle without its bytes.
    if change.kind not in INDEXED or change.flags & _TEXTLESS or not change.data:
        return None
    return text_of(change.kind, change.data, change.meta)[: limits.INDEXED_CHARACTERS_MAX]


def text_of(kind: str, data: bytes, meta: bytes | None) -> str:
    """Return the text of a value as it was put."""
    return text_of_value(kind, decode(data), type_of(meta) if kind == EVENT and meta else "")


def text_of_value(kind: str, value: Json, event: str = "") -> str:
    """Return the text of a value; an event's type comes first."""
    if isinstance(value, dict) and kind in _READERS:
        return _READERS[kind](value)
    text = readable(value)
    return f"{event}: {text}" if event else text


def whole_of(key: str) -> str:
    """Return what something of a guarded kind is a part of: a section, of its document."""
    return key.partition("/")[0]


def _remembered(memory: dict[str, Json]) -> str:
    """Return a memory's text: what was decided on which topic, and then why."""
    topic, metadata = memory.get("topic"), memory.get("metadata")
    about = f"Decision {topic}: " if topic and memory.get("type") == "decision" else ""
    about = about or (f"{topic}: " if topic else "")
    told = metadata if isinstance(metadata, dict) else {}
    rest = [readable(told[name]) for name in _OF_MEMORY if told.get(name)]
    return "\n".join([f"{about}{memory.get('content', '')}", *rest])


def _of_section(section: dict[str, Json]) -> str:
    """Return a section's text below its headings."""
    path = cast("list[str]", section.get("path") or [])
    return "\n".join([*([" > ".join(path)] if path else []), str(section.get("text", ""))])


def _of_document(document: dict[str, Json]) -> str:
    """Return the names of a document; its text lies in its sections."""
    aliases = cast("list[str]", document.get("aliases") or [])
    return "\n".join([str(document.get("title", "")), *aliases])


def _of_turn(turn: dict[str, Json]) -> str:
    """Return what was said in a conversation behind its day.

    Who said it is left out: every second text would be the user's, and a question about users
    would find all of them.
    """
    return f"[{str(turn.get('time', ''))[:10]}] {turn.get('text', '')}"


_READERS: dict[str, Callable[[dict[str, Json]], str]] = {
    "memory": _remembered,
    "section": _of_section,
    "document": _of_document,
    TURN: _of_turn,
}


# Zero-padded, so that the order of keys is the order of numbers.
_TURN_DIGITS = 8


def turn_key(conversation: str, number: int) -> str:
    """Return where a turn of a conversation lies."""
    return f"{conversation}/{number:0{_TURN_DIGITS}d}"


def turn_name(key: str) -> str:
    """Return how a turn is cited: by its conversation and its number."""
    conversation, _slash, number = key.rpartition("/")
    return f"{conversation}#{int(number)}" if number.isdecimal() else key


def text_of_row(kind: str, record: Record) -> str:
    """Return the text of a version without a date in front: the words that have a meaning."""
    if kind not in INDEXED or record[2] & _TEXTLESS or not record[3]:
        return ""
    text = text_of(kind, plain(record), record[4])
    return text[cues.read_front(text).start :]


def type_of(meta: bytes) -> str:
    """Return the type in an event's notes."""
    return str(cast("dict[str, Any]", decode(meta)).get("type", ""))


def readable(value: Json) -> str:
    """Return a JSON value as lines of text, each member behind its name."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        speech = _as_speech(value)
        if speech is not None:
            return speech
    return "\n".join(_lines(value))


def _as_speech(value: dict[str, Json]) -> str | None:
    """Return a spoken text as `Name: words`, if the record looks like that."""
    what, who = _first_text(value, _SAID), _first_text(value, _WHO)
    if what is None or who is None:
        return None
    rest = {name: item for name, item in value.items() if name not in (what, who)}
    return "\n".join([f"{value[who]}: {value[what]}", *_lines(rest)])


def _first_text(value: dict[str, Json], names: Iterable[str]) -> str | None:
    """Return the first of the names that has a text."""
    for name in names:
        if name in value and isinstance(value[name], str):
            return name
    return None


def _lines(value: Json) -> list[str]:
    """Return the leaves of a value in order, depth first, without recursion.

    A list has its name in front of its first item only: the text grows no longer than the value.
    """
    lines: list[str] = []
    levels: list[Iterator[tuple[str, Json]]] = [iter([("", value)])]
    while levels:
        for name, item in levels[-1]:
            if isinstance(item, (dict, list)):
                inside = item.items() if isinstance(item, dict) else _named_once(name, item)
                levels.append(iter(inside))
                break
            if item is not None:
                shown = item if isinstance(item, str) else _plain(item)
                lines.append(f"{name}: {shown}" if name else shown)
        else:
            levels.pop()
    return lines


def _named_once(name: str, items: list[Json]) -> Iterator[tuple[str, Json]]:
    return zip(chain((name,), repeat("")), items, strict=False)


def _plain(item: float) -> str:
    return ("true" if item else "false") if isinstance(item, bool) else str(item)
