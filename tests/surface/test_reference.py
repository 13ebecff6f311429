"""The reference pages are written by the program, and stale ones are noticed."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from strata.reference import CommandPage, ParameterLine, command_page, setting_page
from strata.reference.__main__ import main

Reference: TypeAlias = Callable[..., tuple[int, str]]


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reference:
    """Run the program in this process; return its exit code and what it prints."""

    def run(folder: Path, *options: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["strata.reference", "--folder", str(folder), *options])
        return main(), capsys.readouterr().out

    return run


@pytest.mark.slow
def test_pages_are_written_and_then_found_up_to_date(tmp_path: Path, reference: Reference) -> None:
    folder = tmp_path / "reference"
    code, said = reference(folder, "--check")
    assert (code, folder.exists()) == (1, False)
    assert "cli.md and settings.md" in said
    assert reference(folder)[0] == 0
    assert reference(folder, "--check") == (0, "")
    assert reference(folder) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cli.md", "settings.md"])
def test_a_changed_page_is_noticed_and_mended(
    tmp_path: Path, name: str, reference: Reference
) -> None:
    reference(tmp_path)
    page = tmp_path / name
    fresh = page.read_text(encoding="utf-8")
    page.write_text(fresh.replace("store", "shop"), encoding="utf-8")
    code, said = reference(tmp_path, "--check")
    assert code == 1
    assert said.startswith(f"{name}: ")
    reference(tmp_path)
    assert page.read_text(encoding="utf-8") == fresh


def test_the_pages_of_this_repository_are_up_to_date() -> None:
    command = [sys.executable, "-m", "strata.reference", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_command_is_told_with_its_parameters_and_examples() -> None:
    shared = ParameterLine("--json", "Answer in JSON.", is_option=True, is_shared=True)
    own = ParameterLine("--when [a|b]", "Which.", is_option=True, is_shared=False)
    key = ParameterLine("KEY", "The key.", is_option=False, is_shared=False)
    root = CommandPage("strata", "strata …", "Root.\n\nMore.", (shared,), ("strata get k",))
    get = CommandPage("strata get", "strata get KEY", "Get.", (key, own, shared), ())
    page = command_page([root, get])
    assert "## `strata get`\n" in page
    assert "| `KEY` | The key. |" in page
    assert "| `--when [a\\|b]` | Which. |" in page
    assert "[Shared](#shared-options): `--json`." in page
    assert "```sh\nstrata get k\n```" in page


def test_every_setting_is_told_with_its_variable() -> None:
    page = setting_page()
    assert "## `timezone`" in page
    assert "`STRATA_TIMEZONE`" in page
