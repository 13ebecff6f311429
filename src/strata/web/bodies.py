"""Bodies of requests, read within limits of size and time."""

from starlette.requests import ClientDisconnect, Request

from strata.base.errors import Unavailable
from strata.mcp.serving.bodies import Holding, gather_body


async def read_body(request: Request, most: int, holding: Holding | None = None) -> bytearray:
    """Return a whole body, or raise for one that is too large or too slow."""
    try:
        return await gather_body(request, most, holding)
    except (TimeoutError, ClientDisconnect):
        raise Unavailable("The request took too long to arrive.", hint="Send it again.") from None
