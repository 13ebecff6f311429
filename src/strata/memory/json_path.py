"""Paths into a JSON document: the part of JSONPath that names exactly one place.

    $  $.a.b  $.이름  $["key with space"]  $['x']  $[0]  $[-1]  a.b (the same as $.a.b)

Documents are never changed in place: `assign` and `remove` copy the containers along the path
and share the rest with what they were given.
"""

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final, Literal, TypeAlias

import msgspec

from strata.base import limits
from strata.base.checks import is_text
from strata.base.counts import plural
from strata.base.errors import InvalidPath, LimitExceeded
from strata.base.memo import remembered
from strata.base.values import Json

Step: TypeAlias = str | int


class JsonMissing(Enum):
    """The type of MISSING, which no JSON value can be mistaken for: null is a value."""

    MISSING = "missing"


MISSING: Final = JsonMissing.MISSING
Document: TypeAlias = Json | Literal[JsonMissing.MISSING]


def parse(path: str) -> tuple[Step, ...]:
    """Turn a path into its steps: text for a member of an object, a number for an item of a list.

    Raises InvalidPath for a malformed path or one that could name several places, and
    LimitExceeded for one that is too long.
    """
    if not is_text(path):
        raise _malformed(repr(path), "it is no text")
    if len(path) > limits.PATH_CHARACTERS_MAX:
        raise _too_long("characters", limits.PATH_CHARACTERS_MAX, len(path))
    return _parse(path)


def format_path(steps: Sequence[Step]) -> str:
    """Spell steps in the one canonical way; `parse` gives the same steps back."""
    return "$" + "".join(map(_format_step, steps))


def lookup(document: Document, steps: Sequence[Step]) -> tuple[bool, Json]:
    """Tell whether there is something at that place, and what."""
    place: Document = document
    for step in steps:
        if isinstance(step, str):
            place = place.get(step, MISSING) if isinstance(place, dict) else MISSING
        elif isinstance(place, list) and _is_within(place, step):
            place = place[step]
        else:
            place = MISSING
    return (False, None) if place is MISSING else (True, place)


def assign(document: Document, steps: Sequence[Step], value: Json) -> Json:
    """Return the document with the value at that place.

    Objects missing on the way are made, and so are lists for an index of 0; the index after the
    last item appends. Raises InvalidPath where a step does not fit what is there.
    """
    return _assign(document, steps, value, depth=0)


def remove(document: Document, steps: Sequence[Step]) -> tuple[Document, bool]:
    """Return the document without what is at that place, and whether there was anything.

    Later items of a list move up. Without the whole of it (`$`), a document is MISSING.
    """
    found, _ = lookup(document, steps)
    if document is MISSING or not found:
        return document, False
    return (_remove(document, steps) if steps else MISSING), True


# ---------------------------------------------------------------- text

_DOUBLE = r'"(?:[^"\\]|\\.)*"'
_SINGLE = r"'(?:[^'\\]|\\.)*'"
_STEP = (
    r"""\.(?P<name>[^\s.\[\]'"*?(),\\]+)"""
    r"|\[\s*(?:(?P<index>0|-?[1-9][0-9]*)"
    rf"|(?P<double>{_DOUBLE})|(?P<single>{_SINGLE}))\s*\]"
)
# Descent, wildcards, filters, slices and unions, where a single step is expected.
_MANY = rf"\.\.|\.\*|\[\s*(?:[*?(:]|(?:-?[0-9]+|{_DOUBLE}|{_SINGLE})\s*[:,])"
# No list in a value of 16 MiB is longer than this, and larger numbers are not exact in JSON.
_INDEX_MAX = 2**53 - 1


@remembered(1_024)
def _parse(path: str) -> tuple[Step, ...]:
    text = path.strip()
    if not text:
        raise _malformed(path, "it is empty")
    if text[0] not in "$.[":
        text = f".{text}"
    position = 1 if text[0] == "$" else 0
    pattern = re.compile(_STEP, re.DOTALL)
    steps: list[Step] = []
    while position < len(text):
        match = pattern.match(text, position)
        if match is None:
            raise _refusal(path, text[position:])
        steps.append(_step(path, match))
        position = match.end()
    if len(steps) > limits.PATH_STEPS_MAX:
        raise _too_long("steps", limits.PATH_STEPS_MAX, len(steps))
    return tuple(steps)


def _step(path: str, match: re.Match[str]) -> Step:
    if match["index"]:
        index = int(match["index"])
        if abs(index) > _INDEX_MAX:
            raise _malformed(path, f"the index {_shortened(match['index'])} is too large")
        return index
    if match["name"]:
        return _checked(path, match["name"])
    return _unquote(path, match["double"] or _requote(match["single"]))


