"""A full disk of the database: writes are refused, nothing is lost, and freed space is enough."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import strata
from tests.crash.postgres.servers import Server, running_server, short_folder

pytestmark = [pytest.mark.crash, pytest.mark.slow]
SIZE = "96m"
BLOCK = b"\0" * 65536


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A folder that holds a server's files and little more."""
    with short_folder() as folder:
        disk = folder / "disk"
        disk.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "tmpfs", str(disk)]
        if os.geteuid() != 0 or subprocess.run(command, check=False).returncode != 0:
            pytest.skip("only root may make a small file system")
        try:
            yield disk
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=True)


def test_writes_are_refused_until_there_is_room_again(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    with running_server(small_disk / "data") as server:
        address = server.address(workspace="가득")
        with strata.open(address, auto_embed=False) as db:
            db.kv.put("처음", "값")
            fill(ballast)
            kept, said = write_until_refused(db)
            assert "no room left" in said or "Nothing was changed" in said, said
            ballast.unlink()
            wait_until_it_runs(server)
            # The same process goes on, with everything that it was told is there.
            db.kv.put("뒤", "값")
            assert {key for key, _fact in db.kv.scan("채움/")} == kept
            assert db.verify(full=True).ok


def fill(ballast: Path) -> None:
    """Take what is left of the file system."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(BLOCK):
                pass
        except OSError:
            return


def write_until_refused(db: strata.Workspace) -> tuple[set[str], str]:
    """Write until the database refuses; return what it acknowledged, and what it said."""
    kept: set[str] = set()
    for number in range(20_000):
        key = f"채움/{number:05}"
        try:
            db.kv.put(key, os.urandom(3000).hex())
        except strata.Unavailable as error:
            return kept, str(error)
        kept.add(key)
    pytest.fail("the disk was never full")


def wait_until_it_runs(server: Server) -> None:
    """Start the server if the full disk has ended it; its operator would."""
    if not (server.folder / "postmaster.pid").exists() or not server.processes():
        server.start()
