"""What every message of the protocol must say, and what to do where it does not.

The SDK checks the same, in words for people who know the protocol. Who tries a server by hand
needs the next step.
"""

import msgspec
from mcp.server.streamable_http import check_accept_headers
from mcp_types import INVALID_REQUEST
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request

from strata.base import limits
from strata.mcp.serving.auth import Refusal

_JSON = "application/json"
_WHERE = "docs/how-to/serve.md shows a call with curl."
_NOT_JSON = Refusal(
    400, "", f"Send the header Content-Type: {_JSON}. {_WHERE}", code=INVALID_REQUEST
)
_NOT_ACCEPTED = Refusal(
    406, "", f"Send the header Accept: {_JSON}, text/event-stream. {_WHERE}", code=INVALID_REQUEST
)
_NO_SESSION = Refusal(
    400,
    "",
    "Missing session ID. Send `initialize` first and repeat the header Mcp-Session-Id of its"
    " answer, or send MCP-Protocol-Version: 2026-07-28, with which requests need no session."
    f" {_WHERE}",
    code=INVALID_REQUEST,
)


class _MessageName(msgspec.Struct):
    """What a message asks for."""

    method: str = ""


def check_message(request: Request, body: bytearray) -> Refusal | None:
    """Refuse a message that the SDK would refuse for its headers, and say what to send."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _JSON:
        return _NOT_JSON
    if not all(check_accept_headers(request)):
        return _NOT_ACCEPTED
    version = request.headers.get("mcp-protocol-version")
    has_sessions = version is None or version in HANDSHAKE_PROTOCOL_VERSIONS
    if has_sessions and "mcp-session-id" not in request.headers and not _opens(body):
        return _NO_SESSION
    return None


def _opens(body: bytearray) -> bool:
    """Tell whether a message opens a session; what cannot be read is refused elsewhere."""
    if len(body) > limits.SERVE_SHORT_BODY_BYTES:
        return False
    try:
        return msgspec.json.decode(body, type=_MessageName).method in ("", "initialize")
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return True