def _requote(single: str) -> str:
    """Turn 'it\\'s "x"' into a JSON string."""
    swaps = {"\\'": "'", '"': '\\"'}
    inner = re.sub(
        r'\\.|"', lambda part: swaps.get(part[0], part[0]), single[1:-1], flags=re.DOTALL
    )
    return f'"{inner}"'


def _unquote(path: str, quoted: str) -> str:
    try:
        return msgspec.json.decode(quoted, type=str)
    except (msgspec.DecodeError, UnicodeError):
        raise _malformed(path, f"{_shortened(quoted)} is not a JSON string") from None


def _checked(path: str, name: str) -> str:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise _malformed(path, "it holds half a surrogate pair") from None
    return name


def _format_step(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    # Identifiers of any script; everything else is quoted, also where `parse` would not ask.
    return f".{step}" if step.isidentifier() else f"[{msgspec.json.encode(step).decode()}]"


# ---------------------------------------------------------------- documents


def _assign(node: Document, steps: Sequence[Step], value: Json, *, depth: int) -> Json:
    if depth == len(steps):
        return value
    step = steps[depth]
    if isinstance(step, str):
        members = _object_at(node, steps, depth)
        members[step] = _assign(members.get(step, MISSING), steps, value, depth=depth + 1)
        return members
    items = _list_at(node, steps, depth)
    if step == len(items):
        items.append(_assign(MISSING, steps, value, depth=depth + 1))
        return items
    if not _is_within(items, step):
        reason = (
            f"has {plural(len(items), 'item')}; {len(items)} would append, {step} is out of range"
        )
        raise _misfit(steps, depth, reason)
    items[step] = _assign(items[step], steps, value, depth=depth + 1)
    return items


def _object_at(node: Document, steps: Sequence[Step], depth: int) -> dict[str, Json]:
    if node is MISSING:
        return {}
    if not isinstance(node, dict):
        raise _misfit(steps, depth, f"is {_kind(node)}, not an object")
    return node.copy()


def _list_at(node: Document, steps: Sequence[Step], depth: int) -> list[Json]:
    if node is MISSING:
        return []
    if not isinstance(node, list):
        raise _misfit(steps, depth, f"is {_kind(node)}, not a list")
    return node.copy()


def _remove(node: Json, steps: Sequence[Step]) -> Json:
    """Remove what `lookup` has found there."""
    step, rest = steps[0], steps[1:]
    if isinstance(node, dict) and isinstance(step, str):
        members = node.copy()
        if rest:
            members[step] = _remove(members[step], rest)
        else:
            del members[step]
        return members
    assert isinstance(node, list)
    assert isinstance(step, int)
    items = node.copy()
    if rest:
        items[step] = _remove(items[step], rest)
    else:
        del items[step]
    return items


def _is_within(items: list[Json], index: int) -> bool:
    return -len(items) <= index < len(items)


def _kind(node: Json) -> str:
    return _KINDS.get(type(node).__name__, "a number")


_KINDS = {
    "NoneType": "null",
    "bool": "a boolean",
    "dict": "an object",
    "list": "a list",
    "str": "text",
}

# ---------------------------------------------------------------- errors


def _misfit(steps: Sequence[Step], depth: int, reason: str) -> InvalidPath:
    place, path = format_path(steps[:depth]), format_path(steps)
    return InvalidPath(
        f"The path {path} does not fit the document: {place} {reason}.",
        hint=f"Read {place} first, or replace it as a whole.",
        parameter="path",
        place=place,
    )


def _refusal(path: str, rest: str) -> InvalidPath:
    if re.match(_MANY, rest, re.DOTALL):
        return InvalidPath(
            f"The path {_shortened(path)} could name several places, and only one can be "
            f"addressed: wildcards, filters, slices, lists of names and '..' are not taken.",
            hint="Name one place, such as $.items[0].name, and call once for each.",
            parameter="path",
        )
    return _malformed(path, f"nothing can be read at {_shortened(rest)}")


def _malformed(path: str, reason: str) -> InvalidPath:
    return InvalidPath(
        f"The path {_shortened(path)} is malformed: {reason}.",
        hint='Write $ for the whole document, $.name, $[0], or $["any name"] for odd names.',
        parameter="path",
    )


def _too_long(what: str, limit: int, size: int) -> LimitExceeded:
    return LimitExceeded(
        f"The path has {size:,} {what}; the limit is {limit:,}.",
        hint="Keep deeply nested parts under keys of their own.",
        limit=limit,
        size=size,
    )


def _shortened(text: str) -> str:
    shown = repr(text)
    return shown if len(shown) <= 80 else f"{shown[:80]}…"
