"""What the tables of access hold, as values. Times are in microseconds."""

from typing import Literal, TypeAlias, TypeVar

import msgspec

from strata.access.roles import Role, role_of
from strata.base.errors import DamagedStore
from strata.base.results import Result, TimedResult
from strata.base.values import Json
from strata.sql import Read
from strata.store import Store, unreadable

T = TypeVar("T", bound=msgspec.Struct)
Kind: TypeAlias = Literal["personal", "team"]
LinkKind: TypeAlias = Literal["invitation", "open"]


class User(TimedResult, frozen=True):
    """A user of the workspace; `is_owner` is true of one of them."""

    TIME = "created"

    id: str
    email: str
    name: str
    created: int
    is_owner: bool = False


# An unknown user: may see nothing, and is in no table.
NOBODY = User("", "", "nobody", 0)


class Team(TimedResult, frozen=True):
    """A part of the workspace; the one without a parent is the whole."""

    TIME = "created"

    id: str
    name: str
    parent: str | None
    created: int


class Member(Result, frozen=True):
    """The role of a user in a team."""

    team: str
    user: str
    email: str
    name: str
    role: Role


class Folder(TimedResult, frozen=True):
    """A place for documents, which says who sees them: one user, or a team."""

    TIME = "created"

    id: str
    name: str
    kind: Kind
    owner: str | None
    team: str | None
    parent: str | None
    templates: bool
    created: int


class DocumentSpace(TimedResult, frozen=True):
    """A collection of documents of a user or of a team."""

    TIME = "created"

    id: str
    name: str
    kind: Kind
    owner: str | None
    team: str | None
    created: int
    # What it is for; empty where its makers wrote nothing.
    description: str = ""


class Placement(Result, frozen=True):
    """Where a document is, and who made it."""

    document: str
    folder: str
    owner: str


class Share(Result, frozen=True):
    """A document shared with a user; `pending` until there is a user with that email."""

    email: str
    role: Role
    user: str | None = None
    name: str | None = None

    @property
    def pending(self) -> bool:
        """Whether no user has that email yet."""
        return self.user is None


class DocumentReader(Result, frozen=True):
    """A user who sees a document: with which role, and why (folder, share, link, or a team)."""

    id: str
    name: str
    email: str
    role: Role
    through: str


class Audience(Result, frozen=True):
    """Everybody who sees a document, the greatest roles first."""

    kind: Kind
    folder_id: str
    folder_name: str
    team: str | None
    people: tuple[DocumentReader, ...]
    pending: tuple[Share, ...] = ()


class ShareLink(TimedResult, frozen=True, kw_only=True):
    """A link that lets users in; its secret is shown only when it is made.

    An invitation gives a share of a document, or a place in a team, that stays. An open link of
    a document gives what ends with the link. `newcomers` tells that a new person may join by it
    and becomes a user.
    """

    TIME = "created"

    id: str
    kind: LinkKind
    document: str | None
    team: str | None
    role: Role
    newcomers: bool
    user: str
    created: int
    expires: int | None
    most_uses: int | None
    uses: int

    def is_good(self, now: int) -> bool:
        """Tell whether one may join by it, as far as it says itself."""
        is_left = self.most_uses is None or self.uses < self.most_uses
        return is_left and (self.expires is None or now < self.expires)


class ReaderChange(Result, frozen=True):
    """What a move changes for one user: the roles before and after, in how many documents.

    A role of None means that the user does not see them.
    """

    id: str
    name: str
    email: str
    before: Role | None
    after: Role | None
    documents: int


class MoveEffect(Result, frozen=True):
    """Who sees documents, who stops seeing them and whose role changes when they are moved."""

    folder: str
    folder_name: str
    gaining: tuple[ReaderChange, ...]
    losing: tuple[ReaderChange, ...]
    changing: tuple[ReaderChange, ...]


