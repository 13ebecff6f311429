"""The sections of a changed text, from those of the text before: only what changed is scanned."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple, Protocol

from strata.documents.markdown.frontmatter import frontmatter_end
from strata.documents.markdown.outline import Section, before_headings, outlined
from strata.documents.markdown.scan import Heading, headings

# Headings behind a change within which a scan nearly always meets one that was there before.
_FIRST_SCAN = 4
_START, _BODY = attrgetter("start"), attrgetter("body")
_BARRED = re.compile(r" {0,3}#{1,6}[ \t\r\n]")


class MarkdownEdit(Protocol):
    """A splice: `text` is where `before[start:end]` was."""

    @property
    def start(self) -> int:
        """Where the old text begins that goes."""
        ...

    @property
    def end(self) -> int:
        """Where the old text goes on."""
        ...

    @property
    def text(self) -> str:
        """What comes in its place."""
        ...


class _Rescan(NamedTuple):
    """What a scan found: old headings [first:last] are replaced by new ones, later ones moved."""

    first: int
    last: int
    found: list[Heading]
    move: int


class Resections(NamedTuple):
    """The sections of a changed text; the last `moved` of them were there before, elsewhere."""

    sections: list[Section]
    moved: int


def resections(text: str, before: Sequence[Section], splices: Sequence[MarkdownEdit]) -> Resections:
    """Return `sections(text)`, given the sections of the text before the splices made it this.

    The splices are in order and count in the text before.
    """
    if not splices:
        return Resections(list(before), len(before))
    old = before if not before or before[0].level else before[1:]
    start = frontmatter_end(text)
    seen = _rescan(text, old, splices, start=start)
    replaced = old[seen.first : seen.last]
    is_alike = [(one.level, one.title) for one in replaced] == [
        (one.level, one.title) for one in seen.found
    ]
    if is_alike:
        return Resections(_moved(text, old, seen, start=start), len(old) - seen.last)
    found = _rebuilt(text, old, seen, start=start)
    pairs = zip(reversed(old[seen.last :]), reversed(found), strict=False)
    same = takewhile(lambda pair: pair[0].path == pair[1].path, pairs)
    return Resections(found, sum(1 for _pair in same))


def _rescan(
    text: str, old: Sequence[Section], splices: Sequence[MarkdownEdit], *, start: int
) -> _Rescan:
    """Scan from a heading before the first change to one behind the last that was there before."""
    move = sum(len(splice.text) - (splice.end - splice.start) for splice in splices)
    first = _restart(text, old, splices[0].start)
    # A change may have made frontmatter of headings.
    if first is None or old[first].start < start:
        first = 0
    else:
        start = old[first].start
    behind = splices[-1].end
    found: list[Heading] = []
    for end in _ends(text, old, behind, move=move):
        found, at = _until_known(headings(text, start, end), old, behind=behind, move=move)
        if at is not None:
            return _Rescan(first, at, found, move)
    return _Rescan(first, len(old), found, move)


def _until_known(
    new: Iterator[Heading], old: Sequence[Section], *, behind: int, move: int
) -> tuple[list[Heading], int | None]:
    """Return the headings up to one that was there before, and which one that is."""
    found: list[Heading] = []
    for heading in new:
        place = heading.start - move
        at = bisect_left(old, place, key=_START) if place >= behind else len(old)
        if at < len(old) and old[at].start == place:
            return found, at
        found.append(heading)
    return found, None


def _ends(text: str, old: Sequence[Section], behind: int, *, move: int) -> Iterator[int]:
    """Yield how far to scan: to a heading soon behind the change, then farther, then to the end.

    A scan ends where a blank line does, so that it cuts no paragraph in two.
    """
    at, step = bisect_left(old, behind, key=_START), _FIRST_SCAN
    while (at := at + step) < len(old):
        end = old[at].start + move
        if text.endswith("\n\n", 0, end):
            yield end
            step *= 4
        else:
            step = 1
    yield len(text)


def _restart(text: str, old: Sequence[Section], change: int) -> int | None:
    """Return the last heading that no text from the change on can make anything else."""
    first = bisect_left(old, change, key=_BODY)
    while first:
        first -= 1
        start = old[first].start
        # Whether an underlined heading is one may depend on a link definition right above it,
        # whose title may end behind it.
        if _BARRED.match(text, start) or text.endswith(("\n\n", "\n\r\n"), 0, start):
            return first
    return None


def _rebuilt(text: str, old: Sequence[Section], seen: _Rescan, *, start: int) -> list[Section]:
    """Give paths anew: headings came, went or changed."""
    kept = [Heading(one.level, one.start, one.body, one.title) for one in old[: seen.first]]
    moved = [
        Heading(one.level, one.start + seen.move, one.body + seen.move, one.title)
        for one in old[seen.last :]
    ]
    return outlined(text, kept + seen.found + moved, start)


def _moved(text: str, old: Sequence[Section], seen: _Rescan, *, start: int) -> list[Section]:
    """Keep all paths: the headings are those that were there, at other places."""
    first, last, found, move = seen
    begin = old[first].start if first < len(old) else 0
    places = {one.start: new.start for one, new in zip(old[first:last], found, strict=True)}

    def place(offset: int) -> int:
        return offset if offset < begin else places.get(offset, offset + move)

    result = [
        one if one.whole_end < begin else _ending(one, place(one.end), place(one.whole_end))
        for one in old[:first]
    ]
    result += [
        Section(
            one.path,
            one.level,
            one.title,
            new.start,
            new.body,
            place(one.end),
            place(one.whole_end),
        )
        for one, new in zip(old[first:last], found, strict=True)
    ]
    result += (
        old[last:]
        if not move
        else [
            Section(
                one.path,
                one.level,
                one.title,
                one.start + move,
                one.body + move,
                one.end + move,
                one.whole_end + move,
            )
            for one in old[last:]
        ]
    )
    return before_headings(text, start, result[0].start if result else len(text)) + result


def _ending(one: Section, end: int, whole_end: int) -> Section:
    return Section(one.path, one.level, one.title, one.start, one.body, end, whole_end)
