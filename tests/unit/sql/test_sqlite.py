"""How SQLite is driven: compiled once, locked at the start, errors in our words."""

from pathlib import Path
from typing import Any

import apsw
import pytest

import strata
from strata import Locked, ReadOnly
from strata.base import limits
from strata.sql import SqliteConnection, SqliteDatabase, connect, load


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a few hundred versions of one key."""
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard") as db:
        for number in range(300):
            db.kv.put("k", number)
    return path


def compilations(connection: apsw.Connection, bounds: range) -> int:
    """Count how often the most frequent read is compiled, through the authorizer."""
    selects = 0

    def authorize(operation: int, *_names: Any) -> int:
        nonlocal selects
        selects += operation == apsw.SQLITE_SELECT
        return apsw.SQLITE_OK

    connection.authorizer = authorize
    for bound in bounds:
        row = connection.execute(load().version_at, (1, 1, "k", bound)).fetchone()
        assert row is not None
        assert row[0] == bound
    connection.authorizer = None
    return selects


def test_the_most_frequent_read_is_compiled_once(path: Path) -> None:
    ours = connect(path.as_uri(), durability="standard", mode="write")
    assert compilations(ours._connection, range(1, 201)) == 1
    ours.close()


def test_without_our_setting_it_would_be_compiled_every_time(path: Path) -> None:
    bare = apsw.Connection(str(path))
    bare.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 0)
    assert compilations(bare, range(1, 201)) > 100
    bare.close()


def test_a_written_transaction_takes_the_lock_at_its_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LOCK_WAIT_S", 0.05)
    first, second = (SqliteDatabase(path, durability="standard") for _number in range(2))
    with first.writing(), pytest.raises(Locked) as caught:
        second.begin_writing()
    assert caught.value.code == "locked"
    with second.writing() as connection:
        assert connection.in_transaction
    first.close()
    second.close()


def test_every_durability_has_its_own_sync(tmp_path: Path) -> None:
    synchronous = {"always": 2, "standard": 1}
    for durability, expected in synchronous.items():
        database = SqliteDatabase(tmp_path / f"{durability}.db", durability=durability)  # pyright: ignore[reportArgumentType]
        connection = database.connection()
        assert isinstance(connection, SqliteConnection)
        assert connection.pragma("synchronous") == expected
        assert connection.pragma("journal_mode") == "wal"
        database.close()


def test_a_reading_block_sees_one_state(path: Path) -> None:
    writer, reader = (SqliteDatabase(path, durability="standard") for _number in range(2))
    look = load().look
    with reader.reading() as connection:
        before = connection.row(look)
        with strata.open(path, durability="standard") as db:
            db.kv.put("k", "later")
        assert connection.row(look) == before
        with reader.reading() as inner:
            assert inner is connection
    after = reader.connection().look()
    assert before is not None
    assert after.version == before[2] + 1
    writer.close()
    reader.close()


def test_an_error_inside_a_writing_block_undoes_it(path: Path) -> None:
    database = SqliteDatabase(path, durability="standard")
    statement = load().upsert_setting

    def fail() -> None:
        with database.writing() as connection:
            connection.run(statement, ("a", "1", b""))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert database.connection().rows(load().settings) == []
    with database.writing() as connection:
        connection.run(statement, ("a", "1", b""))
    assert database.connection().rows(load().settings) == [("a", "1", b"")]
    database.close()


def test_a_database_for_reading_begins_no_writing(path: Path) -> None:
    database = SqliteDatabase(path, read_only=True)
    with pytest.raises(ReadOnly):
        database.begin_writing()
    with pytest.raises(ReadOnly):
        database.connection().run(load().upsert_setting, ("a", "1", b""))
    database.close()


def test_each_thread_has_a_connection_of_its_own(path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    database = SqliteDatabase(path, durability="standard")
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(database.connection).result(timeout=30)
    assert other is not database.connection()
    assert database.connection() is database.connection()
    database.close()


def test_text_in_double_quotes_is_no_string(path: Path) -> None:
    database = SqliteDatabase(path, durability="standard")
    with pytest.raises(strata.StrataError):
        database.connection().row('SELECT "text" FROM settings WHERE name = "x"')
    database.close()
