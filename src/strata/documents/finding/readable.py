"""What a user sees of the documents of a branch. Everything in this package looks from here.

Whatever may not be read is left out before anything is counted, so that it can show nowhere.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import chain
from typing import Any, cast

import msgspec

from strata.access import (
    DocumentSpace,
    DocumentSpaces,
    Folder,
    Permissions,
    Users,
    missing_document,
    public_documents,
)
from strata.base import limits
from strata.documents.finding.catalogue import CatalogueEntry, Catalogues
from strata.documents.finding.request import FoundItem, Source, Status, Type
from strata.sql import Read
from strata.store import Remembered, Snapshot, Store


class VisibleDocuments:
    """The documents that a user may read, newest first, and those of them not in the trash.

    As long as it is the same object, no user's permissions have changed. So it remembers
    where things lie, too.
    """

    def __init__(self, entries: dict[str, CatalogueEntry]) -> None:
        self.entries = entries
        shown = (id_ for id_, entry in entries.items() if not entry.card.trashed)
        self.findable = frozenset(shown)
        self._remembered: dict[tuple[str, str], frozenset[str]] = {}

    def remembered(
        self, what: tuple[str, str], read: Callable[[], Iterable[str]]
    ) -> frozenset[str]:
        """Return ids that belong together by their place or owner, read at the first time."""
        found = self._remembered.get(what)
        if found is None:
            found = self._remembered[what] = frozenset(read())
        return found


class VisibleDocumentsCache:
    """What users saw last: joining permissions and documents takes milliseconds."""

    def __init__(self, store: Store) -> None:
        self.catalogues = Catalogues(store)
        # By the identity of both, which are held so that no other object can have it.
        self._known: Remembered[tuple[int, int], tuple[object, object, VisibleDocuments]] = (
            Remembered(store, most=limits.VISIBLE_KEPT)
        )

    def readable_of(self, snapshot: Snapshot, visible: Mapping[str, str]) -> VisibleDocuments:
        """Return what is both there and visible."""
        epoch = self._known.epoch
        entries = self.catalogues.entries(snapshot)
        key = (id(entries), id(visible))
        found = self._known.get(key)
        if found is None:
            found = (entries, visible, _joined(entries, visible))
            self._known.keep(key, found, epoch)
        return found[2]


def _joined(entries: Mapping[str, CatalogueEntry], visible: Mapping[str, str]) -> VisibleDocuments:
    # Ids sort by the time they were made.
    ids = sorted((id_ for id_ in visible if id_ in entries), reverse=True)
    return VisibleDocuments({id_: entries[id_] for id_ in ids})


class ReadableDocuments:
    """What a user sees on a branch, for the length of one request."""

    def __init__(
        self, snapshot: Snapshot, rights: Permissions, cache: VisibleDocumentsCache
    ) -> None:
        self.snapshot = snapshot
        self.rights = rights
        self.visible = rights.visible()
        self.seen = cache.readable_of(snapshot, self.visible)

    def require(self, document: str) -> CatalogueEntry:
        """Return a document, or raise NotFound: the same for what is hidden and what is not."""
        found = self.seen.entries.get(document)
        if found is None:
            raise missing_document(document)
        return found

    # Places.

    @cached_property
    def folders(self) -> dict[str, Folder]:
        """The folders that one sees, by id."""
        return {folder.id: folder for folder in self.rights.folders()}

    @cached_property
    def teams(self) -> dict[str, str]:
        """The names of the teams that one knows of."""
        return {team.id: team.name for team in self.rights.teams()}

    def in_folder(self, folder: str) -> frozenset[str]:
        """Return what lies in a folder."""
        found = self.seen.remembered(("folder", folder), lambda: self.rights.documents_in(folder))
        return found | self._loose if folder == self._home else found

    @cached_property
    def _home(self) -> str | None:
        """The folder that documents without a place count as lying in, if one sees that."""
        if not self.rights.user.is_owner:
            return None
        return next((id_ for id_, one in self.folders.items() if _is_personal(one)), None)

    @property
    def _loose(self) -> frozenset[str]:
        """Documents without a place: a bundle brought them, and the workspace's owner has them."""
        store = self.snapshot.store

        def read() -> Iterable[str]:
            listed = msgspec.json.encode([*self.seen.entries]).decode()
            rows = store.connection().rows(store.queries.documents_without_place, (listed,))
            return (row[0] for row in rows)

        return self.seen.remembered(("loose", ""), read)

    def in_space(self, space: str) -> frozenset[str]:
        """Return what is in a Space."""
        spaces = DocumentSpaces(self.snapshot.store, self.rights)
        return self.seen.remembered(("space", space), lambda: spaces.documents(space))

    @cached_property
    def shared(self) -> frozenset[str]:
        """What reaches the user by a share alone."""
        return self.seen.remembered(("shared", ""), self.rights.documents_shared)

    def owned_by(self, who: str) -> frozenset[str]:
        """Return a user's documents, by id or email, or "me"; none for an unknown user."""
        me = self.rights.user
        found = me if who == "me" else Users(self.snapshot.store, self.rights).get(who)
        if found is None:
            return frozenset()
        id_ = found.id
        made = self.seen.remembered(("owner", id_), lambda: self.rights.documents_of(id_))
        return made | self._loose if me.is_owner and id_ == me.id else made

    def place(self, document: str) -> tuple[str | None, str]:
        """Return folder and owner of a document; no folder where one does not see that."""
        placed = self.rights.placement(document)
        return (placed.folder if placed.folder in self.folders else None), placed.owner

    @cached_property
    def templates(self) -> frozenset[str]:
        """What lies in folders of templates."""
        found = (self.in_folder(id_) for id_, folder in self.folders.items() if folder.templates)
        return frozenset[str]().union(*found)

    def status(self, entry: CatalogueEntry) -> Status:
        """Return what a document is at present."""
        if entry.card.trashed:
            return "trashed"
        if entry.id in self.templates:
            return "template"
        return "published" if entry.id in self.published else "draft"

    @cached_property
    def published(self) -> frozenset[str]:
        """What is shown to everybody. Publishing counts as a change of rights, so this is news."""
        store = self.snapshot.store
        return self.seen.remembered(("published", ""), lambda: public_documents(store))

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of everybody, also of those who left."""
        return Users(self.snapshot.store, self.rights).names()

    def audience(self, place: Folder | DocumentSpace) -> str:
        """Say who sees what lies in a folder or a Space."""
        if place.owner is not None:
            is_mine = place.owner == self.rights.user.id
            return "only you" if is_mine else f"only {self.names.get(place.owner)}"
        return f"team {self.teams.get(place.team or '', '')}".strip()

    # Items.

    def ahead(
        self, documents: Iterable[str], others: Iterable[Read] = ()
    ) -> AbstractContextManager[None]:
        """Let a block that shows documents, and reads `others` too, wait for these once."""
        reads = chain(others, self.rights.reads_of(documents))
        return self.snapshot.store.connection().together(reads)

    def item(self, entry: CatalogueEntry, source: Source, **more: object) -> FoundItem:
        """Return a document as answers show it."""
        folder, owner = self.place(entry.id)
        named: dict[str, object] = {
            "id": entry.id,
            "type": "document",
            "title": entry.card.title,
            "source": source,
            "folder_id": folder,
            "folder_name": self.folders[folder].name if folder else None,
            "owner": owner,
            "owner_name": self.names.get(owner),
            "status": self.status(entry),
            "role": self.visible[entry.id],
            "created": entry.card.created,
            "updated": entry.updated,
            "version": entry.version,
            "tokens": -(-entry.bytes // 4),
        }
        return FoundItem(**cast("dict[str, Any]", named | more))

    def place_item(
        self, place: Folder | DocumentSpace, type_: Type, within: Collection[str]
    ) -> FoundItem:
        """Return a folder or a Space as answers show it, and how many documents one sees there."""
        return FoundItem(
            id=place.id,
            type=type_,
            title=place.name,
            source="list",
            created=place.created,
            owner=place.owner,
            owner_name=self.names.get(place.owner or ""),
            audience=self.audience(place),
            documents=len(self.seen.findable.intersection(within)),
        )


def _is_personal(folder: Folder) -> bool:
    return folder.kind == "personal" and folder.parent is None
