"""Which names and which pages are a server's own: a page elsewhere must not use it."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from strata.mcp.server_config import ServerConfig, is_loopback
from strata.mcp.serving.auth import Refusal
from strata.mcp.upload_requests import host_name, is_local_page

# Public paths, which are served under every host name.
_PUBLIC = ("/@", "/assets/", "/.well-known/")
_HEALTH = "/health"
_SAFE = ("GET", "HEAD", "OPTIONS")
_OTHER_NAME = Refusal(421, "misdirected_request", "This server has another name.")
_OTHER_PAGE = Refusal(403, "origin_not_allowed", "Pages of this origin may not use it.")
_NO_PAGE = Refusal(
    403, "origin_not_allowed", "A browser has to say which page sends this: Origin is missing."
)


def is_public(path: str) -> bool:
    """Tell whether a path is for everybody."""
    return path == _HEALTH or path.startswith(_PUBLIC)


class OriginCheck:
    """Decides by the headers Host and Origin alone, before the caller is identified."""

    def __init__(self, serving: ServerConfig) -> None:
        self._serving = serving

    def check_program(self, headers: Headers) -> Refusal | None:
        """Refuse what a program's request may not be. Pages of this machine may be programs."""
        if not self._is_our_host(headers.get("host", "")):
            return _OTHER_NAME
        origin = headers.get("origin")
        return None if origin is None or self._is_known(origin) else _OTHER_PAGE

    def check_page(self, scope: Scope, headers: Headers) -> Refusal | None:
        """Refuse what comes from pages that are not the server's own.

        A browser adds its cookies to whatever any page sends here, and any page may open a
        socket to here. Another program of this machine is another page as well: cookies do not
        know ports.
        """
        if not self._is_our_host(headers.get("host", "")):
            return _OTHER_NAME
        origins = headers.getlist("origin")
        if not all(self._is_own(origin, headers.get("host", "")) for origin in origins):
            return _OTHER_PAGE
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        return _NO_PAGE if changes and not origins and "cookie" in headers else None

    def _is_our_host(self, host: str) -> bool:
        name = host_name(host)
        named = {host_name(one) for one in self._serving.hosts}
        if self._serving.public_url is not None:
            named.add(host_name(urlsplit(self._serving.public_url).netloc))
        if name in named or is_loopback(name):
            return True
        # Known to other machines by whatever name they use, unless names were given.
        return bool(name) and not self._serving.is_local and not named

    def _is_known(self, origin: str) -> bool:
        return is_local_page(origin) or self._is_named(origin)

    def _is_own(self, origin: str, host: str) -> bool:
        """Tell whether a page is of this server: by the name it was asked by, or a given one."""
        if self._is_named(origin):
            return True
        scheme, _mark, authority = origin.rstrip("/").partition("://")
        public = urlsplit(self._serving.public_url or "")
        # An attacker on the network may show a page without TLS under the public name.
        schemes = (
            (public.scheme,) if authority.lower() == public.netloc.lower() else ("http", "https")
        )
        return scheme in schemes and authority.lower() == host.lower() != ""

    def _is_named(self, origin: str) -> bool:
        own = urlsplit(self._serving.base_url)
        named = {f"{own.scheme}://{own.netloc}", *self._serving.origins}
        return origin.rstrip("/") in {one.rstrip("/") for one in named}
