"""Teams: a tree whose root is the workspace; what one is above counts below."""

from strata.access.part import AccessPart, check_count, check_free, pick
from strata.access.records import Member, Team, as_member, as_team, owner_of
from strata.access.roles import MEMBER, check_role, rank
from strata.access.users import Users
from strata.base import limits
from strata.base.counts import counted
from strata.base.errors import NotAllowed, NotFound
from strata.base.ids import new_id


class Teams(AccessPart):
    """The teams of the workspace, as a user sees them. Reached as `db.teams`.

    An admin of a team manages it and whatever is below it.
    """

    def root(self) -> Team:
        """Return the team that everything belongs to: the workspace.

        >>> db.teams.root().name
        'workspace'
        """
        return next(team for team in self._all() if team.parent is None)

    def list(self) -> "list[Team]":
        """Return the teams that one belongs to, there or above.

        >>> _ = db.teams.add("디자인")
        >>> [team.name for team in db.teams.list()]
        ['workspace', '디자인']
        """
        return self._rights.teams()

    def get(self, which: str) -> Team | None:
        """Return a team by its id or its name, or None.

        >>> made = db.teams.add("디자인")
        >>> db.teams.get("디자인") == db.teams.get(made.id) == made
        True
        """
        return pick(self.list(), which, "team")

    def require(self, which: str) -> Team:
        """Return a team by its id or its name, or raise NotFound.

        >>> db.teams.require("workspace").parent is None
        True
        """
        found = self.get(which)
        if found is None:
            raise NotFound(
                f"There is no team {which[:200]!r}.",
                hint="`db.teams.list()` shows those that you belong to.",
                team=which[:200],
            )
        return found

    def add(self, name: str, parent: str | None = None) -> Team:
        """Make a team below another one, or below the workspace.

        >>> studio = db.teams.add("디자인")
        >>> db.teams.add("Type", parent=studio.id).parent == studio.id
        True
        """
        self._check_name(name, "team")
        with self._changing() as connection:
            above = self.root() if parent is None else self.require(parent)
            self._rights.require_team(above, "admin", "add a team to")
            known = self._all()
            check_count(len(known), limits.TEAMS_MAX, "teams")
            check_free([team.name for team in known if team.parent == above.id], name, "team")
            made = Team(new_id("team"), name, above.id, self._store.clock())
            values = (made.id, name, above.id, made.created)
            connection.run(self._store.queries.insert_team, values)
            self._note("team.add", made.id, name=name, parent=above.id)
        return made

    def rename(self, which: str, name: str) -> Team:
        """Give a team another name.

        >>> _ = db.teams.add("디자인")
        >>> db.teams.rename("디자인", "Studio").name
        'Studio'
        """
        self._check_name(name, "team")
        with self._changing() as connection:
            found = self.require(which)
            self._rights.require_team(found, "admin", "rename")
            beside = [team for team in self._all() if team.parent == found.parent]
            check_free([team.name for team in beside if team.id != found.id], name, "team")
            connection.run(self._store.queries.rename_team, (found.id, name))
            self._note("team.rename", found.id, name=name, before=found.name)
        return self.require(found.id)

    def move(self, which: str, parent: str) -> Team:
        """Put a team, with all that is below it, under another one.

        >>> studio, type_ = db.teams.add("디자인"), db.teams.add("Type")
        >>> db.teams.move("Type", "디자인").parent == studio.id
        True
        """
        with self._changing() as connection:
            found, above = self.require(which), self.require(parent)
            # An admin of a team must agree to lose it.
            before = [] if found.parent is None else [self.require(found.parent)]
            for team in (found, above, *before):
                self._rights.require_team(team, "admin", "move a team in or out of")
            if found.parent is None or above.id in self._below(found.id):
                raise NotAllowed(
                    f"Team {found.name!r} cannot be below {above.name!r}, which is a part of it.",
                    hint="`db.teams.list()` shows the tree.",
                )
            beside = [team.name for team in self._all() if team.parent == above.id]
            if found.parent != above.id:
                check_free(beside, found.name, "team")
            connection.run(self._store.queries.move_team, (found.id, above.id))
            self._note("team.move", found.id, parent=above.id, before=found.parent)
        return self.require(found.id)

    def remove(self, which: str) -> Team:
        """Remove a team that has no teams, folders or Spaces any more; its members stay users.

        >>> _ = db.teams.add("디자인")
        >>> db.teams.remove("디자인").name, [team.name for team in db.teams.list()]
        ('디자인', ['workspace'])
        """
        queries = self._store.queries
        with self._changing() as connection:
            found = self.require(which)
            self._rights.require_team(found, "admin", "remove")
            if found.parent is None:
                raise NotAllowed("The team of the whole workspace cannot be removed.")
            row = connection.row(queries.team_contents, (found.id,)) or (0, 0, 0)
            if any(row):
                raise NotAllowed(
                    f"{found.name!r} has {counted(team=row[0], folder=row[1], Space=row[2])}.",
                    hint="Remove or move them first.",
                    teams=row[0],
                    folders=row[1],
                    spaces=row[2],
                )
            connection.run(queries.delete_members_of_team, (found.id,))
            connection.run(queries.delete_links_of_team, (found.id,))
            connection.run(queries.delete_team, (found.id,))
            self._note("team.remove", found.id, name=found.name, parent=found.parent)
        return found

    def members(self, team: str) -> "list[Member]":
        """Return who is a member of a team itself, by email.

        >>> [(member.name, member.role) for member in db.teams.members("workspace")]
        [('owner', 'admin')]
        """
        values = (self.require(team).id,)
        rows = self._store.connection().rows(self._store.queries.members, values)
        return [as_member(row) for row in rows]

    def memberships(self, who: str) -> "list[Member]":
        """Return a user's role in each team of which they are a member.

        >>> [member.role for member in db.teams.memberships("owner")]
        ['admin']
        """
        values = (Users(self._store, self._rights).require(who).id,)
        rows = self._store.connection().rows(self._store.queries.memberships, values)
        seen = self._rights.team_roles()
        return [member for member in map(as_member, rows) if member.team in seen]

    def set_member(self, team: str, who: str, role: str) -> Member:
        """Make a user a member of a team, or change their role.

        >>> ann = db.users.add("ann@example.com")
        >>> _ = db.teams.add("디자인")
        >>> db.teams.set_member("디자인", "ann@example.com", "editor").role
        'editor'
        """
        given = check_role(role, MEMBER)
        with self._changing() as connection:
            found = self.require(team)
            self._rights.require_team(found, "admin", "change members of")
            user = Users(self._store, self._rights).require(who)
            if given != "admin":
                self._check_not_owner(found, user.id)
            values = (found.id, user.id, rank(given))
            connection.run(self._store.queries.upsert_member, values)
            self._note("team.set_member", found.id, user=user.id, role=given)
        return Member(found.id, user.id, user.email, user.name, given)

    def remove_member(self, team: str, who: str) -> None:
        """Remove a user from a team.

        >>> ann = db.users.add("ann@example.com")
        >>> _ = db.teams.set_member("workspace", ann.id, "viewer")
        >>> db.teams.remove_member("workspace", ann.id)
        >>> db.as_user(ann.id).teams.list()
        []
        """
        with self._changing() as connection:
            found = self.require(team)
            user = Users(self._store, self._rights).require(who)
            if user.id != self._rights.user.id:
                self._rights.require_team(found, "admin", "change members of")
            self._check_not_owner(found, user.id)
            values = (found.id, user.id)
            if connection.row(self._store.queries.delete_member, values) is None:
                raise NotFound(
                    f"{user.name!r} is no member of team {found.name!r}.",
                    hint=f"`db.teams.members({found.name!r})` lists them.",
                )
            self._note("team.remove_member", found.id, user=user.id)

    def _check_not_owner(self, team: Team, user: str) -> None:
        """Keep the workspace's owner an admin of all of it: so it always has one."""
        if team.parent is None and user == owner_of(self._store).id:
            raise NotAllowed(
                "The owner of the workspace stays an admin of it.",
                hint="Give others what they need; the owner's role cannot be lowered.",
            )

    def _all(self) -> "list[Team]":
        rows = self._store.connection().rows(self._store.queries.teams)
        return [as_team(row) for row in rows]

    def _below(self, team: str) -> set[str]:
        """Return a team and everything below it."""
        teams, found = self._all(), {team}
        while more := {one.id for one in teams if one.parent in found} - found:
            found |= more
        return found
