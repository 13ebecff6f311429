"""The page: its compiler finds nothing, its own tests pass, and it is what its sources make."""

import shutil
from pathlib import Path

import pytest

from tests.node import frontend
from tests.node.frontend import FRONTEND, STATIC, build, sources


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_units_of_the_page_hold(capfd: pytest.CaptureFixture[str]) -> None:
    assert frontend.test() == 0
    assert "passed" in capfd.readouterr().out


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_building_again_anywhere_gives_the_same_bytes(tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere"
    for path in sources():
        target = copy / path.relative_to(FRONTEND)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    assert build(tmp_path / "built", copy) == 0
    assert contents(tmp_path / "built") == contents(STATIC)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_an_unknown_task_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert frontend.main(["biuld"]) == 2
    assert "build" in capsys.readouterr().err
