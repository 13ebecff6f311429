"""Users: who uses the workspace, and the emails they are known by."""

import re
from collections.abc import Callable
from itertools import zip_longest

from strata.access.grants import OWNER
from strata.access.part import AccessPart, check_count
from strata.access.permissions import Permissions
from strata.access.records import User, owner_of, personal_folder, user_names, user_record
from strata.base import limits
from strata.base.checks import is_text
from strata.base.counts import counted
from strata.base.errors import AlreadyExists, InvalidArgument, NotAllowed, NotFound
from strata.base.ids import new_id
from strata.base.normal import normal
from strata.base.results import Result
from strata.sql import Connection
from strata.store import Store, change_setting, read_setting

# One @, something before it, a name with a dot behind it, and nothing that mail programs
# take for a border. Letters of every script may be in both halves.
_FORM = re.compile(r"""[^\s@<>()\[\],;:\\"]+@([^\s@<>()\[\],;:\\".]+\.)+[^\s@<>()\[\],;:\\".]+""")
_LOCAL = "@localhost"
PERSONAL = "Personal"
# Where the hints are kept that a user does not want to see again.
_DISMISSED = "dismissed:"
_DISMISSED_MAX = 50


class Belongings(Result, frozen=True):
    """What another user gets when a user is removed: documents and Spaces of their own."""

    documents: int
    spaces: int


def check_email(email: object) -> str:
    """Return an email in composed form, or raise InvalidArgument for what cannot be one.

    >>> check_email("소연@예시.한국")
    '소연@예시.한국'
    """
    text = normal("NFC", str(email)) if is_text(email) else ""
    form = text.removesuffix(_LOCAL) + "@local.host" if text.endswith(_LOCAL) else text
    if (
        len(text) > limits.EMAIL_CHARACTERS_MAX
        or not text.isprintable()
        or not _FORM.fullmatch(form)
    ):
        raise InvalidArgument(
            f"{str(email)[:200]!r} is no email.", hint="Such as ann@example.com.", parameter="email"
        )
    return text


def match_of(email: str) -> str:
    """Return the form in which emails are compared: composed, without case.

    >>> match_of("Ann@Example.COM") == match_of("ann@example.com")
    True
    """
    return normal("NFC", normal("NFC", email).casefold())


def _has_same_letters(a: str, b: str) -> bool:
    """Tell whether emails differ in the case of letters at most, letter by letter."""
    pairs = list(zip_longest(normal("NFC", a), normal("NFC", b), fillvalue=""))
    is_same_script = a.isascii() == b.isascii()  # composing makes a K of the sign for kelvin
    return is_same_script and all(
        x.isascii() == y.isascii() and x.lower() == y.lower() for x, y in pairs
    )


def find_user(store: Store, who: str) -> User | None:
    """Return the user of an id or an email, or None; "owner" is the workspace's owner."""
    if who == OWNER:
        return owner_of(store)
    by_email = "@" in who
    statement = store.queries.user_by_email if by_email else store.queries.user_by_id
    row = store.connection().row(statement, (match_of(who) if by_email else who,))
    return None if row is None else user_record(row)


