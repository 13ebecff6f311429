"""Where a document is, and who may read it."""

import click

from strata.access import Audience
from strata.cli.commands.documents.group import DOCUMENT, doc
from strata.cli.decorated import command
from strata.cli.output import answer
from strata.cli.session import Invocation
from strata.cli.show.tables import facts


def _lines(audience: Audience) -> list[str]:
    """Say who reads a document from now on."""
    people = [f"{one.name} <{one.email}> as {one.role}" for one in audience.people]
    people += [f"{one.email} as {one.role}, invited" for one in audience.pending]
    return facts([("folder", audience.folder_name), *(("read by", who) for who in people)])


@command(
    "move",
    group=doc,
    takes="branch user actor",
    examples="""
    strata doc new Plan
    strata folder add Archive
    strata doc move Plan Archive
    """,
)
@DOCUMENT
@click.argument("folder", help="The folder, by id or name.")
def move(session: Invocation, *, name: str, folder: str) -> None:
    """Put a document into another folder, which decides who may read it.

    It counts at once, on every branch and for all of its past.
    """
    with session.writing() as db:
        audience = db.documents.move(db.documents.called(name), db.folders.require(folder).id)
    answer(session, {"audience": audience}, _lines(audience))


@command(
    "share",
    group=doc,
    takes="branch user actor",
    examples="""
    strata doc new Plan
    strata doc share Plan ann@example.com --role commenter
    strata doc share Plan
    """,
)
@DOCUMENT
@click.argument("email", required=False, help="With whom; without it, who reads it is shown.")
@click.option("--role", type=click.Choice(["viewer", "commenter", "editor"]), default="viewer",
              show_default=True, help="What they may do.")  # fmt: skip
@click.option("--remove", is_flag=True, help="Take the share back.")
def share(session: Invocation, *, name: str, email: str | None, role: str, remove: bool) -> None:
    """Share a document with somebody, or take a share back.

    Who is not in the workspace yet is invited, and sees it as soon as they are added.
    """
    if email is None:
        with session.reading() as db:
            audience = db.documents.audience(db.documents.called(name))
    else:
        with session.writing() as db:
            document = db.documents.called(name)
            if remove:
                audience = db.documents.unshare(document, email)
            else:
                audience = db.documents.share(document, email, role)[1]
    answer(session, {"audience": audience}, _lines(audience))
