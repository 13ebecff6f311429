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


EMBED_AND_SEARCH = """
import sys
import strata

with strata.open(sys.argv[1]) as db:
    db.kv.put_many([(f"k{number}", f"fact {number} of the 결제 서비스") for number in range(40)])
    assert db.embeddings.wait(60)
    for mode in ("keyword", "hybrid"):
        assert db.search("fact of the 결제 서비스", mode=mode, strict=False).hits
assert "numpy" in sys.modules
print(sorted(name for name in sys.modules if name.startswith("numpy.ma.")))
"""


def test_masked_arrays_are_not_loaded_by_embedding_and_searching(tmp_path: Path) -> None:
    # `numpy.unique` loads them at its first call: 7 MB, and 40 ms.
    command = [sys.executable, "-c", EMBED_AND_SEARCH, str(tmp_path / "store.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "[]\n"
