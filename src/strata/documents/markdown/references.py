"""What a text points at: wiki links, markdown links, images and mentions of documents."""

import re
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct

Kind = Literal["wiki", "link", "mention", "image"]


class Reference(Struct, frozen=True):
    """One link as it stands in `text[start:end]`."""

    kind: Kind
    target: str
    label: str
    heading: str | None
    start: int
    end: int


_WIKI = re.compile(r"(!?)\[\[([^\[\]|#\n]*)(?:#([^\[\]|\n]*))?(?:\|([^\[\]\n]*))?\]\]")
_LINK = re.compile(r"([@!]?)\[([^\[\]\n]*)\]\(([^()\s]*)\)")


def references(text: str) -> list[Reference]:
    """Return what a text points at, in order."""
    result: list[Reference] = []
    for m in _WIKI.finditer(text):
        kind: Kind = "image" if m[1] else "wiki"
        result.append(Reference(kind, m[2].strip(), m[4] or m[2], m[3], *m.span()))
    for m in _LINK.finditer(text):
        kind = "mention" if m[1] == "@" else "image" if m[1] else "link"
        result.append(Reference(kind, unquote(m[3]), m[2], None, *m.span()))
    return sorted(result, key=lambda one: one.start)