class Users(AccessPart):
    """The users of the workspace. Reached as `db.people`.

    `welcome` makes what a user has from the beginning, when they are added.
    """

    def __init__(
        self,
        store: Store,
        rights: Permissions,
        *,
        welcome: Callable[[User], object] | None = None,
    ) -> None:
        super().__init__(store, rights)
        self._welcome = welcome

    def owner(self) -> User:
        """Return the user who owns the workspace; every workspace has one from its beginning.

        >>> db.users.owner().email
        'owner@localhost'
        """
        return owner_of(self._store)

    def get(self, who: str) -> User | None:
        """Return the user of an id or an email, or None; "owner" is the workspace's owner.

        >>> ann = db.users.add("ann@example.com", "Ann")
        >>> db.users.get("ANN@example.com") == db.users.get(ann.id) == ann
        True
        >>> db.users.get("nobody@example.com") is None
        True
        """
        return find_user(self._store, who)

    def require(self, who: str) -> User:
        """Return the user of an id or an email, or raise NotFound.

        >>> db.users.require("owner@localhost").name
        'owner'
        """
        found = self.get(who)
        if found is None:
            raise NotFound(
                f"There is no user {who[:200]!r}.",
                hint="`db.users.list()` shows them; `db.users.add(EMAIL)` adds one.",
                user=who[:200],
            )
        return found

    def known_by(self, email: str) -> User | None:
        """Return the user that an outside issuer means by an email, or None.

        Never the owner by the address that every workspace begins with: every issuer can claim
        that. Nor a user by letters that only look the same without case, such as ſ for s or ß for
        ss: to the issuer, that is another user's email.

        >>> db.users.known_by("owner@localhost") is None
        True
        """
        if "@" not in email or match_of(email).endswith(_LOCAL):
            return None
        found = self.get(email)
        return found if found is not None and _has_same_letters(email, found.email) else None

    def list(self) -> "list[User]":
        """Return everybody, the owner first, then by email.

        >>> _ = db.users.add("소연@예시.한국", "소연")
        >>> [user.name for user in db.users.list()]
        ['owner', '소연']
        """
        rows = self._store.connection().rows(self._store.queries.users)
        return [user_record(row) for row in rows]

    def names(self) -> dict[str, str]:
        """Return the names of everybody by id, also of those who were removed.

        >>> list(db.users.names().values())
        ['owner']
        """
        return user_names(self._store)

    def add(self, email: str, name: str | None = None) -> User:
        """Add a user with a personal folder; they get what was shared with the email.

        >>> _ = db.rights.place("doc_1")
        >>> db.shares.share("doc_1", "ann@example.com", "editor").pending
        True
        >>> ann = db.users.add("ann@example.com")
        >>> ann.name, db.as_user(ann.id).rights.role("doc_1")
        ('ann', 'editor')
        """
        address, queries = check_email(email), self._store.queries
        self._refuse_secret(address, "email")
        called = self._check_name(name or address.partition("@")[0], "user")
        with self._changing() as connection:
            self._require_admin("add people to")
            row = connection.row(queries.count_users)
            check_count(row[0] if row else 0, limits.USERS_MAX, "people")
            self._check_unused(address)
            user = User(new_id("user"), address, called, self._store.clock())
            values = (user.id, address, match_of(address), called, user.created)
            connection.run(queries.insert_user, values)
            folder = (new_id("folder"), PERSONAL, user.id, None, None, 0, user.created)
            connection.run(queries.insert_folder, folder)
            bound = self._bind(connection, user)
            if self._welcome is not None:
                self._welcome(user)
            self._note("user.add", user.id, email=address, name=called, shares=bound)
        return user

    def rename(self, who: str, name: str | None = None, *, email: str | None = None) -> User:
        """Change a user's name, or the email that they are known by.

        Users may change their own name. An email identifies a user, also to an outside
        issuer of tokens: it takes an admin of the workspace, and the owner's the owner.

        >>> ann = db.users.add("ann@example.com")
        >>> db.users.rename("ann@example.com", "소연", email="soyeon@example.com").name
        '소연'
        >>> db.users.require(ann.id).email
        'soyeon@example.com'
        """
        with self._changing() as connection:
            before = self.require(who)
            called = before.name if name is None else self._check_name(name, "user")
            address = before.email if email is None else check_email(email)
            self._check_may_rename(before, is_new_email=address != before.email)
            if match_of(address) != match_of(before.email):
                self._check_unused(address)
            values = (before.id, address, match_of(address), called)
            connection.run(self._store.queries.update_user, values)
            found = self.require(before.id)
            bound = self._bind(connection, found)
            self._note("user.rename", found.id, email=address, name=called, shares=bound)
        return found

    def belongings(self, who: str) -> Belongings:
        """Return how many documents and Spaces a user has of their own; for admins.

        >>> _ = db.users.add("ann@example.com")
        >>> db.users.belongings("ann@example.com").documents
        0
        """
        self._require_admin("look at what is owned by people of")
        values = (self.require(who).id,)
        row = self._store.connection().row(self._store.queries.user_belongings, values)
        return Belongings(*(row or (0, 0)))

    def dismissed(self) -> "list[str]":
        """Return the hints that the acting user does not want to see again.

        >>> db.users.dismissed()
        []
        """
        text = read_setting(self._store, f"{_DISMISSED}{self._rights.user.id}")
        return [] if text is None else text.split()

    def dismiss(self, hint: str) -> "list[str]":
        """Remember that the acting user does not want to see a hint again; return all of those.

        >>> db.users.dismiss("example")
        ['example']
        """
        if not hint.isidentifier() or len(hint) > limits.NAME_CHARACTERS_MAX:
            raise InvalidArgument(
                f"{hint[:200]!r} is no name of a hint.", hint="Such as example.", parameter="hint"
            )

        def add(text: str | None) -> str:
            return " ".join([*dict.fromkeys([*(text or "").split(), hint])][-_DISMISSED_MAX:])

        change_setting(self._store, f"{_DISMISSED}{self._rights.user.id}", add)
        return self.dismissed()

    def remove(self, who: str, *, give_to: str | None = None) -> User:
        """Remove a user. Their personal documents move to `give_to`; without it there must be none.

        Their tokens open nothing any more. History goes on naming them.

        >>> _ = db.users.add("ann@example.com")
        >>> _ = db.users.remove("ann@example.com", give_to="owner")
        >>> db.users.get("ann@example.com") is None
        True
        """
        queries, now = self._store.queries, self._store.clock()
        with self._changing() as connection:
            self._require_admin("remove people from")
            gone = self.require(who)
            if gone.is_owner:
                raise NotAllowed(
                    "The owner of the workspace cannot be removed.",
                    hint="`strata user rename owner --email` gives it to another user's email.",
                )
            heir = None if give_to is None else self._heir(give_to, gone)
            self._check_belongings(connection, gone, heir)
            self._hand_over(connection, gone, heir or self.owner())
            connection.run(queries.delete_folders_of_user, (gone.id,))
            connection.run(queries.delete_members_of_user, (gone.id,))
            connection.run(queries.delete_shares_of_user, (gone.id,))
            connection.run(queries.delete_link_readers_of_user, (gone.id,))
            connection.run(queries.revoke_tokens_of_user, (gone.id, now))
            connection.run(queries.remove_user, (gone.id, now))
            self._note("user.remove", gone.id, email=gone.email, to=heir and heir.id)
        return gone

    def _check_may_rename(self, user: User, *, is_new_email: bool) -> None:
        is_self = user.id == self._rights.user.id
        if user.is_owner and not is_self:
            raise NotAllowed("Only the owner of the workspace can be the one to rename the owner.")
        if is_new_email or not is_self:
            self._require_admin("rename people of")

    def _check_unused(self, email: str) -> None:
        if self.get(email) is not None:
            raise AlreadyExists(
                f"There is a user of the email {email!r} already.",
                hint="`db.users.list()` shows them.",
                email=email,
            )

    def _bind(self, connection: Connection, user: User) -> int:
        """Turn invitations of an email into shares; return how many there were."""
        match, queries = match_of(user.email), self._store.queries
        connection.run(queries.bind_invitations, (user.id, match, self._store.clock()))
        return len(connection.rows(queries.delete_bound_invitations, (match,)))

    def _heir(self, give_to: str, gone: User) -> User:
        heir = self.require(give_to)
        if heir.id == gone.id:
            raise InvalidArgument(
                "What is theirs cannot be given to the one who goes.",
                hint="Name another user.",
                parameter="give_to",
            )
        return heir

    def _check_belongings(self, connection: Connection, gone: User, heir: User | None) -> None:
        row = connection.row(self._store.queries.user_belongings, (gone.id,))
        documents, spaces = row if row is not None else (0, 0)
        if heir is None and (documents or spaces):
            raise NotAllowed(
                f"{gone.name!r} has {counted(document=documents, Space=spaces)} of their own.",
                hint="Say who gets them: `strata user remove … --give-to EMAIL`.",
                documents=documents,
                spaces=spaces,
            )

    def _hand_over(self, connection: Connection, gone: User, heir: User) -> None:
        """Give a user's folders, documents and Spaces to another user."""
        queries = self._store.queries
        old, new = (personal_folder(self._store, one.id) for one in (gone, heir))
        if old is not None and new is not None:
            connection.run(queries.give_placements_of_folder, (old.id, new.id))
            connection.run(queries.give_subfolders, (gone.id, heir.id, old.id, new.id))
        connection.run(queries.give_placements, (gone.id, heir.id))
        connection.run(queries.give_spaces, (gone.id, heir.id))
