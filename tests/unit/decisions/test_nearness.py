"""Which rows of a matrix are near each other, whatever the model's cosines are like."""

import numpy as np
import pytest

from strata.base import limits
from strata.decisions.linking.candidates import is_foreign
from strata.decisions.linking.nearness import near_pairs, seed_pairs

ROWS, DIMENSION = 80, 64


def matrix(*twins: tuple[int, int], bias: float = 0.0, noise: float = 0.3) -> np.ndarray:
    """Random directions; a twin is near its other. A bias brings all of them together."""
    random = np.random.default_rng(7)
    rows = random.standard_normal((ROWS, DIMENSION))
    for one, other in twins:
        rows[other] = rows[one] + noise * random.standard_normal(DIMENSION)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows += bias * np.eye(DIMENSION)[0]
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


ALL = np.arange(ROWS)


def ends(pairs: list, *, certain: bool = True) -> set[tuple[int, int]]:
    return {(pair.one, pair.other) for pair in pairs if pair.is_certain is certain}


@pytest.mark.parametrize("bias", [0.0, 2.0])
def test_twins_are_found_by_a_model_of_low_and_one_of_high_cosines(bias: float) -> None:
    rows = matrix((3, 50), (10, 11), bias=bias)
    found = ends(near_pairs(rows, ALL, ALL))
    assert {(3, 50), (10, 11)} <= found
    # A hundredth of all pairs lies above the line; only those that find each other are linked.
    assert len(found) <= ROWS * (ROWS - 1) // 2 // 100
    seed = ends(seed_pairs(rows, ALL, ALL))
    assert len(seed) > ROWS if bias else seed == {(3, 50), (10, 11)}


def test_only_pairs_with_a_row_that_was_asked_for_are_returned() -> None:
    rows = matrix((3, 50), (10, 11))
    found = near_pairs(rows, ALL, np.array([11]))
    assert (10, 11) in ends(found)
    assert all(11 in (pair.one, pair.other) for pair in found)


def test_rows_of_one_group_are_no_pair_and_do_not_stand_in_the_way() -> None:
    copies = [(3, other) for other in range(20, 30)]
    rows = matrix(*copies, (3, 50), noise=0.2)
    groups = ALL.copy()
    groups[20:30] = 3
    found = ends(near_pairs(rows, groups, np.array([50])))
    assert found
    assert not any(one in range(20, 30) and other in range(20, 30) for one, other in found)
    assert any(50 in pair for pair in found)


def test_a_row_that_many_are_near_to_is_no_neighbour_of_all() -> None:
    """A text that says nothing is near everything; what is near it need not be linked to it."""
    rows = matrix()
    rows[0] = rows[1:].mean(axis=0) / np.linalg.norm(rows[1:].mean(axis=0))
    found = near_pairs(rows, ALL, ALL)
    assert sum(0 in (pair.one, pair.other) for pair in found) <= 5


def test_confidence_grows_with_likeness_and_a_suggestion_is_below_a_link() -> None:
    found = near_pairs(matrix((3, 50), (10, 11), (20, 40), noise=0.8), ALL, ALL)
    certain = [pair for pair in found if pair.is_certain]
    likely = [pair for pair in found if not pair.is_certain]
    assert certain
    assert likely
    for group, least, most in ((certain, 0.5, 0.8), (likely, 0.3, 0.5)):
        marks = [pair.confidence for pair in sorted(group, key=lambda pair: pair.cosine)]
        assert marks == sorted(marks)
        assert least <= marks[0] <= marks[-1] <= most


def test_too_few_rows_say_nothing() -> None:
    count = limits.LINKING_MEMORIES_MIN
    rows = matrix((3, 5))
    few, enough = np.arange(count - 1), np.arange(count)
    assert near_pairs(rows[: count - 1], few, few) == []
    assert (3, 5) in ends(near_pairs(rows[:count], enough, enough))


def test_rows_that_are_all_of_one_group_have_no_pairs() -> None:
    assert near_pairs(matrix(), np.zeros(ROWS, int), ALL) == []


def test_copies_of_one_text_are_first_neighbours_of_each_other() -> None:
    found = ends(near_pairs(matrix((3, 50), (3, 51), (3, 52), noise=0.0), ALL, ALL))
    assert {(3, 50), (3, 51), (3, 52), (50, 51), (50, 52), (51, 52)} <= found


def test_the_seed_takes_five_from_a_cosine_of_three_quarters_on() -> None:
    rows = matrix(*[(3, other) for other in range(20, 30)], noise=0.2)
    found = seed_pairs(rows, ALL, np.array([3]))
    assert len(found) == limits.SEMANTIC_LINKS_MAX
    assert all(pair.cosine >= 0.75 and pair.confidence == round(pair.cosine, 4) for pair in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use sessions", False),
        ("토큰을 쓴다", True),
        ("Docker Compose로 전환, 이미지 태그 고정", True),
        ("Café für Müller", False),
        ("", False),
        ("12 %", False),
        ("Use 토큰 for the whole API", False),
    ],
)
def test_a_text_is_foreign_when_a_good_part_of_it_is(text: str, *, expected: bool) -> None:
    assert is_foreign(text) is expected
