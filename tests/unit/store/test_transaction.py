"""What makes a transaction lose: everything it read, by key, range, tag, attribute or link."""

from collections.abc import Callable

import pytest

from strata import ReadOnly, TransactionConflict, Workspace
from strata.store import Header, Snapshot, StagedChange, Transaction
from tests.unit.conftest import Bench


def optimistic(bench: Bench, branch: str = "default") -> Transaction:
    return Transaction(Snapshot(bench.store, branch), Header("test"), locked=False)


def commit(bench: Bench, *changes: StagedChange) -> None:
    with Transaction(Snapshot(bench.store, "default"), Header("other"), locked=True) as other:
        for change in changes:
            other.stage(change)


def record(key: str) -> StagedChange:
    return StagedChange("default", "decision", key, b"{}")


READS: dict[str, Callable[[Transaction], object]] = {
    "a key": lambda tx: tx.get("default", "decision", "seen"),
    "a key that is absent": lambda tx: tx.get("default", "decision", "new"),
    "a list": lambda tx: tx.keys("default", "decision"),
    "items": lambda tx: tx.items("default", "decision"),
    "a prefix": lambda tx: tx.keys("default", "decision", "ne"),
    "a count": lambda tx: tx.count("default", "decision", "n"),
    "the greatest key": lambda tx: tx.greatest_key("default", "decision"),
    "a history": lambda tx: tx.history("default", "decision", "seen"),
    "an attribute that arrives": lambda tx: tx.by_attribute(
        "default", "decision", "topic", value="cache"
    ),
    "an attribute that goes": lambda tx: tx.by_attribute(
        "default", "decision", "topic", value="db"
    ),
    "a tag that arrives": lambda tx: tx.by_tag("default", "decision", "cache"),
    "a tag that goes": lambda tx: tx.by_tag("default", "decision", "db"),
    "links that arrive": lambda tx: tx.links_to("cache"),
    "links that go": lambda tx: tx.links_to("db"),
    "links of a key": lambda tx: tx.links_from("default", "decision", "seen"),
    "kinds": lambda tx: tx.kinds(),
}


def declaring(key: str, topic: str) -> StagedChange:
    return StagedChange(
        "default",
        "decision",
        key,
        b"{}",
        meta=f'{{"tags":["{topic}"]}}'.encode(),
        tags=(topic,),
        attributes=(("topic", topic),),
        links=(("about", topic),),
    )


@pytest.mark.parametrize("name", READS)
def test_what_was_read_must_not_have_moved(bench: Bench, name: str) -> None:
    commit(bench, declaring("seen", "db"))
    transaction = optimistic(bench)
    READS[name](transaction)
    transaction.stage(record("mine"))
    # One foreign commit changes every one of the things above.
    commit(bench, declaring("seen", "cache"), declaring("new", "cache"))
    before = bench.store.last_version()
    with pytest.raises(TransactionConflict) as caught:
        transaction.commit()
    assert caught.value.code == "txn_conflict"
    assert caught.value.details["keys"]
    assert bench.store.last_version() == before
    assert bench.store.connection().in_transaction is False


@pytest.mark.parametrize("name", READS)
def test_what_moved_elsewhere_is_no_conflict(bench: Bench, name: str) -> None:
    commit(bench, declaring("seen", "db"))
    transaction = optimistic(bench)
    READS[name](transaction)
    transaction.stage(record("mine"))
    bench.db.kv.put("other kind", 1)
    bench.db.space("메모").kv.put("seen", 1)
    bench.db.branches.fork("try")
    bench.db.on("try").kv.put("seen", 1)
    if name == "kinds":
        return  # a kind appeared, which is what was read
    assert transaction.commit() is not None


def test_blind_writes_never_conflict(bench: Bench) -> None:
    transaction = optimistic(bench)
    transaction.stage(record("mine"))
    commit(bench, record("mine"))
    receipt = transaction.commit()
    assert receipt is not None
    assert receipt.version == bench.store.last_version()


def test_reading_its_own_changes_depends_on_nobody(bench: Bench) -> None:
    transaction = optimistic(bench)
    transaction.stage(declaring("mine", "cache"))
    assert transaction.get("default", "decision", "mine") is not None
    commit(bench, record("mine"))
    assert transaction.commit() is not None


