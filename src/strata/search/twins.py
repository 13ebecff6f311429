"""Texts that say nearly the same: the words of one are those of the other, but for a few.

What is only about the same thing is no twin. A text that has another number says something else,
however much of it is equal.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from strata.base.values import Json
from strata.search import tokens
from strata.search.hits import Place
from strata.search.query import Hit
from strata.search.quick.scan import look
from strata.store import Snapshot

# Shorter texts share most of their words by chance. Bytes, for a Korean letter says more than a
# Latin one.
_BYTES_MIN = 16
_TERMS_MIN = 3
# From this share of their words on, two texts say nearly the same.
LIKENESS_MIN = 0.75
# Texts that the index finds for the words of a fact, of which twins are chosen.
_LOOKED_AT = 8
_DIGIT = re.compile(r"\d")


class TextTwin(NamedTuple):
    """A text that says nearly the same as another, and how much both share: 1 is all."""

    hit: Hit
    likeness: float


class TextMark(NamedTuple):
    """What of a text is compared with others: its words, and those that are no mere words."""

    words: frozenset[str]
    numbers: frozenset[str]


def mark_of(value: Json) -> TextMark | None:
    """Return what of a value is compared; None for what is no text, or too short."""
    if not isinstance(value, str) or len(value.encode(errors="surrogatepass")) < _BYTES_MIN:
        return None
    words = frozenset(word for word in tokens.analyse(value).terms if not tokens.is_stop(word))
    if len(words) < _TERMS_MIN:
        return None
    return TextMark(words, frozenset(filter(_DIGIT.search, words)))


def likeness(a: TextMark, b: TextMark) -> float:
    """Return how much two texts share, from 0 to 1: 0 where their numbers differ."""
    if a.numbers != b.numbers:
        return 0.0
    return 2 * len(a.words & b.words) / (len(a.words) + len(b.words))


def twins_of(
    snapshot: Snapshot, place: Place, value: Json, *, most: int = 2, without: Iterable[str] = ()
) -> list[TextTwin]:
    """Return the facts of a space that say nearly the same as one, the nearest first.

    The text index of the store is asked as a hook asks it: nothing of it stays in memory.
    """
    mark = mark_of(value)
    if mark is None:
        return []
    space, kind, key = place
    left_out = {key, *without}
    found: list[TextTwin] = []
    for hit in look(snapshot, str(value), _LOOKED_AT):
        if (hit.namespace, hit.kind) != (space, kind) or hit.key in left_out:
            continue
        other = mark_of(hit.value)
        share = 0.0 if other is None else likeness(mark, other)
        if share >= LIKENESS_MIN:
            found.append(TextTwin(hit, round(share, 3)))
    return sorted(found, key=lambda twin: -twin.likeness)[:most]
