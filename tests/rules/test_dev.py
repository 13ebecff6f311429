"""The developer commands: listed, documented, and their lock files as pyproject.toml asks."""

import ast
import importlib.util
import os
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


def test_three_processes_for_two_cores_run_tests_unless_told_otherwise(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "cores", lambda: 6)
    assert dev.workers(["-k", "merge"]) == ["-n", "9", "--dist", "worksteal"]
    for argument in ("-n4", "--pdb", "-s", "tests/unit/test_a.py::test_b"):
        assert dev.workers([argument]) == []


NOT_SLOW = ("-m", "not slow")
WORKERS = ("-n", "3", "--dist", "worksteal")


@pytest.fixture
def started(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of the command that ./dev turned into, paths and options of pytest only."""
    words: list[str] = []

    def become(command: list[object]) -> int:
        words.extend(str(word) for word in command[3:])
        return 0

    monkeypatch.chdir(dev.ROOT)
    for name in ("HYPOTHESIS_PROFILE", "CRASH_TESTS"):
        monkeypatch.setenv(name, "")  # so that it is put back afterwards, whatever ./dev sets
        monkeypatch.delenv(name)
    monkeypatch.setattr(dev, "become", become)
    monkeypatch.setattr(dev, "cores", lambda: 2)
    return words


def test_quick_runs_the_tests_that_start_little(dev: ModuleType, started: list[str]) -> None:
    dev.main(["test", "quick", "-x"])
    assert os.environ["HYPOTHESIS_PROFILE"] == "quick"
    assert started == [*WORKERS, *NOT_SLOW, "tests/unit", "tests/rules", "tests/property", "-x"]


def test_near_runs_the_tests_of_what_was_changed(
    dev: ModuleType, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "changed_files", lambda: ["src/strata/presence/__init__.py", "dev"])
    dev.main(["test", "near", "--lf"])
    assert started == [*WORKERS, *NOT_SLOW, "tests/unit/presence", "--lf"]


def test_near_leaves_no_slow_test_out_where_a_test_was_changed(
    dev: ModuleType, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = "tests/unit/presence/test_notes.py"
    monkeypatch.setattr(dev, "changed_files", lambda: [changed])
    dev.main(["test", "near"])
    assert started == [*WORKERS, changed]


def test_near_runs_nothing_rather_than_everything_where_nothing_was_changed(
    dev: ModuleType,
    started: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(dev, "changed_files", list)
    assert dev.main(["test", "near"]) == 0
    assert started == []
    assert "./dev test quick" in capsys.readouterr().err


def test_the_crash_tests_are_long_in_a_command_of_their_own(
    dev: ModuleType, started: list[str]
) -> None:
    dev.main(["crash", "-k", "power"])
    assert os.environ["CRASH_TESTS"] == "long"
    assert started == [*WORKERS, "-o", "timeout=3600", "tests/crash", "-k", "power"]


def test_the_property_tests_are_long_in_a_command_of_their_own(
    dev: ModuleType, started: list[str]
) -> None:
    dev.main(["property", "tests/unit"])
    assert os.environ["HYPOTHESIS_PROFILE"] == "dev"
    assert started == [*WORKERS, "-o", "timeout=3600", "-m", "hypothesis", "tests/unit"]


@pytest.mark.parametrize(
    ("changed", "near"),
    [
        ("tests/unit/presence/test_notes.py", ["tests/unit/presence/test_notes.py"]),
        ("tests/unit/presence/test_removed.py", []),
        (
            "tests/unit/presence/conftest.py",
            ["tests/unit/presence/test_notes.py", "tests/unit/presence/test_presence.py"],
        ),
        (
            "src/strata/search/vectors/follow.py",
            [
                "tests/contract/test_vectors.py",
                "tests/property/test_search_model.py",
                "tests/surface/test_search_commands.py",
                "tests/unit/search",
            ],
        ),
        ("docs/benchmarks.md", []),
        ("pyproject.toml", []),
    ],
)
def test_tests_are_near_by_their_name(dev: ModuleType, changed: str, near: list[str]) -> None:
    assert dev.tests_near([changed]) == near


def test_what_was_changed_is_what_differs_from_the_main_branch_and_what_is_new(
    dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    for name in (
        "GIT_AUTHOR_NAME",
        "GIT_COMMITTER_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_EMAIL",
    ):
        monkeypatch.setenv(name, "somi@example.com")
    dev.git("init", "--initial-branch=main")
    for name in ("as it was.py", "committed.py", "edited.py", "main's.py"):
        (tmp_path / name).write_text("1", encoding="utf-8")
    dev.git("add", ".")
    dev.git("commit", "-m", "start")
    dev.git("checkout", "-b", "work")
    (tmp_path / "committed.py").write_text("2", encoding="utf-8")
    dev.git("commit", "-am", "work")
    dev.git("checkout", "main")
    (tmp_path / "main's.py").write_text("2", encoding="utf-8")
    dev.git("commit", "-am", "elsewhere")
    dev.git("checkout", "work")
    (tmp_path / "edited.py").write_text("2", encoding="utf-8")
    (tmp_path / "새것.py").write_text("1", encoding="utf-8")
    assert sorted(dev.changed_files()) == ["committed.py", "edited.py", "새것.py"]


def test_an_old_python_gets_as_far_as_the_explanation(root: Path) -> None:
    ast.parse((root / "dev").read_text(encoding="utf-8"), feature_version=(3, 7))
