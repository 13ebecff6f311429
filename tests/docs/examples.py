"""The examples of README and docs, and how they are run."""

import os
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Commands of a checkout that would build an environment or run these tests again, and the
# installation from one, which tests/docs/test_installed.py does.
BUILDS = ("./dev test", "./dev strata", "./dev serve", "pip install")


# What a shell reads in another way than as it is written, and what joins commands.
SHELL_CHARACTERS = frozenset("$`*?[~!\\")
JOINS = frozenset("();<>|&")


class Printed(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


Shell: TypeAlias = Callable[[str], Printed]


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


def words_of(command: str) -> list[str]:
    """Split a call of strata that needs no shell into its words; others have none."""
    if SHELL_CHARACTERS & set(command):
        return []
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words = list(lexer)
    joins = any(set(word) <= JOINS for word in words)
    return [] if joins or words[0] != "strata" else words


def variables_of(programs: Path) -> dict[str, str]:
    """The variables of a shell that finds programs in this folder first, and no other store."""
    # A hook has all the time that it needs on a busy machine.
    kept = ("STRATA_HOOK_SECONDS",)
    variables = {
        name: text for name, text in os.environ.items() if "STRATA" not in name or name in kept
    }
    variables["PATH"] = f"{programs}{os.pathsep}{variables['PATH']}"
    return variables


def shell(project: Path, variables: dict[str, str]) -> Shell:
    """Return what runs a command in a shell of its own."""

    def run(command: str) -> Printed:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=project,
            env=variables,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Printed(done.returncode, done.stdout, done.stderr)

    return run


def run_commands(page: Path, project: Path, run: Shell) -> None:
    """Run the commands of a page in a project and compare what they print."""
    (project / ".git").mkdir()  # a project, so that the store is made in this folder
    for command, expected in (step for body in blocks(page, "console") for step in steps(body)):
        if command.startswith(BUILDS):
            continue
        done = run(command)
        assert done.code == 0, f"{command}\n{done.out}{done.err}"
        for line in expected:
            assert shows(done.out, line), f"{command}\nprinted\n{done.out}not\n{line}"
