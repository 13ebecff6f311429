"""The part of a text to show for a match: where most of the wanted terms are close together."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias
from unicodedata import category

from msgspec import Struct

from strata.search.tokens import Finder, composed

# A caller that reads more than this of one value does not need a snippet.
_TEXT_CHARACTERS_MAX = 2_000_000
WIDTH = 200
_WIDTH_MIN = 16
# In a text this full of matches, the best place is among the first as well.
_PLACES_MAX = 20_000
# How far a cut may move to fall between two words.
_WORD_CHARACTERS = 24
_ELLIPSIS = "…"
_JOINER = "\u200d"
# A snippet is one line. Each of these is replaced by one blank, so that no mark moves.
_BLANKS = str.maketrans(dict.fromkeys("\n\r\t\v\f\0\x85\u2028\u2029", " "))

Mark: TypeAlias = tuple[int, int]  # first character, and the one behind the last
_Place: TypeAlias = tuple[int, int, tuple[str, ...]]  # the same, and the terms that are there


class Snippet(Struct, frozen=True):
    """Part of a text in one line, and which characters of it match."""

    text: str
    marks: tuple[Mark, ...]


def snippet(
    text: str,
    terms: Mapping[str, float],
    *,
    width: int = WIDTH,
    finder: Finder | None = None,
    around: Mark | None = None,
) -> Snippet:
    """Return the part of a text that covers the most weight of different terms, the earliest such.

    It is at most `width` characters long, and begins where the text does if no term is found.
    Letters and their marks come in composed form. A `finder` of these terms remembers the words
    of texts before. With `around` it is the part around these characters of the composed text.
    """
    text = composed(text[:_TEXT_CHARACTERS_MAX])
    width = max(width, _WIDTH_MIN)
    weights = {term: _whole(weight) for term, weight in terms.items() if term and weight > 0}
    finder = Finder(weights) if finder is None else finder
    start, end = 0, len(text)
    if end > width:
        room = width - 2 * len(_ELLIPSIS)
        if around is None:
            places = islice(finder.places(text), _PLACES_MAX) if weights else ()
            around = _best(places, weights, width=room)
        start, end = _cut(text, around, room)
    before, after = _ELLIPSIS * (start > 0), _ELLIPSIS * (end < len(text))
    shown = f"{before}{text[start:end].strip()}{after}".translate(_BLANKS)
    marks = ((first, last) for first, last, _ in finder.places(shown))
    return Snippet(shown, tuple(_joined(marks)))


def share_of(terms: Mapping[str, float], shown: str, finder: Finder) -> float:
    """Return how much of the weight of all terms those have that a text shows."""
    there = {term for _start, _end, found in finder.places(shown) for term in found}
    return sum(terms[term] for term in there) / max(sum(terms.values()), 1e-9)


def _whole(weight: float) -> int:
    """Return a weight as a whole number: those add up to the same in every order."""
    return max(1, int(min(weight, 1e6) * 1e9))


def _joined(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Yield sorted marks, those that touch or overlap as one."""
    current: Mark | None = None
    for start, end in marks:
        if current is None:
            current = start, end
        elif start <= current[1]:
            current = current[0], max(current[1], end)
        else:
            yield current
            current = start, end
    if current is not None:
        yield current


# ---------------------------------------------------------------- the window


def _best(places: Iterable[_Place], weights: Mapping[str, int], *, width: int) -> Mark:
    """Return the first stretch of that width whose different terms weigh most."""
    best, stretch, total = 0, (0, 0), 0
    everything = sum(weights.values())
    counts: Counter[str] = Counter()
    inside: deque[_Place] = deque()
    for place in places:
        total += _weight(place, counts, weights)
        counts.update(place[2])
        inside.append(place)
        while place[1] - inside[0][0] > width and len(inside) > 1:
            left = inside.popleft()
            counts.subtract(left[2])
            total -= _weight(left, counts, weights)
        if total > best:
            best, stretch = total, (inside[0][0], place[1])
        if best == everything:
            break
    return stretch


def _weight(place: _Place, counts: Mapping[str, int], weights: Mapping[str, int]) -> int:
    """Return what a place adds to others that have these terms."""
    return sum(weights[term] for term in set(place[2]) if not counts[term])


def _cut(text: str, stretch: Mark, room: int) -> Mark:
    """Return where to cut a text around a stretch: between words, with space on both sides."""
    first, last = stretch[0], min(stretch[1], stretch[0] + room)
    start = max(0, min(first - (room - (last - first)) // 2, len(text) - room))
    return _later_border(text, start, first), _earlier_border(text, start + room, last)


def _later_border(text: str, start: int, limit: int) -> int:
    if not start:
        return 0
    reach = min(limit, start + _WORD_CHARACTERS)
    blanks = (at for at in range(start - 1, reach) if text[at].isspace())
    start = next(blanks, start - 1) + 1
    while start < limit and _is_joined(text, start):
        start += 1
    return start


def _earlier_border(text: str, end: int, limit: int) -> int:
    if end >= len(text):
        return len(text)
    reach = max(limit, end - _WORD_CHARACTERS)
    blanks = (at for at in range(end, reach - 1, -1) if text[at].isspace())
    end = next(blanks, end)
    while end > limit and _is_joined(text, end):
        end -= 1
    return end


def _is_joined(text: str, at: int) -> bool:
    """Tell whether a character belongs to the one before it."""
    return text[at - 1] == _JOINER or text[at] == _JOINER or category(text[at])[0] == "M"
