"""The group `strata doc`, and lists of documents."""

import click

from strata.cli.completion import complete_documents
from strata.cli.decorated import group
from strata.cli.output import answer, local_time, plural, size
from strata.cli.session import Invocation, say
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.documents import FoundDocuments, Request

# How a document is named wherever a command takes one.
DOCUMENT = click.argument("name", metavar="DOCUMENT", shell_complete=complete_documents,
                          help="Its id, or its title if only one is called so.")  # fmt: skip


@group(
    "doc",
    takes="branch at user",
    examples="""
    strata doc new Plan "# Goals"
    strata doc edit Plan --replace Goals 목표
    strata doc show Plan
    strata doc history Plan
    strata doc
    """,
)
def doc(session: Invocation) -> None:
    """Write, read and look after documents.

    Alone it lists the ones that changed last. A document is a page of markdown that people and
    agents edit together; every edit is a version. Its folder decides who may read it.
    """
    show_listed(session, Request(intent="list", limit=20))


def show_listed(session: Invocation, request: Request) -> None:
    """Print a page of documents, the one that changed last first."""
    with session.reading() as db:
        found = db.documents.find(request)
        print_found(session, found)


def print_found(session: Invocation, found: FoundDocuments) -> None:
    """Print what was found, as a table or as JSON."""
    rows = [
        (item.id, one_line(item.title), item.status or item.type, item.folder_name or "",
         size(4 * (item.tokens or 0)), local_time(item.updated or 0))
        for item in found.items
    ]  # fmt: skip
    headers = ("DOCUMENT", "TITLE", "STATUS", "FOLDER", "SIZE", "CHANGED")
    answer(
        session, found, table(headers, rows, right=["SIZE"]),
        empty=" ".join(found.hints) or "no documents here; `strata doc new TITLE` makes one",
    )  # fmt: skip
    total = found.total or 0
    if not session.json and total > len(rows):
        say(f"{plural(total, 'document')}; --limit and --next show more")
