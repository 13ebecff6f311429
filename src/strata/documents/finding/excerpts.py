"""The part of a document that an answer shows."""

from collections.abc import Mapping
from typing import NamedTuple, cast

from strata.documents.markdown import tokens
from strata.documents.records import SECTION, SPACE
from strata.search import snippet
from strata.store import GONE, TRIMMED, Snapshot, value_of

_BYTES_A_TOKEN = 4


class Excerpt(NamedTuple):
    """A piece of a document, the headings above it, and as much of it as there is room for."""

    chunk_id: str | None = None
    heading_path: tuple[str, ...] = ()
    snippet: str = ""


def excerpt(
    snapshot: Snapshot, key: str, *, terms: Mapping[str, float] | None = None, budget: int
) -> Excerpt:
    """Return what to show of a section; nothing if it is gone, or emptied by retention."""
    record = snapshot.get(SPACE, SECTION, key)
    if record is None or record[2] & (GONE | TRIMMED):
        return Excerpt()
    value = cast("dict[str, object]", value_of(record))
    path = tuple(cast("list[str]", value["path"]))
    return Excerpt(key.partition("/")[2], path, shortened(str(value["text"]), terms or {}, budget))


def beginning(snapshot: Snapshot, document: str, *, budget: int) -> Excerpt:
    """Return what to show of a document by itself: the first of its pieces that was written."""
    keys = snapshot.keys(SPACE, SECTION, f"{document}/", limit=1)
    return excerpt(snapshot, keys[0][0], budget=budget) if keys else Excerpt()


def shortened(text: str, terms: Mapping[str, float], budget: int) -> str:
    """Return a text if it is short enough, or the part of it that has most of the terms."""
    text = text.strip()
    size = tokens(text)
    if size <= budget:
        return text
    width = len(text) * budget // size
    found = snippet(text, terms, width=width).text
    while tokens(found) > budget and len(found) > 1:
        found = found[: len(found) * budget // tokens(found)].rstrip()
    return found
