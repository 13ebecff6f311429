"""The site of a server: every page's routes, begun and ended together."""

import logging
from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from strata.mcp.server_config import ServerConfig
from strata.mcp.serving.auth import Identity
from strata.mcp.serving.bodies import Bodies
from strata.mcp.serving.calls import Workers
from strata.tools import StoreHost
from strata.web.headers import Strict
from strata.web.live import live_routes
from strata.web.pages import page_routes
from strata.web.public import public_routes
from strata.web.shell import Shell

_log = logging.getLogger(__name__)
# The last one also answers for what is not there.
_PLACES = (live_routes, public_routes, page_routes)


class Site:
    """Pages, the sockets they open, and what is published."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._routes = [_strict(route) for routes in _PLACES for route in routes(shell)]
        self._is_running = False

    def routes(self) -> Sequence[BaseRoute]:
        """Return what is answered, by path."""
        return self._routes

    async def start(self) -> None:
        """Begin what runs beside requests."""
        self._is_running = True
        for begin in self._shell.starting:
            await begin()

    async def stop(self) -> None:
        """End it, what was begun last first."""
        if not self._is_running:
            return
        self._is_running = False
        for end in reversed(self._shell.stopping):
            try:
                await end()
            except Exception:  # noqa: BLE001  (the others have to end all the same)
                _log.exception("a part of the pages did not end well")
        self._shell.close()


def _strict(route: BaseRoute) -> BaseRoute:
    if isinstance(route, Route):
        route.app = Strict(route.app)
    return route


def site(
    host: StoreHost, serving: ServerConfig, *, identity: Identity, workers: Workers, bodies: Bodies
) -> Site:
    """Build the site of a server."""
    return Site(Shell(host, serving, identity=identity, workers=workers, bodies=bodies))
