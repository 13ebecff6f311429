"""What visitors see: profiles, pages, images. It asks for no sign-in and writes nothing."""

from threading import Lock

import msgspec

from strata.documents import DOCUMENT, SPACE, card_of
from strata.publishing.names import path_of
from strata.publishing.records import Profile, PublishedImage, PublishedVersion, as_version
from strata.sql import Row
from strata.store import ERASED, GONE, TRIMMED, Snapshot, Store, decompress, unreadable


class ListedPage(msgspec.Struct, frozen=True):
    """A page as its profile lists it. Times are microseconds; `first` is the first publication."""

    document: str
    slug: str
    number: int
    pinned: int | None
    title: str
    branch: int
    published: int
    first: int
    hash: str
    summary: str


class PublicPage(msgspec.Struct, frozen=True):
    """A public page, and whose it is."""

    page: ListedPage
    profile: Profile

    @property
    def path(self) -> str:
        """Its address, without the server's."""
        return path_of(self.profile.name, self.page.slug)


class Public:
    """The public side of a store. Reached as `db.publishing.public`; threads may share it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._branches: dict[int, Snapshot] = {}
        self._lock = Lock()

    def page(self, profile: str, slug: str) -> PublicPage | None:
        """Return the page of an address; None for all that is not shown, whatever the reason.

        >>> made = db.documents.create("계획", "# 목표")
        >>> _ = db.publishing.publish(made.document)
        >>> db.publishing.public.page("owner", "계획").page.title
        '계획'
        >>> db.publishing.public.page("owner", "none") is None
        True
        """
        row = self._store.connection().row(self._store.queries.public_page, (profile, slug))
        if row is None:
            return None
        page = ListedPage(*row[:10])
        return None if self._is_trashed(page) else PublicPage(page, Profile(*row[10:]))

    def profile(self, name: str) -> Profile | None:
        """Return the profile of a name, whether or not it shows anything.

        >>> made = db.documents.create("계획", "# 목표")
        >>> _ = db.publishing.publish(made.document)
        >>> db.publishing.public.profile("owner").title
        'owner'
        """
        row = self._store.connection().row(self._store.queries.public_profile, (name,))
        return None if row is None else Profile(*row)

    def pages(self, profile: Profile) -> list[ListedPage]:
        """Return what a profile shows, the pinned pages first, then the newest.

        >>> made = db.documents.create("계획", "# 목표")
        >>> _ = db.publishing.publish(made.document)
        >>> [page.slug for page in db.publishing.public.pages(db.publishing.profile())]
        ['계획']
        """
        rows = self._store.connection().rows(self._store.queries.public_list, (profile.user,))
        listed = (ListedPage(*row) for row in rows)
        return [page for page in listed if not self._is_trashed(page)]

    def present_name(self, name: str) -> str | None:
        """Return what a profile is called now, by a name that it has or had.

        >>> _ = db.publishing.set_profile(name="소연")
        >>> db.publishing.public.present_name("owner")
        '소연'
        """
        row = self._store.connection().row(self._store.queries.present_profile_name, (name,))
        return None if row is None else row[0]

    def document_of(self, profile: str, slug: str) -> str | None:
        """Return the document of an address, shown or not: for those who manage it alone.

        >>> made = db.documents.create("계획", "# 목표")
        >>> _ = db.publishing.publish(made.document)
        >>> _ = db.publishing.unpublish(made.document)
        >>> db.publishing.public.document_of("owner", "계획") == made.document
        True
        """
        row = self._store.connection().row(self._store.queries.document_of_slug, (profile, slug))
        return None if row is None else row[0]

    def version(self, document: str, number: int) -> PublishedVersion | None:
        """Return what is known of a version, or None.

        >>> made = db.documents.create("계획", "# 목표")
        >>> _ = db.publishing.publish(made.document)
        >>> db.publishing.public.version(made.document, 1).title
        '계획'
        """
        values = (document, number)
        row = self._store.connection().row(self._store.queries.published_version, values)
        return None if row is None else as_version(self._store, row)

    def text(self, document: str, number: int) -> str | None:
        """Return the markdown of a version, or None.

        >>> made = db.documents.create("계획", "# 목표")
        >>> _ = db.publishing.publish(made.document)
        >>> db.publishing.public.text(made.document, 1)
        '# 목표'
        """
        values = (document, number)
        row = self._store.connection().row(self._store.queries.published_text, values)
        return None if row is None else _text_of(row)

    def image(self, document: str, number: int, image: str) -> tuple[PublishedImage, bytes] | None:
        """Return an image that this very version shows, and its file; None for any other.

        >>> drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
        >>> made = db.documents.create("Plan")
        >>> image = db.documents.attach_image(made.document, drawing, name="점.svg")
        >>> _ = db.documents.write(made.document, image.markdown)
        >>> _ = db.publishing.publish(made.document)
        >>> db.publishing.public.image(made.document, 1, image.id)[1] == drawing
        True
        """
        version = self.version(document, number)
        known = (
            None
            if version is None
            else next((one for one in version.images if one.id == image), None)
        )
        if known is None:
            return None
        values = (document, image)
        row = self._store.connection().row(self._store.queries.published_image, values)
        return None if row is None else (known, bytes(row[0]))

    def _is_trashed(self, page: ListedPage) -> bool:
        """Tell whether a merge has put a document into the trash where it was published from."""
        found = self._snapshot(page.branch).get(SPACE, DOCUMENT, page.document)
        # A document that is missing on a branch was not put into the trash: its copy stays.
        if found is None or found[2] & (GONE | TRIMMED | ERASED):
            return False
        return card_of(found).trashed

    def _snapshot(self, branch: int) -> Snapshot:
        with self._lock:
            found = self._branches.get(branch)
            if found is None:
                self._store.look()  # another process may have made the branch
                found = self._branches[branch] = Snapshot(self._store, "", branch_id=branch)
            return found


def _text_of(row: Row) -> str:
    try:
        data = decompress(bytes(row[0])) if row[1] else bytes(row[0])
        return data.decode()
    except ValueError as error:
        raise unreadable("a published text") from error
