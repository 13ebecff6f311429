"""Small things that a newcomer meets on the command line: what to do next is always said."""

from pathlib import Path

import pytest

from tests.surface.conftest import Run


@pytest.fixture(autouse=True)
def fact(ok: Run) -> None:
    ok("put", "photo/limit", "사진은 열두 메가픽셀까지")


def test_a_search_shows_a_document_that_has_the_words(ok: Run) -> None:
    ok("doc", "new", "Plan", "We ship in June")
    found = ok("search", "June", "--mode", "keyword").out
    assert "Plan doc_" in found
    assert "(document)" in found
    assert "We ship in June" in found
    assert "document" not in ok("search", "사진은", "--mode", "keyword").out


def test_a_prefix_that_no_key_has_is_named(ok: Run) -> None:
    assert "begin with zz; `strata list` shows all" in ok("list", "zz").err


def test_a_tag_that_no_key_has_is_no_reason_to_make_a_key(ok: Run) -> None:
    assert "match; `strata list` shows all" in ok("list", "--tag", "없다").err


def test_a_negative_number_is_told_how_to_be_a_value(ok: Run, run: Run) -> None:
    refused = run("put", "neg", "-5")
    assert refused.code == 2
    assert "`-- -5`" in refused.err
    ok("put", "neg", "--", "-5")
    assert ok("get", "neg").out == "-5\n"


def test_a_file_that_is_there_is_replaced_by_the_option_that_is_named(
    ok: Run, run: Run, tmp_path: Path
) -> None:
    ok("backup", tmp_path / "b.strata")
    refused = run("backup", tmp_path / "b.strata")
    assert "--force" in refused.err
    ok("backup", tmp_path / "b.strata", "--force")


def test_a_missing_choice_is_shown_on_one_line(run: Run) -> None:
    shown = run("completion").err
    assert "\t" not in shown
    assert "Choose from: bash, zsh, fish" in shown


def test_set_up_for_all_projects_ends_with_the_step_for_all_projects(ok: Run) -> None:
    assert "in the project" not in ok("setup", "claude-code", "--scope", "user").err
    assert "in the project" in ok("setup", "claude-code", "--scope", "project").err


def test_a_tool_that_makes_a_store_says_where(
    ok: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "no-project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    path = tmp_path / "새것.db"
    first = ok("--db", path, "call", "strata_store", "--key", "a", "--value", "b")
    assert f"made a store at {path}" in first.err
    assert "made a store" not in ok("--db", path, "call", "strata_recall", "--key", "a").err
