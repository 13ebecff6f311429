"""Reading the first hits once more, each together with the question, where they are talk.

A turn of a conversation is found by what is around it as much as by its own words, so that near
misses stand beside the answer. A model that reads question and turn together tells them apart; for
other kinds of text it does not pay (docs/decisions/0190-judge.md).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from strata.base.embedder import TextInContext
from strata.search import rank
from strata.search.hits import text_of_hit
from strata.search.query import Hit, Query
from strata.search.scoring import Meaning
from strata.search.selection import Selection

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Hits that are judged, and what one more in a judgement counts in their score.
FIRST = 20
_WEIGHT = 0.2


class TalkPart(NamedTuple):
    """A part of a talk: the version before it, 0 for none, and how much a judgement counts."""

    before: int
    share: float


def parts_among(
    selection: Selection, order: "Array", is_talk: "Array", *, words: int
) -> dict[int, TalkPart]:
    """Return which of the first positions are parts of a talk, by version.

    `words` are those of the question: of a long one, and of a long text, only a part is read, so a
    judgement counts less. What is on a topic stays in its place, above what it replaced.
    """
    import numpy as np_

    brevity = rank.brevity(words)
    first = order[:FIRST]
    first = first[is_talk[first] & ~np_.isin(first, selection.topics[0])]
    if not len(first) or not brevity:
        return {}
    versions = selection.versions_at(first).tolist()
    before = np_.maximum(first - 1, 0)
    follows = (first > 0) & (selection.group[before] == selection.group[first])
    earlier = np_.where(follows, selection.versions_at(before), 0).tolist()
    shares = brevity * np_.minimum(1, rank.LONG / np_.maximum(selection.length[first], 1))
    found = zip(versions, earlier, shares.tolist(), strict=True)
    return {version: TalkPart(other, share) for version, other, share in found}


def befores(talk: Mapping[int, TalkPart]) -> list[int]:
    """Return the versions before those parts of talks that have one."""
    return sorted({part.before for part in talk.values()} - {0})


def judged(
    meaning: Meaning,
    query: Query,
    hits: Sequence[Hit],
    *,
    talk: Mapping[int, TalkPart],
    befores: Mapping[int, str],
) -> tuple[Hit, ...]:
    """Return as many hits as were asked for, after a model has read those that are talk.

    `befores` are the texts of the versions before them.
    """
    places = [at for at, hit in enumerate(hits) if hit.version in talk]
    texts = [
        TextInContext(text_of_hit(hits[at]), befores.get(talk[hits[at].version].before, ""))
        for at in places
    ]
    scores = meaning.judge(query.text, texts)
    found = dict(zip(places, scores))  # noqa: B905  (the last ones may be left unread)
    return reordered(hits, found, talk)[: query.k]


def reordered(
    hits: Sequence[Hit], judged: Mapping[int, float], talk: Mapping[int, TalkPart]
) -> tuple[Hit, ...]:
    """Return hits, the first of them in the order that judgements give, by place.

    The scores stay in their places: they say how a place compares with the next one.
    """
    if not judged:
        return tuple(hits)
    middle = sum(judged.values()) / len(judged)

    def value(place: int) -> float:
        hit = hits[place]
        more = talk[hit.version].share * (judged[place] - middle) if place in judged else 0.0
        return hit.score + _WEIGHT * more

    first = sorted(range(len(hits))[:FIRST], key=value, reverse=True)
    moved = (
        msgspec.structs.replace(hits[one], score=hits[place].score, rank=place + 1)
        for place, one in enumerate(first)
    )
    return (*moved, *hits[FIRST:])
