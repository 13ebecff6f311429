"""The official SDK's server over our tools and one session, which our own core is compared with.

Run with `--db PATH ...` it serves a client as `strata mcp` does.
"""

import sys
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from strata.access import EVERYTHING
from strata.mcp import encode
from strata.mcp.serving.calls import Workers
from strata.mcp.serving.server import Context, RequestHandlers, Visit
from strata.mcp.start import read, session_for
from strata.tools import Session


class _OneSession(RequestHandlers):
    """Handlers of a process that serves one client: the session is the process's own."""

    def __init__(self, session: Session) -> None:
        self._one = session
        visit = Visit(EVERYTHING, session.exposure)
        super().__init__(
            session.host, Workers(), visit=lambda _context: visit, exposure=session.exposure
        )

    def _session(self, context: Context, visit: Visit) -> Session:
        self._one.client = self._one.client or super()._session(context, visit).client
        return self._one

    def _server(self, instructions: str) -> Server[Any]:
        server = super()._server(instructions)
        if not encode.resource_entries(self._one.exposure):
            for method in ("resources/list", "resources/read"):
                del server._request_handlers[method]
        return server


def sdk_server(session: Session) -> Server[Any]:
    """Return the SDK's server for one client."""
    return _OneSession(session).server


def serve(session: Session) -> None:
    """Serve this process's stdin and stdout until the client goes away."""
    server = sdk_server(session)

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        anyio.run(run)
    finally:
        session.close()
        session.host.close()


if __name__ == "__main__":
    options = read(sys.argv[1:])
    assert options is not None, sys.argv
    serve(session_for(options))
