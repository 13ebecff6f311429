"""Tables: aligned columns, no wider than the terminal."""

import os
import shutil
import sys
from collections.abc import Sequence

import click

from strata.cli.show.text import cut, pad, width

_GAP = "  "
_NARROWEST = 8


def table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()
) -> list[str]:
    """Return the lines of a table; the widest columns give way when it does not fit.

    `right` names the columns to align on the right.
    """
    if not rows:
        return []
    columns = [[header, *(row[at] for row in rows)] for at, header in enumerate(headers)]
    widths = _fitting([max(map(width, column)) for column in columns], terminal_width())
    is_right = [header in right for header in headers]
    head = _line(headers, widths, is_right)
    return [click.style(head, bold=True), *(_line(row, widths, is_right) for row in rows)]


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
