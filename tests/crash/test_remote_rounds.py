"""Stores that sync at random while lines are cut and processes die show the same at the end.

The long form, 1,000 rounds, is `./dev python -m tests.crash.remote_rounds`.
"""

from pathlib import Path

import pytest

from tests.crash import remote_rounds
from tests.crash.length import rounds


def test_three_stores_are_equal_after_random_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strata.remotes.places.FolderShelf", remote_rounds.CutShelf)
    monkeypatch.setattr("strata.base.limits.REMOTE_PAUSE_S", 0.01)
    done = remote_rounds.run(tmp_path, rounds=rounds(25, 250), seed=5)
    assert {"put", "delete", "peace", "cut"} <= done.keys()
