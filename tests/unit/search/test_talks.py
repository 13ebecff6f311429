"""Which sequences are talks."""

import numpy as np
import pytest

from strata.search.entry import QUESTION, TOPIC
from strata.search.index.talks import are_talks


def judge(*items: tuple[int, int], begins: tuple[int, ...] = (0,)) -> list[bool]:
    """Judge items, each a pair of traits and a label."""
    traits, labels = np.array(items, dtype="u1").reshape(-1, 2).T
    starts = np.isin(np.arange(len(items)), begins)
    return are_talks(starts, traits, labels.astype("u4")).tolist()


def test_one_question_in_ten_items_makes_a_talk() -> None:
    said, asked = (0, 0), (QUESTION, 0)
    assert judge(*[said] * 9, asked) == [True] * 10
    assert judge(*[said] * 10, asked) == [False] * 11


def test_speakers_who_take_turns_make_a_talk_without_a_question() -> None:
    anna, bo, nothing = (0, 1), (0, 2), (0, 0)
    assert judge(anna, bo, anna, bo, anna) == [True] * 5
    assert judge(anna, anna, anna, anna) == [False] * 4, "one label is no talk"
    assert judge(anna, bo, anna, nothing, nothing, nothing, nothing) == [False] * 7


def test_facts_with_labels_of_their_own_and_topics_are_no_talk() -> None:
    assert judge((0, 1), (0, 2), (0, 3), (0, 4), (0, 5)) == [False] * 5
    assert judge(*[(TOPIC, 1), (TOPIC, 2)] * 3) == [False] * 6


@pytest.mark.parametrize("items", [0, 1, 3])
def test_few_items_are_no_talk(items: int) -> None:
    assert judge(*[(QUESTION, 1)] * items) == [False] * items


def test_each_sequence_is_judged_alone() -> None:
    anna, bo, said = (0, 1), (0, 2), (0, 0)
    found = judge(anna, bo, anna, bo, said, said, said, said, begins=(0, 4))
    assert found == [True] * 4 + [False] * 4
    found = judge(anna, bo, anna, bo, anna, bo, begins=(0, 2, 4))
    assert found == [False] * 6, "turns of different sequences do not add up"
