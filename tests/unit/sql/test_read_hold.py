"""The read lock that a busy reader keeps between its reads."""

import threading
import time
from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.sql import SqliteConnection


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.strata"


def _holders() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "strata-read-hold"]


def _read_a_lot(db: strata.Workspace, times: int = 5 * limits.READS_TO_HOLD) -> None:
    for _ in range(times):
        assert db.kv.get("인사") is not None


def test_few_reads_start_no_thread(path: Path) -> None:
    with strata.open(path) as db:
        db.kv.put("인사", "안녕")
        _read_a_lot(db, limits.READS_TO_HOLD // 2)
        assert not _holders()


def test_many_reads_hold_the_lock_and_closing_ends_the_thread(path: Path) -> None:
    with strata.open(path) as db:
        db.kv.put("인사", "안녕")
        _read_a_lot(db)
        assert len(_holders()) == 1
    assert not _holders()


def test_a_busy_reader_sees_what_others_write_at_once(path: Path) -> None:
    with strata.open(path) as reader, strata.open(path) as writer:
        writer.kv.put("인사", 0)
        _read_a_lot(reader)
        for value in range(1, 50):
            writer.kv.put("인사", value)
            found = reader.kv.get("인사")
            assert found is not None
            assert found.value == value


def test_the_log_can_be_folded_in_soon_after_the_last_read(path: Path) -> None:
    with strata.open(path) as reader, strata.open(path) as writer:
        writer.kv.put("인사", "안녕")
        _read_a_lot(reader)
        writer.kv.put("인사", "hello")
        deadline = time.monotonic() + 60
        connection = writer.kv._view.store.database.connection()
        assert isinstance(connection, SqliteConnection)
        while not connection.checkpoint(truncate=False):
            assert time.monotonic() < deadline, "the reader never let go"
            time.sleep(limits.READ_HOLD_S)


def test_a_store_in_memory_needs_no_holder() -> None:
    with strata.open(durability="cache") as db:
        db.kv.put("인사", "안녕")
        _read_a_lot(db)
        assert not _holders()
