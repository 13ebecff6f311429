"""What all clients share is shared by user and by address: nobody takes all of it."""

import base64
import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

import strata
from strata.base import limits
from strata.tools import StoreHost
from strata.web.live import wire
from tests.surface.hostile.conftest import Site, Watch, call_of_store
from tests.surface.live.conftest import Running
from tests.surface.live.pages import Page

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "악당", "version": "1"},
    },
}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def opened(target: Site, who: str, **rights: Any) -> str:
    """Open a session and return its id."""
    headers = target.mcp(who, modern=False, **rights)
    answer = httpx2.post(f"{target.base}/mcp", json=INITIALIZE, headers=headers, timeout=20)
    assert answer.status_code == 200, answer.text
    return answer.headers["mcp-session-id"]


def test_sessions_of_one_token_push_out_its_own(target: Site) -> None:
    groups = {"groups": ("memory",), "read_only": True}
    mine = opened(target, "보람", groups=("memory",))
    many = [opened(target, "악당", **groups) for _ in range(limits.SERVE_SESSIONS_OF_ONE_MAX + 6)]

    def status(session: str, headers: dict[str, str]) -> int:
        headers = {**headers, "Mcp-Session-Id": session}
        return httpx2.post(f"{target.base}/mcp", json=PING, headers=headers).status_code

    theirs = target.mcp("악당", modern=False, **groups)
    assert [status(one, theirs) for one in many[:6]] == [404] * 6
    assert status(many[6], theirs) == status(many[-1], theirs) == 200
    assert status(mine, target.mcp("보람", modern=False, groups=("memory",))) == 200


def test_a_full_server_ends_a_session_of_who_has_most(
    monkeypatch: pytest.MonkeyPatch, target: Site
) -> None:
    monkeypatch.setattr(limits, "SERVE_SESSIONS_MAX", 8)
    first = opened(target, "보람", groups=("memory",))
    for _ in range(12):
        opened(target, "악당", groups=("memory",))
    opened(target, "하늘", groups=("memory",))
    headers = {**target.mcp("보람", modern=False, groups=("memory",)), "Mcp-Session-Id": first}
    assert httpx2.post(f"{target.base}/mcp", json=PING, headers=headers).status_code == 200


def in_threads(work: Callable[[int], object], count: int) -> list[threading.Thread]:
    """Let many clients do something at once."""
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    return threads


