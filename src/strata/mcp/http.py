"""MCP over HTTP. The server itself is loaded by those who run it: it takes most of a second."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from strata.mcp.server_config import DEFAULT_PORT, ServerConfig, check_serving, choose

if TYPE_CHECKING:
    from strata.mcp.serving.site import MakeSite
    from strata.tools import StoreHost

__all__ = [
    "DEFAULT_PORT",
    "ServerConfig",
    "check_serving",
    "choose",
    "http_app",
    "named_by_store",
    "serve_http",
]


def serve_http(
    host: "StoreHost",
    serving: ServerConfig,
    *,
    site: "MakeSite | None" = None,
    ready: Callable[[ServerConfig], None] | None = None,
) -> bool:
    """Serve until a signal comes; tell whether every call had ended by then.

    `site` builds the pages that are served beside the protocol; without, there are none. `ready` is
    called once clients can connect, with the port that was taken.
    """
    serving = named_by_store(host, serving)
    check_serving(serving)
    from strata.mcp.serving.listen import listen  # noqa: PLC0415  (takes most of a second)

    return listen(host, serving, site=site, ready=ready)


def http_app(
    host: "StoreHost", serving: ServerConfig, *, site: "MakeSite | None" = None
) -> Any:  # Any: an ASGI application
    """Return the application alone, for another server to run."""
    serving = named_by_store(host, serving)
    check_serving(serving)
    from strata.mcp.serving.app import App  # noqa: PLC0415  (takes most of a second)

    return App(host, serving, site=site).asgi


def named_by_store(host: "StoreHost", serving: ServerConfig) -> ServerConfig:
    """Return how to serve, under the name that the store remembers if none was told.

    A store that is not trusted is for this machine only: who made it knows tokens of it.
    """
    known = None if serving.public_url else host.db.settings.get("public_url")
    if not serving.is_for_this_machine:
        host.db.trust.require("The store is not served to other machines")
    return msgspec.structs.replace(serving, public_url=str(known)) if known else serving
