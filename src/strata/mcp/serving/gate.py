"""What a request passes before it is answered: where it comes from, who sends it, its size."""

import logging
from collections import deque
from concurrent.futures import Executor

import anyio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers, QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from strata.base import limits
from strata.base.errors import StrataError
from strata.mcp.server_config import PATH, ServerConfig, choose
from strata.mcp.serving.auth import Identity, Refusal, challenge
from strata.mcp.serving.bodies import (
    Bodies,
    Holding,
    body_bytes_max,
    gather_body,
    is_short,
    lift_arguments,
)
from strata.mcp.serving.message_rules import check_message
from strata.mcp.serving.origins import OriginCheck, is_public
from strata.mcp.serving.remotes import REMOTE_PATH
from strata.mcp.serving.server import EXPOSED, Visit
from strata.mcp.upload_requests import UPLOADS_PATH, status_of

VISIT = "strata.visit"
GROUPS_HEADER = "x-strata-tool-groups"
_log = logging.getLogger(__name__)
# Warnings that were logged; a client repeats its header with every request.
_WARNED_MAX = 1_000


class Gate:
    """Guards the endpoint of the protocol and admits requests that may use it."""

    def __init__(
        self,
        app: ASGIApp,
        serving: ServerConfig,
        *,
        identity: Identity,
        threads: Executor,
        bodies: Bodies,
    ) -> None:
        self._app = app
        self._serving = serving
        self._identity = identity
        self._origins = OriginCheck(serving)
        self._threads = threads
        self._bodies = bodies
        self._warned: set[str] = set()
        self._streams: set[anyio.CancelScope] = set()
        self._sockets = 0
        self.is_stopping = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._beside(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._origins.check_program(headers) or self._stopping()
        refusal = refusal or await self._admit(scope, headers)
        if refusal is not None:
            await self._refuse(refusal)(scope, receive, send)
        elif scope["method"] == "POST":
            await self._post(scope, receive, send)
        elif scope["method"] == "GET":
            await self._stream(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _beside(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what asks for itself who is there, but not to any page."""
        refusal = None if scope["type"] == "lifespan" else self._outside(scope)
        if refusal is not None:
            await self._refuse(refusal)(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _outside(self, scope: Scope) -> Refusal | None:
        headers, path = Headers(scope=scope), scope["path"]
        if scope["type"] == "http" and is_public(path):
            return None
        if path.startswith((UPLOADS_PATH, REMOTE_PATH)):  # they bring a signature or a token
            return self._origins.check_program(headers) or self._stopping()
        return self._origins.check_page(scope, headers) or self._stopping()

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket, unless there are too many: this is the only place that counts them."""
        if self._sockets >= limits.SOCKETS_MAX:
            await self._refuse(_CROWDED)(scope, receive, send)
            return
        self._sockets += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets -= 1

    def stop(self) -> None:
        """Refuse what comes from now on, and end the streams that would stay open for ever."""
        self.is_stopping = True
        for stream in list(self._streams):
            stream.cancel()

    def _stopping(self) -> Refusal | None:
        return _STOPPING if self.is_stopping else None

    # Who sends it.

    async def _admit(self, scope: Scope, headers: Headers) -> Refusal | None:
        """Find out who asks and which tools they get, and write both into the scope."""
        grant = await self._identity.admit(headers.get("authorization"), self._threads)
        if isinstance(grant, Refusal):
            return grant
        header = headers.get(GROUPS_HEADER)
        query = QueryParams(scope["query_string"]).get("groups")
        exposure = choose(self._serving, grant, header=header, query=query)
        if not exposure.groups and not exposure.extra:
            return self._too_small(header or query)
        self._warn(exposure.warnings)
        scope[VISIT] = Visit(grant, exposure, self._serving.is_for_this_machine)
        EXPOSED.set(exposure)
        if grant.principal:
            # What the SDK binds a session to.
            token = AccessToken(token="", client_id=grant.principal, scopes=[])
            scope["user"] = AuthenticatedUser(token)
        return None

    def _too_small(self, asked: str | None) -> Refusal:
        wanted = choose(self._serving, header=asked).groups
        return Refusal(
            403,
            "insufficient_scope",
            "This token is not for any of the groups asked for.",
            scope=" ".join(f"strata:{group}" for group in wanted) or None,
        )

    def _warn(self, warnings: tuple[str, ...]) -> None:
        for warning in warnings:
            if warning not in self._warned and len(self._warned) < _WARNED_MAX:
                self._warned.add(warning)
                _log.warning("%s", warning)

    # What it brings.

    async def _post(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a message within its limits, and answer it while its bytes are counted."""
        grant = scope[VISIT].grant
        with self._bodies.holding(grant.user or grant.principal) as holding:
            body = await self._body(scope, receive, holding)
            if isinstance(body, Refusal):
                await self._refuse(body)(scope, receive, send)
            else:
                await self._app(scope, body, send)

    async def _body(self, scope: Scope, receive: Receive, holding: Holding) -> Receive | Refusal:
        """Read the whole body, and return a way to read again what the SDK is to see of it."""
        visit: Visit = scope[VISIT]
        request = Request(scope, receive)
        most = body_bytes_max(self._serving.body_bytes_max, read_only=visit.exposure.read_only)
        try:
            body = await gather_body(request, most, holding)
            refusal = check_message(request, body)
            if refusal is not None:
                return refusal
            if is_short(body):
                return _again(bytes(body), receive)
            lifted = await self._bodies.parse(lift_arguments, body)
        except TimeoutError:
            return Refusal(408, "request_timeout", "The request took too long to arrive.")
        except ClientDisconnect:
            return _UNREAD
        except StrataError as error:
            return Refusal(status_of(error), error.code, str(error))
        scope[VISIT] = visit._replace(arguments=lifted.arguments)
        return _again(lifted.body, receive)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a stream that lasts as long as its client, or until the server stops."""
        has_begun = has_ended = False

        async def watched(message: Message) -> None:
            nonlocal has_begun, has_ended
            has_begun = True
            has_ended = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        with anyio.CancelScope() as stream:
            self._streams.add(stream)
            try:
                await self._app(scope, receive, watched)
            finally:
                self._streams.discard(stream)
        if stream.cancelled_caught and has_begun and not has_ended:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _refuse(self, refusal: Refusal) -> Response:
        body: dict[str, object] = {
            "error": refusal.error or "unauthorized",
            "error_description": refusal.description,
        }
        if refusal.code is not None:
            error = {"code": refusal.code, "message": refusal.description}
            body = {"jsonrpc": "2.0", "id": None, "error": error}
        headers: dict[str, str] = {}
        if refusal.status in (401, 403) and refusal.error != "origin_not_allowed":
            headers["WWW-Authenticate"] = challenge(refusal, self._serving)
        if refusal.status in (408, 413):
            headers["Connection"] = "close"  # the rest of the body is not worth reading
        if refusal.status == 503:
            headers["Retry-After"] = "5"
        return JSONResponse(body, refusal.status, headers)


_STOPPING = Refusal(503, "stopping", "The server is about to stop.")
_CROWDED = Refusal(503, "unavailable", "Too many pages are open on this server.")
_UNREAD = Refusal(400, "bad_request", "The request cannot be read.")


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a way to read a body that was read before, and then what comes behind it."""
    kept: deque[Message] = deque([{"type": "http.request", "body": body, "more_body": False}])

    async def again() -> Message:
        return kept.popleft() if kept else await receive()

    return again
