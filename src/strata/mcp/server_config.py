"""What a server over HTTP offers: where, to which clients, and which tools. Light to import."""

import ipaddress
from urllib.parse import urlsplit

import msgspec

from strata.access import EVERYTHING, OF_DOCUMENTS, Grant
from strata.base import limits
from strata.base.errors import InvalidArgument, NotAllowed
from strata.tools import DEFAULT_GROUPS, GROUPS, Exposure, Names, expose, registry

PATH = "/mcp"
DEFAULT_PORT = 7433
_CHOICE_CHARACTERS_MAX = 1_000


class ServerConfig(msgspec.Struct, frozen=True, kw_only=True):
    """How a server was told to serve."""

    address: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    groups: str | None = None
    tools: str | None = None
    names: Names = "underscore"
    read_only: bool = False
    # No token is needed; on this machine only.
    no_auth: bool = False
    # Where clients find the server, if not at its address: behind a proxy.
    public_url: str | None = None
    # Beside the server's own.
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    # The outside issuer of tokens, the audience they must have, and where its keys are.
    issuer: str | None = None
    audience: str | None = None
    issuer_keys: str | None = None
    # Which claim of those tokens has the email of the user they act for.
    issuer_claim: str = "email"
    session_idle_s: float = limits.SERVE_SESSION_IDLE_S
    stop_s: float = limits.SHUTDOWN_S
    body_bytes_max: int = limits.MESSAGE_BYTES_MAX

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.address)

    @property
    def is_for_this_machine(self) -> bool:
        """Whether every client is on this machine: nothing leads here from elsewhere either."""
        return self.is_local and self.public_url is None and not self.hosts

    @property
    def base_url(self) -> str:
        """Where clients find the server, without the path."""
        if self.public_url is not None:
            return self.public_url.rstrip("/")
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"http://{host}:{self.port}"

    @property
    def url(self) -> str:
        """What a client connects to."""
        return self.base_url + PATH

    @property
    def resource(self) -> str:
        """What a token of the issuer must be meant for."""
        return self.audience or self.url


def check_serving(serving: ServerConfig) -> None:
    """Refuse what would be unsafe or could not work."""
    if serving.no_auth and not serving.is_local:
        raise NotAllowed(
            f"{serving.address} can be reached by other machines, so clients need a token.",
            hint="Leave out --no-auth and make one with `strata token create`.",
        )
    if serving.no_auth and serving.issuer is not None:
        raise InvalidArgument(
            "With --no-auth clients need no token, so an issuer has no use.",
            hint="Leave one of the two out.",
            parameter="no_auth",
        )
    for name in ("public_url", "issuer", "issuer_keys"):
        _check_url(getattr(serving, name), name)
    if not 0 <= serving.port <= 65_535:
        raise InvalidArgument("A port is a number from 0 to 65535.", parameter="port")


def _check_url(url: str | None, name: str) -> None:
    if url is None:
        return
    parts = urlsplit(url)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname))
    # A proxy on the same machine may well be asked over http.
    if not is_safe and not (name == "public_url" and parts.scheme == "http"):
        raise InvalidArgument(
            f"{url!r} is no address that can be trusted.",
            hint="Use https; http is for this machine only.",
            parameter=name,
        )


def is_loopback(address: str | None) -> bool:
    """Tell whether an address is this machine and no other."""
    name = (address or "").strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def choose(
    serving: ServerConfig,
    grant: Grant = EVERYTHING,
    *,
    header: str | None = None,
    query: str | None = None,
) -> Exposure:
    """Return the tools of one request: what was asked for, as far as the caller may.

    The header counts before the address, that before what the server was started with, and
    that before the default, which is the same as over standard input and output. A token for some
    groups shows those by default; one for all groups of documents, as every user's token is,
    shows the tools to read and write them.
    """
    asked = next((text for text in (header, query) if text and text.strip()), None)
    read_only = serving.read_only or grant.read_only
    proposes = grant.proposes
    permitted = _permitted(grant)
    default = _default(permitted)
    if asked is not None:
        chosen = expose(
            asked[:_CHOICE_CHARACTERS_MAX],
            default=default,
            read_only=read_only,
            proposes=proposes,
            names=serving.names,
        )
    else:
        chosen = expose(
            serving.groups,
            serving.tools,
            default=default,
            read_only=read_only,
            proposes=proposes,
            names=serving.names,
        )
    return chosen if permitted is None else _narrowed(chosen, permitted)


_OF_DOCUMENTS = frozenset(OF_DOCUMENTS).intersection(GROUPS)


def _default(permitted: frozenset[str] | None) -> tuple[str, ...]:
    if permitted is None:
        return DEFAULT_GROUPS
    return ("core",) if permitted == _OF_DOCUMENTS else tuple(permitted)


def _permitted(grant: Grant) -> frozenset[str] | None:
    if grant.groups is None:
        return None
    return frozenset(expose(" ".join(sorted(grant.groups)), default=()).groups)


def _narrowed(chosen: Exposure, permitted: frozenset[str]) -> Exposure:
    refused = [group for group in chosen.groups if group not in permitted]
    extra = tuple(name for name in chosen.extra if _group_of(name) in permitted)
    refused += [name for name in chosen.extra if name not in extra]
    return Exposure(
        groups=tuple(group for group in chosen.groups if group in permitted),
        extra=extra,
        read_only=chosen.read_only,
        proposes=chosen.proposes,
        names=chosen.names,
        warnings=(*chosen.warnings, *(f"This token is not for {name!r}." for name in refused)),
    )


def _group_of(name: str) -> str | None:
    tool = registry().find(name)
    return None if tool is None else tool.group
