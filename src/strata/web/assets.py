"""The files that the page was built into: named by their content, so they are kept for ever."""

import gzip
import re
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

BUILT = Path(__file__).parent / "static"
# One folder, plain names: whatever could lead elsewhere is no name.
_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+", re.ASCII)
_NAME_CHARACTERS_MAX = 200
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
}
_PACKED = (".css", ".html", ".js", ".json", ".map", ".svg", ".wasm")
_FOR_EVER = "public, max-age=31536000, immutable"
_FOR_AN_HOUR = "public, max-age=3600"


class File:
    """A built file as it is sent, and packed as browsers take it."""

    def __init__(self, path: Path, kind: str) -> None:
        self.data = path.read_bytes()
        self.kind = kind
        self.tag = f'"{sha256(self.data).hexdigest()[:32]}"'
        self._is_packed = path.suffix in _PACKED
        brotli = path.with_name(f"{path.name}.br")
        self._brotli = brotli.read_bytes() if brotli.is_file() else None

    def packed(self, taken: set[str]) -> tuple[str, bytes] | None:
        """Return the best encoding that a browser takes, and the file in it."""
        if self._brotli is not None and "br" in taken:
            return "br", self._brotli
        return ("gzip", self._gzip) if self._is_packed and "gzip" in taken else None

    @cached_property
    def _gzip(self) -> bytes:
        # Made when it is first asked for: browsers of today take Brotli.
        return gzip.compress(self.data, 6, mtime=0)


class Assets:
    """Reads built files, and again when they were built again.

    They are sent from memory without a thread: a hop to one would cost more than the answer.
    """

    def __init__(self) -> None:
        self._built = BUILT
        self._kept: dict[tuple[Path, int, int], File] = {}

    def routes(self) -> Sequence[BaseRoute]:
        """Return the paths of built files."""
        return [
            Route("/assets/{name:path}", self._asset, methods=["GET"]),
            # Browsers ask for the second one where a page names none: files, plain texts, feeds.
            Route("/favicon.svg", self._icon, methods=["GET"]),
            Route("/favicon.ico", self._icon, methods=["GET"]),
        ]

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        found = self.find(f"assets/{name}") if _is_plain(name) else None
        return _sent(request, found, _FOR_EVER)

    async def _icon(self, request: Request) -> Response:
        return _sent(request, self.find("favicon.svg"), _FOR_AN_HOUR)

    def find(self, name: str) -> File | None:
        """Return a built file, or None for one that is not there or lies elsewhere."""
        path = self._built / name
        kind = _KINDS.get(path.suffix)
        if kind is None or not path.is_file() or not _is_inside(path, self._built):
            return None
        about = path.stat()
        key = (path, about.st_mtime_ns, about.st_size)
        if key not in self._kept:
            self._kept[key] = File(path, kind)
        return self._kept[key]


def _is_plain(name: str) -> bool:
    return len(name) <= _NAME_CHARACTERS_MAX and _NAME.fullmatch(name) is not None


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _sent(request: Request, found: File | None, keep: str) -> Response:
    if found is None:
        body = msgspec.json.encode({"code": "not_found", "message": "There is no such file."})
        return Response(body, 404, media_type="application/json")
    headers = {"Cache-Control": keep, "ETag": found.tag, "Vary": "Accept-Encoding"}
    if found.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    packed = found.packed(_encodings(request.headers.get("accept-encoding", "")))
    if packed is None:
        return Response(found.data, headers=headers, media_type=found.kind)
    headers["Content-Encoding"], data = packed
    return Response(data, headers=headers, media_type=found.kind)


def _encodings(header: str) -> set[str]:
    """Return the encodings that a browser takes.

    >>> sorted(_encodings("gzip, br;q=0.5, zstd;q=0"))
    ['br', 'gzip']
    """
    parts = (part.partition(";q=") for part in header.replace(" ", "").split(","))
    return {name for name, _, weight in parts if name and weight not in ("0", "0.0", "0.00")}
