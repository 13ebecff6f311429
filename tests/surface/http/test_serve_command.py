"""`strata serve` as a process: what it prints, what it refuses, and how it ends."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import strata
from strata.cli.commands import serve as serve_module
from tests.surface.conftest import Run


class Served:
    """A server in a process of its own."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "strata", "serve", "--port", "0", "--json", *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        text = ""
        for line in self.process.stdout:
            text += line
            if line == "}\n":
                break
        self.told: dict[str, Any] = json.loads(text or "{}")

    @property
    def url(self) -> str:
        return self.told["url"]

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        if self.process.poll() is None:
            self.process.send_signal(number)
        _out, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


@pytest.fixture
def served() -> Iterator[Any]:
    running: list[Served] = []

    def start(*options: str) -> Served:
        running.append(Served(*options))
        return running[-1]

    yield start
    for one in running:
        one.end(signal.SIGKILL)


async def ask(url: str, tool: str, arguments: dict[str, Any], token: str | None = None) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(url, http_client=http), mode="legacy") as client,
    ):
        return (await client.call_tool(tool, arguments)).structured_content


def test_a_newcomer_makes_a_token_while_it_runs_and_connects(served: Any, ok: Run) -> None:
    running = served("--groups", "memory")
    assert running.told["needs_token"] is True
    assert running.told["token"] is None, "nobody was there to see it"
    assert httpx2.get(running.told["health"]).json()["status"] == "ready"
    assert httpx2.post(running.url).status_code == 401
    token = ok("token", "create", "노트북").out.strip()
    anyio.run(ask, running.url, "strata_store", {"key": "배포", "value": "서울"}, token)
    assert ok("get", "배포").out.strip() == "서울"
    assert ok("token", "list", "--json").json["tokens"][0]["last_used"] is not None


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_and_rolls_back_what_was_open(
    served: Any, number: signal.Signals, ok: Run, project: Path
) -> None:
    ok("put", "k", "before")
    running = served("--no-auth", "--groups", "developer")

    async def leave_open() -> None:
        url = running.url
        async with Client(streamable_http_client(url), mode="legacy") as client:
            await client.call_tool("strata_txn_begin", {})
            await client.call_tool("strata_kv_put", {"key": "k", "value": "열린 채로"})
            running.process.send_signal(number)
            with anyio.fail_after(60):
                await anyio.to_thread.run_sync(running.process.wait)

    anyio.run(leave_open)
    code, err = running.end()
    assert (code, err) == (0, "")
    assert ok("get", "k").out.strip() == "before"
    assert ok("verify").code == 0
    left = {file.name for file in (project / ".strata").iterdir()}
    assert left <= {"store.db", ".gitignore"}


def test_a_second_signal_ends_it_at_once_without_a_traceback(served: Any) -> None:
    running = served("--no-auth")
    running.process.send_signal(signal.SIGINT)
    running.process.send_signal(signal.SIGTERM)
    assert running.end() == (0, "")


def test_it_refuses_to_serve_others_without_tokens(run: Run) -> None:
    refused = run("serve", "--no-auth", "--host", "0.0.0.0")
    assert refused.code == 1
    assert "clients need a token" in refused.err
    assert "strata token create" in refused.err


def test_a_port_that_is_taken_is_told(served: Any, run: Run) -> None:
    running = served("--no-auth")
    port = running.url.split(":")[2].removesuffix("/mcp")
    refused = run("serve", "--no-auth", "--port", port)
    assert refused.code == 1
    assert f"port {port}" in refused.err
    assert "--port" in refused.err


@pytest.mark.slow
def test_the_first_token_is_made_where_a_person_sees_it(project: Path) -> None:
    """On a terminal: shown once, in a line that can be pasted."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "strata", "serve", "--port", "0"],
        stdin=follower,
        stdout=follower,
        stderr=subprocess.PIPE,
    )
    os.close(follower)
    shown = b""
    while b"stops it" not in shown:
        shown += os.read(leader, 4096)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    os.close(leader)
    text = shown.decode()
    assert process.returncode == 0
    lines = [line.strip() for line in text.splitlines()]
    secret = next(word for word in text.split() if word.startswith("strata_"))
    assert any(line.startswith("claude mcp add") and secret in line for line in lines)
    assert any(line.endswith("token create NAME") for line in lines)
    with strata.open(auto_embed=False) as db:
        assert db.tokens.check(secret) is not None
        assert [token.label for token in db.tokens.list()] == ["first"]


def test_what_would_be_served_can_be_looked_at_first(ok: Run, project: Path) -> None:
    told = ok("serve", "--check", "--groups", "memory,momory", "--read-only").out
    assert "http://127.0.0.1:7433/mcp" in told
    assert "for reading only" in told
    assert "TOKEN" in told
    found = ok("serve", "--check", "--json", "--groups", "momory").json
    assert "momory" in found["warnings"][0]
    assert not (project / ".strata").exists(), "looking makes nothing"


def test_the_groups_may_come_from_the_environment(ok: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATA_TOOL_GROUPS", "developer")
    assert ok("serve", "--check", "--json").json["groups"] == ["developer"]
    assert ok("serve", "--check", "--json", "--groups", "memory").json["groups"] == ["memory"]


def test_the_program_is_named_so_that_a_line_can_be_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "strata").touch(0o700)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert serve_module._program() == ".venv/bin/strata"
    monkeypatch.setenv("PATH", str(folder))
    assert serve_module._program() == "strata"
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert serve_module._program() == f"{tmp_path / 'python'} -m strata"
