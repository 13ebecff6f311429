"""A body costs its sender: it is bounded before it is parsed, and parsed beside the event loop."""

import json
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from strata.base import limits
from tests.surface.hostile.conftest import Site, Watch, call_of_store

MEBIBYTE = 1024 * 1024


def many_lists(size: int) -> Iterator[bytes]:
    """Return a call whose body is mostly empty lists, piece by piece."""
    yield b'{"intent":"list","x":[[]'
    for _ in range(size // (3 * 1024)):
        yield b",[]" * 1024
    yield b"]}"


def post(target: Site, path: str, content: Any, headers: dict[str, str]) -> httpx2.Response:
    sent = {"Content-Type": "application/json", **headers}
    return httpx2.post(target.base + path, content=content, headers=sent, timeout=60)


@pytest.mark.parametrize("path", ["/api/tools/find", "/mcp"])
def test_a_reader_has_little_to_say(target: Site, watch: Watch, path: str) -> None:
    headers = target.mcp(read_only=True) if path == "/mcp" else target.headers(read_only=True)
    assert post(target, path, many_lists(60 * MEBIBYTE), headers).status_code == 413
    few = post(target, path, many_lists(MEBIBYTE // 2), headers)
    assert few.status_code in (400, 413)
    watch.check(memory=200 * MEBIBYTE)


@pytest.mark.parametrize("path", ["/api/tools/find", "/mcp"])
def test_very_many_values_are_refused_unparsed(target: Site, watch: Watch, path: str) -> None:
    headers = target.mcp() if path == "/mcp" else target.headers()
    answer = post(target, path, many_lists(60 * MEBIBYTE), headers)
    assert answer.status_code == 413
    assert "lists and objects" in answer.text
    watch.check(memory=400 * MEBIBYTE)


@pytest.mark.parametrize("path", ["/api/tools/find", "/mcp"])
def test_as_many_values_as_may_be_do_not_hold_up_others(
    target: Site, watch: Watch, path: str
) -> None:
    headers = target.mcp() if path == "/mcp" else target.headers()
    content = b"".join(many_lists(3 * (limits.JSON_CONTAINERS_MAX - 2_000)))
    if path == "/mcp":
        call = json.dumps(call_of_store(x="HERE")).encode()
        content = call.replace(b'{"x": "HERE"}', content)
    assert post(target, path, content, headers).status_code in (200, 400)
    watch.check(memory=200 * MEBIBYTE)


@pytest.mark.parametrize("modern", [True, False])
def test_a_long_value_is_stored_by_who_may_write(
    target: Site, watch: Watch, *, modern: bool
) -> None:
    value = "긴 글 " * MEBIBYTE
    headers = target.mcp(modern=modern)
    if not modern:
        first = {
            "jsonrpc": "2.0",
            "id": 0,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        }
        opened = httpx2.post(f"{target.base}/mcp", json=first, headers=headers, timeout=60)
        headers["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
    message = call_of_store(key="긴", value=value)
    answer = httpx2.post(f"{target.base}/mcp", json=message, headers=headers, timeout=60)
    assert answer.status_code == 200, answer.text[:300]
    kept = target.db.kv.get("긴")
    assert kept is not None
    assert kept.value == value
    watch.check(memory=400 * MEBIBYTE)


def test_only_arguments_of_tools_may_be_long(target: Site, watch: Watch) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "x" * MEBIBYTE, "params": {"arguments": {}}}
    answer = httpx2.post(f"{target.base}/mcp", json=message, headers=target.mcp(), timeout=60)
    assert answer.status_code == 413
    watch.check()


def test_bytes_under_way_are_bounded_for_each_user(
    target: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SERVE_BODIES_OF_ONE_BYTES", MEBIBYTE)
    long = {"query": "x" * (MEBIBYTE // 2)}
    where = urlsplit(target.base)
    with socket.create_connection((where.hostname, where.port), timeout=20) as line:
        head = (
            "POST /api/tools/find HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
            f"Authorization: Bearer {target.token('owner')}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {MEBIBYTE - 1}\r\n\r\n"
        )
        line.sendall(head.encode())
        assert line.recv(100).startswith(b"HTTP/1.1 100")  # the server reads the body now
        answer = httpx2.post(
            f"{target.base}/api/tools/find", json=long, headers=target.headers(), timeout=60
        )
        assert answer.status_code == 503
        assert answer.json()["code"] == "unavailable"
        other = httpx2.post(
            f"{target.base}/api/tools/find", json=long, headers=target.headers("보람"), timeout=60
        )
        assert other.status_code != 503


@pytest.mark.parametrize("size", [1, MEBIBYTE])
def test_bytes_that_are_no_text_are_bad_input(target: Site, size: int) -> None:
    body = b'{"documentId":"s\xe1m' + b"x" * size + b'"}'
    answer = post(target, "/api/tools/read_document", body, target.headers())
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid_input"
    call = json.dumps(call_of_store(key="k", value="HERE")).encode()
    answer = post(target, "/mcp", call.replace(b"HERE", b"\xe1" + b"x" * size), target.mcp())
    assert answer.status_code == 400


def test_who_tries_the_protocol_by_hand_is_told_the_next_step(target: Site) -> None:
    url, token = f"{target.base}/mcp", target.headers()
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    plain = httpx2.post(url, content=b"{}", headers={**token, "Content-Type": "text/plain"})
    assert plain.status_code == 400
    assert "Content-Type: application/json" in plain.json()["error"]["message"]
    html = httpx2.post(url, json=call, headers={**token, "Accept": "text/html"})
    assert html.status_code == 406
    assert "Accept: application/json, text/event-stream" in html.json()["error"]["message"]
    lost = httpx2.post(url, json=call, headers={**token, "Accept": "*/*"})
    assert lost.status_code == 400
    assert "initialize" in lost.json()["error"]["message"]


def test_the_call_with_curl_of_the_documentation_works(target: Site) -> None:
    page = (Path(__file__).parents[3] / "docs/how-to/serve.md").read_text()
    command = page.partition("```sh\ncurl ")[2].partition("```")[0]
    command = command.replace("http://127.0.0.1:7433", target.base)
    command = command.replace("$(cat token.txt)", target.token("owner"))
    words = shlex.split(command.replace("\\\n", " "))
    headers = {
        name: text
        for at, word in enumerate(words)
        if word == "-H"
        for name, _mark, text in [words[at + 1].partition(": ")]
    }
    answer = httpx2.post(words[0], content=words[words.index("-d") + 1], headers=headers)
    assert answer.status_code == 200, answer.text
    kept = target.db.kv.get("greeting")
    assert kept is not None
    assert kept.value == "hello"
