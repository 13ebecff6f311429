"""Headings: an anchor for each, and the table of contents that they make."""

from collections.abc import Sequence
from typing import NamedTuple

from markdown_it.token import Token

from strata.publishing import slug_of

# What the page around a text uses itself.
_TAKEN = ("text", "contents", "notes", "top")


class ContentsHeading(NamedTuple):
    """A heading as the table of contents shows it."""

    level: int
    id: str
    text: str


class Anchors:
    """Gives out ids, none of them twice."""

    def __init__(self) -> None:
        self.given: set[str] = set(_TAKEN)
        self._last: dict[str, int] = {}

    def reserve(self, wanted: str) -> str:
        """Return an id after a text, with a number if others have it."""
        base = slug_of(wanted) or "section"
        found, number = base, self._last.get(base, 1)
        while found in self.given:
            number += 1
            found = f"{base}-{number}"
        self._last[base] = number
        self.given.add(found)
        return found


def split_title(tokens: list[Token], title: str) -> tuple[str | None, list[Token]]:
    """Return the heading that a text has for itself, if it begins with one, and the rest.

    It stands for the page's title, so that a reader is not shown two. A text whose sections have
    headings of the first level too has none for itself, unless it says the title over again.
    """
    if len(tokens) < 3 or tokens[0].type != "heading_open" or tokens[0].tag != "h1":
        return None, tokens
    own, rest = words_of(tokens[1]), tokens[3:]
    if slug_of(own) == slug_of(title):
        return None, rest
    is_only = not any(token.type == "heading_open" and token.tag == "h1" for token in rest)
    return (own, rest) if own.strip() and is_only else (None, tokens)


def anchor(tokens: Sequence[Token], anchors: Anchors) -> list[ContentsHeading]:
    """Give each heading an id, and each a place below the page's own title."""
    opening = [at for at, token in enumerate(tokens) if token.type == "heading_open"]
    shift = 1 if any(tokens[at].tag == "h1" for at in opening) else 0
    found: list[ContentsHeading] = []
    for at in opening:
        level = min(int(tokens[at].tag[1]) + shift, 6)
        text = words_of(tokens[at + 1])
        heading = ContentsHeading(level, anchors.reserve(text), text)
        tokens[at].tag = tokens[at + 2].tag = f"h{level}"
        tokens[at].attrSet("id", heading.id)
        if tokens[at].level == 0 and text:
            found.append(heading)
    return found


def words_of(token: Token) -> str:
    """Return what a reader sees of a line of text."""
    parts: list[str] = []
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "image":
            parts.append(words_of(child))
    return " ".join("".join(parts).split())
