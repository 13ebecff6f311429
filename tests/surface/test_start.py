"""A simple command loads what it needs and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.surface.conftest import Run

HEAVY = {"asyncio", "numpy", "zstandard", "zoneinfo", "click.shell_completion", "strata.proof"}
PROGRAM = """
import sys
from strata.cli.main import main

try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def loaded_by(*words: str) -> set[str]:
    """Return every module that a fresh process has loaded when a command line ends."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [("--version",), ("get", "k"), ("put", "k", "w")])
def test_simple_commands_stay_light(ok: Run, words: tuple[str, ...]) -> None:
    ok("put", "k", "v")
    loaded = loaded_by(*words)
    assert HEAVY & loaded == set()
    assert "click" in loaded


def test_a_command_loads_only_its_own_module(ok: Run) -> None:
    ok("put", "k", "v")
    own = {name for name in loaded_by("get", "k") if name.startswith("strata.cli.commands.")}
    assert own == {"strata.cli.commands.values"}


def test_reading_on_another_branch_needs_one_process_only(
    process: Run, ok: Run, project: Path
) -> None:
    ok("put", "k", "v")
    ok("fork", "가지", "--switch")
    assert process("get", "k").out == "v\n"