class AuditEntry(TimedResult, frozen=True):
    """One change to users, teams, folders or shares; `user` is the id of who made it."""

    number: int
    timestamp: int
    user: str
    action: str
    subject: str
    details: dict[str, Json]


def _read(row: tuple[object, ...], kind: type[T], what: str) -> T:
    try:
        return msgspec.convert(dict(zip(kind.__struct_fields__, row, strict=True)), kind)
    except msgspec.ValidationError as error:
        raise unreadable(what) from error


def user_record(row: tuple[object, ...]) -> User:
    """Read a row of users: id, email, name, created, is_owner."""
    return _read((*row[:4], bool(row[4])), User, "a user")


def as_team(row: tuple[object, ...]) -> Team:
    """Read a row of teams: id, name, parent, created."""
    return _read(row, Team, "a team")


def as_member(row: tuple[object, ...]) -> Member:
    """Read a row of members: team, user, email, name, role."""
    return _read((*row[:4], role_of(int(str(row[4])))), Member, "a member")


def as_folder(row: tuple[object, ...]) -> Folder:
    """Read a row of folders: id, name, owner, team, parent, templates, created."""
    identity, name, owner, team, parent, templates, created = row
    kind = "team" if owner is None else "personal"
    values = (identity, name, kind, owner, team, parent, bool(templates), created)
    return _read(values, Folder, "a folder")


def as_space(row: tuple[object, ...]) -> DocumentSpace:
    """Read a row of document_spaces: id, name, owner, team, created, description."""
    identity, name, owner, *rest = row
    kind = "team" if owner is None else "personal"
    return _read((identity, name, kind, owner, *rest), DocumentSpace, "a Space")


def as_share_link(row: tuple[object, ...]) -> ShareLink:
    """Read a row of share_links, without its digest."""
    values = (*row[:4], role_of(int(str(row[4]))), bool(row[5]), *row[6:])
    return _read(values, ShareLink, "a link")


def owner_of(store: Store) -> User:
    """Return the user who owns the workspace."""
    row = store.connection().row(store.queries.user_who_owns)
    if row is None:
        raise DamagedStore(
            "The workspace has no owner any more.",
            hint="`strata.restore(BACKUP, PATH)` brings a backup back.",
        )
    return user_record(row)


def personal_folder(store: Store, user: str) -> Folder | None:
    """Return a user's personal folder; None for an unknown user."""
    row = store.connection().row(store.queries.personal_folder, (user,))
    return None if row is None else as_folder(row)


def shares_of(store: Store, document: str) -> list[Share]:
    """Return the users a document is shared with, without checking permissions."""
    connection, queries = store.connection(), store.queries
    known = [
        Share(email, role_of(number), user, name)
        for email, number, user, name in connection.rows(queries.shares, (document,))
    ]
    invited = connection.rows(queries.invitations, (document,))
    return known + [Share(email, role_of(number)) for email, number in invited]


def user_names(store: Store) -> dict[str, str]:
    """Return the names of all users by id, also of those who were removed, oldest first."""
    return dict(store.connection().rows(store.queries.user_names))


def is_public(store: Store, document: str) -> bool:
    """Tell whether a document is published, so that everybody may read it."""
    return store.connection().row(*read_of_public(store, document)) is not None


def read_of_public(store: Store, document: str) -> Read:
    """Return the read of `is_public`, for a caller that foresees it."""
    return store.queries.is_published, (document,)


def public_documents(store: Store) -> list[str]:
    """Return the documents that are published."""
    return [row[0] for row in store.connection().rows(store.queries.published_documents)]


def forget_places(store: Store, document: str) -> None:
    """Drop the folder, shares, links and Spaces of a document, in the open transaction."""
    connection, queries = store.connection(), store.queries
    for statement in (
        queries.delete_link_readers_of_document,
        queries.delete_links_of_document,
        queries.delete_placement,
        queries.delete_shares_of_document,
        queries.delete_invitations_of_document,
        queries.delete_spaces_of_document,
    ):
        connection.run(statement, (document,))
