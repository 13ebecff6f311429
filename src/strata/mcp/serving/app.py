"""The application: the protocol behind its gate, a health check, and where to get tokens."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from strata.access import EVERYTHING, scopes_for
from strata.agents import Worker
from strata.base import limits
from strata.base.errors import StrataError
from strata.base.version import __version__
from strata.mcp.server_config import PATH, ServerConfig, choose
from strata.mcp.serving.auth import METADATA_PATH, Identity
from strata.mcp.serving.bodies import BODIES, Bodies
from strata.mcp.serving.calls import Workers
from strata.mcp.serving.gate import GROUPS_HEADER, VISIT, Gate
from strata.mcp.serving.memory import give_back_when_idle
from strata.mcp.serving.remotes import RemoteServer
from strata.mcp.serving.server import Context, RequestHandlers, Visit
from strata.mcp.serving.sessions import Sessions
from strata.mcp.serving.site import MakeSite, PageSite
from strata.mcp.serving.uploads import UploadReceiver
from strata.mcp.upload_requests import UPLOADS_PATH
from strata.tools import GROUPS, StoreHost

_log = logging.getLogger(__name__)
# Looking up a token is quick, but must not wait behind calls that are not.
_CHECKING_THREADS = 4
# How long one look at the store serves everybody who asks for the server's health.
_HEALTH_S = 1.0


class App:
    """Everything that belongs to one server, and its end."""

    def __init__(
        self, host: StoreHost, serving: ServerConfig, *, site: MakeSite | None = None
    ) -> None:
        self._host = host
        self._serving = serving
        self._workers = Workers()
        self._checking = ThreadPoolExecutor(_CHECKING_THREADS, thread_name_prefix="strata-check")
        self._identity = Identity(host, serving)
        self._uploads = UploadReceiver(host, serving)
        self._remotes = RemoteServer(
            host, self._identity, checking=self._checking, read_only=serving.read_only
        )
        self._worker = None if serving.read_only else Worker(host)
        host.start_agents = None if self._worker is None else self._worker.wake
        self._bodies = Bodies()
        self._site: PageSite | None = None
        if site is not None:
            self._site = site(
                host, serving, identity=self._identity, workers=self._workers, bodies=self._bodies
            )
        self.handlers = RequestHandlers(
            host, self._workers, visit=self._visit, exposure=choose(serving)
        )
        self._manager = Sessions(
            self.handlers.server,
            session_idle_timeout=serving.session_idle_s,
            max_request_body_size=serving.body_bytes_max,
            max_sessions=limits.SERVE_SESSIONS_MAX,
        )
        self._health: tuple[float, str] = (float("-inf"), "unavailable")
        self.gate = Gate(
            self._starlette(),
            serving,
            identity=self._identity,
            threads=self._checking,
            bodies=self._bodies,
        )
        self.asgi = self._with_cors(self.gate)

    def _visit(self, context: Context) -> Visit:
        if context.request is not None:
            return context.request.scope[VISIT]
        return Visit(EVERYTHING, choose(self._serving))  # a client in the same process

    def _starlette(self) -> Starlette:
        endpoint = StreamableHTTPASGIApp(self._manager)
        routes: list[BaseRoute] = [
            Route(PATH, endpoint),
            Route("/health", self._answer_health, methods=["GET"]),
            Route(UPLOADS_PATH + "{upload}", self._uploads.receive, methods=["PUT"]),
            *self._remotes.routes(),
        ]
        if self._serving.issuer is not None:
            places = (METADATA_PATH, METADATA_PATH + PATH)
            routes += [Route(place, self._answer_metadata, methods=["GET"]) for place in places]
        routes += self._site.routes() if self._site is not None else ()
        return Starlette(routes=routes, lifespan=self._life)

    def _with_cors(self, gate: Gate) -> Gate | CORSMiddleware:
        """Let the pages that were named read answers; others are refused at the gate."""
        if not self._serving.origins:
            return gate
        return CORSMiddleware(
            gate,
            allow_origins=list(self._serving.origins),
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=[
                "Authorization",
                "Content-Type",
                "Last-Event-ID",
                "Mcp-Method",
                "Mcp-Name",
                "Mcp-Protocol-Version",
                "Mcp-Session-Id",
                GROUPS_HEADER,
            ],
            expose_headers=["Mcp-Session-Id", "WWW-Authenticate"],
        )

    @asynccontextmanager
    async def _life(self, _app: Starlette) -> AsyncGenerator[dict[str, Bodies]]:
        # Leaving the manager closes every session, which rolls back what was left open.
        known = asyncio.create_task(self._uploads.stay_known())
        resting = asyncio.create_task(give_back_when_idle(lambda: self._workers.begun))
        try:
            async with self._manager.run():
                await self._start_site()
                if self._worker is not None:
                    self._worker.start()
                yield {BODIES: self._bodies}
        finally:
            if self._worker is not None:
                await asyncio.get_running_loop().run_in_executor(None, self._worker.stop)
            await self._stop_site()
            known.cancel()
            resting.cancel()
            await self._uploads.close()
            self._remotes.close()
            self._identity.close()
            self._workers.close()
            self._bodies.close()
            self._checking.shutdown(wait=False, cancel_futures=True)

    @property
    def stop_s(self) -> float:
        """How long calls may take to finish when the server stops."""
        return self._serving.stop_s

    async def stop(self) -> bool:
        """Let calls finish within the limit and end what waits; tell whether all have ended."""
        self.gate.is_stopping = True
        has_ended = await self._workers.drain(self._serving.stop_s)
        await self._stop_site()
        self.handlers.listen.close()
        self.gate.stop()
        return has_ended

    async def _start_site(self) -> None:
        if self._site is not None:
            await self._site.start()

    async def _stop_site(self) -> None:
        if self._site is None:
            return
        try:
            await self._site.stop()
        except Exception:  # noqa: BLE001  (the rest of the server has to end all the same)
            _log.exception("the pages did not end well")

    def hurry(self) -> None:
        """Stop running calls at once."""
        self._workers.cancel_all()

    # What is answered without a token.

    async def _answer_health(self, _request: Request) -> Response:
        store = await self._store_health()
        is_ready = store == "ok" and not self.gate.is_stopping
        state = "stopping" if self.gate.is_stopping else "ready" if is_ready else "unavailable"
        body = {"status": state, "version": __version__, "store": store}
        headers = {"Cache-Control": "no-store", **self._uploads.headers}
        return JSONResponse(body, 200 if is_ready else 503, headers)

    async def _store_health(self) -> str:
        loop = asyncio.get_running_loop()
        seen, state = self._health
        if loop.time() - seen > _HEALTH_S:
            state = await loop.run_in_executor(self._checking, self._look_at_store)
            self._health = (loop.time(), state)
        return state

    def _look_at_store(self) -> str:
        try:
            self._host.db.time_range()
        except (StrataError, OSError) as error:
            _log.warning("the store does not answer: %s", error)
            return "unavailable"
        return "ok"

    async def _answer_metadata(self, _request: Request) -> Response:
        """Tell a client who gives out tokens for this server (RFC 9728)."""
        body = {
            "resource": self._serving.resource,
            "resource_name": "Strata",
            "authorization_servers": [self._serving.issuer],
            "scopes_supported": scopes_for(GROUPS),
            "bearer_methods_supported": ["header"],
        }
        return JSONResponse(body, headers={"Access-Control-Allow-Origin": "*"})
