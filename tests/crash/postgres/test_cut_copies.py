"""A copy whose process is killed, or whose connection is cut, goes on where it was."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import strata
from tests.contract.copied import make_store, sums
from tests.crash.postgres.proxy import CuttingProxy
from tests.crash.postgres.servers import Server

pytestmark = [
    pytest.mark.crash,
    pytest.mark.slow,
    pytest.mark.parametrize("to", ["file", "server"]),
]
VALUES = 2_500
# Copies a store, and is killed when it has passed so many rows.
PROGRAM = """
import os, signal, sys
import strata

def kill(stage, done, total):
    if stage == "rows" and done >= int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

strata.copy(sys.argv[1], sys.argv[2], progress=kill)
"""


def places(folder: Path, address: str, to: str) -> tuple[Path | str, Path | str]:
    """Make a large store; return where it is and a place on the other side."""
    path = make_store(folder / "원본.db")
    with strata.open(path, auto_embed=False) as db:
        db.kv.put_many({f"열쇠 {number}": number for number in range(VALUES)})
    if to == "server":
        return path, address
    strata.copy(path, f"{address}-from")
    return f"{address}-from", folder / "복사.db"


def test_a_killed_copy_is_resumed(tmp_path: Path, server: Server, name: str, to: str) -> None:
    """It is killed again and again, each time a little later."""
    source, target = places(tmp_path, server.address(workspace=name), to)
    for rows in (500, 1_500, 2_500):
        killed = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(source), str(target), str(rows)],
            check=False,
            timeout=120,
        )
        assert killed.returncode == -signal.SIGKILL
        with pytest.raises(strata.Unusable, match="not complete"):
            strata.open(target)
    done = strata.copy(source, target)
    assert done.kept >= 2_000
    assert done.outdated == 0
    assert sums(target) == sums(source)
    with strata.open(target, create=False, auto_embed=False) as db:
        assert db.verify(full=True).ok
    hidden = [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]
    assert hidden == []


def test_a_copy_whose_connection_is_cut_is_resumed(
    tmp_path: Path, server: Server, proxy: CuttingProxy, name: str, to: str
) -> None:
    source, target = places(tmp_path, server.address(port=proxy.port, workspace=name), to)

    def cut(stage: str, done: int, _total: int) -> None:
        if stage == "rows" and done >= 2_000:
            proxy.cut_all()

    with pytest.raises(strata.Unavailable):
        strata.copy(source, target, progress=cut)
    assert proxy.cuts
    with pytest.raises(strata.Unusable, match="not complete"):
        strata.open(target)
    done = strata.copy(source, target)
    assert done.kept > 0
    assert done.outdated == 0
    assert sums(target) == sums(source)
