"""Spaces of keys, and where documents are: folders and Spaces."""

from typing import Annotated

from strata.access import DocumentSpace, Folder
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, group, reads
from strata.cli.completion import complete_spaces
from strata.cli.output import confirm, with_times
from strata.cli.show.text import one_line, table
from strata.cli.words import DocumentName, Yes
from strata.workspace import Workspace

SpaceName = Annotated[str, "The name or id of a Space of documents.", Spelling("SPACE")]

space = group(
    "space",
    """List and manage spaces of keys, and Spaces of documents.

    A space is a separate set of keys on a branch, made by `create` or by its first value and
    taken away by `delete`; `strata config space NAME` makes one the current one, which has a
    star here. A Space is a collection of documents: `add`, `put`, `take`, `rename`, `describe`,
    `remove` and `list` are for those.

        strata put todo "우유 사기" --space notes
        strata space add 읽을거리
        strata space
    """,
    takes="branch at user",
)


@reads("space", takes="branch at user")
def list_all(db: Workspace) -> Output:
    """List the spaces of keys, and the Spaces of documents."""
    names, collections = db.spaces.list(), db.document_spaces.list()
    lines = [f"{'*' if name == db.space_name else ' '} {one_line(name)}" for name in names]
    lines += [f"  {one_line(one.name)} ({one.id}, of documents)" for one in collections]
    return Output(
        {"spaces": names, "current": db.space_name, "document_spaces": collections}, lines
    )


space.alone = list_all


@space.writes("create", takes="branch actor", creates=True)
def create(db: Workspace, name: Annotated[str, "The name of the space."]) -> Output:
    """Make an empty space of keys; one that exists is left as it is.

    There is no need to: `strata put KEY VALUE --space NAME` makes it, too.

        strata space create 메모
    """
    is_new = not db.spaces.exists(name)
    db.spaces.create(name)
    line = f"{'made space' if is_new else 'there is already a space'} {one_line(name)}"
    return Output({"space": name, "created": is_new}, line)


@space.writes("delete", takes="branch actor")
def delete(
    db: Workspace,
    name: Annotated[str, "The name of the space.", Spelling(complete=complete_spaces)],
    *,
    force: Annotated[bool, "Also one that holds keys."] = False,
    yes: Yes = False,
) -> Output:
    """Delete a space of keys; one that holds any needs --force.

    History keeps what it held; `strata undo` brings it back.

        strata put todo "우유 사기" --space old
        strata space delete old --force --yes
    """
    if force:
        confirm(f"Delete every key of space {name!r} on branch {db.branch!r}?", yes=yes)
    count = db.spaces.delete(name, force=force)
    line = f"deleted space {one_line(name)} with {plural(count, 'key')}"
    return Output({"space": name, "keys": count}, line)


@space.writes("add", takes="user", anywhere=True, creates=True)
def add_space(
    db: Workspace,
    name: Annotated[str, "What it is called."],
    *,
    team: Annotated[str | None, "The team that it belongs to; without, it is your own."] = None,
    description: Annotated[str, "What it is for, in a sentence or two."] = "",
) -> Output:
    """Make a Space of documents: your own, or a team's.

    A document may be in many Spaces. Being in one gives no right to read it: its folder does.

        strata space add 읽을거리 --description "이번 분기에 읽을 글"
        strata team add 디자인
        strata space add Launch --team 디자인
    """
    made = db.document_spaces.add(name, team=team, description=description)
    return _changed(made, "made Space")


@space.reads("list", takes="user", anywhere=True)
def list_spaces(
    db: Workspace,
    which: Annotated[str | None, "List the documents of this one.", Spelling("[SPACE]")] = None,
) -> Output:
    """List the Spaces of documents, or what is in one.

    `strata space` alone lists the spaces of keys, and these after them.

        strata space add 읽을거리
        strata space list
    """
    if which is not None:
        found = db.document_spaces.documents(which)
        return Output({"documents": found}, found, empty="there is nothing in it")
    spaces = db.document_spaces.list()
    teams = {team.id: team.name for team in db.teams.list()}
    rows = [
        (
            one.id,
            one.name,
            "you" if one.team is None else teams.get(one.team, one.team),
            plural(len(db.document_spaces.documents(one.id)), "document"),
            one_line(one.description),
        )
        for one in spaces
    ]
    return Output(
        {"document_spaces": [with_times(one) for one in spaces]},
        table(("ID", "SPACE", "OF", "HOLDS", "FOR"), rows),
        empty="no Spaces of documents; `strata space add` makes one",
    )


