"""Joining two edits of one text: words are the units, and what collides is reported, not mixed."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec import Struct

from strata.documents.text.diff import UNSPACED, changed_words, is_blank, splices
from strata.documents.text.splice import Splice, coarser, spliced

_OURS, _THEIRS = 0, 1
# What an overlap takes in around it, so that a reader understands it.
_AROUND_MAX = 80
_WORD_BEFORE = re.compile(rf"[^\s{UNSPACED}]+\Z")
_WORD_BEHIND = re.compile(rf"[^\s{UNSPACED}]+")
_LINE_ENDS = ("\n", "\r")
_LINES = re.compile(r"[^\n]*\n|[^\n]+").findall


class Overlap(Struct, frozen=True):
    """Where both sides changed the same words.

    The merged text keeps ours, from `start` to `end`. The three texts are whole words; `at` is
    where `base` begins in the text that both sides started from.
    """

    start: int
    end: int
    base: str
    ours: str
    theirs: str
    at: int = 0


class MergedText(Struct, frozen=True):
    """Both sides' edits in one text, and the places where they collided."""

    text: str
    overlaps: tuple[Overlap, ...] = ()

    def with_theirs(self) -> str:
        """Return the text as it would be if theirs stayed in every overlap."""
        return spliced(self.text, [Splice(one.start, one.end, one.theirs) for one in self.overlaps])

    def in_order_of(self, united: str) -> tuple["MergedText", list[Splice]] | None:
        """Return the merged text, and the edits that bring a replica of both sides to it.

        `united` is the text of the replica. Where both have the same lines, they are in its
        order, and outside of overlaps nothing is edited: what is moved or written again is new to
        other branches, which would bring it a second time. None where that cannot be done.
        """
        found: list[Splice] = []
        text, at, done = "", 0, 0
        for overlap in (*self.overlaps, None):
            part = self.text[done : len(self.text) if overlap is None else overlap.start]
            begin = _found_again(united, part, at, is_first=not done, is_last=overlap is None)
            if begin is None:
                return None
            kept = united[at:begin]
            found += [
                Splice(at + one.start, at + one.end, one.text)
                for one in splices(kept, self.text[len(text) : done])
            ]
            text += self.text[len(text) : done] + united[begin : begin + len(part)]
            at, done = begin + len(part), done if overlap is None else overlap.end
        return MergedText(text, self.overlaps), found


def declined(base: str, ours: str, wanted: str) -> MergedText:
    """Return a merge that keeps our text, and all that theirs would change of it as one overlap."""
    found = coarser(ours, splices(ours, wanted), 1)
    overlaps = [
        Overlap(one.start, one.end, base, ours[one.start : one.end], one.text) for one in found
    ]
    return MergedText(ours, tuple(overlaps))


def _found_again(united: str, part: str, at: int, *, is_first: bool, is_last: bool) -> int | None:
    """Return where a part of a merged text is in a text that has both sides' words."""
    begin = 0 if is_first else len(united) - len(part) if is_last else united.find(part, at)
    there = united[begin : begin + len(part)]
    is_whole = not (is_first and is_last) or len(part) == len(united)
    is_same = there == part or sorted(_LINES(there)) == sorted(_LINES(part))
    return begin if begin >= at and is_whole and is_same else None


def merge_texts(base: str, ours: str, theirs: str) -> MergedText:
    """Join two edits of a text.

    Edits of different words are both kept, the same edit counts once. Whole lines that both
    insert at one place are one after the other, ours first. Where both changed the same words,
    or words that directly follow each other, ours stays and the overlap tells what theirs was.
    """
    return _merged(base, [*_hunks(base, ours, _OURS), *_hunks(base, theirs, _THEIRS)])


def merge_edits(base: str, ours: Sequence[Splice], theirs: Sequence[Splice]) -> MergedText:
    """Join two edits of a text of which it is known what exactly they changed."""
    return _merged(base, [*_worded(base, ours, _OURS), *_worded(base, theirs, _THEIRS)])


