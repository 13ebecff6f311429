"""Putting one value into a JSON text, or taking it out, and leaving every other byte alone."""

import json
import re

from strata.base.values import Json
from strata.clients.jsonc import JsoncNode, Path, find, find_item, parse
from strata.clients.spans import (
    TextEdit,
    Unreadable,
    apply,
    begins_line,
    indent_at,
    line_of,
    newline_of,
)

# A comment at the end of a line belongs to what is on that line.
_REMARK = re.compile(r"(?:[ \t]*/\*(?:(?!\*/)[^\r\n])*\*/)*(?:[ \t]*//[^\r\n]*)?")
_UNIT = "  "


def put(text: str, path: Path, value: Json) -> str:
    """Return the text with a value at a path, its objects made where they are missing."""
    root = parse(text)
    if root is None:
        newline = newline_of(text)
        gap = newline if text and not text.endswith("\n") else ""
        return text + gap + _render(_nest(path, value), newline=newline, unit=_UNIT) + newline
    node, rest = _descend(text, root, path)
    if rest:
        changed = _insert(text, root, node, key=str(rest[0]), value=_nest(rest[1:], value))
    else:
        changed = apply(
            text, [TextEdit(node.start, node.end, _replacement(text, root, node, value=value))]
        )
    _check(changed, path, value)
    return changed


def append(text: str, path: Path, value: Json) -> str:
    """Return the text with an element added to the array at a path."""
    root = parse(text)
    node = find(root, path)
    if root is None or node is None:
        return put(text, path, [value])
    if not isinstance(node.value, list):
        raise _misfit(text, node, "a list")
    changed = _insert(text, root, node, key=None, value=value)
    _check(changed, (*path, len(node.items)), value)
    return changed


def drop(text: str, path: Path) -> str:
    """Return the text without the value at a path; unchanged if there is none."""
    root = parse(text)
    holder = find(root, path[:-1])
    item = None if holder is None else find_item(holder, path[-1])
    if holder is None or item is None:
        return text
    changed = apply(text, _cut(text, holder, holder.items.index(item)))
    parse(changed)
    return changed


def _check(text: str, path: Path, value: Json) -> None:
    found = find(parse(text), path)
    assert found is not None, "what was put is there"
    assert found.value == value, "what was put reads as it was given"


def _nest(path: Path, value: Json) -> Json:
    for step in reversed(path):
        value = {str(step): value}
    return value


def _descend(text: str, root: JsoncNode, path: Path) -> tuple[JsoncNode, Path]:
    """Go as far along a path as there is something; return that and what is left of the path."""
    node = root
    for depth, step in enumerate(path):
        if isinstance(step, str) and not isinstance(node.value, dict):
            raise _misfit(text, node, "an object")
        item = find_item(node, step)
        if item is None:
            return node, path[depth:]
        node = item.node
    return node, ()


def _misfit(text: str, node: JsoncNode, expected: str) -> Unreadable:
    return Unreadable(f"{expected} is expected here", line_of(text, node.start))


def _replacement(text: str, root: JsoncNode, node: JsoncNode, *, value: Json) -> str:
    if "\n" not in text[node.start : node.end] and node.items:
        return _inline(value)
    return _render(
        value, newline=newline_of(text), unit=_unit(text, root), indent=indent_at(text, node.start)
    )


def _insert(text: str, root: JsoncNode, node: JsoncNode, *, key: str | None, value: Json) -> str:
    label = "" if key is None else f"{_inline(key)}: "
    if node.items and "\n" not in text[node.start : node.end]:
        return apply(text, _beside(node, label + _inline(value)))
    newline, unit = newline_of(text), _unit(text, root)
    outer = indent_at(text, node.start)
    last = node.items[-1] if node.items else None
    is_in_line = last is not None and begins_line(text, last.start)
    indent = indent_at(text, last.start) if last and is_in_line else outer + unit
    made = label + _render(value, newline=newline, unit=unit, indent=indent)
    line = f"{newline}{indent}{made}"
    if last is None:
        return apply(text, _into_empty(text, node, line, closing=f"{newline}{outer}"))
    at = last.node.end if last.comma is None else last.comma + 1
    remark = _REMARK.match(text, at)
    place = at if remark is None else remark.end()
    # Where a list ends in a comma, it still does.
    comma = [TextEdit(at, at, ",")] if last.comma is None else []
    return apply(text, [*comma, TextEdit(place, place, line if comma else f"{line},")])


def _beside(node: JsoncNode, made: str) -> list[TextEdit]:
    """Add to an object or array that is on one line."""
    last = node.items[-1]
    if last.comma is None:
        return [TextEdit(last.node.end, last.node.end, f", {made}")]
    return [TextEdit(last.comma + 1, last.comma + 1, f" {made},")]


def _into_empty(text: str, node: JsoncNode, line: str, *, closing: str) -> list[TextEdit]:
    inside = text[node.start + 1 : node.end - 1]
    if not inside.strip():
        return [TextEdit(node.start + 1, node.end - 1, line + closing)]
    # There is a comment: the entry follows it, on a line of its own.
    at = node.start + 1 + len(inside.rstrip())
    needs_line = "\n" not in text[at : node.end - 1]
    return [TextEdit(at, at, line + (closing if needs_line else ""))]


def _cut(text: str, holder: JsoncNode, index: int) -> list[TextEdit]:
    item = holder.items[index]
    start = _lead(text, item.start)
    if len(holder.items) == 1:
        end = item.node.end if item.comma is None else item.comma + 1
        rest = text[holder.start + 1 : start] + text[end : holder.end - 1]
        if not rest.strip():
            return [TextEdit(holder.start + 1, holder.end - 1, "")]
        return [TextEdit(start, end, "")]
    if item.comma is not None:
        end = item.comma + 1
        if index == 0 and not begins_line(text, item.start):
            end += len(text[end:]) - len(text[end:].lstrip(" \t"))
        return [TextEdit(start, end, "")]
    before = holder.items[index - 1].comma
    assert before is not None, "items are parted by commas"
    if before + 1 == start:
        return [TextEdit(before, item.node.end, "")]
    return [TextEdit(before, before + 1, ""), TextEdit(start, item.node.end, "")]


def _lead(text: str, at: int) -> int:
    """Return where the line break and the space before an item begin."""
    start = len(text[:at].rstrip(" \t"))
    if not text[:start].endswith("\n"):
        return start
    return start - (2 if text[:start].endswith("\r\n") else 1)


def _unit(text: str, root: JsoncNode) -> str:
    """Return the indentation of one level, as the first members show it."""
    for item in root.items:
        if begins_line(text, item.start) and indent_at(text, item.start):
            return indent_at(text, item.start)
    return _UNIT


def _render(value: Json, *, newline: str, unit: str, indent: str = "") -> str:
    made = json.dumps(value, ensure_ascii=False, indent=unit)
    return made.replace("\n", newline + indent)


def _inline(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
