"""What is served beside the protocol: pages for users, built by a higher layer."""

from collections.abc import Sequence
from typing import Protocol

from starlette.routing import BaseRoute

from strata.mcp.server_config import ServerConfig
from strata.mcp.serving.auth import Identity
from strata.mcp.serving.bodies import Bodies
from strata.mcp.serving.calls import Workers
from strata.tools import StoreHost


class PageSite(Protocol):
    """Pages, and what they ask for."""

    def routes(self) -> Sequence[BaseRoute]:
        """Return what is answered, by path."""
        ...

    async def start(self) -> None:
        """Begin what runs beside requests."""
        ...

    async def stop(self) -> None:
        """End it, and every socket; may be called twice."""
        ...


class MakeSite(Protocol):
    """Builds a site for a server, from what the server has."""

    def __call__(
        self,
        host: StoreHost,
        serving: ServerConfig,
        *,
        identity: Identity,
        workers: Workers,
        bodies: Bodies,
    ) -> PageSite:
        """Return the site."""
        ...
