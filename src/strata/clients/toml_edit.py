"""Putting one table into a TOML text, or taking it out, and leaving every other byte alone."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, cast

from strata.base.values import Json
from strata.clients.spans import TextEdit, Unreadable, apply, line_of, newline_of
from strata.clients.toml_scan import TomlPath, TomlSection, sections

_LINE = re.compile(r"at line (\d+)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")

# Any: tomllib gives dates and times beside what JSON has.
Table = dict[str, Any]


def read(text: str) -> Table:
    """Read a text; Unreadable names the line where it cannot be."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        named = _LINE.search(str(error))
        # Without a number it is the end of the text that came too early.
        line = int(named.group(1)) if named else line_of(text, len(text.rstrip()))
        raise Unreadable(str(error), line) from None


def find(text: str, path: TomlPath) -> Table | None:
    """Return the table at a path; None when there is none."""
    found: Any = read(text)
    for name in path:
        found = cast("Table", found).get(name) if isinstance(found, dict) else None
    return cast("Table", found) if isinstance(found, dict) else None


def put(text: str, path: TomlPath, entry: Mapping[str, Json]) -> str:
    """Return the text with these members in the table at a path; its others are kept."""
    before = read(text)
    own = _own_section(text, path)
    if own is not None:
        changed = apply(text, _member_edits(text, own, entry))
    elif find(text, path) is None:
        changed = text + _gap(text) + _table(path, entry, newline=newline_of(text))
    else:
        raise _other_form(path)
    _check(before, changed, path, wanted=entry)
    return changed


def drop(text: str, path: TomlPath) -> str:
    """Return the text without the table at a path and the tables inside it."""
    before = read(text)
    if find(text, path) is None:
        return text
    inside = [section for section in sections(text) if section.path[: len(path)] == path]
    changed = apply(text, [_cut(text, section) for section in inside])
    _check(before, changed, path, wanted=None)
    return changed


def _own_section(text: str, path: TomlPath) -> TomlSection | None:
    return next((one for one in sections(text) if one.path == path and not one.is_array), None)


def _other_form(path: TomlPath) -> Unreadable:
    name = ".".join(path)
    return Unreadable(f"{name} is not written as a table of its own; make it [{name}]")


def _check(before: Table, text: str, path: TomlPath, *, wanted: Mapping[str, Json] | None) -> None:
    """Let tomllib say that nothing else has changed, and that what was asked for has."""
    try:
        after = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise _other_form(path[:-1]) from None
    old, new = _pop_table(before, path), _pop_table(after, path)
    expected = None if wanted is None else {**(old or {}), **wanted}
    if before != after or new != expected:
        raise _other_form(path)


def _pop_table(document: Table, path: TomlPath) -> Table | None:
    """Remove the table at a path from a document, and the tables that this leaves empty."""
    holders = [document]
    for name in path[:-1]:
        inner: Any = holders[-1].get(name) or {}
        if not isinstance(inner, dict):  # an array of tables, or no table at all
            raise _other_form(path[:-1])
        holders.append(cast("Table", inner))
    found = holders[-1].pop(path[-1], None)
    for holder, name in reversed(list(zip(holders, path[:-1], strict=False))):
        if holder.get(name) == {}:
            del holder[name]
    return cast("Table | None", found)


def _member_edits(text: str, section: TomlSection, entry: Mapping[str, Json]) -> list[TextEdit]:
    newline = newline_of(text)
    known = {pair.path: pair for pair in section.pairs}
    edits: list[TextEdit] = []
    for key, value in entry.items():
        pair = known.get((key,))
        if pair is not None:
            edits.append(TextEdit(pair.value_start, pair.value_end, _spell(value)))
        else:
            gap = "" if text[: section.end].endswith("\n") else newline
            line = f"{gap}{_name(key)} = {_spell(value)}{newline}"
            edits.append(TextEdit(section.end, section.end, line))
    return edits


def _gap(text: str) -> str:
    """Return what parts a new table from the text before it: one empty line."""
    newline = newline_of(text)
    if not text.strip():
        return "" if not text or text.endswith("\n") else newline
    if text.endswith(newline * 2):
        return ""
    return newline if text.endswith("\n") else newline * 2


def _cut(text: str, section: TomlSection) -> TextEdit:
    """Cut a table, with the empty line before it where it stood between two or at the end."""
    start, end = section.start, section.end
    newline = newline_of(text)
    is_parted = text[:start].endswith(newline * 2)
    if is_parted and (end == len(text) or text.startswith(newline, end)):
        start -= len(newline)
    return TextEdit(start, end, "")


def _table(path: TomlPath, entry: Mapping[str, Json], *, newline: str) -> str:
    header = f"[{'.'.join(_name(part) for part in path)}]"
    lines = [header, *(f"{_name(key)} = {_spell(value)}" for key, value in entry.items())]
    return "".join(line + newline for line in lines)


def _name(key: str) -> str:
    return key if _BARE.fullmatch(key) else _spell(key)


def _spell(value: Json) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_spell(one) for one in value)}]"
    # What JSON escapes TOML does too, and one character more.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
