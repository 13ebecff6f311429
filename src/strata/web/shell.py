"""What every page uses: the visitor, what they see of the store, and threads to work in."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request

from strata.access import OF_DOCUMENTS, Browser, Grant, User
from strata.base import limits
from strata.base.errors import NotFound, Unavailable
from strata.mcp.server_config import ServerConfig
from strata.mcp.serving.auth import Identity, Refusal
from strata.mcp.serving.bodies import Bodies, Holding, gather_body
from strata.mcp.serving.calls import Workers
from strata.tools import StoreHost

if TYPE_CHECKING:
    from strata.workspace import Workspace

T = TypeVar("T")
_log = logging.getLogger(__name__)
COOKIE = "strata_session"


class Visitor(msgspec.Struct, frozen=True):
    """Who visits, and what they may do; by a browser that signed in, if `browser` names it."""

    grant: Grant
    user: User
    browser: str | None = None

    @property
    def reads(self) -> bool:
        """Whether texts are there for them: a token may be for other groups of tools only."""
        return self.grant.permits("core")


class Shell:
    """Answers what all pages ask; one for each server."""

    def __init__(
        self,
        host: StoreHost,
        serving: ServerConfig,
        *,
        identity: Identity,
        workers: Workers,
        bodies: Bodies,
    ) -> None:
        self.host = host
        self.serving = serving
        self.identity = identity
        self.workers = workers
        self.bodies = bodies
        # What runs beside requests, and how it ends; the parts that need it add it here.
        self.starting: list[Callable[[], Awaitable[None]]] = []
        self.stopping: list[Callable[[], Awaitable[None]]] = []
        self._threads = ThreadPoolExecutor(limits.WEB_THREADS, thread_name_prefix="strata-web")

    async def visitor(self, connection: HTTPConnection) -> Visitor | None:
        """Return who sends a request or opens a socket; None for a visitor who is not signed in."""
        secret = connection.cookies.get(COOKIE)
        authorization = connection.headers.get("authorization")
        if not self.identity.is_of_issuer(authorization):
            return await self.run(self._visitor, secret, authorization)
        found = await self.run(self._visitor, secret, None) if secret else None
        if found is not None:
            return found
        # The issuer may take its time, which is not that of the threads for pages.
        return await self.run(
            self._granted, await self.identity.admit(authorization, self._threads)
        )

    def _visitor(self, secret: str | None, authorization: str | None) -> Visitor | None:
        browser = self._browser(secret) if secret else None
        grant = self.identity.check(authorization) if browser is None else browser.grant
        return self._granted(grant, browser)

    def _granted(self, grant: Grant | Refusal, browser: Browser | None = None) -> Visitor | None:
        if not isinstance(grant, Grant) or grant.user is None:
            return None
        if not any(map(grant.permits, OF_DOCUMENTS)):
            return None  # a token for something else signs in no user
        try:
            user = self.host.db.serving.as_granted(grant).rights.user
        except NotFound:
            return None  # removed a moment ago
        return Visitor(grant, user, browser and browser.id)

    def _browser(self, secret: str) -> Browser | None:
        """Return the browser of a cookie, and note that it is in use."""
        try:
            sign_ins = self.host.db.sign_ins
            browser = sign_ins.check(secret)
            return browser and sign_ins.touch(browser)
        except Unavailable as error:
            _log.info("the use of a browser was not noted: %s", error)
            return self.host.db.sign_ins.check(secret)

    def db_for(
        self, visitor: Visitor, branch: str | None = None, at: str | None = None
    ) -> "Workspace":
        """Return the store for a visitor, on a branch, as it is or was."""
        db = self.host.db.serving.as_granted(visitor.grant)
        here = db if branch is None else db.on(branch)
        return here if at is None else here.at(at)

    async def run(self, work: Callable[..., T], *given: object) -> T:
        """Do what may wait for the disk in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


async def read_body(request: Request, most: int, holding: Holding | None = None) -> bytearray:
    """Return a whole body, or raise for one that is too large or too slow."""
    try:
        return await gather_body(request, most, holding)
    except (TimeoutError, ClientDisconnect):
        raise Unavailable("The request took too long to arrive.", hint="Send it again.") from None
