"""The examples of README and docs, and how they are run."""

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Commands of a checkout that would build an environment or run these tests again, and the
# installation from one, which tests/docs/test_installed.py does.
BUILDS = ("./dev test", "./dev strata", "./dev serve", "pip install")


class Step(NamedTuple):
    """A command and the lines that must appear in what it prints."""

    command: str
    expected: list[str]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [body for name, body in BLOCK.findall(text) if name == language]


def steps(console: str) -> list[Step]:
    found: list[Step] = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append(Step(line[2:], []))
        elif line.strip():
            found[-1].expected.append(line)
    return found


def shows(output: str, expected: str) -> bool:
    """Whether a line is printed; a leading … leaves open what is around the rest."""
    lines = [" ".join(line.split()) for line in output.splitlines()]
    if expected.startswith("… "):
        return any(expected[2:].strip() in line for line in lines)
    return " ".join(expected.split()) in lines


def variables_of(programs: Path) -> dict[str, str]:
    """The variables of a shell that finds programs in this folder first, and no other store."""
    variables = {name: text for name, text in os.environ.items() if "STRATA" not in name}
    variables["PATH"] = f"{programs}{os.pathsep}{variables['PATH']}"
    return variables


def run_commands(page: Path, project: Path, variables: dict[str, str]) -> None:
    """Run the commands of a page in a project and compare what they print."""
    (project / ".git").mkdir()  # a project, so that the store is made in this folder
    for command, expected in (step for body in blocks(page, "console") for step in steps(body)):
        if command.startswith(BUILDS):
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=project,
            env=variables,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        for line in expected:
            assert shows(done.stdout, line), f"{command}\nprinted\n{done.stdout}not\n{line}"
