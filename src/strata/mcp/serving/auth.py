"""Who a request comes from: a token of the store, one of an outside issuer, or none."""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TYPE_CHECKING

import msgspec

from strata.access import EVERYTHING, Grant, Token
from strata.base.errors import StrataError, Unavailable
from strata.mcp.server_config import PATH, ServerConfig

if TYPE_CHECKING:
    from strata.mcp.serving.issuer import Issuer
    from strata.tools import StoreHost

_log = logging.getLogger(__name__)
_OF_STORE = "strata_"
_ASKING_THREADS = 4
METADATA_PATH = "/.well-known/oauth-protected-resource"


class Refusal(msgspec.Struct, frozen=True):
    """Why a request is not answered: an HTTP status, a word, and a sentence.

    With a code it is an error of the protocol, which its clients read as such.
    """

    status: int
    error: str
    description: str
    scope: str | None = None
    code: int | None = None


_MISSING = Refusal(
    401, "", "Send a token: Authorization: Bearer TOKEN. `strata token create` makes one."
)
_WRONG = Refusal(401, "invalid_token", "This token is unknown, expired or revoked.")
_UNKNOWN_YET = Refusal(503, "temporarily_unavailable", "The token cannot be checked now.")


class Identity:
    """Checks tokens. Its calls may wait for a disk or an issuer, so they belong into a thread."""

    def __init__(self, host: "StoreHost", serving: ServerConfig) -> None:
        self._host = host
        self._serving = serving
        self._issuer = _issuer(serving, self._user_of)
        # Of its own: an issuer that does not answer must not keep the store's tokens waiting.
        self._asking = ThreadPoolExecutor(_ASKING_THREADS, thread_name_prefix="strata-issuer")
        self._noting = ThreadPoolExecutor(1, thread_name_prefix="strata-note")
        self._noted: set[str] = set()
        self._lock = threading.Lock()

    async def admit(self, authorization: str | None, threads: Executor) -> Grant | Refusal:
        """Check a header in a thread: one of these, unless the issuer has to be asked."""
        pool = self._asking if self.is_of_issuer(authorization) else threads
        return await asyncio.get_running_loop().run_in_executor(pool, self.check, authorization)

    def is_of_issuer(self, authorization: str | None) -> bool:
        """Tell whether checking a header may wait for the issuer."""
        secret = _secret(authorization)
        return self._issuer is not None and bool(secret) and not secret.startswith(_OF_STORE)

    def check(self, authorization: str | None) -> Grant | Refusal:
        """Return what the sender of a header may do, or why nothing."""
        if self._serving.no_auth:
            return EVERYTHING
        secret = _secret(authorization)
        if not secret:
            return _MISSING
        try:
            return self._check(secret) or _WRONG
        except Unavailable as error:
            _log.warning("a token could not be checked: %s", error)
            return _UNKNOWN_YET

    def _check(self, secret: str) -> Grant | None:
        if not secret.startswith(_OF_STORE):
            return self._issuer.check(secret) if self._issuer is not None else None
        token = self._host.db.tokens.check(secret)
        if token is None:
            return None
        self._note(token)
        return token.grant

    def _user_of(self, email: str) -> str | None:
        """Return the id of the user who has an email."""
        found = self._host.db.users.known_by(email)
        return None if found is None else found.id

    def _note(self, token: Token) -> None:
        """Remember that a token is in use; a request does not wait for that."""
        with self._lock:
            if token.id in self._noted:
                return
            self._noted.add(token.id)
        self._noting.submit(self._touch, token)

    def _touch(self, token: Token) -> None:
        try:
            self._host.db.tokens.touch(token)
        except StrataError as error:
            _log.info("the use of a token was not noted: %s", error)
        finally:
            with self._lock:
                self._noted.discard(token.id)

    def close(self) -> None:
        """Finish what is being noted."""
        self._noting.shutdown(wait=True, cancel_futures=True)
        self._asking.shutdown(wait=False, cancel_futures=True)


def _secret(authorization: str | None) -> str:
    """Return the token in a header; nothing where there is none."""
    scheme, _blank, secret = (authorization or "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def challenge(refusal: Refusal, serving: ServerConfig) -> str:
    """Return the header that tells a client how to get a token, or a better one."""
    parts = ['realm="strata"']
    if refusal.error:
        parts += [f'error="{refusal.error}"', f'error_description="{refusal.description}"']
    if refusal.scope:
        parts.append(f'scope="{refusal.scope}"')
    if serving.issuer is not None:
        parts.append(f'resource_metadata="{serving.base_url}{METADATA_PATH}{PATH}"')
    return f"Bearer {', '.join(parts)}"


def _issuer(serving: ServerConfig, known: Callable[[str], str | None]) -> "Issuer | None":
    if serving.issuer is None:
        return None
    from strata.mcp.serving.issuer import Issuer  # noqa: PLC0415  (loads cryptography)

    return Issuer(serving, known=known)
