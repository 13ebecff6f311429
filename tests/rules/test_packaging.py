"""What is installed is the package, whole: its modules, its SQL and its type marker."""

import subprocess
import sys
import zipfile
from pathlib import Path


def test_the_wheel_holds_every_file_of_the_package(
    root: Path, tracked: list[Path], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=root, check=True, capture_output=True, timeout=60)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("strata/")}
    source = root / "src"
    expected = {path.relative_to(source).as_posix() for path in tracked if source in path.parents}
    assert packed == expected
    assert "strata/py.typed" in packed
    assert any(name.startswith("strata/sql/statements/") for name in packed)
