"""A quick look at a file tells what it is, and leaves it as it was."""

from pathlib import Path

import pytest

import strata
from strata import NotAStore
from strata.upkeep import examine


def test_a_sound_store_is_described_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "저장소.db"
    with strata.open(path) as db:
        db.kv.put("k", "값")
        db.backup(tmp_path / "copy")
    before = path.read_bytes()
    found = examine(path)
    assert (found.format, found.journal, found.flaw) == (found.newest_format, "wal", None)
    assert path.read_bytes() == before
    assert examine(tmp_path / "copy").journal == "delete"


def test_a_broken_tree_is_named(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard") as db:
        db.kv.put_many({f"key {number}": "x" * 100 for number in range(500)})
        db.compact()
    data = bytearray(path.read_bytes())
    page = len(data) // 4096 // 2
    data[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(data)
    found = examine(path)
    assert found.flaw is not None
    assert found.flaw != "ok"


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("친애하는 " * 100, encoding="utf-8")
    with pytest.raises(NotAStore):
        examine(path)
