"""Parts of a document that are small enough to be found, read and embedded one by one.

A long section is cut where its text says so, not where counting from its start would: a place is
a cut when nothing within `APART` characters makes a better one, by the kind of the place first and
by a hash of the words before it second. So an edit of one part moves at most its own ends and
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
_FENCED = re.compile(
    r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_PARAGRAPHS = re.compile(rf"{_LINE_END}(?:[ \t]*{_LINE_END})+")
_WORDS = re.compile(r"\s+|[、，；]")
# What to look for where the places found so far are far apart, the best kind first.
_FINER = (
    re.compile(_LINE_END),
    re.compile(r"[.!?…][)\]\"'”’»]*\s+|[。！？．][」』）”’]*\s*"),
    _WORDS,
)
# A stretch that stays too long is looked at again, each time with the hashes in another order.
TURNS = 4
# A stretch in which each place comes this often, on average, is cut by counting.
_ALIKE = 8
# A stretch with more words than this is cut behind those with high hashes: one in sixteen.
_FEW = 1_000
_HIGH = 0xF0000000
_SHUFFLES = (0, 1, 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
_PARAGRAPH, _LINE, _ANYWHERE = 3, 2, -1
_JOINERS = frozenset("\u200d\ufe0e\ufe0f" + "".join(map(chr, range(0x1F3FB, 0x1F400))))


class SectionChunk(Struct, frozen=True):
    """A section, or a part of a long one: `text[start:end]` of the section with that number."""

    section: int
    start: int
    end: int


class _Place(NamedTuple):
    """Where a section may be cut. What is not inside a block of code is better, and so on."""

    rank: int
    hash: int
    at: int


def chunks(text: str, found: Sequence[Section]) -> list[SectionChunk]:
    """Cut sections into chunks: most are one, long ones are several of about 2,000 characters.

    >>> from strata.documents.markdown.outline import sections
    >>> text = "# 짧은 글\\n\\n한 문단.\\n"
    >>> chunks(text, sections(text))
    [SectionChunk(section=0, start=0, end=14)]
    """
    result: list[SectionChunk] = []
    for number, section in enumerate(found):
        start, end = section.start, section.end
        if end - start <= 2 * APART:
            result.append(SectionChunk(number, start, end))
            continue
        ends = (start, *(start + cut for cut in _cuts(text[start:end])), end)
        result += [SectionChunk(number, a, b) for a, b in pairwise(ends)]
    return result


def _cuts(text: str) -> list[int]:
    """Return where a long section is cut."""
    return list(_split(text, _places(text), (0, len(text))))


def _split(
    text: str, places: list[_Place], within: tuple[int, int], *, turn: int = 1
) -> Iterator[int]:
    """Yield the cuts within a stretch; what is too long still takes another turn."""
    a, b = within
    first = bisect_right(places, a + APART, key=_at)
    inner = places[first : bisect_left(places, b - APART, key=_at)]
    if turn > TURNS or not inner or _repeats(inner):
        yield from _forced(text, inner, within)
        return
    for start, end in pairwise((a, *_peaks(inner, turn), b)):
        if end - start > CHUNK_CHARACTERS_MAX:
            yield from _split(text, inner, (start, end), turn=turn + 1)
        if end < b:
            yield end


def _repeats(places: list[_Place]) -> bool:
    """Tell whether places are so often alike that no order of their hashes tells them apart."""
    return len({place[:2] for place in places}) * _ALIKE < len(places)


def _places(text: str) -> list[_Place]:
    """Return where a section may be cut, in order: finer ones where nothing better is near."""
    code = [found.span() for found in _FENCED.finditer(text)]
    ranks = {
        at: _LINE if _is_inside(code, at) else _PARAGRAPH
        for at in map(_end, _PARAGRAPHS.finditer(text))
    }
    for rank, pattern in enumerate(_FINER):
        for a, b in _far_apart(ranks, len(text)):
            ends = [at for found in pattern.finditer(text, a, b) if (at := found.end()) < b]
            if pattern is _WORDS:
                ends = _best(text, ends, (a, b))
            ranks |= dict.fromkeys(ends, _LINE - rank)
    for a, b in _far_apart(ranks, len(text)):
        # A text without any blank is cut behind one in sixteen characters.
        odd = [at for at, letter in enumerate(text[a : b - 1], a + 1) if not ord(letter) % 16]
        whole = [at for at in odd if not _splits_character(text, at)]
        ranks |= dict.fromkeys(_best(text, whole, (a, b)), _ANYWHERE)
    places = sorted(ranks.items())
    hashes = _hashes(text, [at for at, _rank in places])
    return [_Place(rank, hash_, at) for (at, rank), hash_ in zip(places, hashes, strict=True)]


def _best(text: str, ends: list[int], within: tuple[int, int]) -> list[int]:
    """Return enough of the places in a stretch: the one in sixteen with the highest hashes.

    The best near any place is nearly always among them, and a paragraph of a million
    characters may end a word at 200,000 places. Where a text repeats itself and has none of
    these for long, places are taken that are not close to each other.
    """
    if len(ends) <= _FEW:
        return ends
    found: list[int] = []
    hashes = _hashes(text, ends)
    best = [at for at, hash_ in zip(ends, hashes, strict=True) if hash_ >= _HIGH]
    for start, end in pairwise((within[0], *best, within[1])):
        if end - start > APART:
            found += _spread(ends[bisect_right(ends, start) : bisect_left(ends, end)])
        found.append(end)
    return found[:-1]


def _spread(ends: list[int]) -> Iterator[int]:
    last = -CONTEXT
    for at in ends:
        if at - last >= CONTEXT:
            last = at
            yield at


def _hashes(text: str, places: Sequence[int]) -> list[int]:
    """Return for each place a hash of the text before it."""
    if text.isascii():
        data = text.encode()
        return [crc32(data[max(0, at - CONTEXT) : at]) for at in places]
    return [
        crc32(text[max(0, at - CONTEXT) : at].encode("utf-8", "surrogatepass")) for at in places
    ]


def _end(found: re.Match[str]) -> int:
    return found.end()


def _is_inside(spans: list[tuple[int, int]], at: int) -> bool:
    number = bisect_left(spans, (at, at)) - 1
    return number >= 0 and at < spans[number][1]


def _far_apart(ranks: dict[int, int], end: int) -> list[tuple[int, int]]:
    """Return the stretches in which no place was found yet, if they are long."""
    return [(a, b) for a, b in pairwise((0, *sorted(ranks), end)) if b - a > APART]


def _peaks(places: list[_Place], turn: int) -> list[int]:
    """Return the places that are better than all others near them; of equals the first."""
    beaten: set[int] = set()
    # Each is at least as good as all behind it so far.
    standing: list[tuple[tuple[int, int], int]] = []
    for rank, number, at in places:
        worth = rank, number * _SHUFFLES[turn] & 0xFFFFFFFF
        while standing and standing[-1][0] < worth:
            loser = standing.pop()[1]
            if at - loser <= APART:
                beaten.add(loser)
        if standing and at - standing[-1][1] <= APART:
            beaten.add(at)
        standing.append((worth, at))
    return [place.at for place in places if place.at not in beaten]


def _forced(text: str, places: list[_Place], within: tuple[int, int]) -> Iterator[int]:
    """Yield cuts one after the other, where the text repeats itself or cannot be told apart."""
    a, b = within
    while b - a > CHUNK_CHARACTERS_MAX:
        middle = a + AIM
        first = bisect_left(places, a + APART, key=_at)
        last = bisect_right(places, min(middle + APART, b - APART), key=_at)
        if first < last:
            a = max(places[first:last], key=lambda one: (one[:2], -abs(one.at - middle))).at
        else:
            a = _between_characters(text, middle)
        yield a


def _at(place: _Place) -> int:
    return place.at


def _between_characters(text: str, at: int) -> int:
    """Return the last place up to this one that splits nothing a reader sees as one character."""
    return next((near for near in range(at, at - 64, -1) if not _splits_character(text, near)), at)


def _splits_character(text: str, at: int) -> bool:
    before, behind = text[at - 1], text[at]
    return (
        category(behind) in {"Mn", "Mc", "Me"}
        or behind in _JOINERS
        or before == "\u200d"
        or "\u1160" <= behind <= "\u11ff"  # The later parts of a decomposed Hangul syllable.
        or "\udc00" <= behind <= "\udfff"
        or (_is_flag(before) and _is_flag(behind))
        or before + behind == "\r\n"
    )


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
