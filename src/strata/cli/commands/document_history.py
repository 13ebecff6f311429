"""The past of a document: versions, differences, who wrote what, bringing one back."""

from typing import Annotated

import click
import msgspec

from strata.cli.command import Output, Spelling, reads, writes
from strata.cli.output import local_time, size
from strata.cli.show.text import one_line, table
from strata.cli.words import LIMIT, DocumentName
from strata.workspace import Workspace


@reads("history", takes="branch at user")
def history(
    db: Workspace,
    document: DocumentName,
    *,
    limit: Annotated[int, "How many at most.", LIMIT, msgspec.Meta(ge=1)] = 50,
    before: Annotated[int | None, "Only versions before this one.", msgspec.Meta(ge=1)] = None,
) -> Output:
    """List a document's versions, newest first, with who wrote them.

    Every edit, merge and restore is one, and what was typed live without a pause of five
    seconds. An agent that wrote for a user is listed behind their name.

        strata doc new Plan one
        strata doc edit Plan --replace one 하나
        strata doc history Plan
    """
    found = db.documents.history(db.documents.called(document), limit=limit, before=before)
    names = db.users.names()
    rows = [
        (
            str(one.version),
            local_time(one.timestamp),
            one.operation,
            ", ".join([*(names.get(id_, id_) for id_ in one.authors), *one.via]),
            size(one.bytes),
            one.name or "",
        )
        for one in found
    ]
    headers = ("VERSION", "TIME", "DID", "WHO", "SIZE", "NAME")
    return Output(
        {"versions": found, "more": found.more},
        table(headers, rows, right=["VERSION", "SIZE"]),
        notes=[f"there is more: --before {found.next} shows the next"] if found.more else [],
    )


@reads("diff", takes="branch at user")
def diff(
    db: Workspace,
    document: DocumentName,
    a: Annotated[str | None, "A version, by number or name; else the last but one."] = None,
    b: Annotated[str | None, "Another version; else the newest."] = None,
) -> Output:
    """Show what changed between two versions, line by line.

    Alone it shows what the last edit did.

        strata doc new Plan one
        strata doc edit Plan --replace one 하나
        strata doc diff Plan
    """
    called = db.documents.called(document)
    if a is None:
        a = str(db.documents.history(called, limit=2)[-1].version)
    text = db.documents.diff(called, a, b)
    colors = {"+": "green", "-": "red", "@": "cyan"}
    lines = [
        click.style(line, fg=colors[line[0]]) if line[:1] in colors else line
        for line in text.splitlines()
    ]
    return Output({"diff": text}, lines, empty="nothing differs")


@reads("blame", takes="branch at user")
def blame(db: Workspace, document: DocumentName) -> Output:
    """Show who last wrote something of each line.

    Lines that came by a merge name their authors on the branch.

        strata doc new Plan one
        strata doc blame Plan
    """
    found = db.documents.blame(db.documents.called(document))
    names = db.users.names()
    rows = [
        (
            one.via or names.get(one.author, one.author),
            local_time(one.timestamp),
            one_line(one.text.rstrip("\n")),
        )
        for one in found
    ]
    return Output({"lines": found}, table(("WHO", "TIME", "LINE"), rows))


@writes("restore", takes="branch user actor")
def restore(
    db: Workspace,
    document: DocumentName,
    version: Annotated[str, "The version to bring back, by number or name."],
) -> Output:
    """Bring back the text of a version, as a new one.

    What came between stays in the history; comments and links follow the words that stay.

        strata doc new Plan one
        strata doc name Plan first
        strata doc edit Plan --replace one two
        strata doc restore Plan first
    """
    written = db.documents.restore(db.documents.called(document), version)
    done = f"version {written.version}" if written.status == "applied" else "nothing changed"
    return Output(written, f"{written.document} {done}")


@writes("name", takes="branch user actor")
def name_version(
    db: Workspace,
    document: DocumentName,
    label: Annotated[str, "What to call it.", Spelling("NAME")],
    *,
    version: Annotated[int | None, "Which one; else the newest."] = None,
) -> Output:
    """Name a version, so that it can be found and is kept.

    Wherever a command takes a version, its name will do; retention leaves it alone.

        strata doc new Plan one
        strata doc name Plan "초안 1"
    """
    number = db.documents.name_version(db.documents.called(document), label, version)
    return Output({"version": number, "name": label}, f"version {number} is {label!r}")
