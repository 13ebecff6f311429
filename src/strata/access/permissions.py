"""What one user may do with documents, teams, folders and Spaces: all of it is decided here."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import TypeAlias
from weakref import WeakKeyDictionary

import msgspec

from strata.access.audit_log import changing, note
from strata.access.records import (
    Audience,
    DocumentReader,
    DocumentSpace,
    Folder,
    MoveEffect,
    Placement,
    ReaderChange,
    Share,
    Team,
    User,
    as_folder,
    as_space,
    as_team,
    forget_places,
    owner_of,
    personal_folder,
    shares_of,
    user_record,
)
from strata.access.roles import FULL, Cap, Role, rank, role_of
from strata.base import limits
from strata.base.errors import NotAllowed, NotFound, TransactionConflict
from strata.sql import Connection, Read
from strata.store import Remembered, Store, Transaction, check_key, unreadable

# Where the versioned store keeps documents.
_SPACE, _KIND = "documents", "document"

_Visible: TypeAlias = Mapping[str, Role]


class _Strays(msgspec.Struct, frozen=True):
    """Documents that came without a place, up to a branch, and the catalog's numbers then."""

    generation: int = -1
    removals: int = -1
    branch: int = 0
    listed: str = "[]"


class _Memory:
    """What a process remembers of one store: what users see, and the tables' marks then."""

    def __init__(self, store: Store) -> None:
        self.visible: Remembered[tuple[str, int], tuple[tuple[object, str], _Visible]] = Remembered(
            store, most=limits.VISIBLE_REMEMBERED
        )
        self._strays = _Strays()

    def strays(self, store: Store, generation: int, removals: int) -> str:
        """Return the documents that came without a place, as JSON; some may have one by now.

        Only a bundle brings such documents, and always as a new branch: so it is enough to look
        through the branches that were not there the last time, unless something was erased.
        """
        known = self._strays
        if (known.generation, known.removals) == (generation, removals):
            return known.listed
        if known.removals != removals:
            known = _Strays()
        connection, queries = store.connection(), store.queries
        last = connection.row(queries.last_branch)
        rows = connection.rows(queries.stray_documents, (_SPACE, _KIND, known.branch))
        found = {*_documents(known.listed), *(row[0] for row in rows)}
        listed = msgspec.json.encode(sorted(found)).decode()
        if not connection.in_transaction:
            # Undone, a transaction leaves numbers behind that mean something else next time.
            branch = last[0] if last is not None else 0
            self._strays = _Strays(generation, removals, branch, listed)
        return listed


_memory: "WeakKeyDictionary[Store, _Memory]" = WeakKeyDictionary()


def role_read(store: Store, user: str, document: str) -> Read:
    """Return the read that tells a user's role for a document."""
    return store.queries.document_role, (user, document)


def missing_document(document: str) -> NotFound:
    """Return the one error for a document that is not there and one that may not be seen."""
    return NotFound(
        f"There is no document {document[:200]!r}.",
        hint="It may have been removed, or not be shared with you; look for it by its title.",
        document=document[:200],
    )


