"""kill -9 while vectors are made: nothing is lost, and at most one batch is made twice.

Run as a program, this file follows a store until nothing is left to do, and writes down every
text that its model was given.
"""

import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.search.vectors.embeddings import Embeddings
from strata.search.vectors.follow import Follower, Texts
from tests.crash.length import rounds
from tests.unit.search.embedders import Tokens, counted, store_of, text_of

pytestmark = [pytest.mark.crash, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
TEXTS = 240
BATCH = 8
KILLS = rounds(4, 30)
TIMEOUT_S = 90
EARLIER = "earlier"


class Noted(Tokens):
    """Notes each text it is given, in a file that outlives it, and takes its time."""

    def __init__(self, name: str, notes: str) -> None:
        super().__init__(name)
        self.notes = os.open(notes, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        self.meanwhile = self._note

    def _note(self) -> None:
        os.write(self.notes, f"{os.getpid()} {self.name} {self.asked[-1]}\n".encode())
        time.sleep(0.004)


def follow(path: str, notes: str, name: str) -> None:
    """Follow until nothing is pending, here or anywhere."""
    limits.EMBED_BATCH_ITEMS = BATCH
    model = Noted(name, notes)
    with strata.open(path, durability="standard", auto_embed=False) as db:
        follower = Follower(
            Embeddings(store_of(db), is_outdated=lambda id_: EARLIER in id_ and name != EARLIER),
            {"main": lambda _model: model},
            texts=Texts(text_of),
            leases=db.leases,
            lease_s=0.5,
        )
        while not is_done(follower):
            if not follower.step():
                time.sleep(0.02)


def is_done(follower: Follower) -> bool:
    states = [model.state for model in follower.embeddings.models()]
    return states == ["active"] and not follower.pending()


def start(path: Path, name: str = "model") -> "subprocess.Popen[str]":
    words = [sys.executable, "-m", "tests.crash.test_embedding", str(path), notes(path), name]
    return subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True)


def notes(path: Path) -> str:
    return f"{path}.notes"


def finish(*processes: "subprocess.Popen[str]") -> None:
    for process in processes:
        _, complaint = process.communicate(timeout=TIMEOUT_S)
        assert process.returncode == 0, complaint[-3000:]


def kill_some(path: Path, name: str, kills: int) -> int:
    """Start two followers at a time and kill them at random instants; return how many died."""
    dice = random.Random()
    died = 0
    for _ in range(kills // 2):
        pair = [start(path, name), start(path, name)]
        time.sleep(dice.uniform(0.5, 1.1))
        for process in pair:
            process.kill()
            process.communicate()
            died += process.returncode != 0
        check(path)
    return died


def check(path: Path) -> None:
    """What is there is whole: as much as the models say, and one of them answers at most."""
    with strata.open(path, durability="standard", auto_embed=False) as db:
        models = Embeddings(store_of(db)).models()
        assert [model.state for model in models].count("active") <= 1
        for model in models:
            if model.state != "retired":
                assert written(db, model.id) == (model.embedded, model.embedded, model.position)
        assert db.verify().ok


def written(db: Workspace, model: int) -> tuple[int, ...]:
    """Return how many versions there are, how many have vectors, and which is the last."""
    statement = "SELECT count(*), count(number), max(version) FROM embedded WHERE model = ?"
    row = store_of(db).connection().row(statement, (model,))
    assert row is not None
    return (row[0], row[1], row[2] or 0)


def furnish(path: Path) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        for number in range(TEXTS // 2):
            db.kv.put(f"메모/{number}", f"{number}번째 글 запись")
        db.branches.fork("side")
        db.on("side").kv.put_many({f"側/{n}": f"記録 {n} side" for n in range(TEXTS // 2)})
        db.branches.merge("side", into="default")


def embedded_versions(db: Workspace) -> int:
    assert counted(db, "embeddings") == counted(db, "embedding_tokens") == TEXTS
    return counted(db, "embedded")


def test_killed_followers_lose_nothing_and_repeat_little(path: Path) -> None:
    furnish(path)
    died = kill_some(path, "model", KILLS)
    finish(start(path))
    times = Counter(Path(notes(path)).read_text(encoding="utf-8").splitlines())
    given = Counter(line.split(" ", 1)[1] for line in times.elements())
    assert len(given) == TEXTS
    repeated = sum(given.values()) - TEXTS
    print(f"\n{died} kills, {repeated} of {TEXTS} texts embedded again")
    assert died >= 2
    assert repeated <= died * BATCH
    check(path)
    with strata.open(path, durability="standard", auto_embed=False) as db:
        # Every version has its vectors: those of the merge share them.
        assert embedded_versions(db) == TEXTS + TEXTS // 2


def test_processes_that_follow_together_embed_every_text_once(path: Path) -> None:
    furnish(path)
    finish(*[start(path) for _ in range(4)])
    lines = Path(notes(path)).read_text(encoding="utf-8").splitlines()
    given = Counter(line.split(" ", 1)[1] for line in lines)
    assert set(given.values()) == {1}
    assert len(given) == TEXTS
    check(path)


def test_a_change_of_model_survives_being_killed_anywhere(path: Path) -> None:
    furnish(path)
    finish(start(path, "old"))
    with strata.open(path, durability="standard", auto_embed=False) as db:
        before = Embeddings(store_of(db)).live("main")[0]
        Embeddings(store_of(db)).use("main", Tokens("new"))
    dice = random.Random()
    for _ in range(KILLS):
        process = start(path, "new")
        time.sleep(dice.uniform(0.4, 0.8))
        process.kill()
        process.communicate()
        check(path)
        with strata.open(path, durability="standard", auto_embed=False) as db:
            answering = Embeddings(store_of(db)).live("main")[0]
            assert answering.state == "active"
            assert answering.embedded == before.embedded, "never an answer with a gap"
    finish(start(path, "new"))
    with strata.open(path, durability="standard", auto_embed=False) as db:
        (model,) = Embeddings(store_of(db)).models()
        assert (model.name, model.state) == ("new", "active")
        assert embedded_versions(db) == before.embedded


def test_vectors_of_an_earlier_edition_are_made_anew_though_followers_are_killed(
    path: Path,
) -> None:
    furnish(path)
    finish(start(path, EARLIER))
    died = kill_some(path, "later", KILLS)
    finish(start(path, "later"), start(path, "later"))
    lines = Path(notes(path)).read_text(encoding="utf-8").splitlines()
    given = Counter(line.split(" ", 2)[2] for line in lines if " later " in line)
    assert len(given) == TEXTS
    assert sum(given.values()) - TEXTS <= died * BATCH
    check(path)
    with strata.open(path, durability="standard", auto_embed=False) as db:
        (model,) = Embeddings(store_of(db)).models()
        assert (model.name, model.embedder, model.state) == (EARLIER, "later-1", "active")
        assert embedded_versions(db) == model.embedded


if __name__ == "__main__":
    follow(*sys.argv[1:])
