"""stdio through the official SDK: slower to start, and what our own core is compared with."""

from typing import TYPE_CHECKING

from strata.mcp.http import require_http

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from strata.tools import Exposure, Host


def serve_stdio_with_sdk(host: "Host", exposure: "Exposure") -> None:
    """Serve this process's stdin and stdout until the client goes away."""
    require_http()
    import anyio  # noqa: PLC0415  (slow to load, like the rest of the SDK)
    from mcp.server.lowlevel import NotificationOptions  # noqa: PLC0415
    from mcp.server.stdio import stdio_server  # noqa: PLC0415

    server = sdk_server(host, exposure)
    options = server.create_initialization_options(NotificationOptions())

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, options)

    anyio.run(run)


def sdk_server(host: "Host", exposure: "Exposure") -> "Server":
    """Return the SDK's server for one client, whose session is the process's own."""
    from strata.access import EVERYTHING  # noqa: PLC0415
    from strata.mcp.serving.calls import Workers  # noqa: PLC0415
    from strata.mcp.serving.server import Desk, Visit  # noqa: PLC0415
    from strata.tools import Session  # noqa: PLC0415

    visit = Visit(EVERYTHING, exposure)
    session = Session(host, exposure=exposure)
    return Desk(host, Workers(), visit=lambda _context: visit, session=session).server
