"""Tokens: secrets that let a client use a server of the store, for some tools and some time."""

import os
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import TypeAlias

import msgspec

from strata.access.grants import OF_DOCUMENTS, OWNER, Grant
from strata.access.part import AccessPart
from strata.access.users import Users
from strata.base import ids, limits
from strata.base.checks import check_many
from strata.base.duration import parse_duration
from strata.base.errors import InvalidArgument, LimitExceeded, NotAllowed, TokenNotFound
from strata.base.results import Result, TimedResult
from strata.store import check_name, unreadable

_TEXT = re.compile(r"strata_([0-9a-f]{12})_([A-Za-z0-9_-]{43})", re.ASCII)
_GROUP = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)
# What the column `suggest_only` says. A program that does not know the last one cannot verify the
# hash of such a token, so that it opens nothing there.
_SUGGESTS, _PROPOSES = 1, 2
_Row: TypeAlias = tuple[
    str, str, str, int, int, int | None, int | None, int | None, str | None, int
]


class Token(TimedResult, frozen=True):
    """A token without its secret. Times are in microseconds; no `groups` means all of them.

    `user` is the id of the user it acts for; without, it is the workspace's owner.
    """

    TIME = "created"

    id: str
    label: str
    groups: tuple[str, ...]
    read_only: bool
    created: int
    expires: int | None = None
    last_used: int | None = None
    revoked: int | None = None
    user: str | None = None
    suggest_only: bool = False
    proposes: bool = False

    @property
    def grant(self) -> Grant:
        """What the token allows."""
        groups = frozenset(self.groups) if self.groups else None
        return Grant(
            self.label,
            self.user or OWNER,
            groups=groups,
            read_only=self.read_only,
            principal=f"token:{self.id}",
            suggest_only=self.suggest_only,
            proposes=self.proposes,
        )

    def is_good(self, now: int) -> bool:
        """Tell whether the token is neither revoked nor expired."""
        return self.revoked is None and (self.expires is None or now < self.expires)


class NewToken(Result, frozen=True):
    """A token that was just made, with the secret that is shown this once."""

    token: Token
    secret: str


