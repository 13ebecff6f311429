"""Rights: what one person may do, and doing it to where documents are and who sees them."""

from strata.access.ledger import note
from strata.access.records import (
    Audience,
    DocumentReader,
    Folder,
    Person,
    Placement,
    Share,
    as_folder,
    as_person,
    owner_of,
    personal_folder,
)
from strata.access.roles import Role, rank, role_of
from strata.access.room import changing_as
from strata.access.shares import Shares, shares_of
from strata.access.standing import Standing
from strata.base.errors import NotFound
from strata.store import check_key, unreadable


class Rights(Standing):
    """What one person may do, through a token perhaps. Reached as `db.rights`.

    What changes something joins the transaction that is open on this thread: so a document is
    placed by the commit that makes it, or not at all.
    """

    def placement(self, document: str) -> Placement:
        """Return where a document is and who made it.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.placement("doc_1").owner == db.people.owner().id
        True
        """
        self.require(document)
        return self._placement(document)

    def folder_of(self, document: str) -> Folder:
        """Return the folder of a document, which one may be too far away to see otherwise.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.folder_of("doc_1").name
        'Personal'
        """
        self.require(document)
        return self._folder_of(document)

    def documents_in(self, folder: str) -> list[str]:
        """Return the documents that lie in a folder, by id.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.documents_in(db.folders.personal().id)
        ['doc_1']
        """
        values = (self.folder(folder).id,)
        rows = self.store.connection().rows(self.store.queries.placements_of_folder, values)
        return [row[0] for row in rows]

    def documents_of(self, person: str) -> list[str]:
        """Return the ids of documents that a user made and the acting user may read.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.documents_of(db.people.owner().id)
        ['doc_1']
        """
        rows = self.store.connection().rows(self.store.queries.placements_of_owner, (person,))
        seen = self.visible()
        return [row[0] for row in rows if row[0] in seen]

    def home(self, folder: str | None = None) -> Folder:
        """Return the folder that a new document goes to: the one named, or one's own.

        Raises NotFound for one that is not seen, NotAllowed for one that may not be filled.

        >>> db.rights.home().name
        'Personal'
        """
        if folder is None:
            found = personal_folder(self.store, self.person.id)
            if found is None:
                raise NotFound(
                    "You have no folder in this workspace.",
                    hint="`db.people.add(EMAIL)` adds a user.",
                )
        else:
            found = self.folder(folder)
        self.require_place(found, "put documents into")
        return found

    def place(
        self, document: str, folder: Folder | str | None = None, *, owner: str | None = None
    ) -> Placement:
        """Put a new document into a folder, one's own by default; `owner` is who made it.

        >>> db.rights.place("doc_1").document
        'doc_1'
        """
        check_key(document)
        with changing_as(self) as connection:
            target = self.home(folder.id if isinstance(folder, Folder) else folder)
            made = Placement(document, target.id, owner or self.person.id)
            values = (document, made.folder, made.owner)
            if connection.row(self.store.queries.placement, (document,)) is not None:
                self.require_manage(document, what="move")
            connection.run(self.store.queries.upsert_placement, values)
            self._note("document.place", document, folder=made.folder, owner=made.owner)
        return made

    def move(self, document: str, folder: str) -> Audience:
        """Put a document into another folder; return who sees it from now on.

        It counts at once, on every branch and for every past state.

        >>> _ = db.rights.place("doc_1"); _ = db.teams.add("디자인")
        >>> db.rights.move("doc_1", db.folders.add("Briefs", team="디자인").id).kind
        'team'
        """
        with changing_as(self) as connection:
            self.require_manage(document, what="move")
            before, target = self._placement(document), self.home(folder)
            values = (document, target.id, before.owner)
            connection.run(self.store.queries.upsert_placement, values)
            self._note("document.move", document, folder=target.id, before=before.folder)
            return self._audience(document)

    def forget(self, document: str) -> None:
        """Drop where a document was and whom it was shared with, when it is erased for good.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.forget("doc_1")
        >>> dict(db.rights.visible())
        {}
        """
        queries = self.store.queries
        with changing_as(self) as connection:
            self.require_manage(document, what="erase")
            for statement in (
                queries.delete_placement, queries.delete_shares_of_document,
                queries.delete_invitations_of_document, queries.delete_spaces_of_document,
            ):  # fmt: skip
                connection.run(statement, (document,))
            self._note("document.forget", document)

    def share(self, document: str, email: str, role: str) -> Share:
        """Let a user see, comment on or edit a document; see `db.shares`.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.share("doc_1", "ann@example.com", "viewer").pending
        True
        """
        return Shares(self.store, self).share(document, email, role)

    def unshare(self, document: str, who: str) -> Share:
        """Take a share or an invitation back; see `db.shares`.

        >>> _ = db.rights.place("doc_1")
        >>> _ = db.rights.share("doc_1", "ann@example.com", "viewer")
        >>> db.rights.unshare("doc_1", "ann@example.com").email
        'ann@example.com'
        """
        return Shares(self.store, self).unshare(document, who)

    def audience(self, document: str) -> Audience:
        """Return everybody who sees a document, as what and why.

        >>> _ = db.rights.place("doc_1")
        >>> [(reader.name, reader.role, reader.through)
        ...  for reader in db.rights.audience("doc_1").people]
        [('owner', 'owner', 'folder')]
        """
        self.require(document)
        return self._audience(document)

    def has_role(self, document: str, role: Role, *, user: str | None = None) -> bool:
        """Tell whether a user, by id, has a role for a document now, or a higher one.

        Without a user, tell it of oneself.

        >>> ann = db.people.add("ann@example.com")
        >>> _ = db.rights.place("doc_1")
        >>> db.rights.has_role("doc_1", "editor")
        True
        >>> db.rights.has_role("doc_1", "viewer", user=ann.id)
        False
        """
        rights: Rights = self
        if user is not None:
            row = self.store.connection().row(self.store.queries.user_by_id, (user,))
            if row is None:
                return False
            rights = Rights(self.store, as_person(row))
        found = rights.role(document)
        return found is not None and rank(found) >= rank(role)

    def folder_audience(self, folder: str) -> Audience:
        """Return everybody who would see a new document in a folder.

        >>> home = db.folders.personal()
        >>> [reader.name for reader in db.rights.folder_audience(home.id).people]
        ['owner']
        """
        found = self.folder(folder)
        readers = _greatest(self._readers_of(found))
        return Audience(found.kind, found.id, found.name, found.team, readers)

    def _placement(self, document: str) -> Placement:
        row = self.store.connection().row(self.store.queries.placement, (document,))
        if row is not None:
            return Placement(row[0], row[1], row[2])
        owner = owner_of(self.store)
        home = personal_folder(self.store, owner.id)
        if home is None:
            raise unreadable("the folder of the workspace's owner")
        return Placement(document, home.id, owner.id)

    def _folder_of(self, document: str) -> Folder:
        values = (self._placement(document).folder,)
        row = self.store.connection().row(self.store.queries.folder, values)
        if row is None:
            raise unreadable("the folder of a document")
        return as_folder(row)

    def _audience(self, document: str) -> Audience:
        folder, given = self._folder_of(document), shares_of(self.store, document)
        found = [
            DocumentReader(one.user, one.name or "", one.email, one.role, "share")
            for one in given
            if one.user is not None
        ]
        readers = _greatest([*self._readers_of(folder), *found])
        pending = tuple(one for one in given if one.pending)
        return Audience(folder.kind, folder.id, folder.name, folder.team, readers, pending)

    def _readers_of(self, folder: Folder) -> list[DocumentReader]:
        connection, queries = self.store.connection(), self.store.queries
        if folder.owner is not None:
            row = connection.row(queries.user_by_id, (folder.owner,))
            return [] if row is None else [_owning(as_person(row))]
        rows = connection.rows(queries.team_audience, (folder.team,))
        return [
            DocumentReader(user, name, email, role_of(number), team)
            for user, name, email, number, team in rows
        ]

    def _note(self, action: str, document: str, **details: str | None) -> None:
        note(self.store, self.person.id, action, subject=document, **details)


def _owning(person: Person) -> DocumentReader:
    return DocumentReader(person.id, person.name, person.email, "owner", "folder")


def _greatest(readers: list[DocumentReader]) -> tuple[DocumentReader, ...]:
    """Keep each person's greatest role, the first of equals; the greatest roles first."""
    found: dict[str, DocumentReader] = {}
    for reader in readers:
        known = found.get(reader.id)
        if known is None or rank(known.role) < rank(reader.role):
            found[reader.id] = reader
    return tuple(sorted(found.values(), key=lambda reader: (-rank(reader.role), reader.email)))
