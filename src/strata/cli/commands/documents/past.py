"""The past of a document: versions, differences, who wrote what, bringing one back."""

import click

from strata.cli.commands.documents.group import DOCUMENT, doc
from strata.cli.decorated import command
from strata.cli.output import answer, local_time, size
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line


@command(
    "history",
    group=doc,
    takes="branch at user",
    examples="""
    strata doc new Plan one
    strata doc edit Plan --replace one 하나
    strata doc history Plan
    """,
)
@DOCUMENT
@click.option("-n", "--limit", type=click.IntRange(1), default=50, show_default=True,
              help="How many at most.")  # fmt: skip
def history(session: Invocation, *, name: str, limit: int) -> None:
    """List a document's versions, newest first, with who wrote them.

    Every edit, merge and restore is one, and what was typed live without a pause of five
    seconds; the agent that wrote for somebody stands behind them.
    """
    with session.reading() as db:
        found = db.documents.history(db.documents.called(name), limit=limit)
        names = db.people.names()
    rows = [
        (str(one.version), local_time(one.timestamp), one.operation,
         ", ".join([*(names.get(id_, id_) for id_ in one.authors), *one.via]),
         size(one.bytes), one.name or "")
        for one in found
    ]  # fmt: skip
    headers = ("VERSION", "TIME", "DID", "WHO", "SIZE", "NAME")
    answer(session, {"versions": found}, table(headers, rows, right=["VERSION", "SIZE"]))


@command(
    "diff",
    group=doc,
    takes="branch at user",
    examples="""
    strata doc new Plan one
    strata doc edit Plan --replace one 하나
    strata doc diff Plan
    """,
)
@DOCUMENT
@click.argument("a", required=False, help="A version, by number or name; else the last but one.")
@click.argument("b", required=False, help="Another version; else the newest.")
def diff(session: Invocation, *, name: str, a: str | None, b: str | None) -> None:
    """Show what changed between two versions, line by line.

    Alone it shows what the last edit did.
    """
    with session.reading() as db:
        document = db.documents.called(name)
        if a is None:
            versions = db.documents.history(document, limit=2)
            a = str(versions[-1].version)
        text = db.documents.diff(document, a, b)
    lines = text.splitlines()
    colors = {"+": "green", "-": "red", "@": "cyan"}
    shown = [
        click.style(line, fg=colors[line[0]]) if line[:1] in colors else line for line in lines
    ]
    answer(session, {"diff": text}, shown, empty="nothing differs")


@command(
    "blame",
    group=doc,
    takes="branch at user",
    examples="""
    strata doc new Plan one
    strata doc blame Plan
    """,
)
@DOCUMENT
def blame(session: Invocation, *, name: str) -> None:
    """Show who last wrote something of each line.

    Lines that came by a merge name whoever wrote them on the branch.
    """
    with session.reading() as db:
        found = db.documents.blame(db.documents.called(name))
        names = db.people.names()
    rows = [
        (one.via or names.get(one.author, one.author), local_time(one.timestamp),
         one_line(one.text.rstrip("\n")))
        for one in found
    ]  # fmt: skip
    answer(session, {"lines": found}, table(("WHO", "TIME", "LINE"), rows))


@command(
    "restore",
    group=doc,
    takes="branch user actor",
    examples="""
    strata doc new Plan one
    strata doc name Plan first
    strata doc edit Plan --replace one two
    strata doc restore Plan first
    """,
)
@DOCUMENT
@click.argument("version", help="The version to bring back, by number or name.")
def restore(session: Invocation, *, name: str, version: str) -> None:
    """Bring back the text of a version, as a new one.

    What came between stays in the history; comments and links follow the words that stay.
    """
    with session.writing() as db:
        written = db.documents.restore(db.documents.called(name), version)
    done = f"version {written.version}" if written.status == "applied" else "nothing changed"
    answer(session, written, [f"{written.document} {done}"])


@command(
    "name",
    group=doc,
    takes="branch user actor",
    examples="""
    strata doc new Plan one
    strata doc name Plan "초안 1"
    """,
)
@DOCUMENT
@click.argument("label", metavar="NAME", help="What to call it.")
@click.option("--version", type=int, help="Which one; else the newest.")
def name_version(session: Invocation, *, name: str, label: str, version: int | None) -> None:
    """Name a version, so that it can be found and is kept.

    Wherever a command takes a version, its name will do; retention leaves it alone.
    """
    with session.writing() as db:
        document = db.documents.called(name)
        number = db.documents.name_version(document, label, version)
    answer(session, {"version": number, "name": label}, [f"version {number} is {label!r}"])
