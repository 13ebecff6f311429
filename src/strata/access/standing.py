"""What one person may do with documents, teams, folders and Spaces: all of it is decided here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias
from weakref import WeakKeyDictionary

import msgspec

from strata.access.records import DocumentSpace, Folder, Person, Team, as_folder, as_space, as_team
from strata.access.roles import FULL, Cap, Role, rank, role_of
from strata.base import limits
from strata.base.errors import NotAllowed, NotFound
from strata.store import Remembered, Store, unreadable

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
    """What a process remembers of one store: what people see, and the tables' marks then."""

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


def missing_document(document: str) -> NotFound:
    """Return the one error for a document that is not there and one that may not be seen."""
    return NotFound(
        f"There is no document {document[:200]!r}.",
        hint="It may have been removed, or not be shared with you; look for it by its title.",
        document=document[:200],
    )


class Standing:
    """The questions that `Rights` answers; it changes nothing."""

    def __init__(self, store: Store, person: Person, cap: Cap = FULL) -> None:
        self.store = store
        self.person = person
        self.cap = cap

    # Documents.

    def role(self, document: str) -> Role | None:
        """Return what one is for a document; None for one that may not be seen.

        A document that has no place, because a bundle brought it, is the workspace owner's.

        >>> ann = db.as_user(db.people.add("ann@example.com").id)
        >>> _ = db.rights.place("doc_1")
        >>> db.rights.role("doc_1"), ann.rights.role("doc_1")
        ('owner', None)
        """
        return self._stands(document)[0]

    def require(self, document: str, need: Role = "viewer", *, what: str = "read") -> Role:
        """Return what one is for a document, or raise NotFound or NotAllowed.

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
        """Tell whether one may move and share a document.

        Its owner may, an admin of its team, and the user who made it and may still edit it.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.may_manage("doc_1")
        True
        """
        return self._manages(*self._stands(document))

    def require_manage(self, document: str, *, what: str = "move or share") -> Role:
        """Return what one is for a document that one may manage, or raise.

        >>> _ = db.rights.place("doc_1")
        >>> db.rights.require_manage("doc_1", what="share")
        'owner'
        """
        role, made_by = self._stands(document)
        if role is None:
            raise missing_document(document)
        if not self._manages(role, made_by):
            raise self.refusal(
                f"{what} this document", role, "admin",
                hint="Who sees a document is decided by whoever made it, and by admins of its"
                " team: ask one of them. You can make a copy in a folder of yours.",
            )  # fmt: skip
        return role

    def visible(self) -> Mapping[str, Role]:
        """Return every document that one may read, and as what.

        It is remembered until anything about access changes, in any process.

        >>> _ = db.rights.place("doc_1")
        >>> dict(db.rights.visible())
        {'doc_1': 'owner'}
        """
        store = self.store
        memory = _memory.get(store) or _memory.setdefault(store, _Memory(store))
        epoch = memory.visible.epoch
        # Read before the documents are: an older one only makes the next call look again.
        row = store.connection().row(store.queries.access_mark)
        mark, *numbers = row if row is not None else (0, 0, 0)
        strays = memory.strays(store, *numbers) if self.person.is_owner else "[]"
        key = (self.person.id, self.cap.highest)
        kept = memory.visible.get(key)
        if kept is not None and kept[0] == (mark, strays):
            return kept[1]
        found = self._look_through(strays)
        memory.visible.keep(key, ((mark, strays), found), epoch)
        return found

    def _stands(self, document: str) -> tuple[Role | None, str | None]:
        """Return one's role for a document, and who made it."""
        values = (self.person.id, document)
        row = self.store.connection().row(self.store.queries.document_role, values)
        made_by, number = row if row is not None else (None, 0)
        if made_by is None and self.person.is_owner:
            number = rank("owner")
        return (self._capped(number) if number else None), made_by

    def _capped(self, number: int) -> Role:
        return role_of(min(number, self.cap.highest))

    def _manages(self, role: Role | None, made_by: str | None) -> bool:
        if role in ("admin", "owner"):
            return True
        return role == "editor" and made_by == self.person.id

    def _look_through(self, strays: str) -> _Visible:
        values = (self.person.id, strays)
        rows = self.store.connection().rows(self.store.queries.visible_documents, values)
        found: dict[str, Role] = {}
        # The greatest role comes last, and stays.
        for number, listed in sorted(rows):
            found.update(dict.fromkeys(_documents(listed), self._capped(number)))
        return MappingProxyType(found)

    # Teams, folders, Spaces.

    def team_roles(self) -> Mapping[str, Role]:
        """Return what one is in each team that one belongs to, there or above.

        >>> list(db.rights.team_roles().values())
        ['admin']
        """
        values = (self.person.id,)
        rows = self.store.connection().rows(self.store.queries.team_roles, values)
        return {team: self._capped(number) for team, number in rows}

    def teams(self) -> list[Team]:
        """Return the teams that one belongs to, there or above; the workspace comes first.

        >>> [team.name for team in db.rights.teams()]
        ['workspace']
        """
        mine = self.team_roles()
        rows = self.store.connection().rows(self.store.queries.teams)
        return [team for team in map(as_team, rows) if team.id in mine]

    def folders(self) -> list[Folder]:
        """Return the folders that one sees: one's own, then those of teams.

        >>> [(folder.name, folder.kind) for folder in db.rights.folders()]
        [('Personal', 'personal')]
        """
        connection, queries = self.store.connection(), self.store.queries
        rows = connection.rows(queries.folders_of_user, (self.person.id,))
        rows += connection.rows(queries.folders_of_teams, (self.person.id,))
        return [as_folder(row) for row in rows]

    def folder(self, id: str) -> Folder:
        """Return a folder that one sees, or raise NotFound.

        >>> db.rights.folder(db.folders.personal().id).name
        'Personal'
        """
        row = self.store.connection().row(self.store.queries.folder, (id,))
        found = None if row is None else as_folder(row)
        if found is None or self.place_role(found) is None:
            raise NotFound(
                f"There is no folder {id[:200]!r}.",
                hint="`db.folders.list()` shows those that you see.", folder=id[:200],
            )  # fmt: skip
        return found

    def may_write_folder(self, id: str) -> bool:
        """Tell whether one may put documents into a folder.

        >>> db.rights.may_write_folder(db.folders.personal().id)
        True
        """
        try:
            role = self.place_role(self.folder(id))
        except NotFound:
            return False
        return role is not None and rank(role) >= rank("editor")

    def spaces(self) -> list[DocumentSpace]:
        """Return the Spaces that one sees: one's own and those of one's teams.

        >>> _ = db.document_spaces.add("읽을거리")
        >>> [space.name for space in db.rights.spaces()]
        ['읽을거리']
        """
        mine = self.team_roles()
        rows = self.store.connection().rows(self.store.queries.document_spaces)
        found = [as_space(row) for row in rows]
        return [one for one in found if one.owner == self.person.id or one.team in mine]

    def space(self, id: str) -> DocumentSpace:
        """Return a Space that one sees, or raise NotFound.

        >>> made = db.document_spaces.add("읽을거리")
        >>> db.rights.space(made.id).name
        '읽을거리'
        """
        for found in self.spaces():
            if found.id == id:
                return found
        raise NotFound(
            f"There is no Space {id[:200]!r}.",
            hint="`db.document_spaces.list()` shows those that you see.", space=id[:200],
        )  # fmt: skip

    def place_role(self, place: Folder | DocumentSpace) -> Role | None:
        """Return what one is for a folder or a Space; None where one does not see it.

        >>> db.rights.place_role(db.folders.personal())
        'owner'
        """
        if place.owner is not None:
            return self._capped(rank("owner")) if place.owner == self.person.id else None
        return self.team_roles().get(place.team or "")

    # Refusing.

    def require_team(self, team: Team, need: Role, what: str) -> None:
        """Raise NotAllowed unless one is at least something in a team or above it.

        >>> db.rights.require_team(db.teams.root(), "admin", "rename")
        """
        role = self.team_roles().get(team.id)
        if role is None or rank(role) < rank(need):
            raise self.refusal(f"{what} team {team.name!r}", role, need)

    def require_place(self, place: Folder | DocumentSpace, what: str) -> None:
        """Raise NotAllowed unless one may change what is in a folder or a Space.

        >>> db.rights.require_place(db.folders.personal(), "write into")
        """
        role = self.place_role(place)
        if role is None or rank(role) < rank("editor"):
            noun = "folder" if isinstance(place, Folder) else "Space"
            raise self.refusal(f"{what} {noun} {place.name!r}", role, "editor")

    def refusal(
        self, doing: str, role: Role | None, need: Role, *, hint: str | None = None
    ) -> NotAllowed:
        """Return the error that says which role one has, and which it takes.

        >>> db.rights.refusal("edit this document", "viewer", "editor").message
        'To edit this document takes an editor; you are a viewer.'
        """
        are = "in no team that may" if role is None else f"{_article(role)} {role}"
        return NotAllowed(
            f"To {doing} takes {_article(need)} {need}; you are {are}.",
            hint=self.cap.reason or hint or "Ask whoever manages it for more.",
            role=role,
            need=need,
        )


def _article(role: Role) -> str:
    return "an" if role[0] in "aeo" else "a"


def _documents(listed: str) -> list[str]:
    try:
        return msgspec.json.decode(listed, type=list[str])
    except msgspec.MsgspecError as error:
        raise unreadable("where documents are") from error
