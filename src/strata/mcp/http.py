"""MCP over HTTP. The server itself is loaded by those who run it: it takes most of a second."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from strata.mcp.offer import DEFAULT_PORT, Serving, check_serving, choose, require_http

if TYPE_CHECKING:
    from strata.tools import Host

__all__ = [
    "DEFAULT_PORT",
    "Serving",
    "check_serving",
    "choose",
    "http_app",
    "require_http",
    "serve_http",
]


def serve_http(
    host: "Host",
    serving: Serving,
    *,
    ready: Callable[[Serving], None] | None = None,
) -> bool:
    """Serve until a signal comes; tell whether every call had ended by then.

    `ready` is called once clients can connect, with the port that was taken.
    """
    check_serving(serving)
    require_http()
    from strata.mcp.serving.listen import listen  # noqa: PLC0415  (takes most of a second)

    return listen(host, serving, ready=ready)


def http_app(host: "Host", serving: Serving) -> Any:  # Any: an ASGI application
    """Return the application alone, for another server to run."""
    check_serving(serving)
    require_http()
    from strata.mcp.serving.app import App  # noqa: PLC0415  (takes most of a second)

    return App(host, serving).asgi
