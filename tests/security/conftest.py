"""A store, and the pages that anybody may read of it: answered in place, or by a real server."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import httpx2
import pytest
import uvicorn
from starlette.applications import Starlette

import strata
from strata.mcp.server_config import ServerConfig
from strata.tools import StoreHost
from strata.web.public import public_routes

Publish = Callable[..., str]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[strata.Workspace]:
    with strata.open(tmp_path / "store.db", durability="standard", auto_embed=False) as made:
        yield made


class Shell:
    """As much of a server's shell as public pages need; nobody is signed in."""

    def __init__(self, db: strata.Workspace, port: int = 7433) -> None:
        self.host = StoreHost(lambda: db)
        self.serving = ServerConfig(port=port)

    async def run(self, work: Callable[..., Any], *given: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(None, work, *given)

    async def visitor(self, _connection: object) -> None:
        return None


def app_of(db: strata.Workspace, port: int = 7433) -> Starlette:
    shell: Any = Shell(db, port)
    return Starlette(routes=list(public_routes(shell)))


@pytest.fixture
def get(db: strata.Workspace) -> Callable[..., httpx2.Response]:
    """Ask the pages for something, in this very process."""
    app = app_of(db)

    def ask(path: str, method: str = "GET", **headers: str) -> httpx2.Response:
        async def send() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://here") as client:
                named = {name.replace("_", "-"): text for name, text in headers.items()}
                return await client.request(method, path, headers=named)

        return asyncio.run(send())

    return ask


@pytest.fixture
def publish(db: strata.Workspace) -> Publish:
    """Make a document, publish it, and return the path of its page."""

    def make(title: str, content: str) -> str:
        made = db.allowing_secrets().documents.create(title, content)
        path = db.publishing.publish(made.document).path
        assert path is not None
        return path

    return make


@pytest.fixture
def site(db: strata.Workspace) -> Iterator[SimpleNamespace]:
    """The same pages behind a real server on loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app_of(db, port), port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    yield SimpleNamespace(url=f"http://127.0.0.1:{port}", name=unquote)
    server.should_exit = True
    thread.join(60)
