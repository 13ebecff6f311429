"""Uploads over HTTP: what an address asks for, and what is answered. Light to import."""

from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, urlsplit

from strata.base.errors import (
    AlreadyExists,
    Conflict,
    DamagedBundle,
    InvalidArgument,
    LimitExceeded,
    NotAllowed,
    NotFound,
    SecretRefused,
    StrataError,
    Unavailable,
)
from strata.mcp.server_config import is_loopback
from strata.tools import refusal

if TYPE_CHECKING:
    from strata.documents import ReceivedUpload

UPLOADS_PATH = "/uploads/"
# What is read of a refused body, so that its sender sees the answer instead of a broken line.
LINGER_BYTES = 256 * 1024
LINGER_S = 1.0
_DIGITS_MAX = 18
# The first that fits.
_STATUS: tuple[tuple[type[StrataError], int], ...] = (
    (SecretRefused, 422),
    (DamagedBundle, 422),
    (NotAllowed, 403),
    (NotFound, 404),
    (AlreadyExists, 409),
    (Conflict, 409),
    (LimitExceeded, 413),
    (InvalidArgument, 400),
    (Unavailable, 503),
)


class Target(NamedTuple):
    """An upload and its signature, as an address names them."""

    upload: str
    expires: str
    signature: str


def target_of(url: str) -> Target:
    """Read an address; whatever it lacks is empty, and is refused with its signature."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    return Target(
        parts.path.removeprefix(UPLOADS_PATH),
        query.get("expires", [""])[0],
        query.get("signature", [""])[0],
    )


def length_of(header: str | None) -> int | None:
    """Return the length that a request declares, None for one that is sent in chunks."""
    if header is None:
        return None
    # What has more digits is no length, and would be refused as a number.
    if not header.isascii() or not header.isdigit() or len(header) > _DIGITS_MAX:
        raise InvalidArgument("Content-Length is no number.", parameter="contentLength")
    return int(header)


def host_name(host: str) -> str:
    """Return the name in a Host header without its port; nothing where there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_local_page(origin: str) -> bool:
    """Tell whether a page that sends something is one of this machine."""
    scheme, _mark, host = origin.partition("://")
    return scheme.lower() in ("http", "https") and is_loopback(host_name(host))


def status_of(error: StrataError) -> int:
    """Return the HTTP status for an error."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def status_of_code(code: str) -> int:
    """Return the HTTP status for the code of an error, as answers of tools have it."""
    return next((status for kind, status in _STATUS if code in _codes(kind)), 500)


@cache
def _codes(kind: type[StrataError]) -> frozenset[str]:
    """Return the codes of a kind of error and of all that are of its kind."""
    below = (_codes(one) for one in kind.__subclasses__())
    return frozenset({kind.code}).union(*below)


def refused(error: StrataError) -> dict[str, object]:
    """Return the body of a refusal, in the form of all others."""
    told = refusal(error).value
    described = f"{told['message']} {told.get('hint', '')}".rstrip()
    return {"error": error.code, "error_description": described}


def accepted(received: "ReceivedUpload") -> dict[str, object]:
    """Return the answer to a client that has sent a file."""
    return {
        "uploadId": received.id,
        "bytes": received.bytes,
        "sha256": received.sha256,
        "next": "finalizeUpload",
    }
