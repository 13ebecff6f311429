"""Who listens for uploads: the store's server if one answers, else the process for a while."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import httpx2
import pytest

import strata
from strata.base import limits
from strata.base.errors import Unavailable
from strata.mcp.http import ServerConfig
from strata.mcp.loopback import Loopback
from strata.tools import StoreHost
from tests.surface.http.conftest import Running
from tests.surface.uploads.conftest import Post, connect, put

TEXT = "# 계획\n\n봄\n".encode()


def served(running: Running) -> str | None:
    return running.db.serving.uploads().servers.find()


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not what() and time.monotonic() < end:
        time.sleep(0.02)
    assert what()


@pytest.fixture
def process(tmp_path: Path) -> Iterator[StoreHost]:
    """A process without a server, on the same store as those of `serve`."""
    path = tmp_path / "served.db"
    host = StoreHost(lambda: strata.open(path, durability="standard", auto_embed=False))
    yield host
    host.close()


# A process of its own.


def test_nothing_listens_before_somebody_asks(process: StoreHost) -> None:
    loopback = Loopback(process)
    assert not loopback.is_listening
    first, again = loopback.url(), loopback.url()
    assert loopback.is_listening
    assert first == again


def test_the_listener_goes_when_its_last_address_has_expired(
    process: StoreHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "UPLOAD_S", 2.0)
    monkeypatch.setattr(limits, "UPLOAD_BODY_S", 0.1)
    monkeypatch.setattr("strata.mcp.loopback._Server.timeout", 0.05)
    loopback = Loopback(process)
    post = Post(process.db, loopback.url)
    upload = post.presign(len(TEXT))
    assert put(upload, TEXT).status_code == 200
    wait_for(lambda: not loopback.is_listening)
    time.sleep(0.2)
    with pytest.raises(httpx2.ConnectError):
        put(upload, TEXT)
    late = post.presign(len(TEXT))  # and comes back when it is needed
    assert put(late, TEXT).status_code == 200


def test_a_caller_that_goes_at_once_is_told_what_to_start(process: StoreHost) -> None:
    with pytest.raises(Unavailable, match="strata serve"):
        process.upload_url()
    process.uploads_at = lambda: "http://127.0.0.1:1"
    assert process.upload_url() == "http://127.0.0.1:1"


# The store's server.


def test_a_process_sends_to_the_server_that_runs_on_its_store(
    serve: Callable[..., Running], process: StoreHost
) -> None:
    running = serve()
    wait_for(lambda: served(running))
    loopback = Loopback(process)
    post = Post(process.db, loopback.url)
    upload = post.presign(len(TEXT))
    assert upload.url.startswith(running.base)
    assert not loopback.is_listening
    assert put(upload, TEXT).status_code == 200
    assert post.text(upload).encode() == TEXT
    assert process.upload_url() == running.base


def test_a_server_that_stopped_is_forgotten(
    serve: Callable[..., Running], process: StoreHost
) -> None:
    running = serve()
    wait_for(lambda: served(running))
    running.listener.should_exit = True
    wait_for(lambda: not process.db.leases.list())
    assert Loopback(process).url() != running.base


def test_a_server_that_was_killed_does_not_count(process: StoreHost) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        dead = f"http://127.0.0.1:{taken.getsockname()[1]}"
    servers = process.writing().serving.uploads().servers
    assert servers.announce(dead, dead) is not None
    assert servers.find() is None
    assert servers.announce(dead, "https://later.example") is not None
    assert [lease.holder for lease in process.db.leases.list()] == ["https://later.example"]


def test_a_server_of_another_store_does_not_count(
    serve: Callable[..., Running], tmp_path: Path
) -> None:
    running = serve()
    wait_for(lambda: served(running))
    with strata.open(tmp_path / "another.db", auto_embed=False) as db:
        db.serving.uploads().servers.announce(running.base, running.base)
        assert db.serving.uploads().servers.find() is None


def test_a_stranger_on_the_port_does_not_count(process: StoreHost) -> None:
    class Stranger(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"status": "ready"}')

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Stranger) as server:
        Thread(target=server.handle_request, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        servers = process.writing().serving.uploads().servers
        servers.announce(url, url)
        assert servers.find() is None


def test_the_world_is_told_the_public_name(
    serve: Callable[..., Running], process: StoreHost
) -> None:
    running = serve(public_url="https://strata.example.com/")
    wait_for(lambda: served(running))
    url = Post(process.db, Loopback(process).url).presign(len(TEXT)).url
    assert url.startswith("https://strata.example.com/uploads/upload_")
    parts = urlsplit(url)
    port = running.listener.servers[0].sockets[0].getsockname()[1]
    near = f"http://127.0.0.1:{port}{parts.path}?{parts.query}"
    assert httpx2.put(near, content=TEXT, timeout=20).status_code == 200


def test_the_store_may_know_the_public_name(tmp_path: Path) -> None:
    from strata.mcp.http import named_by_store

    host = StoreHost(lambda: strata.open(tmp_path / "store.db", auto_embed=False))
    host.db.settings.set("public_url", "https://strata.example.com")
    assert named_by_store(host, ServerConfig()).base_url == "https://strata.example.com"
    told = ServerConfig(public_url="https://other.example")
    assert named_by_store(host, told) == told
    host.close()


@pytest.mark.slow
def test_a_server_without_a_store_is_known_once_there_is_one(tmp_path: Path) -> None:
    path = tmp_path / "later.db"
    command = [sys.executable, "-m", "strata", "--db", path, "--json", "serve"]
    with subprocess.Popen(
        [*map(str, command), "--port", "0", "--no-auth", "--groups", "memory", "--no-auto-embed"],
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            told = json.JSONDecoder().raw_decode(_object(server.stdout))[0]
            assert not path.exists()
            store(told["url"])
            assert path.exists()
            with strata.open(path, auto_embed=False) as db:
                wait_for(db.serving.uploads().servers.find)
        finally:
            server.terminate()
            assert server.wait(20) == 0


def _object(lines: Iterator[str]) -> str:
    """Read a printed object up to its end."""
    text = ""
    for line in lines:
        text += line
        if line.startswith("}"):
            break
    return text


def store(url: str) -> None:
    """Write one fact, which makes the store."""
    envelope = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    params = {"name": "strata_store", "arguments": {"key": "k", "value": "값"}, "_meta": envelope}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "Accept": "application/json, text/event-stream",
        "Mcp-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "strata_store",
    }
    answer = httpx2.post(url, json=message, headers=headers, timeout=20)
    assert answer.status_code == 200, answer.text


def test_a_server_stops_though_a_file_is_on_its_way(
    serve: Callable[..., Running],
) -> None:
    running = serve()
    post = Post(running.db, lambda: running.base)
    upload = post.presign(len(TEXT))
    with connect(upload) as line:
        line.sendall(f"Content-Length: {len(TEXT)}\r\n\r\n".encode() + TEXT[:5])
        time.sleep(0.2)
        began = time.monotonic()
        running.listener.should_exit = True
        while line.recv(4096):
            pass
        assert time.monotonic() - began < 15
    with pytest.raises(Unavailable, match="Nothing has arrived"):
        post.finalize(upload)


def test_a_page_that_was_named_may_send_files(serve: Callable[..., Running]) -> None:
    running = serve(origins=("https://app.example",))
    upload = Post(running.db, lambda: running.base).presign(len(TEXT))
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "PUT"}
    answer = httpx2.options(upload.url, headers=asked, timeout=20)
    assert "PUT" in answer.headers["access-control-allow-methods"]
    assert put(upload, TEXT, Origin="https://app.example").status_code == 200


# Whole processes.

PROGRAM = """
import sys
from strata.mcp.start import _listening_for, host_at
host = host_at(sys.argv[1], read_only=False, auto_embed=False)
host.uploads_at = _listening_for(host)
db = host.writing()
uploads = db.serving.uploads(host.upload_url)
for line in sys.stdin:
    print(uploads.presign(db.documents.rights.user.id, length=int(line), title="계획").url)
    sys.stdout.flush()
