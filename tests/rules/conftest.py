"""What the rules look at: the repository's files, and the source parsed once."""

import ast
import shutil
import subprocess
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def tracked() -> list[Path]:
    """Every file that is, or is about to be, part of the repository."""
    paths = [ROOT / name for name in _known_to_git()]
    # An unpacked archive has no git, and holds nothing else.
    found = paths or [path for path in ROOT.rglob("*") if _is_ours(path)]
    return sorted(path for path in found if path.is_file())


@pytest.fixture(scope="session")
def python_files(tracked: list[Path]) -> dict[PurePosixPath, ast.Module]:
    """Every Python file, `dev` included, parsed; by its path in the repository.

    The programs of the training are a record: they stay as they ran.
    """
    record = ROOT / "packages/strata-embed/train"
    paths = [path for path in tracked if path.suffix == ".py" or path == ROOT / "dev"]
    paths = [path for path in paths if path.parent != record]
    return {
        PurePosixPath(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"))
        for path in paths
    }


@pytest.fixture(scope="session")
def source(python_files: dict[PurePosixPath, ast.Module]) -> dict[PurePosixPath, ast.Module]:
    """The modules of the package, by their path below src."""
    inside = [path for path in python_files if path.parts[:2] == ("src", "strata")]
    assert inside, "the rules found no source to look at"
    return {path.relative_to("src"): python_files[path] for path in inside}


def _known_to_git() -> list[str]:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return []
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    return [name for name in done.stdout.decode().split("\0") if name]


def _is_ours(path: Path) -> bool:
    made = {"__pycache__", "build", "dist", "htmlcov"}
    parts = path.relative_to(ROOT).parts
    return not any(part in made or (part[0] == "." and part != ".ci") for part in parts[:-1])
