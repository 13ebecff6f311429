"""`strata doc`: documents in the shell."""

import os
import stat
import sys
from pathlib import Path

import pytest

from strata.cli.commands import documents
from tests.surface.conftest import Run

TEXT = "# 목표\n\nShip in May. See [[Budget]].\n\n## 일정 😀\n\n5월.\n"


@pytest.fixture
def plan(run: Run) -> str:
    return run("doc", "new", "계획", TEXT).out.strip()


def test_a_document_is_made_and_printed_byte_for_byte(run: Run, plan: str) -> None:
    assert plan.startswith("doc_")
    assert run("doc", "show", plan).out == TEXT
    assert run("doc", "show", "계획").out == TEXT
    assert run("doc", "show", "계획", "--json").json["text"] == TEXT


def test_a_text_comes_from_the_standard_input(run: Run) -> None:
    run("doc", "new", "From a pipe", "--file", "-", input="파이프\r\n")
    assert run("doc", "show", "From a pipe", "--json").json["text"] == "파이프\r\n"


def test_bytes_that_are_no_text_are_refused(run: Run, project: Path) -> None:
    (project / "bad.md").write_bytes(b"ok \xff")
    refused = run("doc", "new", "Bad", "--file", "bad.md")
    assert refused.code != 0
    assert "byte 3" in refused.err
    assert run("doc", "list", "--json").code != 0 or not run("doc", "list", "--json").json["items"]


def test_a_first_document_that_is_refused_leaves_no_store(run: Run, project: Path) -> None:
    assert run("doc", "new", "계획", "--folder", "없는 폴더").code == 1
    assert run("doc", "new", "Plan", "--template", "Form").code == 1
    assert list(project.rglob("*.db")) == []
    assert run("doc", "list").code == 1


def test_a_section_can_be_printed_alone(run: Run, plan: str) -> None:
    assert run("doc", "show", plan, "--section", "목표 > 일정 😀").out == "## 일정 😀\n\n5월.\n"
    missed = run("doc", "show", plan, "--section", "일저")
    assert missed.code != 0
    assert "일정" in missed.err


def test_the_outline_shows_headings(run: Run, plan: str) -> None:
    lines = run("doc", "show", plan, "--outline").out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["목표", "일정"]


def test_words_are_replaced(run: Run, plan: str) -> None:
    run("doc", "edit", plan, "--replace", "May", "유월")
    assert "Ship in 유월." in run("doc", "show", plan).out
    missed = run("doc", "edit", plan, "--replace", "May", "x")
    assert missed.code != 0
    assert "does not occur" in missed.err


