"""Where anchored words are now: for programs, pages and users, all in one pass."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from strata.base.results import Result
from strata.documents import Replica, Section, locate, occurrences, sections, text_hash

# How many characters beside some words count as what surrounds them.
_BESIDE = 32
# What occurs more often than this is not looked for again.
_LOOKED_AT = 1_000
Span: TypeAlias = tuple[int, int]
Anchors: TypeAlias = tuple[bytes, bytes]


class Spot(Result, frozen=True, kw_only=True):
    """Some words of a text. `start` and `end` count code points, `units` what pages count: UTF-16.

    `path` are the headings above, `line` counts from 1.
    """

    start: int
    end: int
    units: tuple[int, int]
    line: int
    path: tuple[str, ...]
    text: str


def spans(replica: Replica, anchors: Sequence[Anchors | None]) -> list[Span | None]:
    """Return what pairs of anchors enclose; None for those that name nothing here.

    Where nothing is left between them, the span is empty and is where the words were.
    """
    asked = [index for index, pair in enumerate(anchors) if pair is not None]
    flat = [part for pair in anchors if pair is not None for part in pair]
    found = locate(replica, flat)
    result: list[Span | None] = [None] * len(anchors)
    for index, start, end in zip(asked, found[::2], found[1::2], strict=True):
        if start is not None and end is not None:
            result[index] = (start.at, max(start.at, end.at))
    return result


def surroundings(text: str, span: Span) -> str:
    """Return what tells whether words, and those beside them, are the same as before."""
    start, end = span
    return text_hash(text[max(0, start - _BESIDE) : end + _BESIDE].encode())


def known_again(text: str, words: str, around: str) -> Span | None:
    """Return where words are again with the same words beside them, if that is one place.

    A user who undoes a deletion writes the same letters again, and no anchor names these.
    """
    found = [(at, at + len(words)) for at in occurrences(text, words)[:_LOOKED_AT]]
    same = [span for span in found if surroundings(text, span) == around]
    return same[0] if len(same) == 1 else None


def restored(text: str, span: Span, words: str) -> Span:
    """Return where words are again that were gone: right before or behind where they were."""
    start, end = span
    if start < end or not words:
        return span
    if text.startswith(words, start):
        return start, start + len(words)
    begin = start - len(words)
    return (begin, start) if begin >= 0 and text.startswith(words, begin) else span


def spots(text: str, found: Sequence[Span | None]) -> list[Spot | None]:
    """Return spans as they can be shown."""
    present = [span for span in found if span is not None]
    if not present:
        return [None] * len(found)
    ends = sorted({at for span in present for at in span})
    units, lines = _units(text, ends), _lines(text, ends)
    known = sections(text)
    starts = [section.start for section in known]

    def spot(span: Span) -> Spot:
        start, end = span
        return Spot(
            start=start,
            end=end,
            units=(units[start], units[end]),
            line=lines[start],
            path=_path(known, starts, start),
            text=text[start:end],
        )

    return [None if span is None else spot(span) for span in found]


def paths_at(text: str, places: Iterable[int]) -> list[tuple[str, ...]]:
    """Return the headings above each of some places."""
    known = sections(text)
    starts = [section.start for section in known]
    return [_path(known, starts, at) for at in places]


def _path(known: Sequence[Section], starts: Sequence[int], at: int) -> tuple[str, ...]:
    index = bisect_right(starts, at) - 1
    return known[index].path if index >= 0 else ()


def code_points(text: str, units: int) -> int:
    """Return an offset in UTF-16 as one in code points, or the end of a text that is shorter."""
    if text.isascii():
        return min(units, len(text))
    data = text.encode("utf-16-le")[: 2 * units]
    return len(data.decode("utf-16-le", "ignore"))


def _units(text: str, ends: Iterable[int]) -> dict[int, int]:
    """Return ascending offsets in code points as offsets in UTF-16."""
    found: dict[int, int] = {}
    done = count = 0
    for at in ends:
        part = text[done:at]
        count += len(part) if part.isascii() else len(part.encode("utf-16-le")) // 2
        done = at
        found[at] = count
    return found


def _lines(text: str, ends: Iterable[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    done, line = 0, 1
    for at in ends:
        line += text.count("\n", done, at)
        done = at
        found[at] = line
    return found