def _merged(base: str, found: Sequence["_Hunk"]) -> MergedText:
    hunks = sorted(found, key=_order)
    merging = _Merging(base)
    regions = _regions(base, hunks)
    for at, region in enumerate(regions):
        limit = regions[at + 1].start if at + 1 < len(regions) else len(base)
        merging.add_region(region, limit)
    return merging.merged()


class _Hunk(NamedTuple):
    """One side puts `text` in the place of `base[start:end]`."""

    start: int
    end: int
    text: str
    side: int
    # Whole lines: -1 if they are before the place, 1 if behind it, 0 for anything else.
    lines: int


def _hunks(base: str, new: str, side: int) -> Iterator[_Hunk]:
    for start, end, new_start, new_end in changed_words(base, new):
        text = new[new_start:new_end]
        lines = _lines(base, start, text) if start == end else 0
        yield _Hunk(start, end, text, side, lines)


def _worded(base: str, splices: Sequence[Splice], side: int) -> Iterator[_Hunk]:
    """Yield edits as changes of whole words; those of one word are one change."""
    splices = [one for splice in splices if (one := _without_same_lines(base, splice))]
    words = [_span(base, splice) for splice in splices]
    group: list[Splice] = []
    start = end = -1
    for splice, (low, high) in zip(splices, words, strict=True):
        if group and low > end:
            yield _hunk(base, group, (start, end), side=side)
            group, start = [], low
        start, end = (start, max(end, high)) if group else (low, high)
        group.append(splice)
    if group:
        yield _hunk(base, group, (start, end), side=side)


def _without_same_lines(base: str, splice: Splice) -> Splice | None:
    """Return an edit without the lines that it begins or ends with and that stay what they were.

    Where an author brought lines back that were deleted, a replica has them as new ones.
    """
    old, new = base[splice.start : splice.end], splice.text
    if old == new:
        return None
    here, there = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head, here, there = _shared(here, there)
    tail, _, left = _shared(here[::-1], there[::-1])
    text = "".join(left[::-1])
    return Splice(splice.start + head, splice.end - tail, text)


def _shared(here: Sequence[str], there: Sequence[str]) -> tuple[int, Sequence[str], Sequence[str]]:
    """Return how long the lines are that both begin with, and what is left of both."""
    count = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(here, there, strict=False))
    )
    return sum(map(len, here[:count])), here[count:], there[count:]


def _hunk(base: str, group: Sequence[Splice], span: tuple[int, int], *, side: int) -> _Hunk:
    start, end = span
    text = spliced(base, group, start=start, end=end)
    return _Hunk(start, end, text, side, _lines(base, start, text) if start == end else 0)


def _span(base: str, splice: Splice) -> tuple[int, int]:
    """Return what of the base an edit changes, with the words that it begins or ends within."""
    start, end = splice.start, splice.end
    after = base[end : end + 1]
    before = base[start - 1 : start] if start else ""
    if _is_letter(before) and (
        _is_letter(base[start : start + 1]) or _is_letter(splice.text or after)
    ):
        word = _WORD_BEFORE.search(base, max(0, start - _AROUND_MAX), start)
        start = word.start() if word else start
    last = splice.text[-1:] or before
    if _is_letter(after) and (_is_letter(base[end - 1 : end] if end else "") or _is_letter(last)):
        word = _WORD_BEHIND.match(base, end, end + _AROUND_MAX)
        end = word.end() if word else end
    return start, end


def _is_letter(text: str) -> bool:
    """Return whether a text begins within a word."""
    return bool(_WORD_BEHIND.match(text))


def _lines(base: str, at: int, text: str) -> int:
    """Return whether what is inserted at a place are whole lines."""
    if (at == 0 or base[at - 1] in _LINE_ENDS) and text.endswith(_LINE_ENDS):
        return -1
    return int(at == len(base) and text.startswith(_LINE_ENDS))


def _order(hunk: _Hunk) -> tuple[int, int, int, int]:
    return hunk.start, hunk.end, hunk.lines, hunk.side


class _Region(NamedTuple):
    """Hunks that touch each other, and what of the base they take up."""

    start: int
    end: int
    hunks: tuple[_Hunk, ...]

    def side(self, base: str, side: int) -> str:
        """Return what one side made of it."""
        pieces: list[str] = []
        at = self.start
        for hunk in self.hunks:
            if hunk.side == side:
                pieces += (base[at : hunk.start], hunk.text)
                at = hunk.end
        return "".join(pieces) + base[at : self.end]


