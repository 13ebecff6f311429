"""Folders: places for documents, of a user or of a team, which say who sees them."""

import msgspec

from strata.access.part import AccessPart, check_count, check_free, pick
from strata.access.records import Folder, User, as_folder, personal_folder
from strata.access.teams import Teams
from strata.base import limits
from strata.base.counts import counted
from strata.base.errors import NotAllowed, NotFound
from strata.base.ids import new_id


class Folders(AccessPart):
    """The folders that a user sees. Reached as `db.folders`.

    Everybody has one of their own, and may make others in it; editors make folders of teams.
    """

    def personal(self, user: User | None = None) -> Folder:
        """Return a user's personal folder, where new documents go.

        >>> db.folders.personal().kind
        'personal'
        """
        whose = user or self._rights.user
        found = personal_folder(self._store, whose.id)
        if found is None:
            raise NotFound(
                f"{whose.name!r} has no folder here.", hint="`db.users.add(EMAIL)` adds a user."
            )
        return found

    def list(self) -> "list[Folder]":
        """Return the folders that the user sees: personal ones first, then those of teams.

        >>> _ = db.folders.add("초안")
        >>> [folder.name for folder in db.folders.list()]
        ['Personal', '초안']
        """
        return self._rights.folders()

    def get(self, which: str) -> Folder | None:
        """Return a folder by its id or its name, or None.

        >>> made = db.folders.add("초안")
        >>> db.folders.get("초안") == db.folders.get(made.id) == made
        True
        """
        row = self._store.connection().row(self._store.queries.folder, (which,))
        if row is not None:
            found = as_folder(row)
            return found if self._rights.place_role(found) is not None else None
        return pick(self.list(), which, "folder")

    def require(self, which: str) -> Folder:
        """Return a folder by its id or its name, or raise NotFound.

        >>> db.folders.require("Personal").parent is None
        True
        """
        found = self.get(which)
        return self._rights.folder(which) if found is None else found

    def add(
        self,
        name: str,
        *,
        team: str | None = None,
        parent: str | None = None,
        templates: bool = False,
    ) -> Folder:
        """Make a folder: in another one, of a team, or else in the personal folder.

        Documents in a folder of `templates` are what others are made from.

        >>> _ = db.teams.add("디자인")
        >>> db.folders.add("Briefs", team="디자인").kind
        'team'
        >>> db.folders.add("초안").kind
        'personal'
        """
        self._check_name(name, "folder")
        with self._changing() as connection:
            above, owner, group = self._where(team, parent)
            row = connection.row(self._store.queries.count_folders)
            check_count(row[0] if row else 0, limits.FOLDERS_MAX, "folders")
            kind = "team" if owner is None else "personal"
            made = Folder(
                new_id("folder"), name, kind, owner, group, above, templates, self._store.clock()
            )
            self._check_free(made)
            values = (made.id, name, owner, group, above, int(templates), made.created)
            connection.run(self._store.queries.insert_folder, values)
            self._note("folder.add", made.id, name=name, team=group, owner=owner, parent=above)
        return made

    def _where(
        self, team: str | None, parent: str | None
    ) -> tuple[str | None, str | None, str | None]:
        """Return parent, owner and team of a new folder, after asking whether one may."""
        if parent is None and team is not None:
            found = Teams(self._store, self._rights).require(team)
            self._rights.require_team(found, "editor", "add a folder to")
            return None, None, found.id
        above = self.personal() if parent is None else self.require(parent)
        self._rights.require_place(above, "add a folder to")
        return above.id, above.owner, above.team

    def rename(self, which: str, name: str) -> Folder:
        """Give a folder another name.

        >>> _ = db.folders.add("초안")
        >>> db.folders.rename("초안", "Drafts").name
        'Drafts'
        """
        self._check_name(name, "folder")
        with self._changing() as connection:
            found = self._changeable(which, "rename")
            renamed = msgspec.structs.replace(found, name=name)
            self._check_free(renamed)
            connection.run(self._store.queries.rename_folder, (found.id, name))
            self._note("folder.rename", found.id, name=name, before=found.name)
        return renamed

    def move(self, which: str, parent: str) -> Folder:
        """Put a folder into another one of the same user or team.

        >>> a, b = db.folders.add("a"), db.folders.add("b")
        >>> db.folders.move("a", "b").parent == b.id
        True
        """
        with self._changing() as connection:
            found, above = self._changeable(which, "move"), self.require(parent)
            self._rights.require_place(above, "move a folder to")
            if (above.owner, above.team) != (found.owner, found.team):
                raise NotAllowed(
                    f"Folder {above.name!r} belongs to others, who would see all of it.",
                    hint="Move the documents, or stay in the same team.",
                )
            if found.id in self._above(above):
                raise NotAllowed(f"Folder {above.name!r} is inside {found.name!r}.")
            moved = msgspec.structs.replace(found, parent=above.id)
            self._check_free(moved)
            connection.run(self._store.queries.move_folder, (found.id, above.id))
            self._note("folder.move", found.id, parent=above.id, before=found.parent)
        return moved

    def remove(self, which: str) -> Folder:
        """Remove an empty folder.

        >>> _ = db.folders.add("초안")
        >>> db.folders.remove("초안").name, db.folders.get("초안") is None
        ('초안', True)
        """
        queries = self._store.queries
        with self._changing() as connection:
            found = self._changeable(which, "remove")
            row = connection.row(queries.folder_contents, (found.id,)) or (0, 0)
            if any(row):
                raise NotAllowed(
                    f"Folder {found.name!r} has {counted(folder=row[0], document=row[1])}.",
                    hint="Move them first.",
                    folders=row[0],
                    documents=row[1],
                )
            connection.run(queries.delete_folder, (found.id,))
            self._note("folder.remove", found.id, name=found.name)
        return found

    def _changeable(self, which: str, what: str) -> Folder:
        found = self.require(which)
        self._rights.require_place(found, what)
        if found.kind == "personal" and found.parent is None:
            raise NotAllowed("A personal folder stays as it is.", hint="Make others inside it.")
        return found

    def _check_free(self, folder: Folder) -> None:
        """Raise AlreadyExists when another folder of the same place has the name."""
        place = (folder.owner, folder.team, folder.parent)
        beside = [one for one in self.list() if (one.owner, one.team, one.parent) == place]
        names = [one.name for one in beside if one.id != folder.id]
        check_free(names, folder.name, "folder")

    def _above(self, folder: Folder) -> set[str]:
        """Return a folder and those it lies in."""
        by_id = {one.id: one.parent for one in self.list()}
        found, here = set[str](), folder.id
        while here is not None and here not in found:
            found.add(here)
            here = by_id.get(here)
        return found
