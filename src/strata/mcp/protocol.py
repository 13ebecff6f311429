"""The Model Context Protocol as facts: revisions, error codes, and names in envelopes."""

from typing import Any

# Revisions that begin with a handshake, newest first, and the one without sessions.
HANDSHAKE_REVISIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
MODERN_REVISION = "2026-07-28"

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_REVISION = -32022
# What revisions with a handshake answer for a resource that is not there; later INVALID_PARAMS.
RESOURCE_NOT_FOUND = -32002

_PREFIX = "io.modelcontextprotocol/"
REVISION_KEY = _PREFIX + "protocolVersion"
CAPABILITIES_KEY = _PREFIX + "clientCapabilities"
CLIENT_KEY = _PREFIX + "clientInfo"
SERVER_KEY = _PREFIX + "serverInfo"
SUBSCRIPTION_KEY = _PREFIX + "subscriptionId"

# How long a client may keep lists, in milliseconds: ours change only with the server's options.
LIST_TTL_MS = 300_000


class ProtocolError(Exception):
    """A request that cannot be served; becomes a JSON-RPC error."""

    # Any: data is whatever the protocol says for that error.
    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    @property
    def body(self) -> dict[str, Any]:
        """The error object of the answer."""
        body: dict[str, Any] = {"code": self.code, "message": self.message}
        return body if self.data is None else body | {"data": self.data}
