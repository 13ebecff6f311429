"""`strata doc import` and `export`: a folder of markdown in the shell."""

from pathlib import Path

import pytest

from tests.surface.conftest import Run

PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'


@pytest.fixture
def notes(project: Path) -> Path:
    folder = project / "notes"
    (folder / "일").mkdir(parents=True)
    (folder / "Plan.md").write_text("# Plan\n\nSee [[Budget]] and [[nowhere]].\n")
    (folder / "일" / "Budget.md").write_text("돈\n", encoding="utf-8")
    (folder / ".obsidian").mkdir()
    return folder


def test_an_import_tells_what_it_took_in(ok: Run, notes: Path) -> None:
    first = ok("doc", "import", notes)
    assert first.out.splitlines() == [
        "2 notes, 0 images and 0 other files in 1 folder",
        "2 new",
        "1 hidden, left alone",
        "1 of 2 links lead somewhere",
    ]
    assert "skipped" not in first.err
    again = ok("doc", "import", notes)
    assert "2 unchanged" in again.out
    assert "in 1 folder" in again.out


def test_a_preview_names_what_would_be_done(ok: Run, notes: Path) -> None:
    ok("doc", "import", notes)
    (notes / "Plan.md").rename(notes / "일" / "계획.md")
    (notes / "일" / "Budget.md").unlink()
    (notes / "New.md").write_text("new")
    shown = ok("doc", "import", notes, "--delete", "--preview").out.splitlines()
    assert "  Plan.md → 일/계획.md" in shown
    assert shown[shown.index("new:") + 1] == "  New.md"
    assert shown[shown.index("gone from the folder, put into the trash:") + 1] == "  일/Budget.md"
    assert shown[-1] == "Nothing was written: this is a preview."
    titles = [item["title"] for item in ok("doc", "list", "--json").json["items"]]
    assert sorted(titles) == ["Budget", "Plan"]


def test_a_long_preview_is_cut_and_json_is_whole(ok: Run, notes: Path) -> None:
    for number in range(150):
        (notes / f"{number}.md").write_text(f"# {number}\n")
    assert (
        "  … and 132 more (--json names them all)"
        in ok("doc", "import", notes, "--preview").out.splitlines()
    )
    assert len(ok("doc", "import", notes, "--preview", "--json").json["steps"]) == 152


def test_what_is_gone_stays_until_it_may_go(ok: Run, notes: Path) -> None:
    ok("doc", "import", notes)
    (notes / "일" / "Budget.md").unlink()
    kept = ok("doc", "import", notes)
    assert "1 no longer in the folder, kept here: 일/Budget.md" in kept.err
    assert "--delete" in kept.err
    gone = ok("doc", "import", notes, "--delete")
    assert "1 gone from the folder, put into the trash" in gone.out
    assert "no longer" not in gone.err + ok("doc", "import", notes).err
    ok("doc", "trash", "Budget", "--undo")
    assert ok("doc", "show", "Budget").out == "돈\n"


def test_an_empty_folder_is_not_believed(ok: Run, run: Run, notes: Path) -> None:
    ok("doc", "import", notes)
    notes.rename(notes.with_name("moved"))
    notes.mkdir()
    refused = run("doc", "import", notes, "--delete")
    assert refused.code != 0
    assert "is empty" in refused.err


def test_images_go_out_and_come_back_elsewhere(ok: Run, project: Path, tmp_path: Path) -> None:
    (project / "점.svg").write_bytes(PIXEL)
    ok("doc", "new", "Plan: A", "# 그림\n")
    mark = ok("doc", "attach", "Plan: A", "점.svg").out.strip()
    ok("doc", "edit", "Plan: A", "--replace", "# 그림", f"# 그림\n\n{mark}")
    text = ok("doc", "show", "Plan: A").out
    out = tmp_path / "out"
    written = ok("doc", "export", out)
    assert "1 note, 1 image and 0 other files in 1 folder" in written.out
    assert (out / "attachments" / "점.svg").read_bytes() == PIXEL
    assert (out / "Plan- A.md").read_bytes() == text.encode()
    other = tmp_path / "other.db"
    ok("--db", other, "doc", "import", out)
    assert ok("--db", other, "doc", "show", "Plan: A").out == text
    ok("--db", other, "doc", "export", tmp_path / "again")
    assert (tmp_path / "again" / "attachments" / "점.svg").read_bytes() == PIXEL


def test_an_exported_folder_is_edited_and_taken_in_again(ok: Run, run: Run, project: Path) -> None:
    ok("doc", "new", "계획", "# 목표\n")
    ok("doc", "export", "copy")
    (project / "copy" / "계획.md").write_text("# 새 목표\n", encoding="utf-8")
    refused = run("doc", "export", "copy")
    assert refused.code != 0
    assert "계획.md" in refused.err
    assert "1 changed in the folder" in ok("doc", "import", "copy").out
    assert ok("doc", "show", "계획").out == "# 새 목표\n"
    assert "1 there already" in ok("doc", "export", "copy").out


def test_words_that_both_sides_changed_wait_as_suggestions(ok: Run, notes: Path) -> None:
    ok("doc", "import", notes)
    ok("doc", "edit", "Budget", "--replace", "돈", "우리 돈")
    (notes / "일" / "Budget.md").write_text("많은 돈\n", encoding="utf-8")
    both = ok("doc", "import", notes)
    assert "1 changed on both sides and merged" in both.out
    assert "wait as suggestions" in both.err


def test_a_secret_in_a_note_is_told(ok: Run, notes: Path) -> None:
    (notes / "keys.md").write_text("dsn: postgres://app:" + "tr0ub4dor" + "@db/app\n")
    assert "1 possible secret taken in" in ok("doc", "import", notes).err
