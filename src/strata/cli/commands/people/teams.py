"""Teams: the tree of a workspace, and who is what in it."""

import click

import strata
from strata.access import Member, Team
from strata.base.clock import iso
from strata.cli.command import command, group
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line


@group(
    "team",
    takes="user",
    examples="""
    strata team add 디자인
    strata team
    """,
)
def team(session: Invocation) -> None:
    """Make teams, and say who is what in them.

    Alone it lists them as a tree, whose root is the workspace. What somebody is in a team
    counts for everything below it: its teams, their folders, the documents in those.
    """
    _list(session)


@command(
    "add",
    group=team,
    takes="user",
    examples="""
    strata team add 디자인
    strata team add Type --under 디자인
    """,
)
@click.argument("name", help="What it is called.")
@click.option("--under", metavar="TEAM", help="The team it is a part of; without, the workspace.")
def add(session: Invocation, *, name: str, under: str | None) -> None:
    """Make a team, which is a part of another one.

    It has no members of its own yet; those of the teams above are in it.
    """
    with session.writing(create=True, anywhere=True) as db:
        made = db.teams.add(name, under)
        answer(session, _told(made), [f"made team {one_line(made.name)} ({made.id})"])


@command(
    "list",
    group=team,
    takes="user",
    examples="""
    strata team add 디자인
    strata team list
    """,
)
def list_teams(session: Invocation) -> None:
    """List the teams as a tree.

    Each stands below the one that it is a part of.
    """
    _list(session)


def _list(session: Invocation) -> None:
    with session.reading(anywhere=True) as db:
        found = db.teams.list()
        tops = [one for one in found if one.parent not in {other.id for other in found}]
        rows = [row for top in tops for row in _tree(found, top, 0)]
        lines = table(("ID", "TEAM"), rows)
        answer(session, {"teams": [_told(one) for one in found]}, lines)


def _tree(teams: list[Team], top: Team, depth: int) -> list[tuple[str, str]]:
    below = [row for one in teams if one.parent == top.id for row in _tree(teams, one, depth + 1)]
    return [(top.id, "  " * depth + one_line(top.name)), *below]


@command(
    "rename",
    group=team,
    takes="user",
    examples="""
    strata team add 디자인
    strata team rename 디자인 Studio
    """,
)
@click.argument("which", metavar="TEAM", help="Its name or id.")
@click.argument("name", help="What it is called from now on.")
def rename(session: Invocation, *, which: str, name: str) -> None:
    """Give a team another name.

    Members, folders and Spaces stay as they are.
    """
    with session.writing(anywhere=True) as db:
        found = db.teams.rename(which, name)
        answer(session, _told(found), [f"{one_line(found.name)} ({found.id})"])


@command(
    "move",
    group=team,
    takes="user",
    examples="""
    strata team add 디자인
    strata team add Type
    strata team move Type --under 디자인
    """,
)
@click.argument("which", metavar="TEAM", help="Its name or id.")
@click.option("--under", metavar="TEAM", required=True, help="The team it becomes a part of.")
def move(session: Invocation, *, which: str, under: str) -> None:
    """Make a team a part of another one.

    Whoever is in the teams above sees its documents from then on; who was above before does
    not any more.
    """
    with session.writing(anywhere=True) as db:
        found = db.teams.move(which, under)
        answer(session, _told(found), [f"moved {one_line(found.name)} under {one_line(under)}"])


@command(
    "remove",
    group=team,
    takes="user",
    examples="""
    strata team add 디자인
    strata team remove 디자인
    """,
)
@click.argument("which", metavar="TEAM", help="Its name or id.")
def remove(session: Invocation, *, which: str) -> None:
    """Remove a team that has no teams, folders or Spaces any more.

    Its members stay users of the workspace.
    """
    with session.writing(anywhere=True) as db:
        gone = db.teams.remove(which)
        answer(session, _told(gone), [f"removed team {one_line(gone.name)} ({gone.id})"])


@command(
    "member",
    group=team,
    takes="user",
    examples="""
    strata user add ann@example.com
    strata team member workspace ann@example.com --role viewer
    strata team member workspace
    strata team member workspace ann@example.com --remove
    """,
)
@click.argument("which", metavar="TEAM", help="Its name or id.")
@click.argument("who", required=False, help="The email or id of a user.")
@click.option("--role", help="What they are: viewer, commenter, editor or admin.")
@click.option("--remove", "leaves", is_flag=True, help="Take them out of the team.")
def member(
    session: Invocation, *, which: str, who: str | None, role: str | None, leaves: bool
) -> None:
    """List the members of a team, or say what somebody is in it.

    With a user and --role they become a member, or another kind of one; with --remove they
    are none any more. The workspace's owner stays an admin of all of it.
    """
    if who is None and role is None and not leaves:
        _list_members(session, which)
        return
    if who is None or (role is None) != leaves:
        raise strata.InvalidArgument(
            "A change of members takes a user and either --role or --remove.",
            hint="`strata team member TEAM EMAIL --role editor`.",
            parameter="who",
        )
    with session.writing(anywhere=True) as db:
        if role is None:
            db.teams.remove_member(which, who)
            answer(session, {"team": which, "user": who, "removed": True}, [f"removed {who}"])
        else:
            found = db.teams.set_member(which, who, role)
            answer(session, found, [f"{one_line(found.name)} is {found.role} of {one_line(which)}"])


def _list_members(session: Invocation, which: str) -> None:
    with session.reading(anywhere=True) as db:
        found = db.teams.members(which)
        rows = [_row(one) for one in found]
        answer(
            session, {"members": found}, table(("EMAIL", "NAME", "ROLE"), rows),
            empty="nobody by themselves; who is in a team above is in this one too",
        )  # fmt: skip


def _row(one: Member) -> tuple[str, str, str]:
    return one.email, one_line(one.name), one.role


def _told(one: Team) -> dict[str, object]:
    """Return a team for --json, with the time spelled out."""
    return {"id": one.id, "name": one.name, "parent": one.parent, "created": iso(one.created)}
