"""Bodies of requests, read within limits of size and time."""

import anyio
from starlette.requests import ClientDisconnect, Request

from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded, Unavailable


async def read_body(request: Request, most: int) -> bytes:
    """Return a whole body, or raise for one that is too large or too slow."""
    declared = request.headers.get("content-length", "0")
    if not declared.isascii() or not declared.isdigit() or len(declared) > 18:
        raise InvalidArgument("Content-Length is no number.")
    if int(declared) > most:
        raise _too_large(int(declared), most)
    try:
        with anyio.fail_after(limits.SERVE_BODY_S):
            return await _gathered(request, most)
    except (TimeoutError, ClientDisconnect):
        raise Unavailable("The request took too long to arrive.", hint="Send it again.") from None


async def _gathered(request: Request, most: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise _too_large(len(body), most)
    return bytes(body)


def _too_large(size: int, most: int) -> LimitExceeded:
    return LimitExceeded(f"A request may have {most:,} bytes at most.", limit=most, size=size)
