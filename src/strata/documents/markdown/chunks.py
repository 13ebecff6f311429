"""Parts of a document that are small enough to be found, read and embedded one by one.

A long section is cut where its text says so, not where counting from its start would: a place is
a cut when nothing within `APART` characters makes a better one, by the kind of the place first and
by a hash of the words before it second. So whoever edits one part moves at most its own ends and
those of the parts beside it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from unicodedata import category
from zlib import crc32

from msgspec import Struct

from strata.documents.markdown.outline import Section

# No part is shorter, unless its section is; parts are about twice as long on average.
APART = 1_000
AIM = 2_000
CHUNK_CHARACTERS_MAX = 4_000
# How much of the text before a place decides how good it is.
CONTEXT = 48

_LINE_END = r"(?:\r\n|\n|\r)"
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_PARAGRAPHS = re.compile(rf"{_LINE_END}(?:[ \t]*{_LINE_END})+")
# What to look for where the places found so far are far apart, the best kind first.
_FINER = (
    re.compile(_LINE_END),
    re.compile(r"[.!?…][)\]\"'”’»]*\s+|[。！？．][」』）”’]*\s*"),
    re.compile(r"\s+|[、，；]"),
)
_JOINERS = frozenset("\u200d\ufe0e\ufe0f" + "".join(map(chr, range(0x1F3FB, 0x1F400))))


class Chunk(Struct, frozen=True):
    """A section, or a part of a long one: `text[start:end]` of the section with that number."""

    section: int
    start: int
    end: int


class _Place(NamedTuple):
    """Where a section may be cut. What is not inside a block of code is better, and so on."""

    rank: int
    hash: int
    at: int


def chunks(text: str, found: Sequence[Section]) -> list[Chunk]:
    """Cut sections into chunks: most are one, long ones are several of about 2,000 characters.

    >>> from strata.documents.markdown.outline import sections
    >>> text = "# 짧은 글\\n\\n한 문단.\\n"
    >>> chunks(text, sections(text))
    [Chunk(section=0, start=0, end=15)]
    """
    result: list[Chunk] = []
    for number, section in enumerate(found):
        start, end = section.start, section.end
        if end - start <= 2 * APART:
            result.append(Chunk(number, start, end))
            continue
        ends = (start, *(start + cut for cut in _cuts(text[start:end])), end)
        result += [Chunk(number, a, b) for a, b in pairwise(ends)]
    return result


def _cuts(text: str) -> list[int]:
    """Return where a long section is cut."""
    places = [place for place in _places(text) if APART < place.at < len(text) - APART]
    result: list[int] = []
    for a, b in pairwise((0, *_peaks(places), len(text))):
        result += [*_forced(text, places, within=(a, b)), b]
    return result[:-1]


def _peaks(places: list[_Place]) -> Iterator[int]:
    """Yield the places that are better than all others near them; of equals the first."""
    before = _distances([place.at for place in places], [place[:2] for place in places])
    behind = _distances(
        [-place.at for place in reversed(places)],
        [(place.rank, place.hash, 0) for place in reversed(places)],
    )
    for place, left, right in zip(places, before, reversed(behind), strict=True):
        if left > APART and right > APART:
            yield place.at
