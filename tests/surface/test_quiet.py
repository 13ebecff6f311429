"""What the program leaves on a machine, and what it says to others, unless it was asked to."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
# Notes of trusted stores, and the tokens that a user gives to `strata remote add`.
NOTES = (".local/share/strata/trusted/", ".local/share/strata/remote-tokens.json")
PARTS = 4  # of the examples, so that several workers can run them at once


def watch(what: Sequence[str], folder: Path) -> dict[str, Any]:
    """Run a part of `watching.py` in a network where every packet is seen."""
    if sys.platform != "linux":
        pytest.skip("only Linux gives a process a network of its own")
    done = subprocess.run(
        [sys.executable, "-m", "tests.surface.watching", *what],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=900,
    )
    # Where there are no such networks this fails: what was not watched is not known to be quiet.
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def files_below(folder: Path) -> set[str]:
    """Return the files below a folder, by their paths in it."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_connection_or_a_lookup_by_any_program_would_be_seen(project: Path) -> None:
    found = watch(["run_native"], project)["seen"]
    assert ["tcp", "192.0.2.1", 443] in found
    assert [kind for kind, _address, port in found if port == 53]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "what",
    [
        ["run_program"],
        ["run_stdio"],
        ["run_server"],
        *(["run_examples", str(part), str(PARTS)] for part in range(PARTS)),
    ],
    ids=" ".join,
)
def test_nothing_is_sent_and_nothing_left_in_an_empty_home(
    what: list[str], project: Path, tmp_path: Path
) -> None:
    """What the help shows works when pasted, too."""
    found = watch(what, project)
    assert [one for one in found["seen"] if one != ["tcp", "127.0.0.1", found["port"]]] == []
    left = {name for name in files_below(tmp_path / "home") if not name.startswith(NOTES)}
    assert left == set()
