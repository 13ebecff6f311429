"""Numbers of keys and commits are right after anything, and so are the checkpoints behind them."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import strata
from strata import StrataError, Workspace
from strata.base import limits
from strata.store import count_texts

KEYS = ("a", "b", "가", "나/1", "나/2")
STEPS = 60


@pytest.fixture(name="db")
def fixture_db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setattr(limits, "COUNTED_VERSIONS", 5)
    monkeypatch.setattr(limits, "COUNTED_AT_ONCE", 10)
    with strata.open(tmp_path / "store.db", durability="standard", auto_embed=False) as db:
        yield db


def put(db: Workspace, chance: Random) -> None:
    db.kv.put(
        chance.choice(KEYS), chance.choice([chance.random(), "Prices are cached", "값은 60초"])
    )


def put_elsewhere(db: Workspace, chance: Random) -> None:
    db.space("메모").json.set(chance.choice(KEYS), "$", {"n": chance.random()})


def put_many(db: Workspace, chance: Random) -> None:
    db.kv.put_many({key: chance.random() for key in chance.sample(KEYS, 3)})


def delete(db: Workspace, chance: Random) -> None:
    db.kv.delete(chance.choice(KEYS))


def mixed(db: Workspace, chance: Random) -> None:
    with db.transaction() as tx:
        tx.kv.delete(chance.choice(KEYS))
        tx.kv.put(chance.choice(KEYS), chance.random())
        tx.state.set("가", chance.random())


def write(db: Workspace, chance: Random) -> None:
    db.documents.create("계획", f"# 일정\n\nShip {chance.random()}.")


def append(db: Workspace, chance: Random) -> None:
    db.events.append("note", {"n": chance.random()})


def fork(db: Workspace, chance: Random) -> None:
    newest = max(tip_of(db, db.branch), 1)
    db.branches.fork(source=db.branch, at=chance.choice(["now", chance.randint(1, newest)]))


def tip_of(db: Workspace, name: str) -> int:
    branch = db.branches.get(name)
    assert branch is not None
    return branch.version


def merge(db: Workspace, chance: Random) -> None:
    source = chance.choice([branch.name for branch in db.branches.list()])
    db.branches.merge(source, into=db.branch, strategy="newest")


def undo(db: Workspace, _chance: Random) -> None:
    db.undo()


def purge(db: Workspace, chance: Random) -> None:
    db.purge(chance.choice(KEYS))


def purge_one(db: Workspace, chance: Random) -> None:
    key = chance.choice(KEYS)
    db.purge(key, version=chance.choice(db.kv.history(key)).version)


def trim(db: Workspace, _chance: Random) -> None:
    db.retention.set(max_versions=1)
    db.retention.apply()


def delete_branch(db: Workspace, _chance: Random) -> None:
    db.branches.delete(db.branch, force=True)


def carry(db: Workspace, chance: Random) -> None:
    path = Path(db.info().path).with_name(f"{chance.random()}.bundle")
    db.bundles.export(path)
    db.bundles.load(path, branch=f"carried {chance.random()}")


COMMON: tuple[Callable[[Workspace, Random], None], ...] = (
    put,
    put,
    put_elsewhere,
    put_many,
    delete,
    mixed,
    append,
    write,
    fork,
    merge,
)
RARE = (undo, purge, purge_one, trim, delete_branch, carry)


@pytest.mark.parametrize("seed", range(12))
def test_they_are_right_whatever_was_done(db: Workspace, seed: int) -> None:
    chance = Random(seed)
    for step in range(STEPS):
        branch = chance.choice([branch.name for branch in db.branches.list()])
        act = chance.choice(RARE if step % 10 == 9 else COMMON)
        with suppress(StrataError, IndexError):
            act(db.on(branch), chance)
        if step % 2:
            check_counts(db.on(branch) if db.branches.get(branch) else db)
        check_texts(db, chance)
        assert db.verify().problems == (), f"after {act.__name__} on {branch}"
    for branch in db.branches.list():
        view = db.on(branch.name)
        check_counts(view)
        for version in chance.sample(range(1, branch.version + 1), min(8, branch.version)):
            check_counts(view.at(version))
    check_commits(db)


def check_counts(view: Workspace) -> None:
    """Compare numbers with lists, which look at every key."""
    assert view.kv.count() == len(view.kv.list(limit=1000))
    elsewhere = view.space("메모").json
    assert elsewhere.count() == len(elsewhere.list(limit=1000))
    assert view.state.count() == len(view.state.list(limit=1000))


def check_texts(db: Workspace, chance: Random) -> None:
    """Compare the numbers of texts with a look at every version."""
    store = db._store
    last = store.last_version()
    after = chance.randint(0, last)
    counted = store.connection().row(store.queries.texts_between, (after, last))
    assert count_texts(store, after, last) == counted


def check_commits(db: Workspace) -> None:
    """Compare the number of commits with those that the hash chains hold."""
    assert db.info().commits == db.verify().commits
    assert db._store.connection().rows("SELECT count(*) FROM count_checkpoints")[0][0] > 0


def test_a_fork_from_the_past_begins_with_the_numbers_of_then(db: Workspace) -> None:
    then = db.kv.put_many(dict.fromkeys(KEYS, 1))[-1].version
    db.kv.delete("가")
    db.kv.put("new", 1)
    fork = db.branches.fork("옛날", source="default", at=then)
    assert (db.kv.count(), db.on(fork.name).kv.count()) == (5, 5)
    db.on("옛날").kv.delete("a")
    assert (db.kv.count(), db.on("옛날").kv.count()) == (5, 4)
    again = db.branches.fork("다시", source="옛날")
    assert db.on(again.name).kv.count() == 4
    assert tip_of(db, "다시") == tip_of(db, "옛날")
    assert db.verify().ok
