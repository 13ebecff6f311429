"""kill -9 while segments are sealed and merged: the store verifies, and answers as before."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import strata
from tests.crash.length import rounds

pytestmark = [pytest.mark.crash, pytest.mark.slow]
ROUNDS = rounds(3, 40)
# Writes and seals until it is killed, in segments so small that sealing is most of what it does.
PROGRAM = """
import sys
import strata
from strata.base import limits
from strata.search import Sealer

limits.SEAL_VERSIONS, limits.SEGMENT_ITEMS_FEW = 5, 40

class Always:
    def take(self): return True
    def release(self): pass

with strata.open(sys.argv[1], durability="standard", auto_embed=False) as db:
    sealer = Sealer(db._store, Always())
    for number in range(10**9):
        db.kv.put(f"talk{number % 7}/{number % 900}", f"왜가리 heron {number} of the lake")
        sealer.catch_up()
        if number == 10:
            print("ready", flush=True)
"""


def test_killed_sealers_leave_an_index_that_fits(path: Path) -> None:
    strata.open(path).close()
    dice = random.Random()
    for _turn in range(ROUNDS):
        # Two at once: they throw away what the other one was quicker with.
        programs = [
            subprocess.Popen(
                [sys.executable, "-c", PROGRAM, str(path)], stdout=subprocess.PIPE, text=True
            )
            for _number in range(2)
        ]
        try:
            for program in programs:
                assert program.stdout is not None
                assert program.stdout.readline() == "ready\n"
            time.sleep(dice.uniform(0, 0.5))
        finally:
            for program in programs:
                program.kill()
                program.wait()
                assert program.stdout is not None
                program.stdout.close()
        with strata.open(path, auto_embed=False) as db:
            assert db.verify().problems == ()
            found = db.search("heron", 1_000, mode="keyword")
            assert {hit.key for hit in found} == {key for key, _value in db.kv.items(limit=1_000)}
