"""Teams of the workspace: a tree, its members, and their roles."""

from typing import TYPE_CHECKING, Annotated, Literal

from strata.tools.page.group import PageAnswer, page, require_person
from strata.tools.page.people import PersonId
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import Team
    from strata.workspace import Workspace

TeamId = Annotated[str, "A team: id or name"]
TeamRole = Literal["viewer", "commenter", "editor", "admin"]


class MemberLine(PageAnswer, frozen=True):
    """A member of a team."""

    id: str
    name: str
    email: str
    role: str


class TeamLine(PageAnswer, frozen=True):
    """A team; the one without a parent is the whole workspace."""

    id: str
    name: str
    parent: str | None
    members: list[MemberLine]
    # Whether the caller may change it: an admin of it, or of a team above it.
    manages: bool


class TeamList(PageAnswer, frozen=True):
    """The teams that the caller belongs to, there or above."""

    teams: list[TeamLine]


@page.reads(example={})
def teams(call: Call) -> TeamList:
    """List the teams that the caller belongs to, with their members."""
    here = call.anywhere
    return TeamList(teams=[_line(here, one) for one in here.teams.list()])


@page.writes(example={"name": "디자인"})
def add_team(
    call: Call,
    *,
    name: Annotated[str, "What the team is called"],
    parent_id: Annotated[str | None, "The team above it; without: the workspace"] = None,
) -> TeamLine:
    """Make a team below another one, or below the workspace."""
    require_person(call)
    here = call.anywhere
    return _line(here, here.teams.add(name, parent_id))


@page.writes(idempotent=True, example={"teamId": "workspace", "name": "Studio"})
def rename_team(call: Call, *, team_id: TeamId, name: Annotated[str, "The new name"]) -> TeamLine:
    """Give a team another name."""
    require_person(call)
    here = call.anywhere
    return _line(here, here.teams.rename(team_id, name))


@page.writes(destructive=True, example={"teamId": "디자인"})
def remove_team(call: Call, *, team_id: TeamId) -> TeamList:
    """Remove a team that has no teams, folders or Spaces any more; its members stay users."""
    require_person(call)
    call.anywhere.teams.remove(team_id)
    return teams(call)


@page.writes(
    idempotent=True, example={"teamId": "디자인", "personId": "ann@example.com", "role": "editor"}
)
def set_member(
    call: Call,
    *,
    team_id: TeamId,
    person_id: PersonId,
    role: Annotated[TeamRole, "In the team and below it"],
) -> TeamLine:
    """Make a user a member of a team, or change their role."""
    require_person(call)
    here = call.anywhere
    here.teams.set_member(team_id, person_id, role)
    return _line(here, here.teams.require(team_id))


@page.writes(destructive=True, example={"teamId": "디자인", "personId": "ann@example.com"})
def remove_member(call: Call, *, team_id: TeamId, person_id: PersonId) -> TeamList:
    """Remove a user from a team; everybody may leave one."""
    require_person(call)
    call.anywhere.teams.remove_member(team_id, person_id)
    return teams(call)


def _line(here: "Workspace", team: "Team") -> TeamLine:
    members = [
        MemberLine(id=one.user, name=one.name, email=one.email, role=one.role)
        for one in here.teams.members(team.id)
    ]
    return TeamLine(
        id=team.id,
        name=team.name,
        parent=team.parent,
        members=members,
        manages=here.rights.team_roles().get(team.id) == "admin",
    )
