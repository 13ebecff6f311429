"""The vectors of tokens in two bits a component: near enough to tell matches from others."""

import numpy as np
import pytest

from strata.search.vectors.tokens import best_matches, pack
from tests.unit.search.test_nearest import random_vectors


def test_a_token_is_found_among_others() -> None:
    rows = random_vectors(300, 128)
    kept = pack(np.rint(rows * 127))
    assert len(kept) == 300 * 32
    texts = [(False, kept[at * 320 : (at + 1) * 320]) for at in range(30)]
    found = best_matches(rows[[7, 155]], texts)
    assert found.shape == (30, 2)
    assert found.argmax(axis=0).tolist() == [0, 15]
    # A vector and its two bits have a cosine of .94; unrelated ones stay far below.
    assert found.max(axis=0) == pytest.approx([0.94, 0.94], abs=0.02)
    assert np.sort(found, axis=0)[-2].max() < 0.5


def test_both_kinds_are_compared_and_a_text_without_tokens_is_not() -> None:
    rows = random_vectors(40, 64)
    steps = np.rint(rows * 127).astype(np.int8)
    texts = [(True, steps[:20].tobytes()), (False, b""), (False, pack(steps[20:]))]
    found = best_matches(rows[[3, 30]], texts)
    assert found[0, 0] == pytest.approx(1, abs=0.01)
    assert found[2, 1] == pytest.approx(0.94, abs=0.03)
    assert np.isnan(found[1]).all()
    assert found[0, 1] < 0.8
    assert found[2, 0] < 0.8