class Tokens(AccessPart):
    """Keys to a server of this store. Reached as `db.tokens`.

    Everybody makes and revokes their own; an admin of the workspace those of others, and only
    the owner those of the owner.
    """

    def create(
        self,
        label: str | None = None,
        *,
        groups: Iterable[str] = (),
        read_only: bool = False,
        expires: str | float | timedelta | None = None,
        user: str | None = None,
        suggest_only: bool = False,
        proposes: bool = False,
    ) -> NewToken:
        """Make a token for some groups of tools; its secret is shown now and never again.

        Without `groups` the owner's may use all of them, another user's those of documents: the
        others act on the whole workspace. `expires` is how long it is good: "90d". It acts for
        `user`, by id or email, or for the user who makes it; with `suggest_only` its edits of
        documents become suggestions. With `proposes` all that it writes waits for a user: edits of
        documents as suggestions, everything else on a branch of proposals.

        >>> made = db.tokens.create("노트북", groups=["memory"], expires="90d")
        >>> made.secret[:7], db.tokens.check(made.secret).label
        ('strata_', '노트북')
        """
        now = self._store.clock()
        whose = (
            self._rights.user if user is None else Users(self._store, self._rights).require(user)
        )
        given = list(groups) if not isinstance(groups, str) else groups
        token = Token(
            os.urandom(6).hex(),
            check_name(label or ids.readable_name(), what="token"),
            _checked_groups(given) if given or whose.is_owner else OF_DOCUMENTS,
            read_only,
            now,
            None if expires is None else now + parse_duration(expires, parameter="expires"),
            user=None if whose.is_owner else whose.id,
            # What proposes also leaves suggestions; one of both is kept.
            suggest_only=suggest_only and not proposes,
            proposes=proposes,
        )
        secret = f"strata_{token.id}_{random_text()}"
        values = (
            token.id,
            token.label,
            _digest(token, secret),
            " ".join(token.groups),
            int(read_only),
            now,
            token.expires,
            token.user,
            _PROPOSES if proposes else int(suggest_only),
        )
        with self._changing() as connection:
            self._check_may(token, "make a token for others in")
            if len(connection.rows(self._store.queries.tokens)) >= limits.TOKENS_MAX:
                raise LimitExceeded(
                    f"A store keeps {limits.TOKENS_MAX:,} tokens at most.",
                    limit=limits.TOKENS_MAX,
                    size=limits.TOKENS_MAX + 1,
                )
            connection.run(self._store.queries.insert_token, values)
            self._note("token.create", token.id, label=token.label, user=token.user)
        return NewToken(token, secret)

    def list(self) -> "list[Token]":
        """Return the tokens one may revoke, oldest first, the revoked ones too.

        >>> _ = db.tokens.create("laptop")
        >>> [(token.label, token.groups) for token in db.tokens.list()]
        [('laptop', ())]
        """
        rows = self._store.connection().rows(self._store.queries.tokens)
        return [token for token in map(as_token, rows) if self._is_mine(token)]

    def revoke(self, name: str) -> Token:
        """Let a token open nothing from now on; its label or id names it.

        Raises TokenNotFound, and InvalidArgument when several have the label.

        >>> made = db.tokens.create("laptop")
        >>> _ = db.tokens.revoke("laptop")
        >>> db.tokens.check(made.secret) is None
        True
        """
        found = self._named(name)
        now = self._store.clock()
        with self._changing() as connection:
            self._check_may(found, "revoke tokens of others in")
            if connection.row(self._store.queries.revoke_token, (found.id, now)) is not None:
                self._note("token.revoke", found.id, label=found.label, user=found.user)
        return msgspec.structs.replace(found, revoked=found.revoked or now)

    def check(self, secret: str) -> Token | None:
        """Return the token that a secret belongs to; None when it opens nothing.

        >>> db.tokens.check("strata_0123456789ab_" + "x" * 43) is None
        True
        """
        shape = _TEXT.fullmatch(secret)
        if shape is None:
            return None
        row = self._store.connection().row(self._store.queries.token, (shape[1],))
        if row is None:
            return None
        token = as_token(row[:-1])
        is_right = compare_digest(row[-1], _digest(token, secret))
        return token if is_right and token.is_good(self._store.clock()) else None

    def touch(self, token: Token) -> bool:
        """Note that a token was used, once a minute at most; tell whether it was noted.

        >>> made = db.tokens.create("laptop")
        >>> db.tokens.touch(made.token), db.tokens.touch(db.tokens.list()[0])
        (True, False)
        """
        now = self._store.clock()
        is_recent = now - (token.last_used or 0) < limits.TOKEN_TOUCH_S * 1_000_000
        if is_recent or self._store.database.read_only:
            return False
        with self._store.writing() as connection:
            connection.run(self._store.queries.touch_token, (token.id, now))
        return True

    def _is_mine(self, token: Token) -> bool:
        """Tell whether a token may be seen: by its user, and by an admin."""
        user = self._rights.user
        if user.is_owner or token.user == user.id:
            return True
        return token.user is not None and self._is_admin

    def _check_may(self, token: Token, what: str) -> None:
        if self._is_mine(token):
            return
        if token.user is None:
            raise NotAllowed(
                "Only the owner of the workspace makes tokens that act for the owner.",
                hint="Leave out the user: then the token acts for you.",
            )
        self._require_admin(what)

    def _named(self, name: str) -> Token:
        found = self.list()
        exact = [token for token in found if token.id == name]
        named = [token for token in found if token.label == name and token.revoked is None]
        if exact or len(named) == 1:
            return (exact or named)[0]
        if named:
            raise InvalidArgument(
                f"{len(named)} tokens are called {name!r}.",
                hint=f"Name one by its id: {', '.join(token.id for token in named)}.",
                parameter="name",
            )
        raise TokenNotFound(
            f"There is no token {name[:200]!r} that could be revoked.",
            hint="`db.tokens.list()` shows them.",
        )


def _digest(token: Token, secret: str) -> bytes:
    """Hash a secret together with what it opens.

    One round of SHA-256 is enough: a slow hash protects what users choose, and no attacker can
    guess 256 random bits.
    """
    rights: tuple[object, ...] = (token.id, token.groups, token.read_only, token.expires)
    if token.user is not None or token.suggest_only or token.proposes:
        # Only then: tokens that were made before there were users have hashes without.
        rights += (token.user, token.suggest_only)
    if token.proposes:
        rights += ("proposes",)
    return sha256(secret.encode() + b"\0" + msgspec.json.encode(rights)).digest()


def random_text() -> str:
    """Return 256 random bits as text that survives headers, URLs and shells."""
    return urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()


def _checked_groups(groups: Iterable[str]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(check_many(groups, name="groups")))
    odd = [name for name in found if _GROUP.fullmatch(name) is None]
    if odd:
        raise InvalidArgument(
            f"{odd[0]!r} is no name of a tool group.", hint="Such as memory.", parameter="groups"
        )
    return found


def as_token(row: tuple[object, ...]) -> Token:
    """Read a row of tokens, without its digest."""
    try:
        found = msgspec.convert(row, _Row)
    except msgspec.ValidationError as error:
        raise unreadable("a token") from error
    identity, label, scopes, read_only = found[:4]
    rights = (tuple(scopes.split()), bool(read_only))
    limit = found[9]
    return Token(
        identity,
        label,
        *rights,
        *found[4:9],
        suggest_only=limit == _SUGGESTS,
        proposes=limit == _PROPOSES,
    )