def _regions(base: str, hunks: Sequence[_Hunk]) -> list[_Region]:
    regions: list[_Region] = []
    for hunk in hunks:
        if regions and _touches(base, regions[-1], hunk):
            start, end, before = regions.pop()
            regions.append(_Region(start, max(end, hunk.end), (*before, hunk)))
        else:
            regions.append(_Region(hunk.start, hunk.end, (hunk,)))
    return regions


def _touches(base: str, region: _Region, hunk: _Hunk) -> bool:
    """Return whether a hunk belongs to those before it."""
    if hunk.start < region.end:
        return True
    last = [before for before in region.hunks if before.end == region.end]
    if not hunk.lines and _is_line_start(base, hunk.start) and _leaves_lines(base, last):
        return False
    if hunk.lines == last[-1].lines:
        return hunk.start == region.end if hunk.lines else is_blank(base, region.end, hunk.start)
    # Whole lines may be between what others wrote, unless their line is no longer one.
    is_behind = hunk.lines < 0 and hunk.start == region.end
    return is_behind and not all(_ends_a_line(base, before) for before in last)


def _is_line_start(base: str, at: int) -> bool:
    return at > 0 and base[at - 1] in _LINE_ENDS and base[at - 1 : at + 1] != "\r\n"


def _leaves_lines(base: str, last: Sequence[_Hunk]) -> bool:
    """Return whether whole lines were changed or deleted, so that the next line is not met."""
    is_changed = all(hunk.start < hunk.end for hunk in last)
    return is_changed and all(_ends_a_line(base, hunk) for hunk in last)


def _ends_a_line(base: str, hunk: _Hunk) -> bool:
    if hunk.text:
        return hunk.text.endswith(_LINE_ENDS)
    return hunk.start == 0 or base[hunk.start - 1] in _LINE_ENDS


class _Merging:
    """The merged text as it grows."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._at = 0
        self._pieces: list[str] = []
        self._length = 0
        self._overlaps: list[Overlap] = []

    def add_region(self, region: _Region, limit: int) -> None:
        """Put a region in its place; the next one begins at `limit`."""
        text = _joined(self._base, region)
        if text is None:
            self._add_overlap(_grown(self._base, region, within=(self._at, limit)))
        else:
            self._add(self._base[self._at : region.start], text)
            self._at = region.end

    def merged(self) -> MergedText:
        """Return it, when every region has its place."""
        self._add(self._base[self._at :])
        return MergedText("".join(self._pieces), tuple(self._overlaps))

    def _add_overlap(self, region: _Region) -> None:
        base = self._base
        ours, theirs = region.side(base, _OURS), region.side(base, _THEIRS)
        self._add(base[self._at : region.start])
        start, end = self._length, self._length + len(ours)
        before = base[region.start : region.end]
        self._overlaps.append(Overlap(start, end, before, ours, theirs, region.start))
        self._add(ours)
        self._at = region.end

    def _add(self, *pieces: str) -> None:
        self._pieces += pieces
        self._length += sum(map(len, pieces))


def _joined(base: str, region: _Region) -> str | None:
    """Return what both sides made of a region, if that can be said."""
    ours, theirs = region.side(base, _OURS), region.side(base, _THEIRS)
    before = base[region.start : region.end]
    if before in (ours, theirs):
        return theirs if ours == before else ours
    if ours == theirs:
        return ours
    is_lines = all(hunk.lines for hunk in region.hunks)
    return ours + theirs if is_lines else None


def _grown(base: str, region: _Region, *, within: tuple[int, int]) -> _Region:
    """Return a region that begins and ends with a whole word, if there is room for it."""
    start, end, hunks = region
    first, last = within
    if word := _WORD_BEFORE.search(base, max(first, start - _AROUND_MAX), start):
        start = word.start()
    if word := _WORD_BEHIND.match(base, end, min(last, end + _AROUND_MAX)):
        end = word.end()
    return _Region(start, end, hunks)
