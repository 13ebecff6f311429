"""Every example in docs runs as written; test_installed.py runs those of the README."""

import re
import sys
from pathlib import Path

import pytest

from tests.docs.code import python_of
from tests.docs.examples import (
    README,
    ROOT,
    Step,
    blocks,
    name_of,
    run_commands,
    shows,
    steps,
    variables_of,
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
def test_the_commands_of_a_page_print_what_it_says(page: Path, tmp_path: Path) -> None:
    run_commands(page, tmp_path, variables_of(Path(sys.executable).parent))


def test_there_are_pages_to_run() -> None:
    assert len(with_blocks("python")) >= 3
    assert len(with_blocks("console")) >= 5


def test_an_expected_line_is_compared_and_a_wrong_one_noticed() -> None:
    assert shows("a  b\nc\n", "a b")
    assert shows("deploy/target 가\n", "… target")
    assert not shows("a b\n", "a")
    assert not shows("a b\n", "… c")
    assert steps("$ one\nx\n$ two\n") == [Step("one", ["x"]), Step("two", [])]


@pytest.mark.parametrize("page", [README, *PAGES], ids=name_of)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)
    places = [target for target in targets if "://" not in target]
    missing = [target for target in places if not (page.parent / target).exists()]
    assert not missing, f"{name_of(page)} links to {missing}"
