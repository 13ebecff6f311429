"""Which sockets are of users who are no longer signed in."""

import asyncio
from collections.abc import Iterable

from starlette.websockets import WebSocket

from strata.access import access_mark
from strata.base import limits
from strata.web.shell import Shell


class SignInWatch:
    """Looks up who is signed in when anything about access has changed, and now and then.

    Signing out, revoking a token and removing a user change the store's mark of access; the end
    of a token or a sign-in by time does not.
    """

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._mark: object = None
        self._looked = float("-inf")

    async def ended(self, sockets: Iterable[WebSocket]) -> list[WebSocket]:
        """Return the sockets whose users have signed out, or whose token was revoked."""
        now = asyncio.get_running_loop().time()
        mark = await self._shell.run(access_mark, self._shell.host.db.rights.store)
        if mark == self._mark and now - self._looked < limits.LIVE_SIGNED_IN_S:
            return []
        self._mark, self._looked = mark, now
        seen: dict[tuple[str | None, str | None], bool] = {}
        gone: list[WebSocket] = []
        for socket in sockets:
            key = (socket.headers.get("cookie"), socket.headers.get("authorization"))
            if key not in seen:
                seen[key] = await self._shell.visitor(socket) is not None
            if not seen[key]:
                gone.append(socket)
        return gone
