"""Spaces of documents, in the group that also has the spaces of keys."""

import click

from strata.access import DocumentSpace
from strata.base.clock import iso
from strata.cli.command import command
from strata.cli.commands.spaces import space
from strata.cli.output import answer, plural
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line

__all__ = ["space"]


_WHICH = click.argument("which", metavar="SPACE", help="The name or id of a Space of documents.")
_DOCUMENT = click.argument("document", help="Its id, or its title if only one is called so.")


@command(
    "add",
    group=space,
    takes="user",
    examples="""
    strata space add 읽을거리
    strata team add 디자인
    strata space add Launch --team 디자인
    """,
)
@click.argument("name", help="What it is called.")
@click.option("--team", help="The team that it belongs to; without, it is your own.")
def add(session: Invocation, *, name: str, team: str | None) -> None:
    """Make a Space of documents: your own, or a team's.

    A document may be in many Spaces. Being in one lets nobody read it: its folder does.
    """
    with session.writing(create=True, anywhere=True) as db:
        made = db.document_spaces.add(name, team=team)
        answer(session, _told(made), [f"made Space {one_line(made.name)} ({made.id})"])


@command(
    "list",
    group=space,
    takes="user",
    examples="""
    strata space add 읽을거리
    strata space list
    """,
)
@click.argument("which", metavar="SPACE", required=False, help="List the documents of this one.")
def list_spaces(session: Invocation, *, which: str | None) -> None:
    """List the Spaces of documents, or what is in one.

    `strata space` alone lists the spaces of keys, and these after them.
    """
    with session.reading(anywhere=True) as db:
        if which is not None:
            found = db.document_spaces.documents(which)
            answer(session, {"documents": found}, found, empty="there is nothing in it")
            return
        spaces = db.document_spaces.list()
        teams = {team.id: team.name for team in db.teams.list()}
        rows = [
            (
                one.id,
                one_line(one.name),
                "you" if one.team is None else one_line(teams.get(one.team, one.team)),
                plural(len(db.document_spaces.documents(one.id)), "document"),
            )
            for one in spaces
        ]
        answer(
            session,
            {"document_spaces": [_told(one) for one in spaces]},
            table(("ID", "SPACE", "OF", "HOLDS"), rows),
            empty="no Spaces of documents; `strata space add` makes one",
        )


@command(
    "rename",
    group=space,
    takes="user",
    examples="""
    strata space add 읽을거리
    strata space rename 읽을거리 Reading
    """,
)
@_WHICH
@click.argument("name", help="What it is called from now on.")
def rename(session: Invocation, *, which: str, name: str) -> None:
    """Give a Space of documents another name.

    What is in it stays there. Spaces of keys cannot be renamed.
    """
    with session.writing(anywhere=True) as db:
        found = db.document_spaces.rename(which, name)
        answer(session, _told(found), [f"{one_line(found.name)} ({found.id})"])


@command(
    "remove",
    group=space,
    takes="user",
    examples="""
    strata space add 읽을거리
    strata space remove 읽을거리
    """,
)
@_WHICH
def remove(session: Invocation, *, which: str) -> None:
    """Remove a Space of documents; the documents stay in their folders.

    For a space of keys there is `strata space delete`.
    """
    with session.writing(anywhere=True) as db:
        gone = db.document_spaces.remove(which)
        answer(session, _told(gone), [f"removed Space {one_line(gone.name)} ({gone.id})"])


@command(
    "put",
    group=space,
    takes="user",
    examples="""
    strata doc new Plan
    strata space add 읽을거리
    strata space put 읽을거리 Plan
    """,
)
@_WHICH
@_DOCUMENT
def put(session: Invocation, *, which: str, document: str) -> None:
    """Put a document into a Space.

    It stays in its folder, which goes on deciding who may read it.
    """
    with session.writing() as db:
        found = db.documents.called(document)
        is_new = db.document_spaces.put(which, found)
        line = f"{'put' if is_new else 'already there:'} {found}"
        answer(session, {"space": which, "document": found, "added": is_new}, [line])


@command(
    "take",
    group=space,
    takes="user",
    examples="""
    strata doc new Plan
    strata space add 읽을거리
    strata space put 읽을거리 Plan
    strata space take 읽을거리 Plan
    """,
)
@_WHICH
@_DOCUMENT
def take(session: Invocation, *, which: str, document: str) -> None:
    """Take a document out of a Space.

    The document itself stays as it is, in its folder.
    """
    with session.writing() as db:
        found = db.documents.called(document)
        was_there = db.document_spaces.take(which, found)
        line = f"{'took' if was_there else 'not there:'} {found}"
        answer(session, {"space": which, "document": found, "removed": was_there}, [line])


def _told(one: DocumentSpace) -> dict[str, object]:
    """Return a Space for --json, with the time spelled out."""
    return {
        "id": one.id,
        "name": one.name,
        "kind": one.kind,
        "owner": one.owner,
        "team": one.team,
        "created": iso(one.created),
    }
