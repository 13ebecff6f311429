"""Stores and backups with damaged bytes: what is refused, and what can still be saved."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import strata
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
    start = data.rindex(MARK) // 4096 * 4096
    data[start : start + 4096] = bytes(4096)
    path.write_bytes(data)


def break_value(path: Path) -> None:
    """Make a value that is no JSON any more."""
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"' + MARK, b"\xff" + MARK))


DAMAGES = pytest.mark.parametrize("damage", [flip_value, zero_page, break_value])


@pytest.fixture
def filled(ok: Run) -> None:
    ok("put", "fact/00", "값 0 " + "x" * 300)
    with strata.open(STORE, durability="standard", auto_embed=False) as db:
        for number in range(1, 30):
            db.kv.put(f"fact/{number:02}", f"값 {number} " + "x" * 300)
        db.kv.put("hurt", MARK.decode() + "y" * 300)
        for number in range(30):
            db.kv.put(f"later/{number:02}", f"값 {number} " + "x" * 300)


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


@DAMAGES
@pytest.mark.usefixtures("filled")
def test_an_export_saves_what_can_be_read_and_names_what_cannot(run: Run, damage: Damage) -> None:
    damage(STORE)
    saved = run("export", "rest.jsonl", "--skip-damaged")
    assert saved.code == 1
    assert "default/kv/hurt" in saved.err
    lines = Path("rest.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    assert len(lines) + saved.err.count("damaged, not written") == 61
    assert len(lines) >= 61 - 20, "one page holds a few values"
    assert "WALUE" not in "".join(lines)
    history = run("export", "past.jsonl", "--history", "--skip-damaged")
    assert history.code == 1
    assert "damaged, not written" in history.err


@pytest.mark.usefixtures("filled")
def test_an_export_of_a_healthy_store_skips_nothing(ok: Run) -> None:
    assert "damaged" not in ok("export", "all.jsonl", "--skip-damaged").err


@DAMAGES
@pytest.mark.usefixtures("filled")
def test_no_bundle_is_made_of_a_damaged_value(run: Run, damage: Damage) -> None:
    damage(STORE)
    refused = run("bundle", "export", "default.bundle")
    assert refused.code == 1
    assert "damaged" in refused.err
    assert not Path("default.bundle").exists()


@pytest.mark.usefixtures("filled")
def test_documents_that_can_be_read_are_saved_from_a_damaged_store(ok: Run, run: Run) -> None:
    for number in range(12):
        ok("doc", "new", f"Doc {number}", f"# 문서 {number}\n\n{os.urandom(400).hex()}\n")
    ok("doc", "new", "Hurt", f"# 문서\n\n{MARK.decode()} {os.urandom(400).hex()}\n")
    for number in range(12, 24):
        ok("doc", "new", f"Doc {number}", f"# 문서 {number}\n\n{os.urandom(400).hex()}\n")
    zero_page(STORE)
    assert run("doc", "export", "all").code == 1
    saved = run("doc", "export", "rest", "--skip-damaged")
    assert saved.code == 1
    assert "skipped" in saved.err
    assert 15 < len(list(Path("rest").glob("*.md"))) < 25


@DAMAGES
@pytest.mark.usefixtures("filled")
def test_doctor_and_reindex_report_damage_and_go_on(run: Run, damage: Damage) -> None:
    damage(STORE)
    assert "fail" in run("doctor", "--deep").out
    found = run("reindex")
    assert found.code == (0 if damage is flip_value else 1)
    assert "cannot be read" in found.out or damage is flip_value


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
