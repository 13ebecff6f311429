"""Which hits are judged, and how judgements order them."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from strata.search import Hit
from strata.search.judging import FIRST, TalkPart, parts_among, reordered
from strata.search.selection import Selection


def hits(*scores: float) -> list[Hit]:
    return [
        Hit(
            key=str(at),
            namespace="default",
            kind="kv",
            value="",
            score=score,
            rank=at + 1,
            snippet="",
            marks=(),
            version=at,
            timestamp=0,
        )
        for at, score in enumerate(scores)
    ]


def talk(count: int, share: float = 1.0) -> dict[int, TalkPart]:
    return {at: TalkPart(0, share) for at in range(count)}


def order(found: tuple[Hit, ...]) -> str:
    return "".join(hit.key for hit in found)


def test_a_better_judgement_lifts_a_hit_and_places_keep_their_scores() -> None:
    found = reordered(hits(5.0, 4.9, 4.8), {0: -3.0, 1: 0.0, 2: 3.0}, talk(3))
    assert order(found) == "210"
    assert [hit.score for hit in found] == [5.0, 4.9, 4.8]
    assert [hit.rank for hit in found] == [1, 2, 3]


def test_what_is_far_ahead_stays_ahead() -> None:
    assert order(reordered(hits(9.0, 4.0), {0: -3.0, 1: 3.0}, talk(2))) == "01"


def test_only_differences_count() -> None:
    """Judgements that are all alike change nothing, also beside what is not judged."""
    assert order(reordered(hits(5.0, 4.9, 4.8), {0: -9.0, 2: -9.0}, talk(3))) == "012"
    assert order(reordered(hits(5.0, 4.9), {}, talk(2))) == "01"


def test_a_smaller_share_moves_less() -> None:
    scores = hits(5.0, 4.5)
    assert order(reordered(scores, {0: -2.0, 1: 2.0}, talk(2))) == "10"
    assert order(reordered(scores, {0: -2.0, 1: 2.0}, talk(2, share=0.1))) == "01"


def test_hits_behind_the_first_ones_stay_behind() -> None:
    every = hits(*[5.0 - at / 1000 for at in range(FIRST + 5)])
    judged = {at: float(at) for at in range(FIRST)}
    found = reordered(every, judged, talk(FIRST))
    assert [hit.version for hit in found[FIRST:]] == list(range(FIRST, FIRST + 5))
    assert found[0].version == FIRST - 1


def chosen(**more: Any) -> Selection:
    """A selection of six texts, of which the first four are one sequence."""
    found = {
        "group": np.array([0, 0, 0, 0, 1, 2]),
        "length": np.array([10.0, 20, 40, 80, 10, 10]),
        "topics": (np.array([], "i8"), np.array([], "i8")),
        "versions_at": lambda at: 100 + np.asarray(at),
    }
    return cast("Selection", SimpleNamespace(**(found | more)))


IS_TALK = np.array([True] * 4 + [False] * 2)


def test_parts_of_talks_know_what_precedes_them_and_how_long_they_are() -> None:
    found = parts_among(chosen(), np.array([3, 5, 0, 1]), IS_TALK, words=4)
    assert found == {
        103: TalkPart(102, 0.5),
        100: TalkPart(0, 1.0),
        101: TalkPart(100, 1.0),
    }


@pytest.mark.parametrize(("words", "share"), [(6, 1.0), (14, 0.5)])
def test_a_longer_question_counts_less(words: int, share: float) -> None:
    found = parts_among(chosen(), np.array([0]), IS_TALK, words=words)
    assert found == {100: TalkPart(0, share)}


def test_a_long_question_and_other_texts_are_not_judged() -> None:
    assert parts_among(chosen(), np.array([0, 1]), IS_TALK, words=22) == {}
    assert parts_among(chosen(), np.array([4, 5]), IS_TALK, words=4) == {}
    assert parts_among(chosen(), np.array([], "i8"), IS_TALK, words=4) == {}


def test_what_has_a_topic_stays_above_what_it_replaced() -> None:
    topics = np.array([1]), np.array([0])
    found = parts_among(chosen(topics=topics), np.array([0, 1]), IS_TALK, words=4)
    assert list(found) == [100]
