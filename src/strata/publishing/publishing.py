"""`db.publishing`: publish documents, roll back, and manage profiles."""

from functools import cached_property
from itertools import count
from typing import NamedTuple

import msgspec

from strata.access import Permissions, changing_as, note
from strata.base.checks import check_number
from strata.base.errors import InvalidArgument, NotFound
from strata.documents import Document, Documents, images_in
from strata.publishing.names import numbered, path_of, slug_of
from strata.publishing.profiles import change_profile, provide_profile
from strata.publishing.public import Public
from strata.publishing.records import (
    Profile,
    Publication,
    PublicationRow,
    PublishedImage,
    PublishedVersion,
    PublishStatus,
    content_hash,
    publication_of,
    versions_of,
)
from strata.publishing.summary import summary_of
from strata.sql import Connection
from strata.store import Store, View, packed


class _Content(NamedTuple):
    """What publishing freezes, and what tells whether it has changed."""

    document: Document
    text: str
    images: tuple[PublishedImage, ...]
    hash: str


class Publishing:
    """Published documents, as a user may publish them. Reached as `db.publishing`."""

    def __init__(
        self, view: View, rights: Permissions, documents: Documents, *, public: Public
    ) -> None:
        self._view = view
        self._rights = rights
        self._documents = documents
        self.public = public

    @cached_property
    def _store(self) -> Store:
        return self._view.store

    # Publishing.

    def publish(self, document: str, *, pin: bool | None = None) -> PublishStatus:
        """Show a document to everybody as it is now: a frozen version, at an address that stays.

        Text that is shown already, or was last, makes no new version. `pin` puts it first on the
        profile, or takes it from there; without it that stays as it is.

        >>> made = db.documents.create("계획", "# 목표")
        >>> first = db.publishing.publish(made.document)
        >>> first.state, first.number, first.path
        ('published', 1, '/@owner/%EA%B3%84%ED%9A%8D')
        >>> db.publishing.publish(made.document).is_new
        False
        """
        self._view.check_writable()
        self._rights.require_manage(document, what="publish")
        content = self._content(document)
        _check_not_trashed(content.document)
        files = self._files(content)
        with changing_as(self._rights) as connection:
            self._rights.require_manage(document, what="publish")
            number, is_new = self._number_for(content)
            before = publication_of(self._store, document)
            kept = self._point_to(connection, content.document, number)
            if is_new:
                self._freeze(connection, content, number, files=files)
            if pin is not None and pin != (kept.pinned is not None):
                self._pin(connection, document, is_pinned=pin)
                self._note("document.pin" if pin else "document.unpin", document)
            if kept != before:
                self._note("document.publish", document, number=number)
        return msgspec.structs.replace(self._status(content), is_new=is_new)

    def unpublish(self, document: str) -> PublishStatus:
        """Stop showing a document to the public; its versions and its address are kept.

        >>> made = db.documents.create("계획", "# 목표")
        >>> _ = db.publishing.publish(made.document)
        >>> db.publishing.unpublish(made.document).state
        'draft'
        """
        self._view.check_writable()
        with changing_as(self._rights) as connection:
            self._rights.require_manage(document, what="unpublish")
            values = (document, self._store.clock())
            if connection.row(self._store.queries.hide_publication, values) is not None:
                self._note("document.unpublish", document)
        return self.status(document)

    def rollback(self, document: str, number: int) -> PublishStatus:
        """Show an older version again, or one that was taken back.

        >>> made = db.documents.create("Plan", "one")
        >>> _ = db.publishing.publish(made.document)
        >>> _ = db.documents.write(made.document, "둘"); _ = db.publishing.publish(made.document)
        >>> db.publishing.rollback(made.document, 1).number
        1
        """
        self._view.check_writable()
        check_number(number, name="number")
        with changing_as(self._rights) as connection:
            self._rights.require_manage(document, what="roll back")
            if self.public.version(document, number) is None:
                raise NotFound(
                    f"The document was never published as version {number}.",
                    hint="`db.publishing.versions(DOCUMENT)` lists the versions there are.",
                    parameter="number",
                )
            found = self._documents.get(document)
            _check_not_trashed(found)
            self._point_to(connection, found, number)
            self._note("document.rollback", document, number=number)
        return self.status(document)

    def pin(self, document: str, *, is_pinned: bool = True) -> PublishStatus:
        """Put a page before the others of its profile, or back among them.

        >>> made = db.documents.create("Plan", "one")
        >>> _ = db.publishing.publish(made.document)
        >>> db.publishing.pin(made.document).is_pinned
        True
        """
        self._view.check_writable()
        with changing_as(self._rights) as connection:
            self._rights.require_manage(document, what="pin")
            kept = publication_of(self._store, document)
            if kept is None or kept.number is None:
                raise InvalidArgument(
                    "Only a document that is published can be pinned.",
                    hint="Publish it first: `db.publishing.publish(DOCUMENT, pin=True)`.",
                    parameter="document",
                )
            if (kept.pinned is not None) != is_pinned:
                self._pin(connection, document, is_pinned=is_pinned)
                self._note("document.pin" if is_pinned else "document.unpin", document)
        return self.status(document)

    # Looking.

    def status(self, document: str) -> PublishStatus:
        """Tell whether a document is public, and whether its text has changed since.

        >>> made = db.documents.create("계획", "# 목표")
        >>> db.publishing.status(made.document).state
        'draft'
        """
        return self._status(self._content(document))

    def versions(self, document: str) -> list[PublishedVersion]:
        """Return every version that was published, newest first.

        >>> made = db.documents.create("Plan", "one")
        >>> _ = db.publishing.publish(made.document)
        >>> [(one.number, one.is_shown) for one in db.publishing.versions(made.document)]
        [(1, True)]
        """
        self._documents.get(document)
        kept = publication_of(self._store, document)
        return versions_of(self._store, document, kept.number if kept else None)

    def text(self, document: str, number: int) -> str:
        """Return the markdown that was published as a version.

        >>> made = db.documents.create("Plan", "하나")
        >>> _ = db.publishing.publish(made.document)
        >>> db.publishing.text(made.document, 1)
        '하나'
        """
        self._documents.get(document)
        found = self.public.text(document, number)
        if found is None:
            raise NotFound(f"The document was never published as version {number}.")
        return found

    def list(self) -> "list[Publication]":
        """Return the documents that were ever published, as far as one sees them; newest first.

        >>> made = db.documents.create("Plan", "one")
        >>> _ = db.publishing.publish(made.document)
        >>> [(one.title, one.slug) for one in db.publishing.list()]
        [('Plan', 'plan')]
        """
        visible = self._rights.visible()
        rows = self._store.connection().rows(self._store.queries.publications)
        return [
            Publication(
                document=row[0],
                profile=row[1],
                slug=row[2],
                number=row[3],
                is_pinned=row[4] is not None,
                created=row[5],
                changed=row[6],
                title=row[7],
            )
            for row in rows
            if row[0] in visible
        ]

    # Profiles.

    def profile(self) -> Profile:
        """Return one's own public side.

        >>> db.publishing.profile().path
        '/@owner'
        """
        return provide_profile(self._store, self._rights.user)

    def set_profile(
        self, *, name: str | None = None, title: str | None = None, about: str | None = None
    ) -> Profile:
        """Change one's own public side; an old name goes on leading to it.

        >>> db.publishing.set_profile(name="소연", about="Writes about bread.").path
        '/@%EC%86%8C%EC%97%B0'
        """
        self._view.check_writable()
        return change_profile(self._rights, name=name, title=title, about=about)

    # What these need.

    def _content(self, document: str) -> _Content:
        found = self._documents.get(document)
        text = self._documents.text(document)
        shown = set(images_in(text))
        images = tuple(
            PublishedImage(one.id, one.media_type, one.width, one.height, one.bytes)
            for one in (self._documents.images(document) if shown else ())
            if one.id in shown
        )
        known = content_hash(found.title, text, [one.id for one in images])
        return _Content(found, text, images, known)

    def _files(self, content: _Content) -> dict[str, bytes]:
        """Return the files of images that were not published before: reading them may take long."""
        document, connection = content.document.id, self._store.connection()
        known = self._store.queries.has_published_image
        return {
            one.id: self._documents.image_file(document, one.id)
            for one in content.images
            if connection.row(known, (document, one.id)) is None
        }

    def _number_for(self, content: _Content) -> tuple[int, bool]:
        """Return the version that has this content, or the next one, and whether it is new."""
        kept = publication_of(self._store, content.document.id)
        versions = versions_of(self._store, content.document.id, kept.number if kept else None)
        for one in (*(one for one in versions if one.is_shown), *versions[:1]):
            if one.hash == content.hash:
                return one.number, False
        return (versions[0].number if versions else 0) + 1, True

    def _point_to(self, connection: Connection, document: Document, number: int) -> PublicationRow:
        """Show a version at the document's address, giving it one if it has none."""
        queries, now = self._store.queries, self._store.clock()
        kept = publication_of(self._store, document.id)
        if kept is None or not kept.is_here:
            user = provide_profile(self._store, self._rights.user).user
            slug = self._free_slug(connection, document, user)
        else:
            user, slug = kept.user, kept.slug
        if kept is None:
            connection.run(queries.insert_publication, (document.id, user, slug, number, now))
        elif (kept.user, kept.number) != (user, number):
            connection.run(queries.show_publication, (document.id, user, slug, number, now))
        found = publication_of(self._store, document.id)
        assert found is not None, "it was just written"
        return found

    def _free_slug(self, connection: Connection, document: Document, user: str) -> str:
        wanted = slug_of(document.title) or document.id.rpartition("_")[2][-8:].lower()
        taken = self._store.queries.slug_is_taken
        for number in count(1):
            slug = wanted if number == 1 else numbered(wanted, number)
            if connection.row(taken, (user, slug, document.id)) is None:
                return slug
        raise AssertionError("numbers do not end")

    def _freeze(
        self, connection: Connection, content: _Content, number: int, *, files: dict[str, bytes]
    ) -> None:
        queries, document = self._store.queries, content.document
        flags, data = packed(content.text.encode(), 0)
        images = msgspec.json.encode(content.images).decode()
        values = (
            document.id,
            number,
            document.version,
            self._view.snapshot.current_branch(),
            content.hash,
            document.title,
            summary_of(content.text),
            data,
            int(flags != 0),
            images,
            self._rights.user.id,
            self._view.actor,
            self._store.clock(),
        )
        connection.run(queries.insert_published_version, values)
        for image, file in files.items():
            connection.run(queries.insert_published_image, (document.id, image, file))

    def _pin(self, connection: Connection, document: str, *, is_pinned: bool) -> None:
        now = self._store.clock()
        values = (document, now if is_pinned else None, now)
        connection.run(self._store.queries.pin_publication, values)

    def _status(self, content: _Content) -> PublishStatus:
        document, kept = content.document, publication_of(self._store, content.document.id)
        found = PublishStatus(document=document.id, title=document.title, state="draft")
        if kept is None:
            return found
        versions = versions_of(self._store, document.id, kept.number)
        is_public = kept.number is not None and kept.is_here and not document.trashed
        shown = next((one for one in versions if one.is_shown), versions[0])
        return msgspec.structs.replace(
            found,
            state="published" if is_public else "draft",
            number=shown.number,
            versions=len(versions),
            has_changes=shown.hash != content.hash,
            path=path_of(kept.profile, kept.slug) if is_public else None,
            profile=kept.profile if kept.is_here else None,
            published=shown.created if is_public else None,
            is_pinned=is_public and kept.pinned is not None,
        )

    def _note(self, action: str, document: str, **details: int) -> None:
        note(self._store, self._rights.user.id, action, subject=document, **details)


def _check_not_trashed(document: Document) -> None:
    if document.trashed:
        raise InvalidArgument(
            "A document in the trash cannot be published.",
            hint="Take it out of the trash first: `db.documents.untrash(DOCUMENT)`.",
            parameter="document",
        )
