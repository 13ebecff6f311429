"""Signing in: a code or a token becomes the secret that a browser keeps, for some time."""

import msgspec

from strata.access.audit_log import changing, note
from strata.access.grants import OF_DOCUMENTS, OWNER
from strata.access.part import AccessPart
from strata.access.records import User
from strata.access.signing.records import (
    Browser,
    Opened,
    SignInCode,
    as_browser,
    digest_of,
    new_code,
    plain_code,
)
from strata.access.tokens import Token, Tokens, as_token, random_text
from strata.access.users import Users
from strata.base import limits
from strata.base.errors import NotAllowed, NotFound
from strata.base.ids import new_id
from strata.sql import Connection

_SECOND = 1_000_000
_LABEL = "browser"
_NOT_GOOD = "This is neither a code nor a token that is good now."
_AGAIN = "`db.sign_ins.create_code()` makes a new code; one is good for ten minutes, and once."


class SignIns(AccessPart):
    """Codes to sign in with, and the browsers that did. Reached as `db.sign_ins`.

    Everybody makes codes for themselves; an admin of the workspace for others, and only the
    owner for the owner.
    """

    def create_code(self, user: str | None = None) -> SignInCode:
        """Make a code with which a user signs in once, within ten minutes; by default the caller.

        >>> code = db.sign_ins.create_code()
        >>> len(code.secret), db.sign_ins.open(code.secret).browser.user == code.user
        (11, True)
        """
        whose = (
            self._rights.user if user is None else Users(self._store, self._rights).require(user)
        )
        now, queries = self._store.clock(), self._store.queries
        code = SignInCode(whose.id, new_code(), now + int(limits.SIGN_IN_CODE_S * _SECOND))
        values = (digest_of("code", plain_code(code.secret)), whose.id, now, code.expires)
        with self._changing() as connection:
            self._check_may(whose, "let others sign in to")
            connection.run(queries.insert_code, values)
            connection.run(queries.delete_old_codes, (now, whose.id, limits.SIGN_IN_CODES_MAX))
            self._note("sign_in.code", whose.id)
        return code

    def open(self, secret: str, *, label: str = _LABEL) -> Opened:
        """Sign a browser in by a code, which is used up, or by a token, on which it depends.

        Raises NotAllowed for what is unknown, used or expired, always in the same words.

        >>> code = db.sign_ins.create_code()
        >>> _ = db.sign_ins.open(code.secret.lower(), label="노트북")
        >>> [browser.label for browser in db.sign_ins.list()]
        ['노트북']
        """
        given = secret.strip()
        with changing(self._store) as connection:
            token = Tokens(self._store, self._rights).check(given)
            user = self._coming(connection, given) if token is None else self._holder(token)
            if user is None:
                # The code that was brought too late is gone all the same.
                refused = NotAllowed(_NOT_GOOD, hint=_AGAIN)
            else:
                return self._opened(connection, user, token=token, label=label)
        raise refused

    def _coming(self, connection: Connection, code: str) -> User | None:
        """Use a code up, and return its user if it was valid."""
        digest = digest_of("code", plain_code(code))
        row = connection.row(self._store.queries.use_code, (digest,))
        if row is None or row[1] <= self._store.clock():
            return None
        return Users(self._store, self._rights).get(row[0])

    def _holder(self, token: Token) -> User | None:
        grant = token.grant
        if not any(grant.permits(group) for group in OF_DOCUMENTS):
            raise NotAllowed(
                "This token is not for documents, which is all that pages show.",
                hint="`strata token create --groups core,collaboration,comments` makes one.",
            )
        return Users(self._store, self._rights).get(grant.user or OWNER)

    def _opened(
        self, connection: Connection, user: User, *, token: Token | None, label: str
    ) -> Opened:
        now, queries = self._store.clock(), self._store.queries
        secret = random_text()
        browser = Browser(
            new_id("browser"),
            user.id,
            _label(label),
            now,
            _end(now, token),
            now,
            is_owner=user.is_owner,
            token=token,
        )
        values = (
            browser.id,
            digest_of("browser", secret),
            user.id,
            token and token.id,
            browser.label,
            now,
            browser.expires,
            now,
        )
        connection.run(queries.insert_browser, values)
        connection.run(queries.delete_old_browsers, (now, user.id, limits.BROWSERS_MAX))
        details = {"label": browser.label, "token": token and token.id}
        note(self._store, user.id, "browser.open", subject=browser.id, **details)
        return Opened(browser, secret)

    def check(self, secret: str) -> Browser | None:
        """Return the browser that a secret belongs to; None for one that is no longer good.

        >>> made = db.sign_ins.open(db.sign_ins.create_code().secret, label="노트북")
        >>> db.sign_ins.check(made.secret) == made.browser
        True
        >>> db.sign_ins.check("x" * 43) is None
        True
        """
        values = (digest_of("browser", secret),)
        row = self._store.connection().row(self._store.queries.browser, values)
        return None if row is None else self._good(row)

    def _good(self, row: tuple[object, ...]) -> Browser | None:
        """Return a browser if neither its time nor its token has ended."""
        now, token = self._store.clock(), None
        if row[2] is not None:
            found = self._store.connection().row(self._store.queries.token, (row[2],))
            token = None if found is None else as_token(found[:-1])
            if token is None or not token.is_good(now):
                return None
        browser = as_browser(row, token)
        return browser if now < browser.expires else None

    def touch(self, browser: Browser) -> Browser:
        """Let a browser that is in use stay signed in for longer; noted once an hour at most.

        >>> made = db.sign_ins.open(db.sign_ins.create_code().secret)
        >>> db.sign_ins.touch(made.browser) == made.browser
        True
        """
        now = self._store.clock()
        is_recent = now - browser.last_used < limits.BROWSER_TOUCH_S * _SECOND
        if is_recent or self._store.database.read_only:
            return browser
        expires = _end(now, browser.token)
        with self._store.writing() as connection:
            connection.run(self._store.queries.touch_browser, (browser.id, now, expires))
        return msgspec.structs.replace(browser, last_used=now, expires=expires)

    def close(self, secret: str) -> bool:
        """Sign a browser out, by its own secret; tell whether it was signed in.

        >>> made = db.sign_ins.open(db.sign_ins.create_code().secret)
        >>> db.sign_ins.close(made.secret), db.sign_ins.check(made.secret) is None
        (True, True)
        """
        found = self.check(secret)
        if found is None:
            return False
        with changing(self._store) as connection:
            row = connection.row(self._store.queries.delete_browser, (found.id,))
            if row is not None:
                note(self._store, found.user, "browser.close", subject=found.id)
        return row is not None

    def list(self) -> "list[Browser]":
        """Return the browsers that one may sign out, those used last first.

        >>> _ = db.sign_ins.open(db.sign_ins.create_code().secret, label="노트북")
        >>> [browser.label for browser in db.sign_ins.list()]
        ['노트북']
        """
        values = (self._store.clock(),)
        rows = self._store.connection().rows(self._store.queries.browsers, values)
        good = (found for row in rows if (found := self._good(row)) is not None)
        return [one for one in good if self._is_mine(one.user, is_owner=one.is_owner)]

    def close_one(self, browser: str) -> Browser:
        """Sign one browser out, by its id; raise NotFound for one that the user may not sign out.

        >>> made = db.sign_ins.open(db.sign_ins.create_code().secret, label="노트북")
        >>> db.sign_ins.close_one(made.browser.id).label, db.sign_ins.list()
        ('노트북', [])
        """
        found = next((one for one in self.list() if one.id == browser), None)
        if found is None:
            raise NotFound(
                "There is no such browser that you could sign out.",
                hint="`db.sign_ins.list()` shows them.",
            )
        with self._changing() as connection:
            connection.run(self._store.queries.delete_browser, (found.id,))
            self._note("browser.close", found.id, user=found.user)
        return found

    def close_all(self, user: str | None = None, *, keep: str | None = None) -> int:
        """Sign a user out everywhere and drop their codes; return the number of browsers.

        The browser whose id is `keep` stays signed in.

        >>> _ = db.sign_ins.open(db.sign_ins.create_code().secret)
        >>> db.sign_ins.close_all(), db.sign_ins.list()
        (1, [])
        """
        whose = (
            self._rights.user if user is None else Users(self._store, self._rights).require(user)
        )
        queries = self._store.queries
        with self._changing() as connection:
            self._check_may(whose, "sign others out of")
            connection.run(queries.delete_codes_of_user, (whose.id,))
            gone = connection.rows(queries.delete_browsers_of_user, (whose.id, keep or ""))
            self._note("browser.close_all", whose.id, browsers=len(gone))
        return len(gone)

    def _is_mine(self, user: str, *, is_owner: bool) -> bool:
        """Tell whether a user's browsers may be seen: by the user, and by an admin."""
        acting = self._rights.user
        return acting.is_owner or user == acting.id or (not is_owner and self._is_admin)

    def _check_may(self, whose: User, what: str) -> None:
        if self._is_mine(whose.id, is_owner=whose.is_owner):
            return
        if whose.is_owner:
            raise NotAllowed(
                "Only the owner of the workspace decides who signs in as the owner.",
                hint="Leave out the user: then it is for you.",
            )
        self._require_admin(what)


def _end(now: int, token: Token | None) -> int:
    """Return how long a browser stays signed in, never longer than its token is good."""
    end = now + int(limits.BROWSER_S * _SECOND)
    return end if token is None or token.expires is None else min(end, token.expires)


def _label(text: str) -> str:
    plain = "".join(letter for letter in text if letter.isprintable()).strip()
    return plain[: limits.BROWSER_LABEL_CHARACTERS_MAX] or _LABEL