class Permissions:
    """What one user may do, through a token perhaps. Reached as `db.rights`.

    A change of it joins the transaction that is open on this thread: so a document is placed by
    the commit that makes it, or not at all.
    """

    def __init__(self, store: Store, user: User, cap: Cap) -> None:
        self.store = store
        self.user = user
        self.cap = cap

    # Documents.

    def role(self, document: str) -> Role | None:
        """Return the user's role for a document; None for one that the user may not see.

        A document that has no place, because a bundle brought it, is the workspace owner's.

        >>> ann = db.as_user(db.users.add("ann@example.com").id)
        >>> _ = db.rights.place("doc_1")
        >>> db.rights.role("doc_1"), ann.rights.role("doc_1")
        ('owner', None)
        """
        return self._role_and_maker(document)[0]

    def require(self, document: str, need: Role = "viewer", *, what: str = "read") -> Role:
        """Return the user's role for a document, or raise NotFound or NotAllowed.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.require("doc_1", "editor", what="edit")
        'owner'
        """
        role = self.role(document)
        if role is None:
            raise missing_document(document)
        if rank(role) < rank(need):
            raise self.refusal(f"{what} this document", role, need)
        return role

    def may_manage(self, document: str) -> bool:
        """Tell whether the user may move and share a document.

        Its owner may, an admin of its team, and the user who made it and may still edit it.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.may_manage("doc_1")
        True
        """
        return self._manages(*self._role_and_maker(document))

    def require_manage(self, document: str, *, what: str = "move or share") -> Role:
        """Return the user's role for a document that the user may manage, or raise.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.require_manage("doc_1", what="share")
        'owner'
        """
        role, made_by = self._role_and_maker(document)
        if role is None:
            raise missing_document(document)
        if not self._manages(role, made_by):
            raise self.refusal(
                f"{what} this document",
                role,
                "admin",
                hint="Who sees a document is decided by the user who made it, and by admins of its"
                " team: ask one of them. You can make a copy in a folder of yours.",
            )
        return role

    def visible(self) -> Mapping[str, Role]:
        """Return every document that the user may read, with the role.

        It is remembered until anything about access changes, in any process.

        >>> _ = db.rights.place("doc_1")
        >>> dict(db.rights.visible())
        {'doc_1': 'owner'}
        """
        store = self.store
        memory = _memory.get(store) or _memory.setdefault(store, _Memory(store))
        epoch = memory.visible.epoch
        # Read before the documents are: an older one only makes the next call look again.
        look = store.connection().look()
        mark, numbers = look.access, (look.generation, look.removals)
        strays = memory.strays(store, *numbers) if self.user.is_owner else "[]"
        key = (self.user.id, self.cap.highest)
        kept = memory.visible.get(key)
        if kept is not None and kept[0] == (mark, strays):
            return kept[1]
        found = self._look_through(strays)
        memory.visible.keep(key, ((mark, strays), found), epoch)
        return found

    def _role_and_maker(self, document: str) -> tuple[Role | None, str | None]:
        """Return the user's role for a document, and the id of the user who made it."""
        if "\0" in document:  # no id holds it, and PostgreSQL refuses to look for it
            return None, None
        values = (self.user.id, document)
        row = self.store.connection().row(self.store.queries.document_role, values)
        made_by, number = row if row is not None else (None, 0)
        if made_by is None and self.user.is_owner:
            number = rank("owner")
        return (self._capped(number) if number else None), made_by

    def _capped(self, number: int) -> Role:
        return role_of(min(number, self.cap.highest))

    def _manages(self, role: Role | None, made_by: str | None) -> bool:
        if role in ("admin", "owner"):
            return True
        return role == "editor" and made_by == self.user.id

    def _look_through(self, strays: str) -> _Visible:
        values = (self.user.id, strays)
        rows = self.store.connection().rows(self.store.queries.visible_documents, values)
        found: dict[str, Role] = {}
        # The greatest role comes last, and stays.
        for number, listed in sorted(rows):
            found.update(dict.fromkeys(_documents(listed), self._capped(number)))
        return MappingProxyType(found)

    # Teams, folders, Spaces.

    def team_roles(self) -> Mapping[str, Role]:
        """Return the user's role in each team that they belong to, there or above.

        >>> list(db.rights.team_roles().values())
        ['admin']
        """
        values = (self.user.id,)
        rows = self.store.connection().rows(self.store.queries.team_roles, values)
        return {team: self._capped(number) for team, number in rows}

    def teams(self) -> list[Team]:
        """Return the teams that the user belongs to, there or above; the workspace comes first.

        >>> [team.name for team in db.rights.teams()]
        ['workspace']
        """
        mine = self.team_roles()
        rows = self.store.connection().rows(self.store.queries.teams)
        return [team for team in map(as_team, rows) if team.id in mine]

    def folders(self) -> list[Folder]:
        """Return the folders that the user sees: their own, then those of teams.

        >>> [(folder.name, folder.kind) for folder in db.rights.folders()]
        [('Personal', 'personal')]
        """
        connection, queries = self.store.connection(), self.store.queries
        rows = connection.rows(queries.folders_of_user, (self.user.id,))
        rows += connection.rows(queries.folders_of_teams, (self.user.id,))
        return [as_folder(row) for row in rows]

    def folder(self, id: str) -> Folder:
        """Return a folder that the user sees, or raise NotFound.

        >>> db.rights.folder(db.folders.personal().id).name
        'Personal'
        """
        row = self.store.connection().row(self.store.queries.folder, (id,))
        found = None if row is None else as_folder(row)
        if found is None or self.place_role(found) is None:
            raise NotFound(
                f"There is no folder {id[:200]!r}.",
                hint="`db.folders.list()` shows those that you see.",
                folder=id[:200],
            )
        return found

    def may_write_folder(self, id: str) -> bool:
        """Tell whether the user may put documents into a folder.

        >>> db.rights.may_write_folder(db.folders.personal().id)
        True
        """
        try:
            role = self.place_role(self.folder(id))
        except NotFound:
            return False
        return role is not None and rank(role) >= rank("editor")

    def spaces(self) -> list[DocumentSpace]:
        """Return the Spaces that the user sees: their own and those of their teams.

        >>> _ = db.document_spaces.add("읽을거리")
        >>> [space.name for space in db.rights.spaces()]
        ['읽을거리']
        """
        mine = self.team_roles()
        rows = self.store.connection().rows(self.store.queries.document_spaces)
        found = [as_space(row) for row in rows]
        return [one for one in found if one.owner == self.user.id or one.team in mine]

    def space(self, id: str) -> DocumentSpace:
        """Return a Space that the user sees, or raise NotFound.

        >>> made = db.document_spaces.add("읽을거리")
        >>> db.rights.space(made.id).name
        '읽을거리'
        """
        for found in self.spaces():
            if found.id == id:
                return found
        raise NotFound(
            f"There is no Space {id[:200]!r}.",
            hint="`db.document_spaces.list()` shows those that you see.",
            space=id[:200],
        )

    def place_role(self, place: Folder | DocumentSpace) -> Role | None:
        """Return the user's role for a folder or a Space; None for one that they do not see.

        >>> db.rights.place_role(db.folders.personal())
        'owner'
        """
        if place.owner is not None:
            return self._capped(rank("owner")) if place.owner == self.user.id else None
        return self.team_roles().get(place.team or "")

    def surroundings(self) -> tuple[object, ...]:
        """Return the teams, folders and Spaces that the user sees, and what lies in each.

        It is there to be compared: an equal one means that a page shows the same places.

        >>> before = db.rights.surroundings()
        >>> _ = db.folders.add("초안")
        >>> db.rights.surroundings() == before
        False
        """
        connection, queries, values = self.store.connection(), self.store.queries, (self.user.id,)
        seen = self.visible()
        inside = [
            (space, tuple(one for one in _documents(listed) if one in seen))
            for space, listed in connection.rows(queries.documents_of_spaces)
        ]
        spaces = self.spaces()
        known = {space.id for space in spaces}
        return (
            *self.team_roles().items(),
            *self.teams(),
            *self.folders(),
            *connection.rows(queries.documents_of_folders, values),
            *spaces,
            *(one for one in inside if one[0] in known),
        )

    # Where documents are, and who sees them.

    def placement(self, document: str) -> Placement:
        """Return where a document is and who made it.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.placement("doc_1").owner == db.users.owner().id
        True
        """
        self.require(document)
        return self._placement(document)

    def folder_of(self, document: str) -> Folder:
        """Return the folder of a document, also one that the user does not see by itself.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.folder_of("doc_1").name
        'Personal'
        """
        self.require(document)
        return self._folder_of(document)

    def reads_of(self, documents: Iterable[str]) -> Iterator[Read]:
        """Yield what roles and placements of documents read, for a caller that foresees it.

        >>> [values for _statement, values in db.rights.reads_of(["doc_1"])][-1]
        ('doc_1',)
        """
        for document in documents:
            yield role_read(self.store, self.user.id, document)
            yield self.store.queries.placement, (document,)

    def located(self, document: str) -> tuple[Placement, Folder]:
        """Return where a document is and who made it, and its folder.

        >>> _ = db.rights.place("doc_1")
        >>> placement, folder = db.rights.located("doc_1")
        >>> placement.folder == folder.id
        True
        """
        placed = self.placement(document)
        return placed, self._folder(placed)

    def documents_in(self, folder: str) -> list[str]:
        """Return the documents that lie in a folder, by id.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.documents_in(db.folders.personal().id)
        ['doc_1']
        """
        values = (self.folder(folder).id,)
        rows = self.store.connection().rows(self.store.queries.placements_of_folder, values)
        return [row[0] for row in rows]

    def documents_shared(self) -> list[str]:
        """Return the ids of documents that the user sees by a share or a link, not by a folder.

        >>> ann = db.as_user(db.users.add("ann@example.com").id)
        >>> _ = db.rights.place("doc_1"), db.shares.share("doc_1", "ann@example.com", "viewer")
        >>> ann.rights.documents_shared(), db.rights.documents_shared()
        (['doc_1'], [])
        """
        values = (self.user.id, self.user.id)
        rows = self.store.connection().rows(self.store.queries.documents_shared_with, values)
        mine = {folder.id for folder in self.folders()}
        return [document for document, folder in rows if folder not in mine]

    def documents_of(self, user: str) -> list[str]:
        """Return the ids of documents that a user made and the acting user may read.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.documents_of(db.users.owner().id)
        ['doc_1']
        """
        rows = self.store.connection().rows(self.store.queries.placements_of_owner, (user,))
        seen = self.visible()
        return [row[0] for row in rows if row[0] in seen]

    def home(self, folder: str | None = None, *, need: Role = "editor") -> Folder:
        """Return the folder that a new document goes to: the one named, or the user's own.

        Raises NotFound for one that is not seen, NotAllowed for one that may not be filled. To
        propose a document needs less.

        >>> db.rights.home().name
        'Personal'
        """
        if folder is None:
            found = personal_folder(self.store, self.user.id)
            if found is None:
                raise NotFound(
                    "You have no folder in this workspace.",
                    hint="`db.users.add(EMAIL)` adds a user.",
                )
        else:
            found = self.folder(folder)
        self.require_place(found, "put documents into", need=need)
        return found

    def place(
        self, document: str, folder: Folder | str | None = None, *, owner: str | None = None
    ) -> Placement:
        """Put a new document into a folder, the user's own by default; `owner` made it.

        >>> db.rights.place("doc_1").document
        'doc_1'
        """
        check_key(document)
        with changing_as(self) as connection:
            target = self.home(folder.id if isinstance(folder, Folder) else folder)
            made = Placement(document, target.id, owner or self.user.id)
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

    def preview_move(self, documents: Sequence[str], folder: str) -> MoveEffect:
        """Return whose access would change if documents were moved; nothing is moved.

        It raises what the move would raise.

        >>> ann = db.users.add("ann@example.com", "Ann")
        >>> _ = db.teams.add("디자인"), db.teams.set_member("디자인", ann.id, "viewer")
        >>> _ = db.rights.place("doc_1")
        >>> briefs = db.folders.add("Briefs", team="디자인")
        >>> [reader.name for reader in db.rights.preview_move(["doc_1"], briefs.id).gaining]
        ['Ann']
        """
        target = self.home(folder)
        known = {target.id: self._readers_of(target)}
        counted: Counter[tuple[DocumentReader, Role | None, Role | None]] = Counter()
        for document in documents:
            self.require_manage(document, what="move")
            here, given = self._folder_of(document), shares_of(self.store, document)
            if here.id not in known:
                known[here.id] = self._readers_of(here)
            guests = self._guests(document, given)
            counted.update(_changes(known[here.id], known[target.id], guests))
        found = [
            ReaderChange(one.id, one.name, one.email, before, after, count)
            for (one, before, after), count in counted.items()
        ]
        found.sort(key=lambda one: (one.name, one.email))
        return MoveEffect(
            target.id,
            target.name,
            gaining=tuple(one for one in found if one.before is None),
            losing=tuple(one for one in found if one.after is None),
            changing=tuple(one for one in found if one.before and one.after),
        )

    def forget(self, document: str) -> None:
        """Drop the folder and the shares of a document, when it is erased for good.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.forget("doc_1")
        >>> dict(db.rights.visible())
        {}
        """
        with changing_as(self):
            self.require_manage(document, what="erase")
            forget_places(self.store, document)
            self._note("document.forget", document)

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

        Without a user, tell it of the acting user.

        >>> ann = db.users.add("ann@example.com")
        >>> _ = db.rights.place("doc_1")
        >>> db.rights.has_role("doc_1", "editor")
        True
        >>> db.rights.has_role("doc_1", "viewer", user=ann.id)
        False
        """
        asked = self
        if user is not None:
            row = self.store.connection().row(self.store.queries.user_by_id, (user,))
            if row is None:
                return False
            asked = Permissions(self.store, user_record(row), FULL)
        found = asked.role(document)
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

    def space_audience(self, space: str) -> tuple[DocumentReader, ...]:
        """Return everybody who sees a Space; what is in it they see by their own rights.

        >>> made = db.document_spaces.add("읽을거리")
        >>> [reader.name for reader in db.rights.space_audience(made.id)]
        ['owner']
        """
        return _greatest(self._readers_of(self.space(space)))

    # Refusing.

    def require_team(self, team: Team, need: Role, what: str) -> None:
        """Raise NotAllowed unless the user has at least this role in a team or above it.

        >>> db.rights.require_team(db.teams.root(), "admin", "rename")
        """
        role = self.team_roles().get(team.id)
        if role is None or rank(role) < rank(need):
            raise self.refusal(f"{what} team {team.name!r}", role, need)

    def require_place(
        self, place: Folder | DocumentSpace, what: str, *, need: Role = "editor"
    ) -> None:
        """Raise NotAllowed unless the user may change the contents of a folder or a Space.

        >>> db.rights.require_place(db.folders.personal(), "write into")
        """
        role = self.place_role(place)
        if role is None or rank(role) < rank(need):
            noun = "folder" if isinstance(place, Folder) else "Space"
            raise self.refusal(f"{what} {noun} {place.name!r}", role, need)

    def refusal(
        self, doing: str, role: Role | None, need: Role, *, hint: str | None = None
    ) -> NotAllowed:
        """Return the error that says which role the user has, and which is needed.

        >>> db.rights.refusal("edit this document", "viewer", "editor").message
        'To edit this document takes an editor; you are a viewer.'
        """
        are = "in no team that may" if role is None else f"{_article(role)} {role}"
        return NotAllowed(
            f"To {doing} takes {_article(need)} {need}; you are {are}.",
            hint=self.cap.reason or hint or "Ask a user who manages it for more.",
            role=role,
            need=need,
        )

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
        return self._folder(self._placement(document))

    def _folder(self, placed: Placement) -> Folder:
        row = self.store.connection().row(self.store.queries.folder, (placed.folder,))
        if row is None:
            raise unreadable("the folder of a document")
        return as_folder(row)

    def _audience(self, document: str) -> Audience:
        folder, given = self._folder_of(document), shares_of(self.store, document)
        readers = _greatest([*self._readers_of(folder), *self._guests(document, given)])
        pending = tuple(one for one in given if one.pending)
        return Audience(folder.kind, folder.id, folder.name, folder.team, readers, pending)

    def _guests(self, document: str, given: Iterable[Share]) -> list[DocumentReader]:
        """Return the users who see a document by a share or a link, wherever it lies."""
        rows = self.store.connection().rows(self.store.queries.link_readers, (document,))
        by_link = (
            DocumentReader(user, name, email, role_of(number), "link")
            for user, name, email, number in rows
        )
        return [*_sharers(given), *by_link]

    def _readers_of(self, place: Folder | DocumentSpace) -> list[DocumentReader]:
        connection, queries = self.store.connection(), self.store.queries
        if place.owner is not None:
            row = connection.row(queries.user_by_id, (place.owner,))
            return [] if row is None else [_owning(user_record(row))]
        rows = connection.rows(queries.team_audience, (place.team,))
        return [
            DocumentReader(user, name, email, role_of(number), team)
            for user, name, email, number, team in rows
        ]

    def _note(self, action: str, document: str, **details: str | None) -> None:
        note(self.store, self.user.id, action, subject=document, **details)


class StagedPermissions(Permissions):
    """What one user may do in a transaction; documents that it makes are placed by its commit.

    A role that was asked for, and is another one at the commit, is a TransactionConflict.
    """

    def __init__(self, rights: Permissions, transaction: Transaction) -> None:
        super().__init__(rights.store, rights.user, rights.cap)
        self._transaction = transaction
        self._placed: dict[str, Placement] = {}
        self._asked: dict[str, Role | None] = {}
        transaction.on_commit(self._check_roles)

    def place(
        self, document: str, folder: Folder | str | None = None, *, owner: str | None = None
    ) -> Placement:
        """Put a new document into a folder, when the transaction commits."""
        target = self.home(folder.id if isinstance(folder, Folder) else folder)
        made = Placement(document, target.id, owner or self.user.id)
        self._placed[document] = made
        self._transaction.on_commit(partial(super().place, document, target, owner=made.owner))
        return made

    def _role_and_maker(self, document: str) -> tuple[Role | None, str | None]:
        placed = self._placed.get(document)
        if placed is not None:
            return self.place_role(self._folder_of(document)), placed.owner
        found = super()._role_and_maker(document)
        self._asked.setdefault(document, found[0])
        return found

    def _placement(self, document: str) -> Placement:
        return self._placed.get(document) or super()._placement(document)

    def _check_roles(self) -> None:
        now = super()._role_and_maker
        changed = [document for document, role in self._asked.items() if now(document)[0] != role]
        if changed:
            raise TransactionConflict(
                f"What you may do with {len(changed)} of the documents has changed since.",
                hint="Nothing was written. Run it again; db.transact() does so by itself.",
                keys=changed,
            )


def _article(role: Role) -> str:
    return "an" if role[0] in "aeo" else "a"


def _documents(listed: str) -> list[str]:
    try:
        return msgspec.json.decode(listed, type=list[str])
    except msgspec.MsgspecError as error:
        raise unreadable("where documents are") from error


@contextmanager
def changing_as(rights: Permissions) -> Generator[Connection]:
    """Give a write transaction, if the acting user may write here at all."""
    store, reason = rights.store, rights.cap.reason
    if reason is not None:
        raise NotAllowed(reason, hint="Use one that may write.")
    with changing(store) as connection:
        # The user may have been removed since they were looked up.
        if connection.row(store.queries.user_by_id, (rights.user.id,)) is None:
            raise NotAllowed(
                "You are not a user of this workspace.", hint="`db.users.add(EMAIL)` adds a user."
            )
        yield connection


def _owning(user: User) -> DocumentReader:
    return DocumentReader(user.id, user.name, user.email, "owner", "folder")


def _sharers(given: Iterable[Share]) -> list[DocumentReader]:
    """Return the users a document is shared with, without those who are only invited."""
    return [
        DocumentReader(one.user, one.name or "", one.email, one.role, "share")
        for one in given
        if one.user is not None
    ]


def _changes(
    before: list[DocumentReader], after: list[DocumentReader], guests: list[DocumentReader]
) -> Iterator[tuple[DocumentReader, Role | None, Role | None]]:
    """Yield the users whose role for a document changes with its folder, with both roles."""
    then, later = (
        {one.id: one for one in _greatest([*readers, *guests])} for readers in (before, after)
    )
    for id_ in then | later:
        old, new = then.get(id_), later.get(id_)
        roles = (old.role if old else None), (new.role if new else None)
        reader = old or new
        if roles[0] != roles[1] and reader is not None:
            # Why a user sees a document does not tell one change from another.
            yield msgspec.structs.replace(reader, role="viewer", through=""), *roles


def _greatest(readers: list[DocumentReader]) -> tuple[DocumentReader, ...]:
    """Keep each user's greatest role, the first of equals; the greatest roles first."""
    found: dict[str, DocumentReader] = {}
    for reader in readers:
        known = found.get(reader.id)
        if known is None or rank(known.role) < rank(reader.role):
            found[reader.id] = reader
    return tuple(sorted(found.values(), key=lambda reader: (-rank(reader.role), reader.email)))
