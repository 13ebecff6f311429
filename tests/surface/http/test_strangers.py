"""What a request has to be before anybody looks at it: from here, small, and soon."""

import socket
import time
from contextlib import suppress
from typing import Any

import httpx2
import pytest

import strata
from strata.base import limits
from strata.mcp.http import ServerConfig, check_serving
from tests.surface.http.conftest import MODERN, Running, Serve

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def code(running: Running, **headers: str) -> int:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return running.post(PING, headers=named).status_code


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:7433", "127.0.0.1.evil.example", "localhost.evil", "[::"]
)
def test_a_local_server_answers_to_no_other_name(serve: Serve, host: str) -> None:
    running = serve()
    assert code(running, Host=host) == 421
    for own in ("localhost", "127.0.0.1:1", "LOCALHOST:99", "[::1]:80"):
        assert code(running, Host=own) not in (421, 403)


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "file://",
        "http://localhost.x",
    ],
)
def test_pages_of_other_origins_are_refused(serve: Serve, origin: str) -> None:
    running = serve()
    assert code(running, Origin=origin) == 403
    assert code(running, Origin="http://localhost:5173") != 403


def test_names_and_origins_can_be_allowed(serve: Serve) -> None:
    running = serve(hosts=("strata.intern",), origins=("https://app.example",))
    assert code(running, Host="strata.intern:8080") != 421
    assert code(running, Host="other.intern") == 421
    assert code(running, Origin="https://app.example") != 403
    assert code(running, Origin="https://app.example.evil") == 403
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    answer = httpx2.options(running.url, headers=asked)
    assert answer.headers["access-control-allow-origin"] == "https://app.example"
    asked["Origin"] = "https://evil.example"
    assert "access-control-allow-origin" not in httpx2.options(running.url, headers=asked).headers


def test_behind_a_proxy_the_public_name_counts(serve: Serve) -> None:
    running = serve(public_url="https://strata.example.com")
    local = Running(f"http://127.0.0.1:{port(running)}/mcp", running.db, running.listener)
    assert code(local, Host="strata.example.com") != 421
    assert code(local, Origin="https://strata.example.com") != 403
    assert code(local, Host="evil.example") == 421


def test_a_server_for_other_machines_answers_to_any_name_until_names_are_given(
    serve: Serve,
) -> None:
    running = serve(address="0.0.0.0", no_auth=False)
    local = Running(f"http://127.0.0.1:{port(running)}/mcp", running.db, running.listener)
    assert code(local, Host="box.intern") == 401
    assert code(local, Host="box.intern", Origin="https://evil.example") == 403


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.5", "strata.example"])
def test_without_tokens_other_machines_are_not_served(address: str) -> None:
    with pytest.raises(strata.NotAllowed, match="need a token"):
        check_serving(ServerConfig(address=address, no_auth=True))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "localhost", "::1"])
def test_without_tokens_this_machine_is_served(address: str) -> None:
    check_serving(ServerConfig(address=address, no_auth=True))


@pytest.mark.parametrize(
    "odd",
    [
        {"issuer": "http://login.example"},
        {"issuer": "ftp://x"},
        {"port": 70_000},
        {"issuer": "https://login.example", "no_auth": True},
    ],
)
def test_options_that_are_unsafe_or_senseless_are_refused(odd: dict[str, Any]) -> None:
    with pytest.raises(strata.InvalidArgument):
        check_serving(ServerConfig(**odd))


def test_a_request_that_is_too_large_is_refused(serve: Serve) -> None:
    running = serve(body_bytes_max=10_000)
    assert running.post(content=b"x" * 10_001).status_code == 413

    def pieces() -> Any:
        for _ in range(20):
            yield b"x" * 1_000

    # Without a length, as much is read as is allowed, and no more.
    assert running.post(content=pieces()).status_code == 413
    assert running.post(content=b"x" * 10_000).status_code == 400


def test_who_sends_no_head_is_not_waited_for(serve: Serve, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "SERVE_HEAD_S", 0.4)
    running = serve()
    with socket.create_connection(("127.0.0.1", port(running)), timeout=10) as line:
        line.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        with suppress(OSError):  # the line is cut; were it not, this test would be given up
            while True:
                line.sendall(b"a")
                time.sleep(0.05)


def test_who_sends_a_body_slowly_is_not_waited_for(serve: Serve, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "SERVE_BODY_S", 0.3)
    running = serve()
    with socket.create_connection(("127.0.0.1", port(running)), timeout=10) as line:
        line.sendall(
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n{"
        )
        assert line.recv(100).startswith(b"HTTP/1.1 408")


def test_a_quick_client_may_keep_its_connection(serve: Serve, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "SERVE_HEAD_S", 0.4)
    running = serve()
    with httpx2.Client() as http:
        for _ in range(12):
            assert http.get(f"{running.base}/health").status_code == 200
            time.sleep(0.05)


def test_answers_are_sent_at_once(serve: Serve) -> None:
    running = serve()
    with httpx2.Client() as http:
        http.get(f"{running.base}/health")
        inside = next(iter(running.listener.server_state.connections))
        line = inside.transport.get_extra_info("socket")
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_health_tells_how_it_is_and_nothing_more(serve: Serve) -> None:
    running = serve(no_auth=False)
    answer = httpx2.get(f"{running.base}/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "version": strata.__version__, "store": "ok"}


def test_health_tells_when_the_store_does_not_answer(serve: Serve, monkeypatch: Any) -> None:
    running = serve()

    def broken(_self: object) -> None:
        raise strata.DamagedStore("secret path")

    monkeypatch.setattr(strata.Workspace, "time_range", broken)
    answer = httpx2.get(f"{running.base}/health")
    assert answer.status_code == 503
    assert answer.json()["store"] == "unavailable"
    assert "secret" not in answer.text


@pytest.mark.parametrize("path", ["/", "/mcp/", "/mcp/x", "/.env", "/health/x", "//mcp"])
def test_there_is_nothing_else_to_find(serve: Serve, path: str) -> None:
    running = serve(no_auth=False)
    answer = httpx2.get(running.base + path)
    assert answer.status_code in (404, 307)


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"{", 400), (b"[]", 400), (b"\xff\xfe", 400), (b'{"jsonrpc":"2.0","method":"x"}', 400)],
)
def test_what_is_no_message_is_refused(serve: Serve, content: bytes, expected: int) -> None:
    running = serve()
    headers = {"Content-Type": "application/json"}
    assert running.post(content=content, headers=headers).status_code == expected
    modern = headers | {"MCP-Protocol-Version": MODERN}
    assert running.post(content=content, headers=modern).status_code in (expected, 202)
    assert running.post(content=content, headers={"Content-Type": "text/plain"}).status_code == 400


def port(running: Running) -> int:
    return running.listener.servers[0].sockets[0].getsockname()[1]
