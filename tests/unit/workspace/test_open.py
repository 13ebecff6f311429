"""Opening a file: ours, empty, foreign, newer, or not to be written."""

import os
from pathlib import Path
from typing import Any

import apsw
import pytest

import strata
from strata import (
    InvalidArgument,
    NewerFormat,
    NotAStore,
    ReadOnly,
    StoreNotFound,
    Unavailable,
    Workspace,
)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    path = tmp_path / "가게.db"
    with strata.open(path, durability="standard") as db:
        db.kv.put("k", "값")
    return path


def foreign(path: Path, *statements: str) -> bytes:
    with apsw.Connection(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return path.read_bytes()


def refused(path: Path, error: type[Exception], **options: Any) -> None:
    """Open a path, expect an error, and see that the file is the same byte for byte."""
    before = path.read_bytes()
    with pytest.raises(error):
        strata.open(path, **options)
    assert path.read_bytes() == before
    assert [found.name for found in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_database_of_another_program_is_left_alone(tmp_path: Path, *, read_only: bool) -> None:
    path = tmp_path / "theirs.db"
    before = foreign(path, "CREATE TABLE note (text)", "INSERT INTO note VALUES ('secret')")
    assert before[18:20] == b"\x01\x01", "the journal mode is the old one"
    refused(path, NotAStore, read_only=read_only)


@pytest.mark.parametrize("read_only", [False, True])
def test_an_unknown_application_is_left_alone(tmp_path: Path, *, read_only: bool) -> None:
    path = tmp_path / "theirs.db"
    foreign(path, "PRAGMA application_id = 77")
    refused(path, NotAStore, read_only=read_only)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    "content", [b"x", b"hello", "안녕하세요\n".encode() * 300, b"SQLite format 3\0", b"\0" * 5000]
)
def test_a_file_that_is_no_database_is_left_alone(
    tmp_path: Path, content: bytes, *, read_only: bool
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    refused(path, strata.StrataError, read_only=read_only)


def test_an_empty_file_becomes_a_store_only_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    refused(path, NotAStore, read_only=True)
    with strata.open(path, durability="standard") as db:
        assert db.kv.put("k", 1).version == 1


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_format_is_refused_untouched(made: Path, *, read_only: bool) -> None:
    connection = apsw.Connection(str(made))
    connection.pragma("user_version", 99)
    connection.close()
    before = made.read_bytes()
    with pytest.raises(NewerFormat) as caught:
        strata.open(made, read_only=read_only)
    assert caught.value.details["found"] == 99
    assert made.read_bytes() == before


def test_a_store_that_becomes_newer_is_not_written_any_more(made: Path) -> None:
    with strata.open(made, durability="standard") as db:
        db.kv.put("k", 1)
        other = apsw.Connection(str(made))
        # The store may just seal its index in the background.
        other.set_busy_timeout(30_000)
        other.execute("UPDATE catalog SET generation = generation + 1")
        other.pragma("user_version", 99)
        other.close()
        with pytest.raises(NewerFormat):
            db.kv.put("k", 2)
        with pytest.raises(NewerFormat):
            db.kv.put_many({"k": 2})


def test_reading_only_reads_everything_and_writes_nothing(made: Path) -> None:
    before = made.read_bytes()
    with strata.open(made, read_only=True) as db:
        found = db.kv.get("k")
        assert found is not None
        assert found.value == "값"
        assert db.read_only
        assert db.verify().ok
        assert db.info().read_only
        for call in writes(db):
            with pytest.raises(ReadOnly):
                call()
        with db.transaction(read_only=True) as tx:
            assert tx.kv.list() == ["k"]
    assert made.read_bytes() == before


def writes(db: Workspace) -> list[Any]:
    return [
        lambda: db.kv.put("k", 1),
        lambda: db.events.append("a", 1),
        lambda: db.branches.fork("try"),
        lambda: db.tags.create("v1"),
        lambda: db.settings.set("actor", "me"),
        db.retention.apply,
        lambda: db.leases.acquire("work"),
        lambda: db.purge("k"),
        db.compact,
        db.undo,
        lambda: db.transact(lambda tx: tx.kv.put("k", 1)),
    ]


def test_a_reader_follows_a_writer(made: Path) -> None:
    with (
        strata.open(made, durability="standard") as db,
        strata.open(made, read_only=True) as reader,
    ):
        db.kv.put("k", "neu")
        db.branches.fork("try")
        found = reader.kv.get("k")
        assert found is not None
        assert found.value == "neu"
        assert reader.branches.exists("try")


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_write_protected_file_in_a_protected_folder_can_be_read(made: Path) -> None:
    made.chmod(0o400)
    made.parent.chmod(0o500)
    try:
        with strata.open(made, read_only=True) as db:
            found = db.kv.get("k")
            assert found is not None
            assert found.value == "값"
    finally:
        made.parent.chmod(0o700)
        made.chmod(0o600)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_write_protected_file_is_refused_for_writing(made: Path) -> None:
    made.chmod(0o400)
    with pytest.raises((ReadOnly, Unavailable)), strata.open(made) as db:
        db.kv.put("k", 1)


def test_odd_characters_in_a_path_are_no_trouble(tmp_path: Path) -> None:
    folder = tmp_path / "한글 ? # % & 🙂"
    folder.mkdir()
    path = folder / "a b?mode=memory#x%20.db"
    with strata.open(path, durability="standard") as db:
        db.kv.put("k", 1)
        db.backup(folder / "copy %41.db")
        db.bundles.export(folder / "bundle ?")
    assert path.exists()
    strata.restore(folder / "copy %41.db", folder / "back#.db")
    for name in (path, folder / "back#.db"):
        with strata.open(name, read_only=True) as db:
            assert db.kv.exists("k")


def test_a_store_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(StoreNotFound):
            strata.open(tmp_path / "none.db", **options)  # pyright: ignore[reportArgumentType]
    with pytest.raises(StoreNotFound):
        strata.open(tmp_path / "no folder" / "none.db")
    assert list(tmp_path.iterdir()) == []


def test_a_closed_store_says_so_and_closes_again(db: Workspace) -> None:
    view = db.on("default")
    db.close()
    db.close()
    for call in (lambda: db.kv.get("k"), lambda: view.kv.put("k", 1), db.verify):
        with pytest.raises(Unavailable):
            call()


def test_two_stores_in_memory_share_nothing() -> None:
    with strata.open(durability="cache") as one, strata.open(durability="cache") as two:
        one.kv.put("k", 1)
        assert two.kv.get("k") is None


def test_a_with_block_of_a_view_leaves_the_store_open(tmp_path: Path) -> None:
    with strata.open(tmp_path / "store.db") as db:
        db.kv.put("k", "값")
        db.branches.fork("try")
        with db.on("try") as work, work.space("메모") as notes, db.at(1) as past:
            notes.kv.put("k", 1)
            assert past.kv.get("k") is not None
        with db.as_actor("소연") as named, db.allowing_secrets() as open_minded:
            assert named.kv.get("k") == open_minded.kv.get("k")
        assert db.on("try").space("메모").kv.list() == ["k"]
    with pytest.raises(strata.StrataError, match="closed"):
        db.kv.get("k")


def test_a_store_in_memory_has_no_path() -> None:
    with pytest.raises(InvalidArgument, match="no path"):
        strata.open(":memory:")
    assert not Path(":memory:").exists()
