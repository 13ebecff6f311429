"""Tokens of an outside issuer: signed by its keys, meant for this server, not yet expired."""

import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Any, cast
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import jwt

from strata.access import Grant, grant_of_scopes
from strata.base import limits
from strata.base.errors import Unavailable
from strata.mcp.server_config import ServerConfig, is_loopback

_log = logging.getLogger(__name__)
# Signatures that only the issuer can make. With a shared secret a server could forge tokens, and
# with "none" any client.
_ALGORITHMS = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
)
_WELL_KNOWN = ("oauth-authorization-server", "openid-configuration")
# Claims that name a user, the most readable first.
_EMAIL = "email"
_NAMES = ("preferred_username", _EMAIL, "name", "sub", "client_id", "azp")


class Issuer:
    """Checks tokens of one issuer against its published keys.

    `known` gives the id of the user who has an email, if there is one.
    """

    def __init__(
        self,
        serving: ServerConfig,
        *,
        known: Callable[[str], str | None] = lambda _email: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        assert serving.issuer is not None
        self._known = known
        self._claim = serving.issuer_claim
        self._issuer = serving.issuer
        self._audience = serving.resource
        self._keys = _Keys(serving.issuer, serving.issuer_keys, clock)

    def check(self, token: str) -> Grant | None:
        """Return what a token grants; None when it cannot be trusted or grants nothing here.

        Raises Unavailable while the issuer's keys cannot be had.
        """
        try:
            head = jwt.get_unverified_header(token)
            key = self._keys.find(head.get("kid"), str(head.get("alg")))
            if key is None:
                return None
            claims = jwt.decode(
                token,
                key,
                algorithms=[str(head["alg"])],
                audience=self._audience,
                issuer=self._issuer,
                leeway=limits.ISSUER_SKEW_S,
                options={"require": ["exp", "iss", "aud"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError, KeyError) as error:
            _log.info("refused a token: %s", type(error).__name__)
            return None
        email = _email(claims, self._claim)
        return _granted(claims, None if email is None else self._known(email))


def _email(claims: dict[str, Any], name: str) -> str | None:
    """Return the email that a token names; None if the issuer has not verified it."""
    found: object = claims.get(name)
    # Some issuers say it as a text. Those who say nothing give out only what they know.
    is_verified = str(claims.get("email_verified", True)).lower() == "true"
    is_doubtful = name == _EMAIL and not is_verified
    return None if is_doubtful or not isinstance(found, str) else found


def _granted(claims: dict[str, Any], user: str | None) -> Grant | None:
    scopes: object = claims.get("scope", claims.get("scp"))
    told = cast("list[object]", scopes) if isinstance(scopes, list) else str(scopes).split()
    listed = [str(scope) for scope in told]
    who = next((str(claims[name]) for name in _NAMES if claims.get(name)), "")
    subject = [claims.get(name) for name in ("iss", "sub", "client_id", "azp")]
    # A session stays with exactly these rights: another token of the same user has its own.
    principal = json.dumps([*subject, user, sorted(listed)])
    return grant_of_scopes(listed, who=who, principal=principal, user=user)


class _Keys:
    """The issuer's keys, fetched when first needed and again when they have grown old."""

    def __init__(self, issuer: str, address: str | None, clock: Callable[[], float]) -> None:
        self._issuer = issuer.rstrip("/")
        self._address = address
        self._clock = clock
        self._lock = threading.Lock()
        self._found: list[jwt.PyJWK] = []
        self._fetched: float | None = None
        # When they could not be had, and there were none. A request soon after is refused at once:
        # waiting again would take the threads that others need.
        self._failed = float("-inf")

    def find(self, name: object, algorithm: str) -> jwt.PyJWK | None:
        """Return the key of a name that fits an algorithm."""
        if algorithm not in _ALGORITHMS:
            return None
        if self._age() > limits.ISSUER_KEYS_S:
            self._fetch(limits.ISSUER_KEYS_S)
        found = self._look(name, algorithm)
        if found is None and self._age() > limits.ISSUER_KEYS_PAUSE_S:
            # The issuer may have changed its keys since.
            self._fetch(limits.ISSUER_KEYS_PAUSE_S)
            found = self._look(name, algorithm)
        return found

    def _age(self) -> float:
        return float("inf") if self._fetched is None else self._clock() - self._fetched

    def _look(self, name: object, algorithm: str) -> jwt.PyJWK | None:
        fitting = [key for key in self._found if key.algorithm_name == algorithm]
        if name is None:
            return fitting[0] if len(fitting) == 1 else None
        return next((key for key in fitting if key.key_id == name), None)

    def _fetch(self, age: float) -> None:
        # Where there are keys, no thread waits for another one that asks for newer ones.
        if not self._lock.acquire(blocking=not self._found):
            return
        try:
            if self._age() > age:  # another thread may have just done it
                self._fetch_now()
        finally:
            self._lock.release()

    def _fetch_now(self) -> None:
        if not self._found and self._clock() - self._failed < limits.ISSUER_FAILED_S:
            raise _unreachable()
        try:
            self._found = _usable_keys(_get(self._address or self._discovered()))
        except (OSError, ValueError) as error:
            # Keys that were good a moment ago still are; without any, no client can be admitted.
            _log.warning("the issuer's keys cannot be had: %s", error)
            if not self._found:
                self._failed = self._clock()
                raise _unreachable() from error
        self._fetched = self._clock()

    def _discovered(self) -> str:
        """Ask the issuer where its keys are."""
        parts = urlsplit(self._issuer)
        root = f"{parts.scheme}://{parts.netloc}"
        places = [f"{root}/.well-known/{name}{parts.path}" for name in _WELL_KNOWN]
        places.append(f"{self._issuer}/.well-known/{_WELL_KNOWN[1]}")
        for place in places:
            try:
                about = _get(place)
            except HTTPError:
                continue
            if str(about.get("issuer", "")).rstrip("/") != self._issuer:
                raise ValueError(f"{place} describes another issuer")
            address = str(about.get("jwks_uri", ""))
            self._address = address
            return address
        raise ValueError(f"{self._issuer} does not say where its keys are")


def _unreachable() -> Unavailable:
    return Unavailable("The issuer of tokens cannot be reached.")


def _usable_keys(document: dict[str, Any]) -> list[jwt.PyJWK]:
    """Read the keys that can check a signature; there may be others among them."""
    found: list[jwt.PyJWK] = []
    for entry in cast("list[dict[str, Any]]", document.get("keys", [])):
        if entry.get("use", "sig") != "sig":
            continue
        try:
            found.append(jwt.PyJWK.from_dict(entry))
        except jwt.PyJWTError:
            continue
    return found


class _NoRedirect(HTTPRedirectHandler):
    """Stay where the operator pointed."""

    def redirect_request(self, *_arguments: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Refuse to go elsewhere."""
        return


def _get(address: str) -> dict[str, Any]:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
        raise ValueError(f"{address!r} is not https")
    request = Request(address, headers={"Accept": "application/json"})  # noqa: S310  (checked above)
    with build_opener(_NoRedirect).open(request, timeout=limits.ISSUER_TIMEOUT_S) as answer:
        body = answer.read(limits.ISSUER_ANSWER_BYTES_MAX + 1)
    if len(body) > limits.ISSUER_ANSWER_BYTES_MAX:
        raise ValueError(f"{address} answers with too much")
    document = json.loads(body)
    if not isinstance(document, dict):
        raise TypeError(f"{address} answers with no object")
    return cast("dict[str, Any]", document)
