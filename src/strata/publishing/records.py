"""What the tables of publishing hold, as values. Times are microseconds."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Literal, TypeAlias

import msgspec

from strata.base.results import Result, TimedResult
from strata.base.utc import utc
from strata.publishing.names import path_of
from strata.sql import Row
from strata.store import Store, unreadable

State: TypeAlias = Literal["draft", "published"]


class Profile(TimedResult, frozen=True):
    """The public profile of a user. `changed` counts what alters how it is seen."""

    TIME = "created"

    user: str
    name: str
    title: str
    about: str
    created: int
    changed: int = 0

    @property
    def path(self) -> str:
        """Its address, without the server's."""
        return path_of(self.name)


class PublishedImage(Result, frozen=True, omit_defaults=True):
    """An image that a version shows; `id` is the SHA-256 of its file."""

    id: str
    media_type: str
    width: int | None = None
    height: int | None = None
    bytes: int = 0


class PublishedVersion(TimedResult, frozen=True):
    """A frozen state of a document: `version` on `branch`, as `user` published it."""

    TIME = "created"

    document: str
    number: int
    version: int
    branch: str
    hash: str
    title: str
    summary: str
    images: tuple[PublishedImage, ...]
    user: str
    via: str | None
    created: int
    is_shown: bool = False


class PublishStatus(Result, frozen=True, kw_only=True):
    """Whether a document is public, as which version, and how it has changed since.

    `path` is the address without the server's; `number` is the version shown, and the newest one
    while nothing is. `is_new` tells of an answer whether it made that version.
    """

    document: str
    title: str
    state: State
    number: int | None = None
    versions: int = 0
    has_changes: bool = False
    path: str | None = None
    profile: str | None = None
    published: int | None = None
    is_pinned: bool = False
    is_new: bool = False

    @property
    def time(self) -> datetime | None:
        """When the version that is shown was published, in UTC."""
        return None if self.published is None else utc(self.published)


class Publication(TimedResult, frozen=True, kw_only=True):
    """A document that was published at least once; `number` is None while nothing is shown."""

    TIME = "created"

    document: str
    title: str
    profile: str
    slug: str
    number: int | None
    is_pinned: bool
    created: int
    changed: int

    @property
    def path(self) -> str:
        """Its address, without the server's."""
        return path_of(self.profile, self.slug)


class PublicationRow(msgspec.Struct, frozen=True):
    """A row of publications, with the profile's name and whether its user is still here."""

    document: str
    user: str
    slug: str
    number: int | None
    pinned: int | None
    created: int
    changed: int
    profile: str
    is_here: bool


def publication_of(store: Store, document: str) -> PublicationRow | None:
    """Return what is known of a document that was published, or None."""
    row = store.connection().row(store.queries.publication, (document,))
    return None if row is None else PublicationRow(*row[:8], is_here=bool(row[8]))


def as_version(store: Store, row: Row, shown: int | None = None) -> PublishedVersion:
    """Read a row of published_versions, without its text."""
    document, number, version, branch, digest, title, summary, images, *by = row
    try:
        listed = msgspec.json.decode(images, type=tuple[PublishedImage, ...])
    except msgspec.MsgspecError as error:
        raise unreadable("a published version") from error
    return PublishedVersion(
        document,
        number,
        version,
        _name_of(store, branch),
        digest,
        title,
        summary,
        listed,
        by[0],
        by[1],
        by[2],
        number == shown,
    )


def content_hash(title: str, text: str, images: Sequence[str]) -> str:
    """Return what tells whether two versions show the same."""
    return sha256(msgspec.json.encode((title, text, *images))).hexdigest()[:32]


def _name_of(store: Store, branch: int) -> str:
    store.look()  # another process may have made the branch
    return next((row.name for row in store.catalog.all() if row.id == branch), "")


def versions_of(store: Store, document: str, shown: int | None) -> list[PublishedVersion]:
    """Return the versions of a document, newest first."""
    rows = store.connection().rows(store.queries.published_versions, (document,))
    return [as_version(store, row, shown) for row in rows]


def hide_from_visitors(store: Store, document: str, branch: int) -> None:
    """Unpublish a document that goes into the trash of a branch, in the open transaction.

    What was published from another branch is shown as before.
    """
    values = (document, branch, store.clock())
    store.connection().run(store.queries.hide_publication_of_branch, values)


def forget_publication(store: Store, document: str) -> None:
    """Drop all that was published of a document, when it is erased."""
    connection, queries = store.connection(), store.queries
    for statement in (
        queries.delete_published_images,
        queries.delete_published_versions,
        queries.delete_publication,
    ):
        connection.run(statement, (document,))
