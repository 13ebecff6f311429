"""Small edits that turn one text into another: by lines, then by words inside changed lines."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import accumulate, chain, count
from typing import NamedTuple

from strata.documents.text.alignment import Effort, TextChange, changes, trimmed
from strata.documents.text.splice import Splice

# Scripts that write no blanks between words: each letter is a unit.
UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Signs that belong to the letter before them and that \w does not know.
_SIGNS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_LETTERS = f"[^\\W{UNSPACED}]"
_WORD = f"{_LETTERS}+(?:[{_SIGNS}]+{_LETTERS}*)*"
_WORDS = re.compile(
    rf"{_WORD}(?:[.:/@'’-]{{1,3}}{_WORD})*|[^\S\r\n]+|\r\n|[{UNSPACED}][{_SIGNS}]*|.", re.DOTALL
)
# Where a long line is cut first: behind punctuation, or the commonest words of the unspaced.
_STOPS = "\n.,;:!?。、，；：！？的了是のはに"
_CLAUSES = re.compile(rf"[^{_STOPS}]*[{_STOPS}]+\s*|[^{_STOPS}]+", re.DOTALL)
# Less than this has no words to compare.
_COMPARED_MIN = 3
# A character represents each distinct unit, and there are so many characters.
_UNITS_MAX = 0x110000


def splices(old: str, new: str) -> list[Splice]:
    """Return small edits that turn `old` into `new`: in order, none touching another."""
    if old == new:
        return []
    found: list[Splice] = []
    for change in changed_words(old, new):
        start, end, new_start, new_end = _settled(old, new, trimmed(old, new, change), room=change)
        found.append(Splice(start, end, new[new_start:new_end]))
    return found


def changed_words(old: str, new: str) -> list[TextChange]:
    """Return what was changed, in whole lines or words, in order.

    Between two changes is more than blanks, and none begins or ends within what is read as
    one character or one line break.
    """
    within = _changed_lines(old, new)
    return _spread(old, new, list(_Comparison(old, new).by_levels(within)))


def _changed_lines(old: str, new: str) -> TextChange:
    """Return the lines from the first to the last that differ."""
    differs = trimmed(old, new, TextChange(0, len(old), 0, len(new)))
    head = old.rfind("\n", 0, differs.start) + 1
    same = old.find("\n", differs.end) + 1
    tail = len(old) - same if same else 0
    return TextChange(head, len(old) - tail, head, len(new) - tail)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


class _Level(NamedTuple):
    """How a text is cut into units, and how many characters of it are a step of effort."""

    split: Callable[[str], list[str]]
    characters: int


_LINES = _Level(_lines, 1000)
# For texts that end their lines differently: a line and its end are units of their own.
_LINES_AND_ENDS = _Level(re.compile(r"[^\r\n]+|\r\n|.", re.DOTALL).findall, 1000)
_FINER = (_Level(_CLAUSES.findall, 50), _Level(_WORDS.findall, 5))


class _Comparison:
    """Two texts, and the effort that is left to compare them."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old, new
        self._effort = Effort()

    def by_levels(self, within: TextChange) -> Iterator[TextChange]:
        """Yield the changes inside a change, by ever smaller units."""
        start, end, new_start, new_end = within
        was, now = (self._old.find("\r\n", start, end), self._new.find("\r\n", new_start, new_end))
        lines = _LINES if (was < 0) == (now < 0) else _LINES_AND_ENDS
        return self._by_levels(within, (lines, *_FINER))

    def _by_levels(self, within: TextChange, levels: tuple[_Level, ...]) -> Iterator[TextChange]:
        size, new_size = within.end - within.start, within.new_end - within.new_start
        if not size and not new_size:
            return
        is_plain = not size or not new_size or max(size, new_size) < _COMPARED_MIN
        if is_plain or not levels or not self._may_spend(size + new_size, levels[0]):
            yield within
            return
        for part in self._by_units(within, levels[0].split):
            yield from self._by_levels(part, levels[1:])

    def _may_spend(self, size: int, level: _Level) -> bool:
        return self._effort.spend(size // level.characters)

    def _by_units(
        self, within: TextChange, split: Callable[[str], list[str]]
    ) -> Iterator[TextChange]:
        start, end, new_start, new_end = within
        here, there = split(self._old[start:end]), split(self._new[new_start:new_end])
        distinct = dict.fromkeys(chain(here, there))
        if len(distinct) > _UNITS_MAX:
            yield within
            return
        names = dict(zip(distinct, map(chr, count()), strict=False))
        old, new = ("".join(map(names.__getitem__, units)) for units in (here, there))
        at = [*accumulate(map(len, here), initial=start)]
        new_at = [*accumulate(map(len, there), initial=new_start)]
        for one in changes(old, new, self._effort):
            yield TextChange(at[one.start], at[one.end], new_at[one.new_start], new_at[one.new_end])


def _spread(old: str, new: str, found: list[TextChange]) -> list[TextChange]:
    """Let changes end where a text may be cut, and join those with only blanks between them."""
    kept: list[TextChange] = []
    whole = TextChange(0, len(old), 0, len(new))
    for at, change in enumerate(found):
        before = kept[-1] if kept else TextChange(0, 0, 0, 0)
        after = found[at + 1] if at + 1 < len(found) else TextChange(whole.end, 0, whole.new_end, 0)
        room = TextChange(before.end, after.start, before.new_end, after.new_start)
        start, end, new_start, new_end = _settled(old, new, change, room=room)
        if kept and is_blank(old, before.end, start):
            start, new_start = kept.pop()[::2]
        kept.append(TextChange(start, end, new_start, new_end))
    return kept


def is_blank(text: str, start: int, end: int) -> bool:
    """Return whether nothing, or only blanks within a line, are between two places."""
    between = text[start:end]
    return not between or (between.isspace() and "\n" not in between)


def _settled(old: str, new: str, change: TextChange, *, room: TextChange) -> TextChange:
    """Return a change that cuts through nothing, grown no further than the room it has."""
    start, end, new_start, new_end = change
    while start > room.start and (_is_inside(old, start) or _is_inside(new, new_start)):
        start, new_start = start - 1, new_start - 1
    while end < room.end and (_is_inside(old, end) or _is_inside(new, new_end)):
        end, new_end = end + 1, new_end + 1
    return TextChange(start, end, new_start, new_end)


def _is_inside(text: str, at: int) -> bool:
    """Return whether a place is within a line break or what is read as one character."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return after == "\n" and before == "\r"
    return (
        before == "\u200d"
        or unicodedata.category(after) in ("Mn", "Mc", "Me")
        or _SECOND.match(after) is not None
        or _FLAG.match(before + after) is not None
    )


# What continues a character: joiners, vowels and finals of Hangul, the second half of a
# surrogate pair, skin tones, tags. Regional indicators come in pairs.
_SECOND = re.compile("[\u200d\u1160-\u11ff\udc00-\udfff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
