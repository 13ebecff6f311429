"""Teams: the tree of a workspace, and the role of each user in it."""

from typing import Annotated

import strata
from strata.access import Team
from strata.cli.command import Output, Spelling, group
from strata.cli.output import with_times
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.workspace import Workspace

TeamName = Annotated[str, "Its name or id.", Spelling("TEAM")]

team = group(
    "team",
    """Make teams and manage their members.

    Alone it lists them as a tree, whose root is the workspace. The role of a user in a team
    counts for everything below it: its teams, their folders, the documents in those.

        strata team add 디자인
        strata team
    """,
    takes="user",
    alone="list",
)


@team.writes("add", anywhere=True, creates=True)
def add(
    db: Workspace,
    name: Annotated[str, "What it is called."],
    *,
    under: Annotated[
        str | None, "The team it is a part of; without, the workspace.", Spelling("TEAM")
    ] = None,
) -> Output:
    """Make a team, which is a part of another one.

    It has no members of its own yet; those of the teams above are in it.

        strata team add 디자인
        strata team add Type --under 디자인
    """
    return _changed("made team", db.teams.add(name, under))


@team.reads("list", anywhere=True)
def list_teams(db: Workspace) -> Output:
    """List the teams as a tree.

    Each is below the one that it is a part of.

        strata team add 디자인
        strata team list
    """
    found = db.teams.list()
    tops = [one for one in found if one.parent not in {other.id for other in found}]
    rows = [row for top in tops for row in _tree(found, top, 0)]
    return Output({"teams": [with_times(one) for one in found]}, table(("ID", "TEAM"), rows))


def _tree(teams: list[Team], top: Team, depth: int) -> list[tuple[str, str]]:
    below = [row for one in teams if one.parent == top.id for row in _tree(teams, one, depth + 1)]
    return [(top.id, "  " * depth + one_line(top.name)), *below]


@team.writes("rename", anywhere=True)
def rename(
    db: Workspace, which: TeamName, name: Annotated[str, "What it is called from now on."]
) -> Output:
    """Give a team another name.

    Members, folders and Spaces stay as they are.

        strata team add 디자인
        strata team rename 디자인 Studio
    """
    found = db.teams.rename(which, name)
    return Output(with_times(found), f"{one_line(found.name)} ({found.id})")


@team.writes("move", anywhere=True)
def move(
    db: Workspace,
    which: TeamName,
    *,
    under: Annotated[str, "The team it becomes a part of.", Spelling("TEAM")],
) -> Output:
    """Make a team a part of another one.

    The members of the teams above see its documents from then on; those of the teams that
    were above it before do not any more.

        strata team add 디자인
        strata team add Type
        strata team move Type --under 디자인
    """
    found = db.teams.move(which, under)
    return Output(with_times(found), f"moved {one_line(found.name)} under {one_line(under)}")


@team.writes("remove", anywhere=True)
def remove(db: Workspace, which: TeamName) -> Output:
    """Remove a team that has no teams, folders or Spaces any more.

    Its members stay users of the workspace.

        strata team add 디자인
        strata team remove 디자인
    """
    return _changed("removed team", db.teams.remove(which))


def _changed(what: str, one: Team) -> Output:
    return Output(with_times(one), f"{what} {one_line(one.name)} ({one.id})")


@team.writes("member", anywhere=True)
def member(
    db: Workspace,
    which: TeamName,
    who: Annotated[str | None, "The email or id of a user."] = None,
    *,
    role: Annotated[str | None, "What they are: viewer, commenter, editor or admin."] = None,
    remove: Annotated[bool, "Take them out of the team."] = False,
) -> Output:
    """List the members of a team, or set the role of a user in it.

    With a user and --role they become a member, or another kind of one; with --remove they
    are none any more. The workspace's owner stays an admin of all of it.

        strata user add ann@example.com
        strata team member workspace ann@example.com --role viewer
        strata team member workspace
        strata team member workspace ann@example.com --remove
    """
    if who is None and role is None and not remove:
        found = db.teams.members(which)
        rows = [(one.email, one_line(one.name), one.role) for one in found]
        none = "no members of its own; those of the teams above are in it too"
        return Output({"members": found}, table(("EMAIL", "NAME", "ROLE"), rows), empty=none)
    if who is None or (role is None) != remove:
        raise strata.InvalidArgument(
            "A change of members takes a user and either --role or --remove.",
            hint="`strata team member TEAM EMAIL --role editor`.",
            parameter="who",
        )
    if role is None:
        db.teams.remove_member(which, who)
        return Output({"team": which, "user": who, "removed": True}, f"removed {who}")
    made = db.teams.set_member(which, who, role)
    return Output(made, f"{one_line(made.name)} is {made.role} of {one_line(which)}")