"""


def test_a_killed_process_takes_its_listener_along_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    command = [sys.executable, "-c", PROGRAM, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        urls: list[str] = []
        for _ in range(2):
            process.stdin.write(f"{len(TEXT)}\n")
            process.stdin.flush()
            urls.append(process.stdout.readline().strip())
        assert httpx2.put(urls[0], content=TEXT, timeout=20).status_code == 200
        parts = urlsplit(urls[1])
        with socket.create_connection(("127.0.0.1", parts.port or 0)) as line:
            head = f"PUT {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
            line.sendall(f"{head}Content-Length: {len(TEXT)}\r\n\r\n".encode() + TEXT[:5])
            time.sleep(0.2)
            process.send_signal(signal.SIGKILL)
            process.wait(20)
        with pytest.raises(httpx2.TransportError):
            httpx2.put(urls[1], content=TEXT, timeout=5)
    with strata.open(path, auto_embed=False) as db:
        me, room = db.documents.rights.user.id, db.documents
        whole, half = (urlsplit(url).path.removeprefix("/uploads/") for url in urls)
        done = db.serving.uploads().finalize(me, whole, room)
        assert room.text(done.document).encode() == TEXT
        with pytest.raises(Unavailable, match="Nothing has arrived"):
            db.serving.uploads().finalize(me, half, room)
        assert db.verify().ok


def test_the_first_answer_of_a_process_loads_nothing_for_uploads(tmp_path: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    program = (
        "import sys\nfrom strata.__main__ import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "mcp", "--db", str(tmp_path / "store.db")],
        input=json.dumps(hello) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    loaded = set(done.stderr.split())
    assert "strata.mcp.stdio" in loaded
    assert not loaded & {"strata.mcp.loopback", "strata.documents.files", "PIL", "obstore"}
    assert not loaded & {"http.server", "socketserver"}
