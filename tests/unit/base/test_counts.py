"""Counts in words: one or several, and nothing of what there is none of."""

import pytest

from strata.base.counts import counted


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"folder": 1, "document": 0}, "1 folder"),
        ({"folder": 0, "document": 2}, "2 documents"),
        ({"team": 1, "folder": 0, "Space": 1}, "1 team and 1 Space"),
        ({"team": 2, "folder": 1, "Space": 1200}, "2 teams, 1 folder and 1,200 Spaces"),
        ({"team": 0, "folder": 0}, "nothing"),
    ],
)
def test_what_there_is_none_of_is_left_out(counts: dict[str, int], said: str) -> None:
    assert counted(**counts) == said