def test_staged_changes_are_seen_by_every_look_up(bench: Bench) -> None:
    commit(bench, declaring("seen", "db"))
    transaction = optimistic(bench)
    transaction.stage(declaring("seen", "cache"))
    transaction.stage(declaring("new", "cache"))
    assert transaction.by_tag("default", "decision", "cache") == ["new", "seen"]
    assert transaction.by_tag("default", "decision", "db") == []
    assert transaction.by_attribute("default", "decision", "topic", value="cache") == [
        "new",
        "seen",
    ]
    assert transaction.links_from("default", "decision", "seen") == [("about", "cache")]
    assert {link[2] for link in transaction.links_to("cache")} == {"new", "seen"}
    assert transaction.links_to("db") == []
    assert transaction.greatest_key("default", "decision") == "seen"
    assert len(transaction.history("default", "decision", "seen")) == 2
    transaction.rollback()
    assert Snapshot(bench.store, "default").by_tag("default", "decision", "cache") == []


def test_a_locked_transaction_never_conflicts(bench: Bench) -> None:
    bench.db.kv.put("k", 1)
    with Transaction(Snapshot(bench.store, "default"), Header("test"), locked=True) as locked:
        assert locked.keys("default", "kv") == [("k", 1)]
        number, timestamp = locked.stage(StagedChange("default", "kv", "new", b"1"))
    found = bench.db.kv.get("new")
    assert found is not None
    assert (found.version, found.timestamp) == (number, timestamp)


def test_a_failed_locked_transaction_gives_the_lock_back(bench: Bench) -> None:
    def fail() -> None:
        with Transaction(Snapshot(bench.store, "default"), Header("test"), locked=True) as locked:
            locked.stage(StagedChange("default", "kv", "k", b"1"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert bench.db.kv.get("k") is None
    assert bench.db.kv.put("k", 2).version == 1


def test_a_transaction_in_the_past_reads_the_past(db: Workspace) -> None:
    db.kv.put("k", "then")
    db.kv.put("k", "now")
    with db.at(1).transaction(read_only=True) as tx:
        found = tx.kv.get("k")
        assert found is not None
        assert found.value == "then"
        assert len(tx.kv.history("k")) == 1
    with pytest.raises(ReadOnly), db.at(1).transaction():
        raise AssertionError("the past was opened for writing")


def test_if_version_looks_at_what_is_staged(db: Workspace) -> None:
    from strata import VersionConflict

    with db.transaction() as tx:
        tx.kv.put("k", 1)
        with pytest.raises(VersionConflict):
            tx.kv.put("k", 2, if_version=0)
    found = db.kv.get("k")
    assert found is not None
    assert found.value == 1


# What belongs to a commit beside its versions.


@pytest.mark.parametrize("locked", [True, False])
def test_work_is_done_in_the_sql_transaction_of_the_commit(bench: Bench, *, locked: bool) -> None:
    done: list[bool] = []
    tx = Transaction(Snapshot(bench.store, "default"), Header("test"), locked=locked)
    tx.on_commit(lambda: done.append(bench.store.connection().in_transaction))
    tx.stage(record("한강"))
    assert done == []
    tx.commit()
    assert done == [True]


@pytest.mark.parametrize("locked", [True, False])
def test_work_that_fails_ends_the_transaction(bench: Bench, *, locked: bool) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    tx = Transaction(Snapshot(bench.store, "default"), Header("test"), locked=locked)
    tx.stage(record("한강"))
    tx.on_commit(fail)
    with pytest.raises(ZeroDivisionError):
        tx.commit()
    assert not tx.is_open
    assert Snapshot(bench.store, "default").get("default", "decision", "한강") is None
    commit(bench, record("다음"))  # the lock is free


def test_nothing_is_done_for_a_transaction_that_does_not_commit(bench: Bench) -> None:
    done: list[str] = []
    commit(bench, record("seen"))
    empty, undone, late = optimistic(bench), optimistic(bench), optimistic(bench)
    for tx in (empty, undone, late):
        tx.on_commit(lambda: done.append("x"))
    undone.stage(record("a"))
    late.get("default", "decision", "seen")
    late.stage(record("b"))
    commit(bench, record("seen"))
    assert empty.commit() is None
    undone.rollback()
    with pytest.raises(TransactionConflict):
        late.commit()
    assert done == []


def test_a_call_that_fails_leaves_what_was_staged_before(bench: Bench) -> None:
    done: list[str] = []
    tx = optimistic(bench)
    tx.stage(record("하나"))
    tx.on_commit(lambda: done.append("하나"))

    def fail() -> None:
        with tx.whole():
            tx.stage(record("둘"))
            tx.on_commit(lambda: done.append("둘"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with tx.whole():
        tx.stage(record("셋"))
    assert tx.is_staged("default", "decision", "하나")
    assert not tx.is_staged("default", "decision", "둘")
    tx.commit()
    assert done == ["하나"]
    found = [key for key, _version in Snapshot(bench.store, "default").keys("default", "decision")]
    assert found == sorted(["셋", "하나"])
