"""Sessions of the older revisions: bounded for each caller, who loses the oldest first."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from math import inf
from typing import Any

from mcp.server.auth.middleware.bearer_auth import (
    AuthenticatedUser,
    AuthorizationContext,
    authorization_context,
)
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER, StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from strata.base import limits
from strata.base.pace import Pace
from strata.mcp import protocol


class Sessions(StreamableHTTPSessionManager):
    """The sessions of a server. Clients open a new one when theirs is gone, as the protocol says.

    The SDK has a bound for all callers together, which one of them could use up for all others.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        # By caller: there are not more of them than tokens.
        self._paces: dict[str, Pace] = {}

    async def _handle_stateful_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; one that opens a session waits until its caller may open one more."""
        if MCP_SESSION_ID_HEADER not in Headers(scope=scope) and not await self._has_turn(scope):
            await _TOO_FAST(scope, receive, send)
            return
        await super()._handle_stateful_request(scope, receive, send)

    async def _has_turn(self, scope: Scope) -> bool:
        user, now = scope.get("user"), asyncio.get_running_loop().time()
        name = _name(authorization_context(user) if isinstance(user, AuthenticatedUser) else None)
        pace = self._paces.get(name)
        if pace is None:
            most = limits.SERVE_SESSIONS_OF_ONE_MAX
            pace = self._paces[name] = Pace(limits.SERVE_SESSIONS_A_SECOND, most)
        if pace.would_pause(now) > limits.SERVE_SESSION_WAIT_S:
            return False
        await asyncio.sleep(pace.pause(now))
        return True

    def _admit_session(
        self, requestor: AuthorizationContext | None
    ) -> StreamableHTTPServerTransport | None:
        """Open a session; where there are too many, the one that rests longest ends."""
        owners = {one: _name(self._session_owners.get(one)) for one in self._server_instances}
        mine = [one for one, owner in owners.items() if owner == _name(requestor)]
        if len(mine) >= limits.SERVE_SESSIONS_OF_ONE_MAX and not self._end_idle(mine):
            return None
        if len(self._server_instances) >= limits.SERVE_SESSIONS_MAX:
            largest, _count = Counter(owners.values()).most_common(1)[0]
            self._end_idle(one for one, owner in owners.items() if owner == largest)
        return super()._admit_session(requestor)

    def _end_idle(self, sessions: Iterable[str]) -> bool:
        """End the session that no request has come for the longest; False if all are in use."""
        ends = {one: _ends_at(self._server_instances.get(one)) for one in sessions}
        found = min(ends, key=lambda one: ends[one], default=None)
        if found is None or ends[found] == inf or self._task_group is None:
            return False
        transport = self._server_instances.pop(found)
        self._session_owners.pop(found, None)
        self._task_group.start_soon(self._discard_session, found, transport)
        return True


_TOO_FAST = JSONResponse(
    {
        "jsonrpc": "2.0",
        "id": None,
        "error": {
            "code": protocol.INTERNAL_ERROR,
            "message": "This caller opens sessions too fast. Use one session for many calls.",
        },
    },
    503,
    {"Retry-After": str(round(limits.SERVE_SESSION_WAIT_S))},
)


def _name(owner: AuthorizationContext | None) -> str:
    """Return who has a session; nothing where no token is needed."""
    return "" if owner is None else owner["client_id"]


def _ends_at(transport: StreamableHTTPServerTransport | None) -> float:
    """Return when a session would end by itself; never while a request of it is answered."""
    scope = None if transport is None else transport.idle_scope
    return inf if scope is None else scope.deadline
