"""A server on loopback with several people, and their pages."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import strata
from strata.base import limits
from strata.mcp.http import ServerConfig
from strata.mcp.serving import listen as listening
from strata.tools import StoreHost
from strata.web import site
from tests.surface.live.pages import Page

TEXT = "# 계획\n\n안녕 세계\n"


class Running:
    """A server that runs in a thread, and the store behind it."""

    def __init__(self, host: StoreHost, **options: Any) -> None:
        self.host = host
        self._ready = threading.Event()
        given: dict[str, Any] = {"port": 0, **options}
        self._serving = ServerConfig(**given)
        self.listener: listening.Listener | None = None
        self.address = ""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(30), "the server did not start"

    def _run(self) -> None:
        with listening.bound(self._serving) as (listener, told):
            self.address = f"ws://127.0.0.1:{told.port}"
            app = listening.App(self.host, told, site=site)
            self.listener = listening.Listener(app, self._ready.set)
            self.listener.run(sockets=[listener])

    def stop(self) -> None:
        assert self.listener is not None
        self.listener.should_exit = True
        self._thread.join(30)
        assert not self._thread.is_alive(), "the server did not stop"


class Office:
    """A server, a document of the owner's, and pages that are closed in the end."""

    def __init__(self, host: StoreHost) -> None:
        self.db: strata.Workspace = host.db
        self.host = host
        self.server = Running(host)
        self.document = self.db.documents.create("계획", TEXT).document
        self._tokens: dict[tuple[str, tuple[tuple[str, Any], ...]], str] = {}
        self.pages: list[Page] = []

    def token(self, who: str, **rights: Any) -> str:
        key = (who, tuple(sorted(rights.items())))
        if key not in self._tokens:
            user = None if who == "owner" else self.user(who)
            made = self.db.tokens.create(f"{who} {len(self._tokens)}", user=user, **rights)
            self._tokens[key] = made.secret
        return self._tokens[key]

    def user(self, who: str) -> str:
        found = self.db.users.get(f"{who}@example.com")
        return (found or self.db.users.add(f"{who}@example.com", who.title())).id

    def share(self, who: str, role: str, document: str | None = None) -> None:
        self.user(who)
        self.db.shares.share(document or self.document, f"{who}@example.com", role)

    def open(
        self,
        who: str = "owner",
        document: str | None = None,
        *,
        branch: str | None = None,
        server: Running | None = None,
        rights: dict[str, Any] | None = None,
    ) -> Page:
        """Connect somebody's page, which is not in step yet."""
        query = "" if branch is None else f"?branch={branch}"
        address = (server or self.server).address
        page = Page(
            f"{address}/live/{document or self.document}{query}",
            headers={"Authorization": f"Bearer {self.token(who, **(rights or {}))}"},
        )
        self.pages.append(page)
        return page

    def page(self, *given: Any, **more: Any) -> Page:
        """Connect somebody's page and bring it into step."""
        page = self.open(*given, **more)
        page.until_told("welcome")
        page.sync()
        return page

    @property
    def text(self) -> str:
        return self.db.documents.text(self.document)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    path = tmp_path / "live.db"
    host = StoreHost(lambda: strata.open(path, durability="standard", auto_embed=False))
    office = Office(host)
    yield office
    for page in office.pages:
        page.close()
    office.server.stop()
    host.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a server that starts later look at sign-ins and presence more often."""
    monkeypatch.setattr(limits, "LIVE_SIGNED_IN_S", 0.2)
    monkeypatch.setattr(limits, "LIVE_PRESENCE_S", 0.1)