def test_without_a_terminal_no_editor_is_opened(
    run: Run, plan: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", str(_editor(project, "text.replace('May', '오월')")))
    refused = run("doc", "edit", plan, input="")
    assert refused.code == 2
    assert "--file" in refused.err
    assert "--replace" in refused.err
    assert run("doc", "show", plan).out == TEXT


def test_an_editor_changes_the_text(
    run: Run, plan: str, project: Path, monkeypatch: pytest.MonkeyPatch, terminal: None
) -> None:
    editor = _editor(project, "text.replace('May', '오월')")
    monkeypatch.setenv("VISUAL", str(editor))
    assert "version" in run("doc", "edit", plan).out
    assert run("doc", "show", plan).out == TEXT.replace("May", "오월")


def test_an_editor_that_saves_nothing_changes_nothing(
    run: Run, plan: str, project: Path, monkeypatch: pytest.MonkeyPatch, terminal: None
) -> None:
    monkeypatch.setenv("VISUAL", str(_editor(project, "text")))
    assert "nothing changed" in run("doc", "edit", plan).out


def test_what_others_wrote_meanwhile_is_kept(
    run: Run, plan: str, project: Path, monkeypatch: pytest.MonkeyPatch, terminal: None
) -> None:
    # The editor itself lets somebody else write before it saves.
    other = f"import strata; db = strata.open(); db.documents.edit({plan!r}, '5월.', '6월.')"
    editor = _editor(project, "text.replace('May', '오월')", before=other)
    monkeypatch.setenv("VISUAL", str(editor))
    run("doc", "edit", plan)
    assert run("doc", "show", plan).out == TEXT.replace("May", "오월").replace("5월.", "6월.")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands believe that a person can type into an editor."""
    monkeypatch.setattr(documents, "has_terminal", lambda: True)


def _editor(project: Path, change: str, *, before: str = "") -> Path:
    """Make a program that changes the file it is given, as an editor does."""
    path = project / "editor.py"
    path.write_text(
        f"#!{sys.executable}\n"
        "import os, sys, pathlib\n"
        f"{before}\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "text = path.read_text(encoding='utf-8')\n"
        f"new = {change}\n"
        "if new != text:\n"
        "    path.write_text(new, encoding='utf-8')\n"
        "    os.utime(path, (2_000_000_000, 2_000_000_000))\n",
        encoding="utf-8",
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_history_diff_blame_and_restore(run: Run, plan: str) -> None:
    run("doc", "name", plan, "초안")
    run("--actor", "claude", "doc", "edit", plan, "--replace", "May", "유월")
    versions = run("doc", "history", plan, "--json").json["versions"]
    assert [one["operation"] for one in versions] == ["edit", "create"]
    assert versions[1]["name"] == "초안"
    shown = run("doc", "diff", plan).out.splitlines()
    assert "-Ship in May. See [[Budget]]." in shown
    assert "+Ship in 유월. See [[Budget]]." in shown
    assert "claude" in run("doc", "blame", plan).out
    run("doc", "restore", plan, "초안")
    assert run("doc", "show", plan).out == TEXT
    assert run("doc", "show", plan, "--version", versions[0]["version"]).out != TEXT


def test_documents_are_listed_searched_and_drawn(run: Run, plan: str) -> None:
    run("doc", "new", "Budget", "돈이 든다")
    assert "계획" in run("doc").out
    items = run("doc", "list", "--json").json["items"]
    assert {item["title"] for item in items} == {"계획", "Budget"}
    assert "Budget" in run("doc", "search", "돈이").out
    assert "→ Budget  (wiki)" in run("doc", "graph", plan).out
    assert '["Budget"]' in run("doc", "graph", plan, "--mermaid").out


def test_the_trash_hides_and_gives_back(run: Run, plan: str) -> None:
    run("doc", "trash", plan)
    assert "계획" not in run("doc", "list").out
    assert "계획" in run("doc", "list", "--status", "trashed").out
    run("doc", "trash", plan, "--undo")
    assert "계획" in run("doc", "list").out


def test_a_document_is_renamed_moved_and_shared(run: Run, plan: str) -> None:
    run("doc", "rename", plan, "새 계획")
    folder = run("folder", "add", "보관", "--json").json["id"]
    assert "보관" in run("doc", "move", "새 계획", folder).out
    shared = run("doc", "share", "새 계획", "ann@example.com", "--role", "editor", "--json").json
    assert [one["email"] for one in shared["audience"]["pending"]] == ["ann@example.com"]
    run("doc", "share", "새 계획", "ann@example.com", "--remove")
    assert run("doc", "share", "새 계획", "--json").json["audience"]["pending"] == []


def test_acting_for_somebody_shows_what_they_may_see(run: Run, plan: str) -> None:
    run("user", "add", "ann@example.com", "--name", "Ann")
    hidden = run("--user", "ann@example.com", "doc", "show", plan)
    never = run("--user", "ann@example.com", "doc", "show", "doc_01JABCDEFGHJKMNPQRSTVWXYZ0")
    assert hidden.code == never.code != 0
    assert hidden.err.replace(plan, "ID") == never.err.replace(
        "doc_01JABCDEFGHJKMNPQRSTVWXYZ0", "ID"
    )
    run("doc", "share", plan, "ann@example.com")
    assert run("--user", "ann@example.com", "doc", "show", plan).out == TEXT
    refused = run("--user", "ann@example.com", "doc", "edit", plan, "--replace", "May", "x")
    assert refused.code != 0
    assert "editor" in refused.err


def test_a_template_is_filled_in(run: Run) -> None:
    run("folder", "add", "틀", "--templates")
    text = "---\nvariables: [project]\n---\n# {{project}}\n"
    run("doc", "new", "Kickoff", "--file", "-", "--folder", "틀", input=text)
    run("doc", "new", "첫 회의", "--template", "Kickoff", "--set", "project=한강")
    assert run("doc", "show", "첫 회의").out == "# 한강\n"


def test_a_folder_goes_in_and_comes_back_byte_for_byte(run: Run, project: Path) -> None:
    notes = project / "노트"
    (notes / "하위").mkdir(parents=True)
    (notes / "Plan.md").write_bytes("# Plan\r\n\r\n[[하위/예산|돈]]\r\n".encode())
    (notes / "하위" / "예산.md").write_bytes("돈".encode())
    taken = run("doc", "import", notes)
    assert "2 notes" in taken.out, taken.err
    run("doc", "export", project / "copy")
    found = {path.name: path.read_bytes() for path in (project / "copy").rglob("*.md")}
    assert found == {path.name: path.read_bytes() for path in notes.rglob("*.md")}


def test_two_documents_of_one_title_must_be_named_by_id(run: Run, plan: str) -> None:
    run("doc", "new", "계획", "둘째")
    asked = run("doc", "show", "계획")
    assert asked.code != 0
    assert plan in asked.err


@pytest.mark.skipif(os.name == "nt", reason="the shell is another one")
def test_a_failed_save_leaves_the_text_in_a_file(
    run: Run, plan: str, project: Path, monkeypatch: pytest.MonkeyPatch, terminal: None
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    monkeypatch.setenv("VISUAL", str(_editor(project, f"text + 'token {secret}'")))
    refused = run("doc", "edit", plan)
    assert refused.code != 0
    assert secret in (project / f"{plan}.rescued.md").read_text(encoding="utf-8")
    assert run("doc", "show", plan).out == TEXT


def test_a_text_may_begin_with_frontmatter(run: Run) -> None:
    text = "---\ntags: [출시]\n---\n# 목표\n"
    run("doc", "new", "Launch", text)
    assert run("doc", "show", "Launch").out == text
    run("doc", "edit", "Launch", "--replace", "---\ntags", "---\nlabels")
    assert run("doc", "show", "Launch").out.startswith("---\nlabels")
    assert run("doc", "new", "x", "--unknown").code == 2
