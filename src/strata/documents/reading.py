"""Reading documents as one person may see them: texts, sections, the past, finding."""

import re
from collections.abc import Callable
from functools import cached_property

from strata.access import Audience, Folder, Rights, missing_document
from strata.base import limits
from strata.base.checks import check_number
from strata.base.errors import Conflict, NotFound
from strata.documents import versions
from strata.documents.care import is_published
from strata.documents.files import (
    AttachedPicture,
    Image,
    Storage,
    find_image,
    images_of,
    png_of,
    read_blob,
)
from strata.documents.finding import DocumentFinder, DocumentGraph, FoundDocuments, Request, Sights
from strata.documents.live import LiveLog
from strata.documents.log import find_head
from strata.documents.markdown import Section, normal_title, sections
from strata.documents.records import DOCUMENT, SPACE, Card, Document, find_card
from strata.documents.replicas import Replicas
from strata.documents.sections import Piece, pieces_of
from strata.documents.suggestions import Suggestion, suggestions_of
from strata.documents.versions import BlamedLine, DocumentVersion, RecentTexts
from strata.search import Search
from strata.store import NOW, Snapshot, Store, View

# Enough of an image's id to tell it from the others of a document.
_BEGINNING = re.compile(r"[0-9a-f]{4,63}", re.ASCII)


class Shared:
    """What all views of a store share: what is loaded already, and the search."""

    def __init__(self, store: Store, search: Search, storage: Callable[[], Storage]) -> None:
        # Where images are kept depends on settings that may change.
        self.storage = storage
        self.replicas = Replicas(store)
        self.texts = RecentTexts(store)
        self.sights = Sights(store)
        self.search = search


