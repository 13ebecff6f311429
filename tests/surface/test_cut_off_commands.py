"""Commands that cannot go on: told to end, without room, or on a file that says too little."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

import strata
from tests.surface.conftest import Run

STORE = Path(".strata/store.db")
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")


def names() -> list[str]:
    return sorted(entry.name for entry in Path().iterdir())


def start(*words: str) -> "subprocess.Popen[str]":
    """Start a command that copies a store, and waits when the copy is written, saying so."""
    program = f"""
import sys, time
from strata.cli import main
from strata.upkeep import copies
real = copies._copy
def waits(source, target, progress):
    real(source, target, progress)
    print("ready", flush=True)
    time.sleep(60)
copies._copy = waits
sys.argv = ["strata", *{list(words)!r}]
main()
"""
    return subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@POSIX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_told_to_end_leaves_no_files_behind(ok: Run, number: int) -> None:
    ok("put", "k", "값")
    before = names()
    process = start("backup", "copy.strata")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert len(names()) > len(before), "it has written something already"
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert names() == before


@POSIX
def test_a_put_that_finds_no_room_leaves_no_new_store(ok: Run) -> None:
    limited = f"ulimit -f 8; exec {sys.executable} -m strata put k 값"
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Nothing was changed" in done.stderr
    assert not STORE.exists()
    assert list(STORE.parent.glob("store.db*")) == []
    ok("put", "k", "값")
    assert ok("get", "k").out.strip() == "값"


def test_a_format_number_that_was_lowered_is_named(ok: Run, run: Run) -> None:
    ok("put", "k", "값")
    raw = apsw.Connection(str(STORE))
    raw.pragma("user_version", 0)
    raw.close()
    before = STORE.read_bytes()
    refused = run("put", "k", "둘째")
    assert refused.code == 1
    assert "its format is 0" in refused.err
    assert "user_version" in refused.err
    assert STORE.read_bytes() == before
    with pytest.raises(strata.StrataError, match="user_version"):
        strata.open(STORE)
