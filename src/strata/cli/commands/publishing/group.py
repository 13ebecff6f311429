"""The group `strata publish`: showing documents to everybody, and what is shown."""

import click

from strata.base.clock import iso
from strata.cli.completion import complete_documents
from strata.cli.decorated import command, group
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import facts, table
from strata.cli.show.text import one_line
from strata.publishing import Publication, PublishStatus
from strata.workspace import Workspace

DOCUMENT = click.argument("name", metavar="DOCUMENT", shell_complete=complete_documents,
                          help="Its id, or its title if only one is called so.")  # fmt: skip


@group(
    "publish",
    takes="branch user",
    otherwise="document",
    examples="""
    strata doc new Plan "# Goals"
    strata publish Plan --pin
    strata publish status Plan
    strata publish undo Plan
    strata publish
    """,
)
def publish(session: Invocation) -> None:
    """Show documents to everybody, as pages of a profile.

    `strata publish DOCUMENT` freezes title, text and images as they are now and shows them at an
    address that stays. Alone it lists what was published. `strata serve` shows the pages.
    """
    _list(session)


@command(
    "document",
    group=publish,
    takes="branch user actor",
    examples="""
    strata doc new Plan "# Goals"
    strata publish Plan
    strata publish document Plan --pin
    """,
)
@DOCUMENT
@click.option("--pin", is_flag=True, help="Put it before the other pages of the profile.")
def publish_document(session: Invocation, *, name: str, pin: bool) -> None:
    """Show a document to everybody as it is now.

    The same text again makes no new version. The word `document` may be left out, unless the
    document is called as one of these commands is.
    """
    with session.writing() as db:
        status = db.publishing.publish(db.documents.called(name), pin=pin)
        tell_status(session, db, status)


@command(
    "list",
    group=publish,
    takes="branch user",
    examples="""
    strata doc new Plan "# Goals"
    strata publish Plan
    strata publish list
    """,
)
def list_publications(session: Invocation) -> None:
    """List the documents that were ever published, as far as you see them.

    Those without a version are shown to nobody at present.
    """
    _list(session)


def _list(session: Invocation) -> None:
    with session.reading() as db:
        found = db.publishing.list()
        rows = [_row(db, one) for one in found]
    headers = ("TITLE", "VERSION", "PINNED", "CHANGED", "ADDRESS")
    answer(
        session, {"publications": found}, table(headers, rows, right=["VERSION"]),
        empty="nothing is published; `strata publish DOCUMENT` shows a document to everybody",
    )  # fmt: skip


def _row(db: Workspace, one: Publication) -> tuple[str, ...]:
    is_shown = one.number is not None
    return (
        one_line(one.title), str(one.number) if is_shown else "-",
        "yes" if one.is_pinned else "", local_time(one.changed),
        db.public_address(one.path) if is_shown else "",
    )  # fmt: skip


@command(
    "status",
    group=publish,
    takes="branch user",
    examples="""
    strata doc new Plan "# Goals"
    strata publish Plan
    strata doc edit Plan --replace Goals 목표
    strata publish status Plan
    """,
)
@DOCUMENT
def status(session: Invocation, *, name: str) -> None:
    """Tell whether a document is published, where, and what has changed since.

    A version is frozen: what is written afterwards is not seen before it is published again.
    """
    with session.reading() as db:
        found = db.publishing.status(db.documents.called(name))
        tell_status(session, db, found)


def tell_status(session: Invocation, db: Workspace, found: PublishStatus) -> None:
    """Print how a document stands."""
    address = db.public_address(found.path) if found.path else None
    pairs = [("document", one_line(found.title)), ("state", found.state)]
    if found.number is not None:
        of = f"{found.number} of {found.versions}" if found.versions > 1 else str(found.number)
        pairs.append(("version" if address else "last version", of))
    if found.published is not None:
        pairs.append(("published", local_time(found.published)))
    if found.is_pinned:
        pairs.append(("pinned", "yes"))
    if found.number is not None:
        pairs.append(("unpublished changes", "yes" if found.has_changes else "no"))
    if address:
        pairs.append(("address", address))
    time = None if found.published is None else iso(found.published)
    answer(session, found, facts(pairs), url=address, time=time)
