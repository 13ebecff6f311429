"""A server on loopback in a thread of its own, and clients that speak to it over HTTP."""

import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import strata
from strata.mcp.http import ServerConfig
from strata.mcp.serving import listen as listening
from strata.mcp.serving.server import call_tool as real_call_tool
from strata.tools import CallOutcome, Cancel, StoreHost

LEGACY, MODERN = "legacy", "2026-07-28"
ERAS = pytest.mark.parametrize("era", [LEGACY, MODERN])
Serve = Callable[..., "Running"]


class Running(NamedTuple):
    """A server that runs, and the store behind it."""

    url: str
    db: strata.Workspace
    listener: listening.Listener

    @property
    def base(self) -> str:
        return self.url.removesuffix("/mcp")

    def token(self, label: str = "노트북", **rights: Any) -> str:
        return self.db.tokens.create(label, **rights).secret

    @asynccontextmanager
    async def client(
        self, era: str = LEGACY, *, token: str | None = None, query: str = "", **headers: str
    ) -> AsyncGenerator[Client]:
        """Connect a client of the SDK."""
        sent = {name.replace("_", "-"): text for name, text in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        async with httpx2.AsyncClient(headers=sent, timeout=30) as http:
            transport = streamable_http_client(self.url + query, http_client=http)
            async with Client(transport, mode=era, cache=None) as client:
                yield client

    def post(self, body: object = None, **more: Any) -> httpx2.Response:
        """Send one request by hand."""
        headers = {"Accept": "application/json, text/event-stream", **more.pop("headers", {})}
        given: dict[str, Any] = {"json": body} if body is not None else more
        return httpx2.post(self.url, headers=headers, timeout=30, **given)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers on one store, of the eight tools unless told otherwise; all are stopped."""
    running: list[tuple[listening.Listener, threading.Thread]] = []
    path = tmp_path / "served.db"
    host = StoreHost(lambda: strata.open(path, durability="standard", auto_embed=False))

    def start(**options: Any) -> Running:
        found: list[tuple[ServerConfig, listening.Listener]] = []
        ready = threading.Event()
        serving = ServerConfig(**({"port": 0, "no_auth": True, "groups": "memory"} | options))

        def run() -> None:
            with listening.bound(serving) as (listener, told):
                server = listening.Listener(listening.App(host, told), ready.set)
                found.append((told, server))
                running.append((server, thread))
                server.run(sockets=[listener])

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        assert ready.wait(60), "the server did not start"
        return Running(found[0][0].url, host.db, found[0][1])

    yield start
    for server, thread in running:
        stop(server, thread)
    host.close()


def stop(server: listening.Listener, thread: threading.Thread) -> None:
    server.should_exit = True
    thread.join(60)
    assert not thread.is_alive(), "the server did not stop"


class Slow(NamedTuple):
    """What slow calls met."""

    begun: threading.Event
    released: threading.Event
    cancelled: threading.Event


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    """Let a call of strata_recall for the key `slow` wait until it is released or cancelled."""
    met = Slow(threading.Event(), threading.Event(), threading.Event())

    def call(session: Any, tool: Any, arguments: Any, **more: Any) -> CallOutcome:
        cancel: Cancel = more["cancel"]
        if arguments.get("key") != "slow":
            return real_call_tool(session, tool, arguments, **more)
        progress = more.get("progress")
        if progress is not None:
            for done in (1, 2, 3):
                progress("느린 일", done, 3)
                time.sleep(0.1)
        met.begun.set()
        deadline = time.monotonic() + 60
        while not met.released.is_set() and time.monotonic() < deadline:
            if cancel.is_cancelled:
                met.cancelled.set()
                return CallOutcome({"code": "interrupted", "message": "stopped"}, is_error=True)
            time.sleep(0.01)
        return real_call_tool(session, tool, arguments, **more)

    monkeypatch.setattr("strata.mcp.serving.server.call_tool", call)
    return met
