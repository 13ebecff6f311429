"""Numbers of keys: checkpoints that are written when they are due, proved, and made again."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.sql import Row, SqliteConnection


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COUNTED_VERSIONS", 4)
    monkeypatch.setattr(limits, "COUNTED_AT_ONCE", 8)


def opened(path: Path, *, read_only: bool = False) -> Workspace:
    return strata.open(path, durability="standard", auto_embed=False, read_only=read_only)


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    """Return a closed store of 14 versions on three branches, one of them without any."""
    path = tmp_path / "store.db"
    with opened(path) as db:
        db.kv.put_many({f"키{number}": number for number in range(9)})
        db.kv.delete("키0")
        db.branches.fork("곁", source="default")
        db.on("곁").kv.delete("키1")
        db.on("곁").kv.put("키2", "둘")
        db.branches.fork("empty", source="곁")
        db.kv.put("a", 1)
        db.kv.put("a", 2)
    return path


@pytest.fixture(name="db")
def fixture_db(path: Path) -> Iterator[Workspace]:
    with opened(path) as db:
        yield db


def ask(path: Path, statement: str) -> list[tuple[object, ...]]:
    """Run a statement behind Strata's back."""
    connection = apsw.Connection(str(path))
    rows = list(connection.execute(statement))
    connection.close()
    return rows


def numbers(db: Workspace) -> list[int]:
    return [db.on(name).kv.count() for name in ("default", "곁", "empty")]


def test_closing_a_store_writes_what_is_due(path: Path) -> None:
    assert ask(path, "SELECT * FROM count_checkpoints") == [(4, 0), (8, 0), (12, 4)]
    assert ask(path, "SELECT branch, version, live FROM counts") == [
        (1, 4, 4),
        (1, 8, 8),
        (2, 12, 7),
    ]


def test_asking_for_a_number_writes_what_is_due(db: Workspace, path: Path) -> None:
    db.kv.put_many({"b": 1, "c": 1})
    before = ask(path, "SELECT max(version) FROM count_checkpoints")
    assert db.kv.count() == 11
    assert (before, ask(path, "SELECT max(version) FROM count_checkpoints")) == ([(12,)], [(16,)])
    assert db.verify().ok


def test_numbers_are_right_where_nothing_can_be_written(path: Path) -> None:
    ask(path, "DELETE FROM counts; DELETE FROM count_checkpoints")
    with opened(path, read_only=True) as db:
        assert (numbers(db), db.info().commits) == ([9, 7, 7], 6)
        assert db.verify().ok
    assert ask(path, "SELECT * FROM count_checkpoints") == []


def test_asking_does_not_wait_for_a_writer(
    db: Workspace, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_least: float, _most: float) -> float:
        raise AssertionError("it sleeps until the writer has ended")

    db.kv.put_many({"b": 1, "c": 1})
    writer = apsw.Connection(str(path))
    writer.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("strata.sql.queue._jitter", never)
    assert numbers(db) == [11, 7, 7]
    writer.close()
    assert ask(path, "SELECT max(version) FROM count_checkpoints") == [(12,)]


def test_a_number_is_read_from_the_checkpoint_before_it(db: Workspace) -> None:
    db._store.connection().run("UPDATE counts SET live = 1000 WHERE branch = 1 AND version = 8")
    assert numbers(db) == [1001, 7, 7]
    assert db.info().keys == 1001
    assert [db.at(version).kv.count() for version in (9, 10)] == [1001, 1000]


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE counts SET live = live + 1 WHERE branch = 1 AND version = 8",
        "UPDATE counts SET live = 'x' WHERE branch = 1 AND version = 8",
        "DELETE FROM counts WHERE branch = 2",
        "INSERT INTO counts VALUES (3, 1, 12, 7)",
        "INSERT INTO counts VALUES (3, 1, 5, 7)",
        "UPDATE count_checkpoints SET commits = 9 WHERE version = 12",
        "DELETE FROM count_checkpoints WHERE version = 4",
    ],
)
def test_a_wrong_number_is_found_and_made_anew(path: Path, harm: str) -> None:
    ask(path, harm)
    with opened(path) as db:
        assert any("'counts'" in problem.message for problem in db.verify().problems)
        assert db.reindex().rows > 0
        assert db.verify().problems == ()
        assert numbers(db) == [9, 7, 7]
    assert ask(path, "SELECT * FROM count_checkpoints") == [(4, 0), (8, 0), (12, 4)]


def test_a_purge_drops_the_numbers_behind_what_it_erased(db: Workspace, path: Path) -> None:
    db.purge("키5")
    assert ask(path, "SELECT max(version) FROM count_checkpoints") == [(4,)]
    assert numbers(db) == [8, 6, 6]
    assert ask(path, "SELECT max(version) FROM count_checkpoints") == [(12,)]
    assert db.verify().ok


def test_texts_are_counted_from_a_checkpoint(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(path) as db:
        db.kv.put_many({f"메모 {number}": f"값은 {number}초" for number in range(30)})
        db.documents.create("계획", "# 일정\n\nShip in May.")
        whole = db.embeddings.status().pending
    read: list[int] = []
    row = SqliteConnection.row

    def noted(
        connection: SqliteConnection, statement: str, values: Sequence[int] = ()
    ) -> Row | None:
        if "FROM texts" in statement:
            read.append(values[1] - values[0])
        return row(connection, statement, values)

    monkeypatch.setattr(SqliteConnection, "row", noted)
    with opened(path) as db:
        assert db.embeddings.status().pending == whole > 30
    assert read
    assert max(read) < 2 * limits.COUNTED_VERSIONS


def test_numbers_of_texts_that_are_wrong_are_found_and_made_again(path: Path) -> None:
    with opened(path) as db:
        db.kv.put_many({f"메모 {number}": f"값은 {number}초" for number in range(30)})
        whole = db.embeddings.status().pending
    ask(path, "UPDATE text_counts SET wide = wide + 7 WHERE version = 16")
    with opened(path) as db:
        assert not db.verify().ok
        db.reindex()
        assert db.verify().ok
        assert db.embeddings.status().pending == whole


def test_a_text_that_is_taken_out_no_longer_counts(db: Workspace) -> None:
    db.kv.put_many({f"메모 {number}": f"값은 {number}초" for number in range(30)})
    whole = db.embeddings.status().pending
    db.purge("메모 3")
    assert db.embeddings.status().pending < whole
    db.kv.put("메모 4", "새 값")
    whole = db.embeddings.status().pending
    db.retention.set(max_versions=1)
    db.retention.apply()
    assert db.embeddings.status().pending < whole
    assert db.verify().ok
