"""Counting what is pending: exact whatever happens, and cheap however often it is asked."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.search.vectors.embeddings import Embeddings
from tests.unit.search.embedders import Words, follower, store_of


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Workspace]:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        yield db


COUNT = "SELECT count(*) FROM versions WHERE version > ? AND text IS NOT NULL AND flags & 7 = 0"


def counted(db: Workspace, position: int) -> int:
    row = store_of(db).connection().row(COUNT, (position,))
    assert row is not None
    return row[0]


def test_the_count_is_exact_after_anything_that_may_happen(db: Workspace) -> None:
    dice = random.Random(3)
    follows = follower(db, main=Words())
    assert db.path is not None
    with strata.open(db.path, durability="standard", auto_embed=False) as other:
        theirs = Embeddings(store_of(other))
        for number in range(120):
            writer = dice.choice([db, other])
            match dice.randrange(6):
                case 0:
                    follows.step()
                case 1:
                    writer.kv.put_many({f"k{n}": f"글 {number} {n}" for n in range(5)})
                case 2:
                    writer.kv.delete(f"k{dice.randrange(9)}")
                case 3 if writer.kv.list():
                    writer.purge(dice.choice(writer.kv.list()))
                case 4:
                    writer.retention.set(max_versions=2)
                    writer.retention.apply()
                case _:
                    writer.kv.put(f"k{dice.randrange(9)}", f"글 {number}")
            for mine in (follows.embeddings, theirs):
                models = mine.models()
                position = models[0].position if models else 0
                assert mine.status(["main"]).pending == counted(db, position)


@pytest.mark.slow
def test_asking_again_does_not_count_again(db: Workspace) -> None:
    db.kv.put_many({f"k{n}": f"글 {n}" for n in range(20_000)})
    embeddings = Embeddings(store_of(db))
    assert embeddings.status(["main", "multilingual"]).pending == 40_000
    started = time.thread_time()
    for _ in range(200):
        assert embeddings.status(["main", "multilingual"]).pending == 40_000
    assert (time.thread_time() - started) / 200 < 0.0005
    db.kv.put("one more", "글")
    assert embeddings.status(["main"]).pending == 20_001
