"""remote, push, pull, sync and clone, as a user types them."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import strata
from tests.surface.conftest import Run


@pytest.fixture
def stick(project: Path, ok: Run) -> Path:
    """A folder that holds two facts of the project's store, and a second store that has them."""
    folder = project / "stick"
    folder.mkdir()
    ok("put", "색", "빨강")
    ok("put", "port", "8080")
    ok("remote", "add", "origin", "stick")
    assert ok("push").out.startswith("sent 2 commits to origin")
    made = ok("clone", "stick", "second.strata")
    assert "default: moved forward" in made.out
    return folder


def test_a_clone_follows_and_is_followed(ok: Run, stick: Path) -> None:
    second = ("--db", "second.strata")
    assert ok(*second, "get", "색").out == "빨강\n"
    ok(*second, "delete", "port")
    ok(*second, "sync")
    assert "default: moved forward" in ok("pull").out
    assert "port" not in ok("list").out
    assert ok("pull").out == "origin has nothing new\n"
    assert ok("push").out == "origin has everything\n"
    listed = ok("remote", "list", "--json").json["remotes"]
    assert [(one["name"], one["kind"]) for one in listed] == [("origin", "folder")]
    assert ok("remote", "remove", "origin").out == "removed origin\n"


def test_a_conflict_is_shown_and_decided(ok: Run, run: Run, stick: Path) -> None:
    second = ("--db", "second.strata")
    ok("put", "색", "파랑")
    ok("push")
    ok(*second, "put", "색", "초록")
    shown = run(*second, "pull", "--preview")
    assert shown.code == 1
    assert "1 conflict" in shown.out
    failed = run(*second, "pull")
    assert failed.code == 1
    assert "was not changed; what came is on 'origin/" in failed.err
    assert "strata merge origin/" in failed.err
    assert ok(*second, "get", "색").out == "초록\n"
    assert "merged" in ok(*second, "pull", "--strategy", "source_wins").out
    assert ok(*second, "get", "색").out == "파랑\n"


def test_what_is_wrong_is_told_and_leaves_no_store(run: Run, project: Path) -> None:
    assert "There is no remote" in run("pull").err or "no store" in run("pull").err
    failed = run("clone", "nowhere", "third.strata")
    assert failed.code == 1
    assert "There is no folder" in failed.err
    assert not (project / "third.strata").exists()
    assert run("clone", "ftp://x", "third.strata").code == 2
    assert not (project / "third.strata").exists()


def test_a_store_that_holds_something_is_not_cloned_over(run: Run, ok: Run, stick: Path) -> None:
    failed = run("clone", "stick", "second.strata")
    assert failed.code == 1
    assert "holds something already" in failed.err
    assert ok("--db", "second.strata", "get", "port").out == "8080\n"


def test_a_clone_makes_the_folder_that_it_is_given(
    ok: Run, project: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ok("clone", "stick", "machines/노트북")
    store = project / "machines" / "노트북" / ".strata" / "store.db"
    assert store.is_file()
    assert str(store.relative_to(project)) in made.out
    assert ok("clone", "stick", "backups/of/second.strata")
    assert (project / "backups" / "of" / "second.strata").is_file()
    (project / "there").mkdir()
    ok("clone", "stick", "there")
    monkeypatch.chdir(project / "machines" / "노트북")
    assert ok("get", "색").out == "빨강\n"
    assert ok("pull").out == "origin has nothing new\n"


def test_a_clone_without_a_place_is_made_where_init_makes_it(
    ok: Run, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "new"
    here.mkdir()
    monkeypatch.chdir(here)
    ok("init")
    ok("clone", str(stick))  # a store that holds nothing is taken
    assert ok("get", "색").out == "빨강\n"
    assert (here / ".strata" / "store.db").is_file()


def test_a_clone_that_fails_leaves_no_folder(run: Run, project: Path) -> None:
    assert run("clone", "nowhere", "deep/down").code == 1
    assert not (project / "deep").exists()


def test_the_folder_of_a_project_is_no_remote(run: Run, ok: Run, stick: Path) -> None:
    ok("init", "another")
    for command in (("clone", "another", "third"), ("remote", "add", "x", "second.strata")):
        failed = run(*command)
        assert failed.code == 2
        assert "no remote" in failed.err


def test_a_place_that_others_can_listen_to_is_told(ok: Run) -> None:
    ok("put", "k", "1")
    assert "use https://" in ok("remote", "add", "far", "http://memory.example.com").err
    for address in ("https://memory.example.com", "http://127.0.0.1:8000", "git:http://x.example"):
        assert "use https://" not in ok("remote", "add", "near", address).err
    assert "no such folder" in ok("remote", "add", "stick", "nowhere").err


def test_an_empty_remote_is_told(ok: Run, stick: Path, project: Path) -> None:
    (project / "empty").mkdir()
    assert "nothing was pushed there yet" in ok("clone", "empty", "fourth").err
    assert "no such folder now" in ok("remote", "add", "later", "not-there").err


def test_watching_sends_what_is_written_until_ctrl_c(project: Path, ok: Run, stick: Path) -> None:
    place = ok("status", "--json").json["path"]
    words = [sys.executable, "-m", "strata", "sync", "--watch", "--every", "600"]
    with subprocess.Popen(words, cwd=project, stdout=subprocess.PIPE, text=True) as watching:
        manifest = next(stick.glob("*/manifest"))
        before = manifest.read_bytes()
        with strata.open(place, auto_embed=False) as db:
            deadline = time.monotonic() + 60
            while manifest.read_bytes() == before and time.monotonic() < deadline:
                db.kv.put("쓴 것", str(time.time_ns()))
                time.sleep(1.2)
        watching.send_signal(signal.SIGINT)
        told = watching.communicate(timeout=60)[0]
    assert manifest.read_bytes() != before
    assert "sent" in told
    assert watching.returncode == 0
