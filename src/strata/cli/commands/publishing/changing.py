"""Taking pages back, older versions, pins, and one's profile."""

import click

from strata.cli.commands.publishing.group import DOCUMENT, publish, tell_status
from strata.cli.decorated import command
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import facts, table
from strata.cli.show.text import one_line


@command(
    "undo",
    group=publish,
    takes="branch user actor",
    examples="""
    strata doc new Plan "# Goals"
    strata publish Plan
    strata publish undo Plan
    """,
)
@DOCUMENT
def undo(session: Invocation, *, name: str) -> None:
    """Take a page back: its address shows nothing any more.

    Versions and address are kept; publishing the document shows it there again.
    """
    _take_back(session, name)


@command(
    "unpublish",
    group=publish,
    takes="branch user actor",
    examples="""
    strata doc new Plan "# Goals"
    strata publish Plan
    strata publish unpublish Plan
    """,
)
@DOCUMENT
def unpublish(session: Invocation, *, name: str) -> None:
    """Take a page back: the same as `strata publish undo`.

    It has the name of the tool that does it.
    """
    _take_back(session, name)


def _take_back(session: Invocation, name: str) -> None:
    with session.writing() as db:
        tell_status(session, db, db.publishing.unpublish(db.documents.called(name)))


@command(
    "versions",
    group=publish,
    takes="branch user",
    examples="""
    strata doc new Plan "# Goals"
    strata publish Plan
    strata publish versions Plan
    """,
)
@DOCUMENT
def versions(session: Invocation, *, name: str) -> None:
    """List the versions that were published, newest first, with who did so.

    The one that is shown now is marked.
    """
    with session.reading() as db:
        found = db.publishing.versions(db.documents.called(name))
        names = db.people.names()
    rows = [
        ("*" if one.is_shown else "", str(one.number), local_time(one.created),
         ", ".join(filter(None, [names.get(one.person, one.person), one.via])), one.branch,
         one_line(one.title))
        for one in found
    ]  # fmt: skip
    headers = ("", "VERSION", "PUBLISHED", "WHO", "BRANCH", "TITLE")
    answer(
        session, {"versions": found}, table(headers, rows, right=["VERSION"]),
        empty="it was never published",
    )  # fmt: skip


@command(
    "rollback",
    group=publish,
    takes="branch user actor",
    examples="""
    strata doc new Plan one
    strata publish Plan
    strata doc edit Plan --replace one two
    strata publish Plan
    strata publish rollback Plan 1
    """,
)
@DOCUMENT
@click.argument("number", type=click.IntRange(1), help="The version, from `publish versions`.")
def rollback(session: Invocation, *, name: str, number: int) -> None:
    """Show an older version again.

    The document itself stays as it is; publishing it shows the newest text.
    """
    with session.writing() as db:
        done = db.publishing.rollback(db.documents.called(name), number)
        tell_status(session, db, done)


@command(
    "pin",
    group=publish,
    takes="branch user actor",
    examples="""
    strata doc new Plan "# Goals"
    strata publish Plan
    strata publish pin Plan
    """,
)
@DOCUMENT
def pin(session: Invocation, *, name: str) -> None:
    """Put a page before the others of its profile.

    Of several, the one that was pinned last comes first.
    """
    with session.writing() as db:
        tell_status(session, db, db.publishing.pin(db.documents.called(name)))


@command(
    "unpin",
    group=publish,
    takes="branch user actor",
    examples="""
    strata doc new Plan "# Goals"
    strata publish Plan --pin
    strata publish unpin Plan
    """,
)
@DOCUMENT
def unpin(session: Invocation, *, name: str) -> None:
    """Put a page back among the others of its profile.

    They are listed newest first.
    """
    with session.writing() as db:
        done = db.publishing.pin(db.documents.called(name), is_pinned=False)
        tell_status(session, db, done)


@command(
    "profile",
    group=publish,
    takes="user actor",
    examples="""
    strata publish profile --name 소연 --title "Soyeon Kim" --about "Writes about bread."
    strata publish profile
    """,
)
@click.option("--name", help="The part of the address behind the @.")
@click.option("--title", help="What the page is called.")
@click.option("--about", metavar="TEXT", help="A few lines below the title; empty for none.")
def profile(session: Invocation, *, name: str | None, title: str | None, about: str | None) -> None:
    """Show or change your profile, the page that lists what you publish.

    An old name goes on leading to the new one, and nobody else can take it. The page is there
    once something is published.
    """
    is_change = (name, title, about) != (None, None, None)
    opened = session.writing(create=True, anywhere=True) if is_change else session.reading()
    with opened as db:
        if is_change:
            found = db.publishing.set_profile(name=name, title=title, about=about)
        else:
            found = db.publishing.profile()
        address = db.public_address(found.path)
    pairs = [("name", found.name), ("title", one_line(found.title)), ("address", address)]
    if found.about:
        pairs.append(("about", one_line(found.about)))
    answer(session, found, facts(pairs), url=address)
