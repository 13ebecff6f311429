"""Every example in README and docs runs as written."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Commands of a checkout that would build an environment or run these tests again.
BUILDS = ("./dev test", "./dev strata", "./dev serve")


class Step(NamedTuple):
    """A command and the lines that must appear in what it prints."""

    command: str
    expected: list[str]


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [body for name, body in BLOCK.findall(text) if name == language]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def steps(console: str) -> list[Step]:
    found: list[Step] = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append(Step(line[2:], []))
        elif line.strip():
            found[-1].expected.append(line)
    return found


def shows(output: str, expected: str) -> bool:
    """Whether a line is printed; a leading … leaves open what stands around the rest."""
    lines = [" ".join(line.split()) for line in output.splitlines()]
    if expected.startswith("… "):
        return any(expected[2:].strip() in line for line in lines)
    return " ".join(expected.split()) in lines


def with_blocks(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


@pytest.mark.parametrize("page", with_blocks("python"), ids=name_of)
def test_the_python_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shared: dict[str, object] = {}
    for body in blocks(page, "python"):
        exec(compile(body, name_of(page), "exec"), shared)


@pytest.mark.parametrize("page", with_blocks("console"), ids=name_of)
def test_the_commands_of_a_page_print_what_it_says(page: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()  # a project, so that the store is made in this folder
    variables = {name: text for name, text in os.environ.items() if "STRATA" not in name}
    variables["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{variables['PATH']}"
    for command, expected in (step for body in blocks(page, "console") for step in steps(body)):
        if command.startswith(BUILDS):
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        for line in expected:
            assert shows(done.stdout, line), f"{command}\nprinted\n{done.stdout}not\n{line}"


def test_there_are_pages_to_run() -> None:
    assert len(with_blocks("python")) >= 3
    assert len(with_blocks("console")) >= 5


def test_an_expected_line_is_compared_and_a_wrong_one_noticed() -> None:
    assert shows("a  b\nc\n", "a b")
    assert shows("deploy/target 가\n", "… target")
    assert not shows("a b\n", "a")
    assert not shows("a b\n", "… c")
    assert steps("$ one\nx\n$ two\n") == [Step("one", ["x"]), Step("two", [])]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)
    places = [target for target in targets if "://" not in target]
    missing = [target for target in places if not (page.parent / target).exists()]
    assert not missing, f"{name_of(page)} links to {missing}"
