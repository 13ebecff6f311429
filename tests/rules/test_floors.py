"""The floors and doors that import-linter guards: LAYOUT.md shows them, and they hold."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

# A line of the drawing: "floor 2   store | …", up to the gap before its explanation.
FLOOR = r"^floor \d+ +((?:[a-z]+(?: +\| +)?)+)"


@pytest.fixture
def house(root: Path, tmp_path: Path) -> Path:
    """A copy of the source and its contracts, for a test to break."""
    shutil.copytree(root / "src" / "strata", tmp_path / "strata")
    shutil.copy(root / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_layout_page_draws_the_floors_that_are_enforced(root: Path) -> None:
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "floors")
    enforced = [{room.strip(" ()") for room in layer.split("|")} for layer in layers]
    page = (root / "LAYOUT.md").read_text(encoding="utf-8")
    drawn = [
        set(re.findall(r"\b[a-z]+\b", rooms)) for rooms in re.findall(FLOOR, page, re.MULTILINE)
    ]
    assert drawn == [rooms for rooms in enforced if rooms != {"__main__"}]


def test_the_contracts_hold(house: Path) -> None:
    assert lint(house) == ""


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("base/limits.py", "import strata.store", "Calls go down, values come back"),
        ("store/__init__.py", "import apsw", "Only sql talks to a database"),
        ("cli/__init__.py", "import sqlite3", "Only sql talks to a database"),
        ("memory/__init__.py", "import click", "Only the top floor speaks protocols"),
        ("cellar/__init__.py", "", "Calls go down, values come back"),
    ],
)
def test_a_wrong_import_breaks_a_contract(house: Path, module: str, line: str, broken: str) -> None:
    path = house / "strata" / module
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert f"{broken} BROKEN" in lint(house)


def test_two_rooms_that_import_each_other_break_a_contract(house: Path) -> None:
    for room, other in (("sql", "store"), ("store", "sql")):
        with (house / "strata" / room / "__init__.py").open("a", encoding="utf-8") as file:
            file.write(f"\nimport strata.{other}\n")
    assert "No room goes round in circles BROKEN" in lint(house)


def lint(house: Path) -> str:
    """Run import-linter; return what it said if a contract is broken, nothing if all are kept."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"],
        cwd=house,
        env={**os.environ, "PYTHONPATH": str(house), "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr if done.returncode else ""
