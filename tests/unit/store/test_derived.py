"""State computed from the store: built once, followed, and dropped with what was erased."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.store import Commits, Derived, Remembered, Snapshot, Store


class Keys:
    """The keys of a branch as derived state, and how often it was built and followed."""

    def __init__(self, store: Store, most: int = 4) -> None:
        self.built = self.followed = 0
        self.fails = False
        self.derived: Derived[str, set[str]] = Derived(
            store, build=self.build, follow=self.follow, most=most
        )

    def build(self, snapshot: Snapshot, kind: str) -> set[str]:
        self.built += 1
        return {key for key, _version in snapshot.keys("default", kind)}

    def follow(self, state: set[str], commits: Commits, kind: str) -> set[str]:
        self.followed += 1
        for key in commits.keys("default", kind):
            state.add(key)
            if self.fails:
                raise ValueError("half-way")
            if commits.snapshot.get("default", kind, key) is None:
                state.discard(key)
        return state

    def of(self, db: Workspace, branch: str = "default", kind: str = "kv") -> set[str]:
        return set(self.derived.of(Snapshot(db._store, branch), kind))


@pytest.fixture(name="db")
def fixture_db() -> Iterator[Workspace]:
    with strata.open(durability="cache", auto_embed=False) as db:
        yield db


def test_a_state_is_built_once_and_followed(db: Workspace) -> None:
    keys = Keys(db._store)
    db.kv.put("하나", 1)
    assert keys.of(db) == keys.of(db) == {"하나"}
    db.kv.put("둘", 2)
    assert keys.of(db) == {"하나", "둘"}
    assert (keys.built, keys.followed) == (1, 1)


def test_each_branch_bound_and_key_has_a_state_of_its_own(db: Workspace) -> None:
    keys = Keys(db._store)
    first = db.kv.put("하나", 1)
    db.state.set("칸", 1)
    db.branches.fork("곁")
    db.on("곁").kv.put("둘", 2)
    assert keys.of(db) == {"하나"}
    assert keys.of(db, "곁") == {"하나", "둘"}
    assert keys.of(db, kind="state") == {"칸"}
    past = Snapshot(db._store, "default", first.version - 1)
    assert keys.derived.of(past, "kv") == set()
    assert keys.built == 4


def test_the_state_that_was_used_longest_ago_goes_first(db: Workspace) -> None:
    keys = Keys(db._store, most=2)
    for branch in ("a", "b"):
        db.branches.fork(branch)
    for branch in ("default", "a", "default", "b", "default"):
        keys.of(db, branch)
    assert keys.built == 3
    keys.of(db, "a")
    assert keys.built == 4
    assert len(keys.derived.held()) == 2


def test_a_state_whose_following_failed_is_built_anew(db: Workspace) -> None:
    keys = Keys(db._store)
    db.kv.put("하나", 1)
    keys.of(db)
    db.kv.put("둘", 2)
    keys.fails = True
    with pytest.raises(ValueError, match="half-way"):
        keys.of(db)
    assert keys.derived.held() == []
    keys.fails = False
    assert keys.of(db) == {"하나", "둘"}
    assert keys.built == 2


def test_a_purge_drops_every_state(db: Workspace) -> None:
    keys = Keys(db._store)
    db.kv.put("비밀", 1)
    keys.of(db)
    db.purge("비밀")
    assert keys.derived.held() == []


def test_what_an_older_transaction_shows_after_a_purge_is_not_kept(tmp_path: Path) -> None:
    with strata.open(tmp_path / "비밀.db", durability="standard", auto_embed=False) as db:
        store, keys = db._store, Keys(db._store)
        db.kv.put("비밀", 1)

        def purge() -> None:
            with store.writing() as connection:
                connection.run(store.queries.bump_removals)
            store.look()
            store.forget_removed()

        snapshot, purging = Snapshot(store, "default"), threading.Thread(target=purge)
        with snapshot.reading():
            assert snapshot.get("default", "kv", "비밀") is not None
            purging.start()
            purging.join()
            assert keys.derived.of(snapshot, "kv") == {"비밀"}
            assert keys.derived.held() == []
        keys.of(db)
        assert len(keys.derived.held()) == 1


def test_a_child_process_begins_with_nothing(db: Workspace) -> None:
    keys = Keys(db._store)
    db.kv.put("하나", 1)
    keys.of(db)
    with keys.derived._lock:
        child = os.fork()
        if child == 0:
            slot = keys.derived._slot((1, 1, "kv"))
            os._exit(0 if slot.states == [] else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert len(keys.derived.held()) == 1


def test_values_are_kept_by_number_and_by_size(db: Workspace) -> None:
    texts: Remembered[int, str] = Remembered(db._store, most=3, size=len, size_max=10)
    for number in range(4):
        texts.keep(number, "글", texts.epoch)
    assert [texts.get(number) for number in range(4)] == [None, "글", "글", "글"]
    texts.keep(9, "여섯 글자다", texts.epoch)
    texts.keep(10, "다섯글자다", texts.epoch)
    assert texts.get(9) is None
    assert texts.get(10) == "다섯글자다"
    assert texts.pop(10) == "다섯글자다"
    assert texts.pop(10) is None


def test_a_value_that_was_read_before_a_purge_is_not_kept(db: Workspace) -> None:
    texts: Remembered[int, str] = Remembered(db._store)
    epoch = texts.epoch
    db.kv.put("비밀", "글")
    db.purge("비밀")
    texts.keep(1, "글", epoch)
    assert texts.get(1) is None
