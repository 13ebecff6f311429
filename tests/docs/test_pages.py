"""Every example in docs runs as written; test_installed.py runs those of the README."""

import os
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from strata.cli.main import cli
from tests.docs.code import python_of
from tests.docs.examples import (
    README,
    ROOT,
    Printed,
    Step,
    blocks,
    name_of,
    run_commands,
    shell,
    shows,
    steps,
    variables_of,
    words_of,
)

PAGES = sorted((ROOT / "docs").rglob("*.md"))


def with_blocks(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


@pytest.mark.parametrize("page", with_blocks("python"), ids=name_of)
def test_the_python_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(python_of(page), name_of(page), "exec"), {})


@pytest.mark.parametrize("page", with_blocks("console"), ids=name_of)
def test_the_commands_of_a_page_print_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = variables_of(Path(sys.executable).parent)
    in_a_shell = shell(tmp_path, variables)
    monkeypatch.chdir(tmp_path)
    for name in os.environ.keys() - variables.keys():
        monkeypatch.delenv(name)

    def run(command: str) -> Printed:
        words = words_of(command)
        if not words:
            return in_a_shell(command)
        done = CliRunner().invoke(cli, words[1:])
        return Printed(done.exit_code, done.stdout, done.stderr)

    run_commands(page, tmp_path, run)


def test_there_are_pages_to_run() -> None:
    assert len(with_blocks("python")) >= 3
    assert len(with_blocks("console")) >= 5


def test_an_expected_line_is_compared_and_a_wrong_one_noticed() -> None:
    assert shows("a  b\nc\n", "a b")
    assert shows("deploy/target 가\n", "… target")
    assert not shows("a b\n", "a")
    assert not shows("a b\n", "… c")
    assert steps("$ one\nx\n$ two\n") == [Step("one", ["x"]), Step("two", [])]


def test_a_command_that_needs_a_shell_is_told_from_one_that_does_not() -> None:
    assert words_of("strata put 키 'a | b' \"c d\"") == ["strata", "put", "키", "a | b", "c d"]
    for command in ("echo x", "strata get k|cat", "strata get $K", "! strata get k", "strata a;b"):
        assert words_of(command) == []


@pytest.mark.parametrize("page", [README, *PAGES], ids=name_of)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)
    places = [target for target in targets if "://" not in target]
    missing = [target for target in places if not (page.parent / target).exists()]
    assert not missing, f"{name_of(page)} links to {missing}"
