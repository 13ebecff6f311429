"""What signing in deals with: codes, and browsers that have signed in. Times in microseconds."""

import os
from hashlib import sha256
from typing import TypeAlias

import msgspec

from strata.access.grants import OF_DOCUMENTS, OWNER, Grant
from strata.access.tokens import Token
from strata.base.results import Result, TimedResult
from strata.store import unreadable

# Read aloud or typed from another screen, none of these is taken for another one.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_LETTERS = 10
_HALF = _LETTERS // 2
_Row: TypeAlias = tuple[str, str, str | None, str, int, int, int, int]


class SignInCode(TimedResult, frozen=True):
    """A code that signs a user in once. It is shown only here."""

    TIME = "expires"

    user: str
    secret: str
    expires: int


class Browser(TimedResult, frozen=True):
    """A browser that is signed in for a user, by a code or by a token that it depends on."""

    TIME = "created"

    id: str
    user: str
    label: str
    created: int
    expires: int
    last_used: int
    is_owner: bool = False
    token: Token | None = None

    @property
    def grant(self) -> Grant:
        """What the browser may do: all that the owner may, or the documents of another user.

        One that a token signed in may do what the token may: facts and decisions belong to the
        whole workspace, so another user reaches them only by a token for their groups.
        """
        principal = f"browser:{self.id}"
        if self.token is not None:
            return msgspec.structs.replace(self.token.grant, principal=principal)
        if self.is_owner:
            return Grant(self.label, OWNER, principal=principal)
        return Grant(self.label, self.user, groups=frozenset(OF_DOCUMENTS), principal=principal)


class Opened(Result, frozen=True):
    """A browser that has just signed in, with the secret that is its cookie."""

    browser: Browser
    secret: str


def new_code() -> str:
    """Return ten random letters in two groups: 49 bits, for ten minutes and few attempts.

    >>> len(new_code())
    11
    """
    # Thirty letters: what a byte has beyond a multiple of that would favour the first ones.
    dice = (byte for _ in range(99) for byte in os.urandom(_LETTERS) if byte < 240)
    letters = "".join(ALPHABET[next(dice) % len(ALPHABET)] for _ in range(_LETTERS))
    return f"{letters[:_HALF]}-{letters[_HALF:]}"


def plain_code(text: str) -> str:
    """Return a code as it is compared, however a user has typed it.

    >>> plain_code(" abcde fghjk ")
    'ABCDEFGHJK'
    """
    return "".join(letter for letter in text.upper() if letter not in " -\t\u2013\u2014\u00a0")


def digest_of(kind: str, secret: str) -> bytes:
    """Hash a secret; what is looked up by its hash tells nothing by how long that takes."""
    return sha256(f"strata {kind}\0{secret}".encode(errors="surrogatepass")).digest()


def as_browser(row: tuple[object, ...], token: Token | None) -> Browser:
    """Read a row of browsers; the token it names was looked up before."""
    try:
        found = msgspec.convert(row, _Row)
    except msgspec.ValidationError as error:
        raise unreadable("a browser that is signed in") from error
    id_, user, _token, label, created, expires, last_used, is_owner = found
    return Browser(
        id_, user, label, created, expires, last_used, is_owner=bool(is_owner), token=token
    )
