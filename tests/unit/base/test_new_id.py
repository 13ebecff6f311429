"""Ids sort in the order in which they were made, and two processes do not make the same."""

import os
import subprocess
import sys

import pytest

from strata.base import ids
from strata.base.ids import new_id


def test_ids_sort_in_the_order_in_which_they_were_made() -> None:
    made = [new_id("doc") for _ in range(5_000)]
    assert made == sorted(made)
    assert len(set(made)) == 5_000
    assert all(len(one) == 30 and one.startswith("doc_") for one in made)


def test_a_clock_that_is_set_back_does_not_disturb_the_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = new_id("doc")
    monkeypatch.setattr(ids.time, "time_ns", lambda: 1_000_000)
    assert new_id("doc") > before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_makes_other_ids() -> None:
    program = (
        "import os\n"
        "from strata.base.ids import new_id\n"
        "new_id('doc')\n"
        "os.fork()\n"
        "lines = ''.join(f'{new_id(chr(100))}\\n' for _ in range(50))\n"
        "os.write(1, lines.encode())\n"
    )
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    made = done.stdout.split()
    assert len(made) == len(set(made)) == 100
