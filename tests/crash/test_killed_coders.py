"""kill -9 while codes of vectors are made, erased and compacted: they fit the vectors that stay.

Run as a program, this file writes, embeds, seals codes, purges and compacts until it is killed.
"""

import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import strata
from strata.base import limits
from strata.base.errors import StrataError
from strata.search.vectors import codes
from strata.search.vectors.coded import CodedVectors
from strata.search.vectors.embeddings import Embeddings
from strata.search.vectors.nearest import VectorIndex
from tests.crash.length import rounds
from tests.unit.search.embedders import Words, counted, follower, store_of

pytestmark = [pytest.mark.crash, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
ROUNDS = rounds(3, 40)
PART, HELD = 16, 48
TIMEOUT_S = 90


def work(path: str) -> None:
    """Write and erase, in parts so small that sealing and writing them again is most of it."""
    codes.PART, limits.NEAREST_HELD_MAX = PART, HELD
    dice = random.Random()
    with strata.open(path, durability="standard", auto_embed=False) as db:
        following = follower(db, main=Words())
        for number in range(10**9):
            key = f"메모 {dice.randrange(150)}"
            db.kv.put(key, f"왜가리 heron {dice.random()} of the lake")
            following.step()
            if number % 12 == 11:
                # There may be no such key, or the other process has just erased it.
                with suppress(StrataError):
                    db.purge(f"메모 {dice.randrange(150)}")
            if number % 60 == 59:
                db.compact()
            if number == HELD:
                print("ready", flush=True)


def start(path: Path) -> "subprocess.Popen[str]":
    words = [sys.executable, "-m", "tests.crash.test_killed_coders", str(path)]
    return subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def kill_soon(programs: "list[subprocess.Popen[str]]", after_s: float) -> None:
    try:
        for program in programs:
            assert program.stdout is not None
            assert program.stdout.readline() == "ready\n", program.communicate()[1][-3000:]
        time.sleep(after_s)
        assert [program.poll() for program in programs] == [None] * len(programs)
    finally:
        for program in programs:
            program.kill()
            program.communicate(timeout=TIMEOUT_S)


def test_killed_coders_leave_codes_that_fit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "PART", PART)
    monkeypatch.setattr(limits, "NEAREST_HELD_MAX", HELD)
    strata.open(path).close()
    dice = random.Random()
    for _turn in range(ROUNDS):
        kill_soon([start(path), start(path)], dice.uniform(0, 0.8))
        with strata.open(path, auto_embed=False) as db:
            assert db.verify().problems == ()
            assert list(Embeddings(store_of(db)).wrong_codes()) == []
            assert counted(db, "embedding_codes") > 0, "the programs sealed some"
            index = VectorIndex(store_of(db), "main")
            assert index.refresh()
            assert isinstance(index._vectors, CodedVectors)
            assert len(index.nearest(np.ones(Words().dimension, np.float32), 10)) > 0


if __name__ == "__main__":
    work(sys.argv[1])
