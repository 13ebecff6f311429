"""The k-th best of many scores."""

import numpy
import pytest

from strata.base.best import kth_best


@pytest.mark.parametrize("count", [1, 63, 64, 65, 700, 5_000])
def test_the_kth_best_is_the_one_that_sorting_finds(count: int) -> None:
    dice = numpy.random.default_rng(count)
    few = dice.integers(0, 9, count).astype("f4")  # ties at every border
    many = dice.normal(size=count).astype("f4")
    hidden = numpy.where(dice.random(count) < 0.9, -numpy.inf, many)
    for scores in (few, many, hidden):
        for k in {1, min(7, count), count // 2 or 1, count}:
            assert kth_best(scores, k) == numpy.sort(scores)[::-1][k - 1]
