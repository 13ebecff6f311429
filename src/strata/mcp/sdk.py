"""stdio through the official SDK: slower to start, and what our own core is compared with."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from strata.tools import Session


def serve_stdio_with_sdk(session: "Session") -> None:
    """Serve this process's stdin and stdout until the client goes away."""
    import anyio
    from mcp.server.stdio import stdio_server

    server = sdk_server(session)
    options = server.create_initialization_options()

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, options)

    try:
        anyio.run(run)
    finally:
        session.close()
        session.host.close()


def sdk_server(session: "Session") -> "Server":
    """Return the SDK's server for one client, whose session is the process's own."""
    from strata.access import EVERYTHING  # noqa: PLC0415
    from strata.mcp.serving.calls import Workers  # noqa: PLC0415
    from strata.mcp.serving.server import RequestHandlers, Visit  # noqa: PLC0415

    visit = Visit(EVERYTHING, session.exposure)
    desk = RequestHandlers(
        session.host, Workers(), visit=lambda _context: visit, session=session,
        exposure=session.exposure,
    )  # fmt: skip
    return desk.server
