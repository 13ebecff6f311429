"""Answers that caches can keep: what they hold, when it is still good, and what it may do."""

import gzip
import re
from email.utils import formatdate, parsedate_to_datetime
from hashlib import sha256

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from strata.web.public.pages import missing_page, style_hash

HTML = "text/html; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
ATOM = "application/atom+xml; charset=utf-8"
# Caches ask each time, so that what was taken back is gone at once; the answer is mostly short.
_ASKED_AGAIN = "public, no-cache"
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}
# Shorter ones fit one packet as they are.
_PACKED_FROM = 1_400
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)
# A file by itself: it draws, and neither runs nor asks for anything.
_ALONE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"


class HttpAnswer(msgspec.Struct, frozen=True):
    """What is sent, ready to be sent again: `packed` to those who take that.

    `modified` is in seconds.
    """

    body: bytes
    headers: dict[str, str]
    etag: str
    modified: int | None = None
    status: int = 200
    packed: bytes | None = None

    @property
    def size_bytes(self) -> int:
        """How much it takes to keep it."""
        return len(self.body) + len(self.packed or b"")


def page_policy() -> str:
    """Return what a page may do: show its own images and its own style, and nothing else."""
    return (
        f"default-src 'none'; img-src 'self'; style-src 'sha256-{style_hash()}'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def page(html: str, modified: int) -> HttpAnswer:
    """Return a page that caches may keep, and ask about."""
    headers = {"Content-Type": HTML, "Content-Security-Policy": page_policy()}
    return _made(html.encode(), headers | {"Cache-Control": _ASKED_AGAIN}, modified=modified)


def file(body: bytes, media_type: str, modified: int) -> HttpAnswer:
    """Return a text that is no page: markdown, or a feed."""
    headers = {"Content-Type": media_type, "Content-Security-Policy": _ALONE}
    return _made(body, headers | {"Cache-Control": _ASKED_AGAIN}, modified=modified)


def image(body: bytes, media_type: str, identity: str) -> HttpAnswer:
    """Return an image, which is known by its id."""
    headers = {
        "Content-Type": media_type,
        "Cache-Control": _ASKED_AGAIN,
        "Content-Security-Policy": _ALONE,
        "Content-Disposition": "inline",
        "ETag": f'"{identity}"',
        **_ALWAYS,
    }
    return HttpAnswer(body, headers, headers["ETag"])


def private(body: bytes, media_type: str) -> HttpAnswer:
    """Return a page, or an image of one, that is for one visitor alone."""
    headers = {
        "Content-Type": media_type,
        "Cache-Control": "private, no-store",
        "Content-Security-Policy": page_policy() if media_type == HTML else _ALONE,
        "X-Robots-Tag": "noindex",
    }
    return _made(body, headers)


def missing() -> HttpAnswer:
    """Return the one answer for all that is not there, and for all that is not shown."""
    headers = {
        "Content-Type": HTML,
        "Content-Security-Policy": page_policy(),
        "Cache-Control": "no-cache",
        **_ALWAYS,
    }
    return HttpAnswer(missing_page().encode(), headers, "", status=404)


def _made(body: bytes, headers: dict[str, str], *, modified: int | None = None) -> HttpAnswer:
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    dated = {} if modified is None else {"Last-Modified": formatdate(modified, usegmt=True)}
    known = {**headers, **dated, "ETag": etag, **_ALWAYS}
    if modified is None or len(body) < _PACKED_FROM:
        return HttpAnswer(body, known, etag, modified)
    known["Vary"] = "Accept-Encoding"
    # Without the time of packing, the same page is the same bytes.
    return HttpAnswer(body, known, etag, modified, packed=gzip.compress(body, 6, mtime=0))


def send(request: Request, answer: HttpAnswer) -> Response:
    """Return an answer, or word that what the asker has is still good."""
    body, headers = answer.body, dict(answer.headers)
    if answer.packed is not None and _accepts_gzip(request):
        body = answer.packed
        headers |= {"Content-Encoding": "gzip", "ETag": _packed_tag(answer.etag)}
    if answer.status == 200 and _is_known(request, answer):
        del headers["Content-Type"]
        return Response(status_code=304, headers=headers)
    headers["Content-Length"] = str(len(body))
    return Response(b"" if request.method == "HEAD" else body, answer.status, headers)


def _accepts_gzip(request: Request) -> bool:
    return _GZIP.search(request.headers.get("accept-encoding", "")) is not None


def _packed_tag(etag: str) -> str:
    """Return the tag of the packed form: other bytes have another one."""
    return f'{etag[:-1]}-gzip"'


def _is_known(request: Request, answer: HttpAnswer) -> bool:
    """Tell whether the asker holds this very answer."""
    tags = request.headers.get("if-none-match")
    if tags is not None:
        known = {tag.strip().removeprefix("W/") for tag in tags.split(",")}
        return bool(known & {answer.etag, _packed_tag(answer.etag), "*"})
    since = request.headers.get("if-modified-since")
    if since is None or answer.modified is None:
        return False
    try:
        return answer.modified <= parsedate_to_datetime(since).timestamp()
    except (ValueError, TypeError, OverflowError):
        return False