class Reading:
    """Documents of a branch, as one person may see them."""

    def __init__(self, view: View, rights: Callable[[], Rights], shared: Shared) -> None:
        self._view = view
        self._make_rights = rights
        self._shared = shared

    @cached_property
    def rights(self) -> Rights:
        """What the acting person may do."""
        return self._make_rights()

    @property
    def _snapshot(self) -> Snapshot:
        return self._view.snapshot

    def get(self, document: str) -> Document:
        """Return a document without its text; raise NotFound where one may not read it.

        >>> made = db.documents.create("계획", "# 목표")
        >>> db.documents.get(made.document).title
        '계획'
        """
        role = self.rights.require(document)
        card, head = find_card(self._snapshot, document), find_head(self._snapshot, document)
        if card is None or head is None:
            raise missing_document(document)
        placed = self.rights.placement(document)
        folder = self.rights.folder_of(document)
        return Document(
            id=document, title=card.title, version=head.version, created=card.created,
            updated=head.timestamp, created_by=card.created_by, owner=placed.owner,
            folder=placed.folder, bytes=head.bytes, hash=head.hash, frontmatter=card.frontmatter,
            trashed=card.trashed, status=self._status(document, card, folder), role=role,
            aliases=card.aliases, origin=card.origin,
        )  # fmt: skip

    def text(self, document: str, *, version: int | str | None = None) -> str:
        """Return the text of a document, as it is or as a version had it.

        >>> made = db.documents.create("Plan", "Ship in May")
        >>> _ = db.documents.edit(made.document, "May", "June")
        >>> db.documents.text(made.document), db.documents.text(made.document, version=made.version)
        ('Ship in June', 'Ship in May')
        """
        self.rights.require(document)
        return self._read(document, version)[1]

    def _read(self, document: str, version: int | str | None = None) -> tuple[int, str]:
        there = self._snapshot
        if version is not None:
            there = versions.at_version(there, document, version)
        found = self._shared.texts.read(there, document)
        if found is None:
            raise missing_document(document)
        return found

    def sections(self, document: str) -> list[Section]:
        """Return the sections of a document: their headings, and where they stand.

        >>> made = db.documents.create("Plan", "# Goals\\n\\nShip.\\n\\n## 일정\\n\\nMay.\\n")
        >>> [section.path for section in db.documents.sections(made.document)]
        [('Goals',), ('Goals', '일정')]
        """
        return sections(self.text(document))

    def pieces(self, document: str) -> list[Piece]:
        """Return the pieces of a text that search knows, with their ids, in order.

        >>> made = db.documents.create("Plan", "# Goals\\n\\nShip.\\n")
        >>> [piece.path for piece in db.documents.pieces(made.document)]
        [('Goals',)]
        """
        self._catch_up()
        return pieces_of(self._snapshot, document, self.text(document))

    def images(self, document: str) -> list[Image]:
        """Return the images that are kept with a document.

        >>> made = db.documents.create("Plan")
        >>> db.documents.images(made.document)
        []
        """
        self._present(document)
        return images_of(self._snapshot, document)

    def image(
        self, document: str, image: str, *, max_width: int = limits.IMAGE_WIDTH
    ) -> AttachedPicture:
        """Return an image of a document as a PNG, at most so wide; the id may be cut short.

        >>> dot = bytes.fromhex("47494638396101000100800000ffffff00000021f90400000000002c00000000"
        ...                     "010001000002024401003b")
        >>> made = db.documents.create("Plan")
        >>> image = db.documents.attach_image(made.document, dot, name="점.gif")
        >>> db.documents.image(made.document, image.id).png[1:4]
        b'PNG'
        """
        found = self._image(document, image)
        return AttachedPicture(found, png_of(found.id, max_width, lambda: self._bytes(found.id)))

    def image_file(self, document: str, image: str) -> bytes:
        """Return an image of a document as the file that was attached.

        >>> drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
        >>> made = db.documents.create("Plan")
        >>> image = db.documents.attach_image(made.document, drawing, name="점.svg")
        >>> db.documents.image_file(made.document, image.id) == drawing
        True
        """
        return self._bytes(self._image(document, image).id)

    def _image(self, document: str, image: str) -> Image:
        self._present(document)
        if _BEGINNING.fullmatch(image):
            known = [one for one in self.images(document) if one.id.startswith(image)]
            image = known[0].id if len(known) == 1 else image
        return find_image(self._snapshot, document, image)

    def _bytes(self, image: str) -> bytes:
        return read_blob(self._snapshot, image, self._shared.storage())

    # Finding.

    def find(self, request: Request) -> FoundDocuments:
        """Search, list or look around: what may be asked is in `strata.documents.Request`.

        >>> from strata.documents import Request
        >>> made = db.documents.create("배포 계획", "금요일에는 배포하지 않는다.")
        >>> [item.title for item in db.documents.find(Request(query="금요일 배포")).items]
        ['배포 계획']
        """
        self._catch_up()
        return self._finding.find(request)

    def graph(self, document: str, *, depth: int = 2, max_nodes: int = 50) -> DocumentGraph:
        """Return the documents around one, and how they are connected.

        >>> plan = db.documents.create("Plan", "See [[Budget]].")
        >>> _ = db.documents.create("Budget", "돈")
        >>> [edge.type for edge in db.documents.graph(plan.document).edges]
        ['wiki']
        """
        self._catch_up()
        return self._finding.graph(document, depth=depth, max_nodes=max_nodes)

    @property
    def _finding(self) -> DocumentFinder:
        shared = self._shared
        return DocumentFinder(self._snapshot, self.rights, shared.search, sights=shared.sights)

    def live(self) -> LiveLog:
        """Return the logs of this branch's documents for a server of live pages.

        It checks no permissions: the server that uses it has done so.

        >>> made = db.documents.create("Plan", "안녕")
        >>> db.documents.live().version(made.document) == made.version
        True
        """
        return LiveLog(self._view, self._shared.replicas, self._shared.texts)

    def _catch_up(self) -> None:
        """Let search know what was typed live a moment ago; the past stays as it was."""
        if self._view.instant is None and not self._view.store.database.read_only:
            self.live().settle()

    def called(self, name: str) -> str:
        """Return the id of the one document that has this id, title or alias.

        >>> made = db.documents.create("Plan B")
        >>> db.documents.called("plan b") == made.document
        True
        """
        visible = self.rights.visible()
        if name in visible:
            return name
        wanted, found = normal_title(name), list[str]()
        for attribute in ("title", "alias"):
            keys = self._snapshot.by_attribute(SPACE, DOCUMENT, attribute, value=wanted)
            found += [key for key in keys if key in visible and key not in found]
        if len(found) > 1:  # what is in the trash is meant only where nothing else can be
            found = [key for key in found if not self._is_trashed(key)] or found
        if len(found) > 1:
            raise Conflict(
                f"{len(found)} documents are called {name!r}.",
                hint=f"Name one by its id: {', '.join(found[:5])}.",
                ids=found[:5],
            )
        if not found:
            raise NotFound(
                f"There is no document {name!r} here.",
                hint="`db.documents.find(REQUEST)` shows the documents that you see.",
            )
        return found[0]

    # The past.

    def history(self, document: str, *, limit: int = 50) -> list[DocumentVersion]:
        """Return the versions of a document, newest first.

        >>> made = db.documents.create("Plan", "one")
        >>> _ = db.documents.edit(made.document, "one", "하나")
        >>> [version.operation for version in db.documents.history(made.document)]
        ['edit', 'create']
        """
        self._present(document)
        check_number(limit, name="limit", most=NOW)
        return versions.history(self._snapshot, document, limit=limit)

    def diff(self, document: str, a: int | str, b: int | str | None = None) -> str:
        """Return what changed from one version to another, or to now, line by line.

        >>> made = db.documents.create("Plan", "one\\n")
        >>> _ = db.documents.edit(made.document, "one", "하나")
        >>> print(db.documents.diff(made.document, made.version).splitlines()[-1])
        +하나
        """
        self._present(document)
        before, after = self._read(document, a), self._read(document, b)
        names = (f"version {before[0]}", f"version {after[0]}")
        return versions.difference(before[1], after[1], names=names)

    def blame(self, document: str) -> list[BlamedLine]:
        """Return the lines of a document, each with the last user who wrote in it.

        >>> made = db.documents.create("Plan", "one\\n")
        >>> [line.text for line in db.documents.blame(made.document)]
        ['one\\n']
        """
        with self._snapshot.reading():
            return versions.blamed(self._snapshot, document, self.text(document))

    def named(self, document: str) -> dict[str, int]:
        """Return the versions that have names.

        >>> made = db.documents.create("Plan", "one")
        >>> db.documents.named(made.document)
        {}
        """
        self._present(document)
        return versions.named(self._snapshot, document)

    def suggestions(self, document: str) -> list[Suggestion]:
        """Return the suggestions on a document, oldest first.

        >>> made = db.documents.create("Plan", "one")
        >>> db.documents.suggestions(made.document)
        []
        """
        self._present(document)
        return suggestions_of(self._snapshot, document)

    def audience(self, document: str) -> Audience:
        """Return who may read a document, and why.

        >>> made = db.documents.create("Plan")
        >>> db.documents.audience(made.document).kind
        'personal'
        """
        self._present(document)
        return self.rights.audience(document)

    # What all of these need.

    def _status(self, document: str, card: Card, folder: Folder | None) -> str:
        shown = is_published(self._view.store, document)
        return status_of(card, folder, is_published=shown)

    def _is_trashed(self, document: str) -> bool:
        card = find_card(self._snapshot, document)
        return card is not None and card.trashed

    def _present(self, document: str) -> None:
        """Raise NotFound for what is not on this branch, or not for this person."""
        self.rights.require(document)
        if find_head(self._snapshot, document) is None:
            raise missing_document(document)


def status_of(card: Card, folder: Folder | None, *, is_published: bool = False) -> str:
    """Return what a document is at present: trashed, template, published or draft."""
    if card.trashed:
        return "trashed"
    if folder is not None and folder.templates:
        return "template"
    return "published" if is_published else "draft"
