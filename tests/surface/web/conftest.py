"""A server with its pages, in a thread of its own, and browsers that visit it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest

import strata
from strata.mcp.http import ServerConfig
from strata.mcp.serving import listen as listening
from strata.tools import StoreHost
from strata.web import site
from tests.surface.documents.conftest import Office, office

__all__ = ["Browser", "Office", "Serve", "Served", "office", "serve", "serving_at", "visit"]

Serve = Callable[..., "Served"]
COOKIE = "strata_session"


class Browser:
    """Somebody's browser: keeps cookies, and says which page sends what."""

    def __init__(self, base: str, http: httpx2.Client) -> None:
        self.base = base
        self.http = http

    def get(self, path: str, **more: Any) -> httpx2.Response:
        return self.http.get(self.base + path, timeout=30, **more)

    def post(self, path: str, origin: str | None = "", **more: Any) -> httpx2.Response:
        """Send something from a page of the server itself, unless told otherwise."""
        headers = dict(more.pop("headers", {}))
        if origin is not None:
            headers["Origin"] = origin or self.base
        return self.http.post(self.base + path, headers=headers, timeout=30, **more)

    def sign_in(self, code: str, goal: str = "", **more: Any) -> httpx2.Response:
        return self.post("/sign-in", data={"code": code, "next": goal}, **more)

    def call(self, tool: str, /, **arguments: Any) -> httpx2.Response:
        return self.post(f"/api/tools/{tool}", json=arguments)

    def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        answer = self.call(tool, **arguments)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def secret(self) -> str:
        return self.http.cookies[COOKIE]


class Served(NamedTuple):
    """A server, the store behind it, and where it is."""

    base: str
    db: strata.Workspace
    listener: listening.Listener
    browsers: list[httpx2.Client]

    def browser(self, base: str | None = None) -> Browser:
        """Return a browser that nobody has signed in with."""
        self.browsers.append(httpx2.Client())
        return Browser(base or self.base, self.browsers[-1])

    def signed_in(self, who: str | None = None) -> Browser:
        browser = self.browser()
        assert browser.sign_in(self.db.sign_ins.create_code(who).secret).status_code == 303
        return browser


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers with pages, all on one store; all are stopped."""
    with serving_at(tmp_path / "사무실.db") as start:
        yield start


@contextmanager
def serving_at(path: Path) -> Iterator[Serve]:
    """Give what starts servers with pages on a store that is made; all are stopped."""
    running: list[tuple[listening.Listener, threading.Thread]] = []
    browsers: list[httpx2.Client] = []
    with strata.open(path, durability="standard", auto_embed=False):
        pass
    hosts: list[StoreHost] = []

    def start(**options: Any) -> Served:
        found: list[tuple[ServerConfig, listening.Listener]] = []
        ready = threading.Event()
        options.setdefault("port", 0)
        serving = ServerConfig(**options)
        host = StoreHost(
            lambda: strata.open(
                path, durability="standard", auto_embed=False, read_only=serving.read_only
            )
        )
        hosts.append(host)

        def run() -> None:
            with listening.bound(serving) as (listener, told):
                server = listening.Listener(listening.App(host, told, site=site), ready.set)
                found.append((told, server))
                running.append((server, thread))
                server.run(sockets=[listener])

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        assert ready.wait(60), "the server did not start"
        address = f"http://127.0.0.1:{found[0][0].port}"
        return Served(address, host.db, found[0][1], browsers)

    yield start
    for client in browsers:
        client.close()
    for server, thread in running:
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive(), "the server did not stop"
    for host in hosts:
        host.close()


@pytest.fixture
def visit(office: Office) -> Iterator[Callable[[str], Browser]]:
    """Sign somebody of the office in, by the token of their agent."""
    clients: list[httpx2.Client] = []

    def enter(name: str) -> Browser:
        clients.append(httpx2.Client())
        browser = Browser(office.url.removesuffix("/mcp"), clients[-1])
        assert browser.sign_in(getattr(office, name).token).status_code == 303
        return browser

    yield enter
    for client in clients:
        client.close()
