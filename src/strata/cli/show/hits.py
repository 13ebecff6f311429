"""Hits of a search as text: which key, when, and the words that match."""

from collections.abc import Iterable, Iterator
from itertools import groupby

import click

from strata.cli.output import local_time
from strata.cli.show.tables import terminal_width
from strata.cli.show.text import one_line, width
from strata.search import Hit

_NARROWEST = 20
# What is shown for one character, and whether it belongs to a match.
_Cell = tuple[str, bool]


def hit_lines(hits: Iterable[Hit], *, space: str, verbose: bool = False) -> Iterator[str]:
    """Yield each hit as a line that names it and the part of its text that matches.

    `space` is the one that need not be named.
    """
    found = list(hits)
    indent = len(str(len(found))) + 2
    for hit in found:
        rank = click.style(f"{hit.rank}".rjust(indent - 2), dim=True)
        when = click.style(local_time(hit.timestamp), dim=True)
        yield f"{rank}  {click.style(_name(hit), bold=True)}{_place(hit, space)}  {when}"
        room = None
        if (columns := terminal_width()) is not None:
            room = max(columns - indent, _NARROWEST)
        for line in _wrapped(_cells(hit), room):
            yield f"{'':{indent}}{_colored(line)}".rstrip()
        if verbose:
            yield click.style(f"{'':{indent}}{_details(hit)}", dim=True)


def _name(hit: Hit) -> str:
    return f"event {hit.key}" if hit.kind == "event" else one_line(hit.key)


def _place(hit: Hit, space: str) -> str:
    """Say what is not as usual: another kind than a plain value, another space."""
    parts = [] if hit.kind in ("kv", "event") else [hit.kind]
    if hit.namespace != space:
        parts.append(f"space {one_line(hit.namespace)}")
    return f"  ({', '.join(parts)})" if parts else ""


def _details(hit: Hit) -> str:
    tags = f", tags {', '.join(map(one_line, hit.tags))}" if hit.tags else ""
    return f"score {hit.score:.4f}, version {hit.version}{tags}"


def _cells(hit: Hit) -> list[_Cell]:
    is_marked = [False] * len(hit.snippet)
    for start, end in hit.marks:
        is_marked[start:end] = [True] * (end - start)
    # Each character by itself, so that one which is written out does not move the marks.
    return [(one_line(letter), mark) for letter, mark in zip(hit.snippet, is_marked, strict=True)]


def _wrapped(cells: list[_Cell], room: int | None) -> Iterator[list[_Cell]]:
    """Yield lines that fit, broken at a blank where there is one."""
    line: list[_Cell] = []
    used = 0
    for cell in cells:
        columns = width(cell[0])
        if room is not None and line and used + columns > room:
            at = next((at for at in range(len(line), 0, -1) if line[at - 1][0] == " "), 0)
            whole, line = (line[:at], line[at:]) if at else (line, [])
            yield whole
            used = sum(width(text) for text, _mark in line)
        line.append(cell)
        used += columns
    if line:
        yield line


def _colored(cells: list[_Cell]) -> str:
    runs = groupby(cells, key=lambda cell: cell[1])
    parts = [("".join(text for text, _mark in run), mark) for mark, run in runs]
    return "".join(click.style(text, fg="red", bold=True) if mark else text for text, mark in parts)
