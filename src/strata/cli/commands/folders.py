"""Folders: where documents are, which is who sees them."""

from typing import Annotated

from strata.access import Folder
from strata.cli.command import Output, Spelling, group
from strata.cli.output import with_times
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.workspace import Workspace

FolderName = Annotated[str, "Its name or id.", Spelling("FOLDER")]

folder = group(
    "folder",
    """Make and remove the folders that documents lie in.

    Alone it lists them. What is in a folder of your own only you see; what is in a team's
    folder, the members of the team and of those above it.

        strata folder add 초안
        strata folder
    """,
    takes="user",
    alone="list",
)


@folder.writes("add", anywhere=True, creates=True)
def add(
    db: Workspace,
    name: Annotated[str, "What it is called."],
    *,
    team: Annotated[str | None, "The team that it belongs to; without, it is your own."] = None,
    parent: Annotated[str | None, "The folder that it lies in.", Spelling("FOLDER", "--in")] = None,
    templates: Annotated[bool, "For documents that others are made from."] = False,
) -> Output:
    """Make a folder: of a team, in another folder, or your own.

    A folder in another folder has the same owner as that one.

        strata folder add 초안
        strata team add 디자인
        strata folder add Briefs --team 디자인
        strata folder add Templates --team 디자인 --templates
        strata folder add 2026 --in Briefs
    """
    return _changed(
        "made folder", db.folders.add(name, team=team, parent=parent, templates=templates)
    )


@folder.reads("list", anywhere=True)
def list_folders(db: Workspace) -> Output:
    """List the folders that you see.

    Your own come first, then those of your teams.

        strata folder add 초안
        strata folder list
    """
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
    return Output({"folders": [with_times(one) for one in found]}, lines)


@folder.writes("rename", anywhere=True)
def rename(
    db: Workspace, which: FolderName, name: Annotated[str, "What it is called from now on."]
) -> Output:
    """Give a folder another name.

    What is in it stays there.

        strata folder add 초안
        strata folder rename 초안 Drafts
    """
    found = db.folders.rename(which, name)
    return Output(with_times(found), f"{one_line(found.name)} ({found.id})")


@folder.writes("remove", anywhere=True)
def remove(db: Workspace, which: FolderName) -> Output:
    """Remove an empty folder.

    One that has folders or documents in it, those in the trash too, is kept.

        strata folder add 초안
        strata folder remove 초안
    """
    return _changed("removed folder", db.folders.remove(which))


def _changed(what: str, one: Folder) -> Output:
    return Output(with_times(one), f"{what} {one_line(one.name)} ({one.id})")
