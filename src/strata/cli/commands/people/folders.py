"""Folders: where documents are, which is who sees them."""

import click

from strata.access import Folder
from strata.base.clock import iso
from strata.cli.command import command, group
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line


@group(
    "folder",
    takes="user",
    examples="""
    strata folder add 초안
    strata folder
    """,
)
def folder(session: Invocation) -> None:
    """Make and remove the folders that documents lie in.

    Alone it lists them. What is in a folder of one's own is seen by oneself, what is in a
    team's folder by everybody in the team or above it.
    """
    _list(session)


@command(
    "add",
    group=folder,
    takes="user",
    examples="""
    strata folder add 초안
    strata team add 디자인
    strata folder add Briefs --team 디자인
    strata folder add Templates --team 디자인 --templates
    strata folder add 2026 --in Briefs
    """,
)
@click.argument("name", help="What it is called.")
@click.option("--team", help="The team that it belongs to; without, it is your own.")
@click.option("--in", "parent", metavar="FOLDER", help="The folder that it lies in.")
@click.option("--templates", is_flag=True, help="For documents that others are made from.")
def add(
    session: Invocation, *, name: str, team: str | None, parent: str | None, templates: bool
) -> None:
    """Make a folder: of a team, in another folder, or your own.

    One in another folder belongs to whom that one belongs to.
    """
    with session.writing(create=True, anywhere=True) as db:
        made = db.folders.add(name, team=team, parent=parent, templates=templates)
        answer(session, _told(made), [f"made folder {one_line(made.name)} ({made.id})"])


@command(
    "list",
    group=folder,
    takes="user",
    examples="""
    strata folder add 초안
    strata folder list
    """,
)
def list_folders(session: Invocation) -> None:
    """List the folders that you see.

    Your own come first, then those of your teams.
    """
    _list(session)


def _list(session: Invocation) -> None:
    with session.reading(anywhere=True) as db:
        found = db.folders.list()
        teams = {team.id: team.name for team in db.teams.list()}
        names = {one.id: one.name for one in found}
        rows = [
            (
                one.id,
                one_line(one.name),
                "you" if one.team is None else one_line(teams.get(one.team, one.team)),
                one_line(names.get(one.parent or "", "")),
                "templates" if one.templates else "",
            )
            for one in found
        ]
        lines = table(("ID", "FOLDER", "OF", "IN", ""), rows)
        answer(session, {"folders": [_told(one) for one in found]}, lines)


@command(
    "rename",
    group=folder,
    takes="user",
    examples="""
    strata folder add 초안
    strata folder rename 초안 Drafts
    """,
)
@click.argument("which", metavar="FOLDER", help="Its name or id.")
@click.argument("name", help="What it is called from now on.")
def rename(session: Invocation, *, which: str, name: str) -> None:
    """Give a folder another name.

    What is in it stays there.
    """
    with session.writing(anywhere=True) as db:
        found = db.folders.rename(which, name)
        answer(session, _told(found), [f"{one_line(found.name)} ({found.id})"])


@command(
    "remove",
    group=folder,
    takes="user",
    examples="""
    strata folder add 초안
    strata folder remove 초안
    """,
)
@click.argument("which", metavar="FOLDER", help="Its name or id.")
def remove(session: Invocation, *, which: str) -> None:
    """Remove an empty folder.

    One that has folders or documents in it, those in the trash too, is kept.
    """
    with session.writing(anywhere=True) as db:
        gone = db.folders.remove(which)
        answer(session, _told(gone), [f"removed folder {one_line(gone.name)} ({gone.id})"])


def _told(one: Folder) -> dict[str, object]:
    """Return a folder for --json, with the time spelled out."""
    return {
        "id": one.id,
        "name": one.name,
        "kind": one.kind,
        "owner": one.owner,
        "team": one.team,
        "parent": one.parent,
        "templates": one.templates,
        "created": iso(one.created),
    }
