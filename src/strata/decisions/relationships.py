"""Words for a relationship, and the type of link that each means.

By a lexicon, so that the same word always means the same and a reader can see why. A word that is
not in it, nor one letter away from one that is, makes an association: related in an unknown way.
"""

import re
import unicodedata
from typing import Literal

import msgspec

from strata.base.memo import remembered
from strata.decisions.lexicon import (
    FAVOUR,
    KOREAN_NEGATIONS,
    KOREAN_PASSIVES,
    NEGATIONS,
    PASSIVE,
    WHEN,
    Sense,
    lexicon,
)
from strata.decisions.links import LinkType
from strata.search import stem

# A word has to be so long before one wrong letter is forgiven.
_FORGIVEN = 7
_PHRASE_WORDS = 3
# More than a sentence is no relationship; the rest is not read.
_CHARACTERS_MAX = 200
# Of which there are older ones and newer ones.
_EDITIONS = frozenset({"version", "iter", "버전"})


class MappedRelationship(msgspec.Struct, frozen=True):
    """What a word means; a passive one, such as "replaced by", has its ends the other way.

    So has one that looks ahead, such as "led to". An evolution that `grows` leaves what was
    before standing: "refines" does, "replaces" does not.
    """

    link_type: LinkType
    is_passive: bool = False
    how: Literal["lexicon", "fallback"] = "lexicon"
    grows: bool = False


class _Hit(msgspec.Struct, frozen=True):
    """A known word: its place, and what follows it up to the next known one."""

    key: str
    sense: Sense
    at: int
    is_negated: bool = False


@remembered(1_024)
def map_relationship(word: str) -> MappedRelationship:
    """Return the type of link that a word or a phrase means, in English or Korean.

    >>> map_relationship("superseded by")
    MappedRelationship(link_type='evolution', is_passive=True, how='lexicon', grows=False)
    >>> map_relationship("구현한다").link_type
    'implementation'
    """
    parts = _parts(word)
    hits = _hits(parts) or _misspelt(parts)
    if not hits:
        return MappedRelationship("association", how="fallback")
    said = [hit for hit in hits if not hit.is_negated]
    if not said:
        # "Does not replace" is worth a link, but replaces nothing.
        return MappedRelationship("association")
    best = said[0] if said[0].key in WHEN else min(said, key=lambda hit: (hit.sense.rank, hit.at))
    return MappedRelationship(
        best.sense.link_type, _is_turned(best, hits, parts), grows=best.sense.grows
    )


def _parts(word: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", word[:_CHARACTERS_MAX])
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", plain)
    return re.findall(r"[a-z0-9]+|[가-힣]+", re.sub(r"['’]", "", apart).lower())


# Finding known words.


def _hits(parts: list[str]) -> list[_Hit]:
    found: list[_Hit] = []
    is_negated = False
    at = 0
    while at < len(parts):
        part, length = parts[at], 1
        if part >= "가":
            found = _with_korean_hits(found, part, at)
        elif part in NEGATIONS:
            is_negated = True
        elif (hit := _english(parts, at)) is not None:
            key, sense, length = hit
            found.append(_Hit(key, sense, at, is_negated))
            is_negated = False
        at += length
    return found


def _english(parts: list[str], at: int) -> tuple[str, Sense, int] | None:
    """Return the phrase or word that begins somewhere, and how many parts it takes."""
    words = lexicon()
    stems = [stem(part) for part in parts[at : at + _PHRASE_WORDS]]
    for length in range(len(stems), 1, -1):
        if tuple(stems[:length]) in words.phrases:
            return " ".join(stems[:length]), words.phrases[tuple(stems[:length])], length
    key = "version" if re.fullmatch(r"v\d+", parts[at]) else stems[0]
    sense = words.stems.get(key)
    # "Completely" completes nothing; only adverbs of time say what they say as adjectives.
    if sense is None or (parts[at].endswith("ly") and sense.link_type != "temporal"):
        return None
    return key, sense, 1


def _with_korean_hits(found: list[_Hit], part: str, at: int) -> list[_Hit]:
    """Return the hits with those of a Korean part, whose endings may deny the last one."""
    words = lexicon()
    if part in words.alone:
        return [*found, _Hit(part, words.alone[part], at)]
    start = 0
    while start < len(part):
        key = _longest(part, start)
        if key is None:
            if found and part[start:].startswith(KOREAN_NEGATIONS):
                found = [*found[:-1], msgspec.structs.replace(found[-1], is_negated=True)]
            start += 1
        else:
            found = [*found, _Hit(key, words.korean[key], at)]
            start += len(key)
    return found


def _longest(part: str, start: int) -> str | None:
    korean = lexicon().korean
    for end in range(min(len(part), start + 6), start, -1):
        if part[start:end] in korean:
            return part[start:end]
    return None


def _misspelt(parts: list[str]) -> list[_Hit]:
    """Return words that are one letter away from known ones, where no word is known."""
    found: list[_Hit] = []
    for at, part in enumerate(parts):
        if len(part) < _FORGIVEN or part >= "가" or part.endswith("ly"):
            continue
        near = _nearest(part)
        if near is not None:
            found.append(_Hit(*near, at))
    return found


def _nearest(part: str) -> tuple[str, Sense] | None:
    words = lexicon()
    # A wrong letter may keep an ending from being known as one, or a stem from being found.
    for known, forms in (
        (words.spelled, (part, re.sub(r"(?:e?[sd]|ing)$", "", part), re.sub("[sd]$", "", part))),
        (words.stems, (stem(part),)),
    ):
        for key, sense in known.items():
            if len(key) >= _FORGIVEN - 2 and any(_is_near(form, key) for form in forms):
                return stem(key), sense
    return None


def _is_near(one: str, other: str) -> bool:
    """Tell whether one letter was left out, added or mistaken, or two neighbours exchanged."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, expected = one[start:], other[start:]
    if rest[1:] == expected[1:] or rest[1:] == expected or rest == expected[1:]:
        return True
    return rest[:2] == expected[1::-1] and rest[2:] == expected[2:]


# Which end is which.


def _is_turned(hit: _Hit, hits: list[_Hit], parts: list[str]) -> bool:
    """Tell whether the memory that is named second is the newer or dependent one."""
    if hit.sense.turn == "none":
        return False
    behind = parts[hit.at + 1 :]
    if hit.sense.link_type == "evolution" and FAVOUR & set(behind):
        return True
    is_ahead = hit.sense.turn == "ahead"
    if behind and (hit.key, behind[0]) in lexicon().ahead:
        is_ahead = True
    if hit.key in _EDITIONS:
        is_ahead = any(one.sense.turn == "ahead" and one.at < hit.at for one in hits)
    return is_ahead != _is_passive(hit, hits, parts)


def _is_passive(hit: _Hit, hits: list[_Hit], parts: list[str]) -> bool:
    if hit.key < "가":
        return PASSIVE in parts[hit.at + 1 :]
    text = " ".join(parts[hit.at :])
    ending = text[text.index(hit.key) + len(hit.key) :].lstrip("을를이가 ")
    is_last = hits[-1] == hit
    return "의해" in " ".join(parts) or (is_last and ending.startswith(KOREAN_PASSIVES))