@space.writes("rename", takes="user", anywhere=True)
def rename_space(
    db: Workspace, which: SpaceName, name: Annotated[str, "What it is called from now on."]
) -> Output:
    """Give a Space of documents another name.

    What is in it stays there. Spaces of keys cannot be renamed.

        strata space add 읽을거리
        strata space rename 읽을거리 Reading
    """
    return _changed(db.document_spaces.rename(which, name))


@space.writes("describe", takes="user", anywhere=True)
def describe_space(
    db: Workspace,
    which: SpaceName,
    description: Annotated[str, "What it is for; an empty text removes the description."],
) -> Output:
    """Say what a Space of documents is for.

    `strata space list` and the page of the Space show it.

        strata space add 읽을거리
        strata space describe 읽을거리 "이번 분기에 읽을 글"
    """
    return _changed(db.document_spaces.describe(which, description), "described Space")


@space.writes("remove", takes="user", anywhere=True)
def remove_space(db: Workspace, which: SpaceName) -> Output:
    """Remove a Space of documents; the documents stay in their folders.

    For a space of keys there is `strata space delete`.

        strata space add 읽을거리
        strata space remove 읽을거리
    """
    return _changed(db.document_spaces.remove(which), "removed Space")


def _changed(one: DocumentSpace | Folder, done: str = "") -> Output:
    return Output(with_times(one), f"{done} {one_line(one.name)} ({one.id})".lstrip())


@space.writes("put", takes="user")
def put(db: Workspace, which: SpaceName, document: DocumentName) -> Output:
    """Put a document into a Space.

    It stays in its folder, which goes on deciding who may read it.

        strata doc new Plan
        strata space add 읽을거리
        strata space put 읽을거리 Plan
    """
    found = db.documents.called(document)
    is_new = db.document_spaces.put(which, found)
    line = f"{'put' if is_new else 'already there:'} {found}"
    return Output({"space": which, "document": found, "added": is_new}, line)


@space.writes("take", takes="user")
def remove_document(db: Workspace, which: SpaceName, document: DocumentName) -> Output:
    """Remove a document from a Space.

    The document itself stays as it is, in its folder.

        strata doc new Plan
        strata space add 읽을거리
        strata space put 읽을거리 Plan
        strata space take 읽을거리 Plan
    """
    found = db.documents.called(document)
    was_there = db.document_spaces.remove_document(which, found)
    line = f"{'took' if was_there else 'not there:'} {found}"
    return Output({"space": which, "document": found, "removed": was_there}, line)


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
def add_folder(
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
    made = db.folders.add(name, team=team, parent=parent, templates=templates)
    return _changed(made, "made folder")


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
            one.name,
            "you" if one.team is None else teams.get(one.team, one.team),
            names.get(one.parent or "", ""),
            "templates" if one.templates else "",
        )
        for one in found
    ]
    lines = table(("ID", "FOLDER", "OF", "IN", ""), rows)
    return Output({"folders": [with_times(one) for one in found]}, lines)


@folder.writes("rename", anywhere=True)
def rename_folder(
    db: Workspace, which: FolderName, name: Annotated[str, "What it is called from now on."]
) -> Output:
    """Give a folder another name.

    What is in it stays there.

        strata folder add 초안
        strata folder rename 초안 Drafts
    """
    return _changed(db.folders.rename(which, name))


@folder.writes("remove", anywhere=True)
def remove_folder(db: Workspace, which: FolderName) -> Output:
    """Remove an empty folder.

    One that has folders or documents in it, those in the trash too, is kept.

        strata folder add 초안
        strata folder remove 초안
    """
    return _changed(db.folders.remove(which), "removed folder")