def test_a_flood_of_sessions_leaves_the_server_free(
    target: Site, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SERVE_SESSIONS_A_SECOND", 1_000)  # the worst that can come
    headers = target.mcp("악당", modern=False, groups=("memory",))
    statuses: list[int] = []
    with httpx2.Client(headers=headers, timeout=60) as http:

        def flood(_number: int) -> None:
            for _ in range(20):
                answer = http.post(f"{target.base}/mcp", json=INITIALIZE)
                statuses.append(answer.status_code)

        threads = in_threads(flood, 10)
        assert target.is_healthy()
        for thread in threads:
            thread.join()
    assert statuses == [200] * 200
    watch.check()


def test_sessions_opened_too_fast_are_refused_to_their_caller_alone(
    monkeypatch: pytest.MonkeyPatch, target: Site
) -> None:
    monkeypatch.setattr(limits, "SERVE_SESSIONS_OF_ONE_MAX", 4)
    monkeypatch.setattr(limits, "SERVE_SESSION_WAIT_S", 0.0)
    monkeypatch.setattr(limits, "SERVE_SESSIONS_A_SECOND", 0.001)
    many = [opened(target, "악당", groups=("memory",)) for _ in range(4)]
    headers = target.mcp("악당", modern=False, groups=("memory",))
    refused = httpx2.post(f"{target.base}/mcp", json=INITIALIZE, headers=headers)
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
    assert "one session for many calls" in refused.json()["error"]["message"]
    # What is open goes on, and others open theirs.
    headers["Mcp-Session-Id"] = many[0]
    assert httpx2.post(f"{target.base}/mcp", json=PING, headers=headers).status_code == 200
    opened(target, "보람", groups=("memory",))


def is_closed(line: socket.socket) -> bool:
    """Wait until the server says something; tell whether that is its end."""
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def test_heads_without_an_end_keep_nobody_out(
    target: Site, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SERVE_WAITING_OF_ONE_MAX", 20)
    where = urlsplit(target.base)
    page = target.page()
    with ExitStack() as stack:
        lines: list[socket.socket] = []
        for _ in range(60):
            line = socket.create_connection((where.hostname, where.port), timeout=20)
            stack.enter_context(line)
            line.sendall(b"GET / HTTP/1.1\r\nX-Slow: a\r\n")
            lines.append(line)
        assert target.is_healthy()
        assert all(is_closed(line) for line in lines[:40])
        page.type("아직 ")
        page.until_saved()
    watch.check()


def test_a_thousand_tiny_pieces_are_taken_a_few_at_a_time(target: Site, watch: Watch) -> None:
    where = urlsplit(target.base)
    with socket.create_connection((where.hostname, where.port), timeout=20) as line:
        head = (
            "POST /api/tools/find HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
            f"Authorization: Bearer {target.token('owner')}\r\nConnection: close\r\n"
            "Content-Type: application/json\r\n\r\n"
        )
        line.sendall(head.encode() + b"1\r\n \r\n" * 100_000 + b"2\r\n{}\r\n0\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 400")
    watch.check()
    page = target.page()
    page.socket.socket.sendall(b"\x89\x80\0\0\0\0" * 100_000)  # pings
    page.type("빠름 ")
    page.until_saved()
    watch.check()


# Tokens of an issuer that says nothing.


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def bogus(number: int) -> str:
    """Return a token that looks like one of an issuer."""
    head = json.dumps({"alg": "RS256", "kid": str(number), "typ": "JWT"}).encode()
    parts = [base64.urlsafe_b64encode(part).rstrip(b"=") for part in (head, b"{}", b"x" * 64)]
    return b".".join(parts).decode()


def test_a_silent_issuer_keeps_only_its_own_tokens_waiting(
    target: Site, silent: socket.socket, tmp_path: Path, watch: Watch
) -> None:
    port = silent.getsockname()[1]
    host = StoreHost(lambda: strata.open(tmp_path / "target.db", durability="standard"))
    server = Running(host, issuer=f"http://127.0.0.1:{port}")
    base = server.address.replace("ws://", "http://")
    statuses: list[int] = []

    def ask(number: int) -> None:
        path = ("/mcp", "/api/me")[number % 2]
        headers = {**target.mcp(), "Authorization": f"Bearer {bogus(number)}"}
        answer = httpx2.request(
            ("POST", "GET")[number % 2], base + path, headers=headers, timeout=60
        )
        statuses.append(answer.status_code)

    threads = in_threads(ask, 24)
    line, _address = silent.accept()  # now somebody waits for the issuer
    stored = httpx2.post(
        f"{base}/mcp", json=call_of_store(key="k", value="값"), headers=target.mcp(), timeout=20
    )
    me = httpx2.get(f"{base}/api/me", headers=target.headers(), timeout=20)
    assert (stored.status_code, me.status_code) == (200, 200)
    assert statuses == []
    line.close()
    for thread in threads:
        thread.join(30)
    # The failure is remembered: nobody has asked the issuer again.
    assert sorted(set(statuses)) == [401, 503]
    silent.settimeout(0.01)
    with pytest.raises(TimeoutError):
        silent.accept()
    watch.check()
    server.stop()
    host.close()


def test_wrong_codes_are_slowed_down_by_address(
    target: Site, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SIGN_IN_WAITING_MAX", 2)
    monkeypatch.setattr(limits, "SIGN_IN_PAUSE_S", 0.5)

    with httpx2.Client(headers={"Origin": target.base}, timeout=60) as http:

        def sign_in(code: str) -> int:
            return http.post(f"{target.base}/sign-in", data={"code": code}).status_code

        def guess(number: int) -> None:
            for turn in range(10):
                sign_in(f"WRONG-{number}-{turn}")

        tried = {sign_in(f"WRONG-{number}") for number in range(limits.SIGN_IN_FAILURES_MAX)}
        assert tried == {403}
        good = target.db.sign_ins.create_code().secret
        threads = in_threads(guess, 8)
        # With two before it, a right code is not even tried; later it is.
        statuses = [sign_in(good)]
        for thread in threads:
            thread.join()
        while statuses[-1] == 429:
            statuses.append(sign_in(good))
    assert statuses[-1] == 303
    watch.check()


# A process of its own.


class Process:
    """A server in a process, and where it is."""

    def __init__(self, path: Path, descriptors: int | None = None) -> None:
        words = ["--db", str(path), "serve", "--port", "0", "--json"]

        def limit() -> None:
            if descriptors is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.process = subprocess.Popen(
            [sys.executable, "-m", "strata", *words],
            text=True,
            env=dict(os.environ),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=limit,  # noqa: PLW1509  (it calls nothing that takes a lock)
        )
        assert self.process.stdout is not None
        told = ""
        for line in self.process.stdout:
            told += line
            if line == "}\n":
                break
        self.base = json.loads(told)["url"].removesuffix("/mcp")

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.kill()
        self.process.communicate()

    def end(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGTERM)
        _out, err = self.process.communicate(timeout=45)
        return self.process.returncode, err


@pytest.fixture
def store(tmp_path: Path) -> tuple[Path, str, str]:
    """A store with a token of its owner, and a document."""
    with strata.open(tmp_path / "own.db", auto_embed=False) as db:
        document = db.documents.create("계획", "글").document
        return tmp_path / "own.db", db.tokens.create("t").secret, document


def test_few_descriptors_end_in_few_connections_and_few_lines(
    store: tuple[Path, str, str],
) -> None:
    with Process(store[0], descriptors=200) as server, ExitStack() as stack:
        where = urlsplit(server.base)
        for _ in range(300):
            line = socket.create_connection((where.hostname, where.port), timeout=20)
            stack.enter_context(line)
        health = http.client.HTTPConnection(str(where.hostname), where.port, timeout=20)
        stack.callback(health.close)
        health.request("GET", "/health")
        assert health.getresponse().status == 200
        stack.close()
        code, err = server.end()
    assert code == 0
    assert len(err.splitlines()) < 20, err[:1000]


def test_a_stop_takes_no_longer_for_what_clients_send(store: tuple[Path, str, str]) -> None:
    path, token, document = store
    endless = b"\x01" + b"\xff" * 3_000_000 + b"\x01"
    count = limits.LIVE_STRUCTS_MAX
    with Process(path) as server:
        address = server.base.replace("http://", "ws://")
        headers = {"Authorization": f"Bearer {token}"}
        page = Page(f"{address}/live/{document}", headers=headers)
        for number in range(20):
            client = wire.number(1000 + number)
            update = b"\1" + wire.number(count) + client + b"\0" + b"\0\1" * count + b"\0"
            page.send(wire.sync(wire.UPDATE, update))
            page.send(wire.sync(wire.STEP_1, endless))
        assert server.end()[0] == 0
        page.close()
