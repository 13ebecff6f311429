"""A full disk: every write is refused clearly, changes nothing, and goes on with room again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import strata
from tests.crash.processes import ROOT, run

pytestmark = pytest.mark.crash

MOUNT = 'mount -t tmpfs -o size=8m tmpfs "$1" && shift && exec "$@"'
REFUSED = {"DiskFull", "Unavailable"}


@pytest.mark.skipif(os.name != "posix", reason="limits on the size of files are of POSIX")
def test_a_limit_on_the_size_of_files_refuses_clearly(path: Path) -> None:
    check(run("runs_out_of_room", path, "limit"))
    with strata.open(path) as db:
        assert db.verify().ok


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="tmpfs is of Linux")
def test_a_full_file_system_refuses_clearly(path: Path) -> None:
    apart = [shutil.which("unshare") or "unshare", "--user", "--map-root-user", "--mount"]
    mounted = [*apart, "sh", "-c", MOUNT, "sh", str(path.parent)]
    if subprocess.run([*mounted, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this user may not mount a file system of its own")
    words = [sys.executable, "-m", "tests.crash.programs", "runs_out_of_room", str(path)]
    done = subprocess.run(
        [*mounted, *words, "ballast"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    check(done.stdout)


def check(output: str) -> None:
    """Read the lines of room.squeeze: each write refused, without effect, and possible again."""
    print("\n" + output)
    *lines, last = [line.split() for line in output.splitlines()]
    assert last == ["verify", "True"]
    assert len(lines) == 14
    for name, refusal, effect, left, afterwards in lines:
        assert refusal in REFUSED, f"{name} was refused by {refusal}"
        assert effect == "unchanged", f"{name} was refused and changed something"
        assert left == "nothing", f"{name} was refused and left {left} behind"
        assert afterwards == "went-on", f"{name} does not go on: {afterwards}"
