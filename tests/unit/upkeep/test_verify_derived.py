"""Verify proves what commits keep beside their versions, and reindex makes numbers anew."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import apsw
import msgspec
import pytest

import strata
from strata import Workspace
from strata.base.values import digest


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("a", "하나")
        db.kv.put("a", "둘")
        db.kv.put("b", 1)
        db.branches.fork("곁", source="default")
        db.on("곁").kv.delete("b")
        db.branches.fork("empty", source="곁")
    return path


@pytest.fixture(name="db")
def fixture_db(path: Path) -> Iterator[Workspace]:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        yield db


def ask(path: Path, statement: str) -> list[tuple[object, ...]]:
    """Run a statement behind Strata's back."""
    connection = apsw.Connection(str(path))
    rows = list(connection.execute(statement))
    connection.close()
    return rows


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (
            "UPDATE branches SET tip_version = 2 WHERE id = 1",
            "the newest commit of branch 'default'",
        ),
        ("UPDATE branches SET tip_time = 2 WHERE id = 2", "the newest commit of branch '곁'"),
        (
            "UPDATE branches SET tip_hash = x'00' WHERE id = 3",
            "the newest commit of branch 'empty'",
        ),
        ("UPDATE branches SET commits = 9 WHERE id = 1", "the newest commit of branch 'default'"),
        ("DELETE FROM branches WHERE id = 3", "has 2 rows, and 3 branches were made"),
        ("UPDATE versions SET replaces = NULL WHERE version = 2", "Version 2 does not name"),
        ("UPDATE versions SET replaces = 1 WHERE version = 3", "Version 3 does not name"),
    ],
)
def test_a_changed_row_is_found(path: Path, harm: str, message: str) -> None:
    ask(path, harm)
    with strata.open(path, read_only=True, auto_embed=False) as db:
        assert any(message in problem.message for problem in db.verify().problems)


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE counts SET live = live + 1 WHERE branch = 1 AND version = 3",
        "DELETE FROM counts WHERE branch = 2",
        "INSERT INTO counts VALUES (3, 1, 5, 7)",
    ],
)
def test_a_wrong_number_is_found_and_made_anew(path: Path, harm: str) -> None:
    ask(path, harm)
    with strata.open(path, durability="standard", auto_embed=False) as db:
        assert any("'counts'" in problem.message for problem in db.verify().problems)
        assert db.reindex().rows > 0
        assert db.verify().ok
        assert (db.kv.count(), db.on("곁").kv.count(), db.on("empty").kv.count()) == (2, 1, 1)


def test_numbers_are_read_without_looking_at_keys(db: Workspace) -> None:
    db._store.connection().run("UPDATE counts SET live = 1234 WHERE branch = 1")
    assert db.kv.count() == 1234
    assert db.info().keys == 1234


def test_the_hash_of_a_commit_is_what_the_format_says(path: Path, db: Workspace) -> None:
    rows = ask(path, "SELECT timestamp, hash FROM versions WHERE version < 3 ORDER BY version")
    previous = b""
    for value, (time, found) in zip(("하나", "둘"), rows, strict=True):
        head = msgspec.json.encode((None, "put", None, ""))
        entry = b"default\0kv\0a\0+" + digest(msgspec.json.encode(value), None)
        body = sha256(head + b"\n" + entry).digest()
        assert isinstance(time, int)
        previous = sha256(previous + time.to_bytes(8, "big") + body).digest()
        assert previous == found
    assert db.verify().ok
