"""The two that take uploads: `strata serve`, and the listener of a process without a server."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2
import pytest

import strata
from strata.documents import FinishedUpload, Upload
from strata.mcp.loopback import Loopback
from strata.tools import StoreHost
from tests.surface.http.conftest import Running, serve

__all__ = ["serve"]


class Post(NamedTuple):
    """Somewhere to send files to, and the store behind it."""

    db: strata.Workspace
    base_url: Callable[[], str]

    @property
    def me(self) -> str:
        return self.db.documents.rights.user.id

    def presign(self, length: int, **told: Any) -> Upload:
        if "document" not in told:
            told.setdefault("title", "계획")
        return self.db.serving.uploads(self.base_url).presign(self.me, length=length, **told)

    def finalize(self, upload: Upload) -> FinishedUpload:
        return self.db.serving.uploads().finalize(self.me, upload.id, self.db.documents)

    def text(self, upload: Upload) -> str:
        return self.db.documents.text(self.finalize(upload).document)


def put(upload: Upload, content: Any, url: str = "", **headers: str) -> httpx2.Response:
    """Send a file as a client would, with the headers that were asked for."""
    sent = {**upload.required_headers, **headers}
    if not isinstance(content, bytes):
        del sent["Content-Length"]  # in chunks
    return httpx2.put(url or upload.url, content=content, headers=sent, timeout=30)


def connect(upload: Upload) -> socket.socket:
    """Begin a request by hand, up to its headers."""
    parts = urlsplit(upload.url)
    line = socket.create_connection((parts.hostname or "", parts.port or 0), timeout=20)
    head = f"PUT {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
    line.sendall(head.encode())
    return line


@pytest.fixture
def at_server(serve: Callable[..., Running]) -> Post:
    """A server that asks for tokens: an upload needs none."""
    running = serve(no_auth=False)
    return Post(running.db, lambda: running.base)


@pytest.fixture
def at_process(tmp_path: Path) -> Iterator[Post]:
    """A process that has no server, and listens when asked."""
    host = StoreHost(
        lambda: strata.open(tmp_path / "own.db", durability="standard", auto_embed=False)
    )
    yield Post(host.db, Loopback(host).url)
    host.close()


@pytest.fixture(params=["at_server", "at_process"])
def post(request: pytest.FixtureRequest) -> Post:
    """Each of the two."""
    return request.getfixturevalue(request.param)
