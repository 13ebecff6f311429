"""Text for a terminal: on one line, harmless, measured as it is shown; tables that fit."""

import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence

import click
import msgspec

from strata.base.values import Json, decode

ELLIPSIS = "…"
# Escape codes and marks that turn the direction of writing could disguise what is shown.
_UNSAFE = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))} | {
    code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_ONE_LINE = _UNSAFE | {ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r"}


# How much is shown of a fact that says nearly the same as another one.
TWIN_COLUMNS = 100


def one_line(text: str) -> str:
    """Return text without line breaks and without anything that could command a terminal."""
    return text.translate(_ONE_LINE)


def inline(value: Json) -> str:
    """Show a value on one line: text as it is, unless it could be taken for JSON."""
    if isinstance(value, str) and not _reads_as_json(value):
        return one_line(value)
    return exact(value)


def exact(value: Json) -> str:
    """Show a value as JSON on one line."""
    return one_line(msgspec.json.encode(value).decode())


def pretty(value: Json) -> str:
    """Show a value as JSON over several lines."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _reads_as_json(text: str) -> bool:
    try:
        decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, columns: int) -> str:
    """Shorten a text to so many columns, with an ellipsis where something is missing."""
    if width(text) <= columns:
        return text
    kept: list[str] = []
    room = columns - 1
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + ELLIPSIS


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Fill a text with spaces to so many columns."""
    space = " " * (columns - width(text))
    return space + text if right else text + space


_GAP = "  "
_NARROWEST = 8


def table(
    headers: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()
) -> list[str]:
    """Return the lines of a table; the widest columns give way when it does not fit.

    A cell is shown on one line, None as nothing. `right` names the columns to align on the right.
    """
    shown = [["" if cell is None else one_line(str(cell)) for cell in row] for row in rows]
    if not shown:
        return []
    columns = [[header, *(row[at] for row in shown)] for at, header in enumerate(headers)]
    widths = _fitting([max(map(width, column)) for column in columns], terminal_width())
    is_right = [header in right for header in headers]
    head = _line(headers, widths, is_right)
    return [click.style(head, bold=True), *(_line(row, widths, is_right) for row in shown)]


def facts(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return lines of names and what they are, aligned."""
    longest = max(width(name) for name, _value in pairs)
    return [f"{click.style(pad(name, longest), bold=True)}  {value}" for name, value in pairs]


def terminal_width() -> int | None:
    """Return the columns to fit into; None when the output goes to a file or a pipe."""
    if "COLUMNS" in os.environ or sys.stdout.isatty():
        return shutil.get_terminal_size().columns
    return None


def _line(cells: Sequence[str], widths: Sequence[int], is_right: Sequence[bool]) -> str:
    parts = [
        pad(cut(cell, columns), columns, right=at_right)
        for cell, columns, at_right in zip(cells, widths, is_right, strict=True)
    ]
    return _GAP.join(parts).rstrip()


def _fitting(widths: list[int], limit: int | None) -> list[int]:
    if limit is None:
        return widths
    room = limit - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room and max(widths) > _NARROWEST:
        widest = widths.index(max(widths))
        widths[widest] -= 1
    return widths
