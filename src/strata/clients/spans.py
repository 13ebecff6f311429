"""Changing a text at a few places and nowhere else."""

import re
from collections.abc import Iterable
from typing import NamedTuple

_INDENT = re.compile(r"[ \t]*")


class Unreadable(Exception):
    """A text cannot be understood, or not be changed without harm; the file is named above."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


class TextEdit(NamedTuple):
    """Put `text` where `start` to `end` stood."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Iterable[TextEdit]) -> str:
    """Make all edits; those at the same place in the order given."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        assert edit.start >= at, "edits overlap"
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def line_of(text: str, at: int) -> int:
    """Return the number of the line, from 1."""
    return text.count("\n", 0, at) + 1


def newline_of(text: str) -> str:
    """Return how lines end here: as the first one does."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def indent_at(text: str, at: int) -> str:
    """Return the space that begins the line of a place."""
    found = _INDENT.match(text, text.rfind("\n", 0, at) + 1)
    assert found is not None, "it matches nothing at all, too"
    return found.group()[: at - found.start()]


def begins_line(text: str, at: int) -> bool:
    """Tell whether only spaces are before a place on its line."""
    start = text.rfind("\n", 0, at) + 1
    return start > 0 and not text[start:at].strip(" \t")
