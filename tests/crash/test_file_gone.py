"""A store's file that is deleted, moved or replaced while processes have it open."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

import strata
from strata.base.errors import Unavailable
from tests.surface.http.test_serve_command import Served
from tests.surface.mcp.wire import Server, call, strata_mcp

pytestmark = [pytest.mark.crash]
PATIENCE_S = 30


@pytest.fixture
def server(path: Path) -> Iterator[Server]:
    running = Server(*strata_mcp(path, "--no-auto-embed"))
    running.greet()
    running.call("strata_store", key="k", value="처음")
    yield running
    running.end()


def tried(server: Server, tool: str, **arguments: object) -> dict[str, Any]:
    return server.ask("tools/call", call(tool, **arguments))["result"]


def remove_store(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("옮긴 곳"))


def replace_store(path: Path) -> None:
    other = path.with_name("other.db")
    with strata.open(other, auto_embed=False) as db:
        db.kv.put("who", "새 저장소")
    other.rename(path)


TAKEN_AWAY = pytest.mark.parametrize("take_away", [remove_store, move_folder, replace_store])


@TAKEN_AWAY
def test_a_server_whose_file_is_gone_acknowledges_nothing(tmp_path: Path, take_away: Any) -> None:
    path = tmp_path / "project" / "store.db"
    path.parent.mkdir()
    server = Server(*strata_mcp(path, "--no-auto-embed"))
    try:
        server.greet()
        server.call("strata_store", key="k", value="처음")
        take_away(path)
        for tool, arguments in {
            "strata_store": {"key": "k2", "value": "둘째"},
            "strata_log": {"event": "note", "data": {"말": "셋째"}},
            "strata_status": {},
        }.items():
            answer = tried(server, tool, **arguments)
            assert answer["isError"], answer
            assert "deleted, moved or replaced" in answer["content"][0]["text"]
    finally:
        server.end()


@TAKEN_AWAY
def test_reads_of_an_open_handle_notice_too(tmp_path: Path, take_away: Any) -> None:
    path = tmp_path / "project" / "store.db"
    path.parent.mkdir()
    with strata.open(path, auto_embed=False) as db:
        db.kv.put("k", "값")
        take_away(path)
        with pytest.raises(Unavailable, match="deleted, moved or replaced"):
            db.kv.put("k", "다음")
        with pytest.raises(Unavailable, match="deleted, moved or replaced"):
            _read_until_it_fails(db)


def _read_until_it_fails(db: strata.Workspace) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        db.kv.get("k")


def test_the_health_of_a_web_server_says_that_the_file_is_gone(path: Path) -> None:
    strata.open(path, auto_embed=False).close()
    served = Served("--db", str(path), "--no-auth")
    try:
        assert httpx2.get(served.told["health"]).status_code == 200
        remove_store(path)
        until = time.monotonic() + PATIENCE_S
        while (found := httpx2.get(served.told["health"])).status_code == 200:
            assert time.monotonic() < until
        assert (found.status_code, found.json()["store"]) == (503, "unavailable")
    finally:
        served.end()


def test_a_file_that_comes_back_is_used_again(path: Path) -> None:
    with strata.open(path, auto_embed=False) as db:
        db.kv.put("k", "값")
        away = path.with_name("away.db")
        path.rename(away)
        with pytest.raises(Unavailable):
            db.kv.put("k", "다음")
        away.rename(path)
        assert db.kv.put("k", "다음").version == 2


def test_a_new_file_is_never_joined_to_the_log_of_the_old_one(path: Path, server: Server) -> None:
    replace_store(path)
    refused = subprocess.run(
        [sys.executable, "-m", "strata", "--db", path, "get", "who"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert "still uses the log of the file that was" in refused.stderr
    assert tried(server, "strata_store", key="k", value="둘째")["isError"]
    assert server.close() == 0
    with strata.open(path, auto_embed=False) as db:
        assert db.verify().ok
        assert list(db.kv.list()) == ["who"]


def test_what_was_acknowledged_goes_with_a_file_that_was_moved_aside(
    path: Path, server: Server
) -> None:
    old = path.with_name("old.db")
    path.rename(old)
    replace_store(path)
    assert server.close() == 0
    with strata.open(old, auto_embed=False) as db:
        assert db.kv.get("k") is not None
        assert db.verify().ok
    with strata.open(path, auto_embed=False) as db:
        assert db.kv.get("k") is None


def test_a_copied_store_with_its_log_opens(path: Path, tmp_path: Path, server: Server) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", folder / f"store.db{suffix}")
    with strata.open(folder / "store.db", auto_embed=False) as db:
        found = db.kv.get("k")
        assert found is not None
        assert found.value == "처음"
    assert server.process.poll() is None
