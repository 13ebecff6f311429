"""The contracts of import-linter hold, and LAYOUT.md draws the layers as they are enforced."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

# A line of the drawing: "layer 2   store | …", up to the gap before its explanation.
LAYER = r"^layer \d+ +((?:[a-z]+(?: +\| +)?)+)"


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    """A copy of the source and its contracts, for a test to break."""
    shutil.copytree(root / "src" / "strata", tmp_path / "strata")
    shutil.copy(root / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_layout_page_draws_the_layers_that_are_enforced(root: Path) -> None:
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "layers")
    enforced = [{package.strip() for package in layer.split("|")} for layer in layers]
    page = (root / "LAYOUT.md").read_text(encoding="utf-8")
    drawn = [
        set(re.findall(r"\b[a-z]+\b", packages))
        for packages in re.findall(LAYER, page, re.MULTILINE)
    ]
    assert drawn == [packages for packages in enforced if packages != {"__main__"}]


def test_the_contracts_hold(copy: Path) -> None:
    assert lint(copy) == ""


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("base/limits.py", "import strata.store", "Packages import lower layers only"),
        ("store/__init__.py", "import apsw", "Only sql imports database drivers"),
        ("cli/__init__.py", "import sqlite3", "Only sql imports database drivers"),
        ("memory/__init__.py", "import click", "Only the top layers import protocol libraries"),
        ("cellar/__init__.py", "", "Packages import lower layers only"),
    ],
)
def test_a_wrong_import_breaks_a_contract(copy: Path, module: str, line: str, broken: str) -> None:
    path = copy / "strata" / module
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert f"{broken} BROKEN" in lint(copy)


def test_two_packages_that_import_each_other_break_a_contract(copy: Path) -> None:
    for package, other in (("sql", "store"), ("store", "sql")):
        with (copy / "strata" / package / "__init__.py").open("a", encoding="utf-8") as file:
            file.write(f"\nimport strata.{other}\n")
    assert "No import cycles BROKEN" in lint(copy)


def lint(copy: Path) -> str:
    """Run import-linter; return its report if a contract is broken, nothing if all are kept."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr if done.returncode else ""
