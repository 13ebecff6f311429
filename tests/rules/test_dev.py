"""The developer commands: listed, documented, and their lock files as pyproject.toml asks."""

import ast
import importlib.util
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def dev(root: Path) -> ModuleType:
    loader = SourceFileLoader("strata_dev", str(root / "dev"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_help_shows_one_line_for_every_command(
    dev: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main([]) == 0
    lines = capsys.readouterr().out.splitlines()[2:]
    assert [line.split()[0] for line in lines] == list(dev.COMMANDS)
    assert all(len(line.split()) > 2 for line in lines)


def test_an_unknown_command_is_refused_with_the_list(
    dev: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(["tset"]) == 2
    shown = capsys.readouterr()
    assert "'tset'" in shown.err
    assert "test" in shown.out


def test_every_command_is_in_the_contributors_guide(dev: ModuleType, root: Path) -> None:
    guide = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\./dev ([a-z]+)", guide)) >= dev.COMMANDS.keys() - {"help"}


def test_compiled_modules_are_cached_where_the_shell_forbids_them(
    dev: ModuleType, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    dev.main(["help"])
    ask = "import sys; print(sys.dont_write_bytecode, sys.pycache_prefix)"
    said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", str(root / ".venv" / "pycache")]


def test_the_locks_follow_from_pyproject(dev: ModuleType) -> None:
    assert dev.stale_files() == ""


def test_a_changed_requirement_makes_the_locks_stale(
    dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = dev.PYPROJECT.read_text(encoding="utf-8").replace("msgspec>=", "msgspec>")
    (tmp_path / "pyproject.toml").write_text(changed, encoding="utf-8")
    monkeypatch.setattr(dev, "PYPROJECT", tmp_path / "pyproject.toml")
    assert dev.stale_files() == "requirements.lock and requirements-bench.lock: run ./dev lock"


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-bench.lock"])
def test_every_locked_requirement_is_pinned_and_hashed(root: Path, name: str) -> None:
    text = (root / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines
    assert [line for line in lines if "==" not in line or "--hash=sha256:" not in line] == []


def test_the_installer_is_itself_locked(dev: ModuleType) -> None:
    requirement = dev.locked_requirement("uv")
    assert re.match(r"uv==[\d.]+ \\\n", requirement)
    assert requirement.count("==") == 1
    assert requirement.count("--hash=sha256:") > 1
    assert requirement.endswith("\n")
    assert not requirement.rstrip().endswith("\\")


def test_paths_typed_in_a_subfolder_are_found(dev: ModuleType, root: Path) -> None:
    here = root / "tests"
    assert dev.rooted("rules/test_dev.py::test_x", here) == f"{here}/rules/test_dev.py::test_x"
    assert dev.rooted("tests/rules/test_dev.py", here) == "tests/rules/test_dev.py"
    assert dev.rooted("merge", here) == "merge"
    assert dev.rooted("-k", here) == "-k"


def test_tests_run_in_two_processes_unless_told_otherwise(dev: ModuleType) -> None:
    assert dev.workers(["-k", "merge"]) == ["-n", "2"]
    for argument in ("-n4", "--pdb", "-s", "tests/unit/test_a.py::test_b"):
        assert dev.workers([argument]) == []


def test_an_old_python_gets_as_far_as_the_explanation(root: Path) -> None:
    ast.parse((root / "dev").read_text(encoding="utf-8"), feature_version=(3, 7))
