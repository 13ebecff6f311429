"""Closing a store that other threads still use: they are stopped, and learn why."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import strata
from strata.base.errors import Interrupted, StrataError, Unavailable
from strata.sql import Connection, Durability, SqliteConnection, SqliteDatabase

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


class Beside(threading.Thread):
    """Does something again and again until it fails, and keeps how."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self.work = work
        self.begun = threading.Event()
        self.error: Exception | None = None
        self.start()
        assert self.begun.wait(10)

    def run(self) -> None:
        self.begun.set()
        try:
            while True:
                self.work()
        except Exception as error:  # noqa: BLE001  (looked at by the test)
            self.error = error


def test_a_statement_that_another_thread_runs_is_stopped(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "store.db", durability="standard")
    beside = Beside(lambda: database.connection().row(ENDLESS))
    time.sleep(0.05)
    database.close()
    beside.join(60)
    assert isinstance(beside.error, Interrupted | Unavailable)
    with pytest.raises(Unavailable, match="closed"):
        database.connection()


@pytest.mark.parametrize("durability", ["always", "cache"])
def test_threads_that_write_while_it_is_closed_get_errors_that_say_so(
    tmp_path: Path, durability: Durability
) -> None:
    for number in range(10):
        path = tmp_path / f"{number}.db"
        db = strata.open(path, durability=durability, auto_embed=False)
        threads = [Beside(lambda db=db: db.kv.put("열쇠", "값")) for _number in range(3)]
        threads += [Beside(lambda db=db: db.kv.get("열쇠")) for _number in range(2)]
        time.sleep(0.01 * number)
        db.close()
        for thread in threads:
            thread.join(10)
            assert isinstance(thread.error, StrataError), thread.error
            assert isinstance(thread.error, Interrupted | Unavailable), thread.error
        with strata.open(path) as again:
            assert again.verify().ok


def test_connections_that_open_at_once_are_all_closed(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "store.db", durability="standard")
    start, opened = threading.Barrier(12), list[object]()
    done = threading.Event()

    def use() -> None:
        start.wait()
        opened.append(database.connection())
        done.wait(10)

    threads = [threading.Thread(target=use, daemon=True) for _number in range(12)]
    for thread in threads:
        thread.start()
    while len(opened) < len(threads):
        time.sleep(0.001)
    assert {id(ref()) for ref in database._connections} >= {id(one) for one in opened}
    database.close()
    # Only the last one to close folds the log into the main file and removes it.
    assert not Path(f"{database.path}-wal").exists()
    done.set()


def test_pages_are_only_released_by_the_thread_that_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite would free pages under another thread's hands: the process would end."""
    released: list[Connection] = []
    monkeypatch.setattr(
        SqliteConnection,
        "release_memory",
        lambda self: released.append(self),  # noqa: PLW0108  (binds self)
    )
    with strata.open(tmp_path / "store.db", durability="cache", auto_embed=False) as db:
        db.kv.put("비밀", "값")
        reading = threading.Barrier(2)
        done = threading.Event()

        def read() -> None:
            db.kv.get("비밀")
            reading.wait(10)
            done.wait(10)

        beside = threading.Thread(target=read)
        beside.start()
        reading.wait(10)
        database = db.kv._view.store.database
        db.purge("비밀")
        done.set()
        beside.join(10)
        assert set(released) == {database.connection()}
