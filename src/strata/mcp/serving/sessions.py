"""Sessions of the older revisions: bounded for each caller, who loses the oldest first."""

from collections import Counter
from collections.abc import Iterable
from math import inf

from mcp.server.auth.middleware.bearer_auth import AuthorizationContext
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from strata.base import limits


class Sessions(StreamableHTTPSessionManager):
    """The sessions of a server. Clients open a new one when theirs is gone, as the protocol says.

    The SDK has a bound for all callers together, which one of them could use up for all others.
    """

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


def _name(owner: AuthorizationContext | None) -> str:
    """Return who has a session; nothing where nobody is asked for a token."""
    return "" if owner is None else owner["client_id"]


def _ends_at(transport: StreamableHTTPServerTransport | None) -> float:
    """Return when a session would end by itself; never while a request of it is answered."""
    scope = None if transport is None else transport.idle_scope
    return inf if scope is None else scope.deadline
