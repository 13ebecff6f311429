"""Stores and backups with damaged bytes: what is refused, and what can still be saved."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.surface.conftest import Run

STORE = Path(".strata/store.db")
MARK = b"FLIPPEDVALUE"
Damage = Callable[[Path], None]


def flip_value(path: Path) -> None:
    """Change one letter of a value; everything can still be read."""
    data = path.read_bytes()
    assert MARK in data
    path.write_bytes(data.replace(MARK, b"FLIPPEDWALUE"))


def zero_page(path: Path) -> None:
    """Zero the page that a value lies in, as a failing disk does."""
    data = bytearray(path.read_bytes())
    start = data.index(MARK) // 4096 * 4096
    data[start : start + 4096] = bytes(4096)
    path.write_bytes(data)


def break_value(path: Path) -> None:
    """Make a value that is no JSON any more."""
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"' + MARK, b"\xff" + MARK))


DAMAGES = pytest.mark.parametrize("damage", [flip_value, zero_page, break_value])


@pytest.fixture
def filled(ok: Run) -> None:
    for number in range(30):
        ok("put", f"fact/{number:02}", f"값 {number} " + "x" * 300)
    ok("put", "hurt", MARK.decode() + "y" * 300)
    for number in range(30):
        ok("put", f"later/{number:02}", f"값 {number} " + "x" * 300)


@DAMAGES
@pytest.mark.usefixtures("filled")
def test_a_damaged_backup_replaces_nothing(ok: Run, run: Run, damage: Damage) -> None:
    ok("backup", "monday.strata")
    ok("put", "since", "백업 뒤의 값")
    damage(Path("monday.strata"))
    refused = run("restore", "monday.strata", "--force", "--yes")
    assert refused.code == 1
    assert "damaged" in refused.err
    assert ok("get", "since").out.strip() == "백업 뒤의 값"
    assert ok("verify").out.startswith("ok")
    assert [entry.name for entry in STORE.parent.iterdir() if "before" in entry.name] == []


@DAMAGES
@pytest.mark.usefixtures("filled")
def test_a_damaged_store_does_not_replace_the_last_good_backup(
    ok: Run, run: Run, damage: Damage
) -> None:
    ok("backup", "keep.strata")
    good = Path("keep.strata").read_bytes()
    damage(STORE)
    refused = run("backup", "keep.strata", "--force")
    assert refused.code == 1
    assert "damaged" in refused.err
    assert Path("keep.strata").read_bytes() == good


@pytest.mark.usefixtures("filled")
def test_who_is_in_a_hurry_restores_without_looking(ok: Run) -> None:
    ok("backup", "monday.strata")
    flip_value(Path("monday.strata"))
    ok("restore", "monday.strata", "--force", "--yes", "--no-verify")
    assert "FLIPPEDWALUE" in ok("get", "hurt").out
    ok("backup", "again.strata", "--no-verify")


@pytest.mark.usefixtures("filled")
def test_the_store_that_was_replaced_is_kept(ok: Run) -> None:
    ok("backup", "monday.strata")
    ok("put", "since", "백업 뒤의 값")
    ok("restore", "monday.strata", "--force", "--yes")
    kept = STORE.with_name("store.db.before-restore")
    assert ok("--db", kept, "get", "since").out.strip() == "백업 뒤의 값"
    assert ok("--db", kept, "verify").out.startswith("ok")
