"""Backups, restores and bundles of whole stores."""

from pathlib import Path

import pytest

import strata
from strata import AlreadyExists, Locked, NotAStore, StoreNotFound, StrataError


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A closed store with one value in it."""
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard") as db:
        db.kv.put("k", "값")
    return path


def read(path: Path) -> object:
    with strata.open(path, read_only=True) as db:
        found = db.kv.get("k")
        return None if found is None else found.value


def test_a_backup_takes_paths_as_text_too(made: Path, tmp_path: Path) -> None:
    with strata.open(made) as db:
        db.backup(str(tmp_path / "copy"))
    strata.restore(str(tmp_path / "copy"), str(tmp_path / "back.db"))
    assert read(tmp_path / "back.db") == "값"


def test_a_backup_is_private_and_complete(made: Path, tmp_path: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    with strata.open(made) as db:
        done = db.backup(tmp_path / "copy", progress=lambda *step: steps.append(step))
    assert done.size_bytes == (tmp_path / "copy").stat().st_size
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600
    assert steps[-1][1] == steps[-1][2] > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "store.db"]


def test_a_missing_folder_is_an_error_of_ours(made: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "없는 곳" / "copy"
    with strata.open(made) as db, pytest.raises(StrataError):
        db.backup(nowhere)
    with pytest.raises(StrataError):
        strata.restore(made, nowhere)


def test_a_restore_needs_force_and_nobody_else(made: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    with strata.open(made, durability="standard") as db:
        db.backup(copy)
        db.kv.put("k", "later")
        with pytest.raises(AlreadyExists):
            strata.restore(copy, made)
        with pytest.raises(Locked):
            strata.restore(copy, made, force=True)
        found = db.kv.get("k")
        assert found is not None
        assert found.value == "later"
        assert db.kv.put("still", "writable").version == 3
    strata.restore(copy, made, force=True)
    assert read(made) == "값"


def test_what_is_no_backup_is_not_restored(made: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("안녕\n" * 100, encoding="utf-8")
    for name, error in (("empty", NotAStore), ("text", NotAStore), ("absent", StoreNotFound)):
        with pytest.raises(error):
            strata.restore(tmp_path / name, made, force=True)
    assert read(made) == "값"
    assert not (tmp_path / "absent").exists()


def test_a_restore_does_not_replace_a_file_of_another_kind(made: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("notes", encoding="utf-8")
    with pytest.raises(StrataError):
        strata.restore(made, other, force=True)
    assert other.read_text(encoding="utf-8") == "notes"


def test_a_store_in_memory_can_be_backed_up(tmp_path: Path) -> None:
    with strata.open(durability="cache") as db:
        db.kv.put("k", "값")
        assert db.backup(tmp_path / "copy").version == 1
    assert read(tmp_path / "copy") == "값"


@pytest.mark.slow
def test_a_large_repetitive_value_travels_in_a_bundle(tmp_path: Path) -> None:
    with strata.open(durability="cache") as db:
        db.kv.put("zeros", "0" * 15_000_000)
        db.bundles.export(tmp_path / "bundle")
        db.bundles.load(tmp_path / "bundle", branch="copy")
        found = db.on("copy").kv.get("zeros")
    assert found is not None
    assert found.value == "0" * 15_000_000


@pytest.mark.slow
def test_compacting_gives_room_back(made: Path) -> None:
    import os

    with strata.open(made, durability="standard") as db:
        for number in range(50):
            db.kv.put("noise", os.urandom(20_000).hex())
            db.kv.put("k", number)
        db.retention.set(max_versions=1)
        db.retention.apply()
        done = db.compact()
        assert done.after_bytes < done.before_bytes / 4
        assert db.verify().ok
    assert read(made) == 49
