"""Several programs change branches by turns, and each knows all of them as a new one does."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import strata
from strata import StrataError, Workspace
from tests.property.examples import examples

NAMES = ("가", "나", "task-1", "task-2", "task-3")
STEPS = 50


def fork(db: Workspace, chance: Random) -> None:
    db.branches.fork(chance.choice(NAMES), source=chance.choice(NAMES))


def begin(db: Workspace, chance: Random) -> None:
    db.branches.fork(chance.choice(NAMES), metadata={"일": chance.random()})


def delete(db: Workspace, chance: Random) -> None:
    db.branches.delete(chance.choice(NAMES), force=chance.random() < 0.8)


def rename(db: Workspace, chance: Random) -> None:
    db.branches.rename(*chance.sample(NAMES, 2))


def restore(db: Workspace, chance: Random) -> None:
    db.branches.restore(chance.choice(NAMES), as_name=chance.choice((None, *NAMES)))


def merge(db: Workspace, chance: Random) -> None:
    db.branches.merge(chance.choice(NAMES), strategy="newest")


def put(db: Workspace, chance: Random) -> None:
    db.on(chance.choice(NAMES)).kv.put("k", chance.random())


def give_up(db: Workspace, chance: Random) -> None:
    with db.transaction() as tx:
        tx.kv.put("k", chance.random())
        raise StrataError("given up")


CHANGES: tuple[Callable[[Workspace, Random], None], ...] = (
    fork,
    begin,
    delete,
    rename,
    restore,
    merge,
    put,
    give_up,
)


def shown(db: Workspace) -> list[object]:
    """Return what a program knows of branches, and what each of them holds."""
    active = db.branches.list()
    held = [(kept := db.on(branch.name).kv.get("k")) and kept.value for branch in active]
    return [active, held, db.branches.list(deleted=True), db.info().branches]


@pytest.mark.parametrize("seed", range(examples(12)))
def test_programs_follow_each_others_branches(tmp_path: Path, seed: int) -> None:
    chance, path = Random(seed), tmp_path / "store.db"
    programs = [strata.open(path, durability="standard", auto_embed=False) for _ in range(3)]
    for step in range(STEPS):
        with suppress(StrataError):
            chance.choice(CHANGES)(chance.choice(programs), chance)
        if step % 5:
            continue  # so that there are several changes to follow at once
        looking = chance.choice(programs)
        with strata.open(path, durability="standard", auto_embed=False) as new:
            assert shown(looking) == shown(new), step
    assert programs[0].verify().ok
    for db in programs:
        db.close()
