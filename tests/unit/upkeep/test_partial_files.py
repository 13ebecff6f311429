"""What a dead process left beside a backup or a bundle goes with the next one to that place."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import strata
from strata import Unavailable, Workspace
from strata.upkeep.partial_files import PartialFiles, sweep

# Begins a copy in another process, says so, and waits to be killed or told to go on.
MAKER = """
import sys
from pathlib import Path
from strata.upkeep.partial_files import PartialFiles
with PartialFiles(Path(sys.argv[1])) as unfinished:
    part = unfinished.file(".part")
    Path(f"{part}-journal").write_bytes(b"x")
    unfinished.file(".history")
    print("ready", flush=True)
    sys.stdin.read()
"""


def begin(path: Path) -> subprocess.Popen[str]:
    maker = subprocess.Popen(
        [sys.executable, "-c", MAKER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert maker.stdout is not None
    assert maker.stdout.readline() == "ready\n"
    return maker


def end(maker: subprocess.Popen[str], *, kill: bool) -> None:
    if kill:
        maker.send_signal(signal.SIGKILL)
    maker.communicate(timeout=30)


def dot_files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.name.startswith("."))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A place with characters that mean something to a pattern."""
    return tmp_path / "사본 [1].strata*"


def test_a_finished_work_leaves_nothing_but_its_target(target: Path) -> None:
    with PartialFiles(target) as unfinished:
        part = unfinished.file(".part")
        part.write_bytes(b"whole")
        unfinished.settle(part)
    assert target.read_bytes() == b"whole"
    assert dot_files(target.parent) == []


def test_work_that_fails_leaves_nothing_at_all(target: Path) -> None:
    def fail() -> None:
        with PartialFiles(target) as unfinished:
            unfinished.file(".part").write_bytes(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(target.parent.iterdir()) == []


def test_what_a_killed_process_left_is_swept(target: Path) -> None:
    end(begin(target), kill=True)
    assert len(dot_files(target.parent)) == 4
    assert len(sweep(target)) == 4
    assert dot_files(target.parent) == []


def test_what_somebody_works_on_is_left_alone(target: Path) -> None:
    maker = begin(target)
    assert sweep(target) == []
    assert len(dot_files(target.parent)) == 4
    end(maker, kill=False)
    assert dot_files(target.parent) == []


def test_two_threads_of_one_process_do_not_sweep_each_other(target: Path) -> None:
    with PartialFiles(target) as first:
        part = first.file(".part")
        with PartialFiles(target) as second:
            assert part.exists()
            assert second.file(".part") != part
        assert part.exists()


def test_only_files_of_this_pattern_and_place_are_swept(target: Path) -> None:
    end(begin(target.with_name("other")), kill=True)
    others = dot_files(target.parent)
    token = "0123456789abcdef"
    strangers = [
        f".{target.name}.{token}.part",  # without a hold nobody knows whose it is
        f".{target.name}.notes.hold",
        f".{target.name}x.{token}.hold",
        f"{target.name}.{token}.hold",
    ]
    for name in strangers:
        target.with_name(name).write_bytes(b"keep")
    assert sweep(target) == []
    assert set(dot_files(target.parent)) >= {*others, *strangers[:3]}
    assert target.with_name(strangers[3]).exists()


@pytest.mark.parametrize("way", ["backup", "export", "restore"])
def test_the_next_one_to_the_same_place_cleans_up(
    db: Workspace, tmp_path: Path, target: Path, way: str
) -> None:
    db.kv.put("k", "값")
    db.backup(tmp_path / "first")
    end(begin(target), kill=True)
    if way == "backup":
        db.backup(target)
    elif way == "export":
        db.bundles.export(target)
    else:
        strata.restore(tmp_path / "first", target)
    assert dot_files(tmp_path) == []
    assert target.exists()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be written"), PartialFiles(tmp_path / "no" / "x"):
        pass


@pytest.mark.skipif(os.name != "posix", reason="only here a folder can be synced")
def test_a_bundle_a_backup_and_a_new_folder_are_synced_under_their_names(
    db: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        place = str(Path(f"/proc/self/fd/{descriptor}").readlink())
        synced.append(re.sub(r"[0-9a-f]{16}", "*", place))
        real(descriptor)

    if not Path("/proc/self/fd").exists():
        pytest.skip("this system does not say what a descriptor is")
    monkeypatch.setattr(os, "fsync", fsync)
    db.bundles.export(tmp_path / "bundle")
    assert synced == [f"{tmp_path}/.bundle.*.part", str(tmp_path)]
    synced.clear()
    db.backup(tmp_path / "copy")
    assert synced == [f"{tmp_path}/.copy.*.part", str(tmp_path)]
    synced.clear()
    strata.open(tmp_path / "new" / "project" / ".strata" / "store.db").close()
    assert synced == [f"{tmp_path}/new/project", f"{tmp_path}/new", str(tmp_path)]
