"""Publishing: documents shown to everyone as pages of a profile, and taking them back."""

from typing import Annotated

import msgspec

from strata.base.clock import iso
from strata.cli.command import Output, Spelling, group
from strata.cli.output import local_time
from strata.cli.session import Invocation
from strata.cli.show.text import facts, one_line, table
from strata.cli.words import DocumentName
from strata.publishing import Profile, Publication, PublishStatus
from strata.workspace import Workspace

publish = group(
    "publish",
    """Show documents to everyone, as pages of a profile.

    `strata publish DOCUMENT` freezes title, text and images as they are now and shows them at an
    address that stays. Alone it lists what was published. `strata serve` shows the pages.

        strata doc new Plan "# Goals"
        strata publish Plan --pin
        strata publish status Plan
        strata publish undo Plan
        strata publish
    """,
    takes="branch user",
    alone="list",
    otherwise="document",
)


@publish.writes("document", takes="branch user actor")
def publish_document(
    db: Workspace,
    document: DocumentName,
    *,
    pin: Annotated[bool, "Put it before the other pages of the profile."] = False,
) -> Output:
    """Show a document to everyone as it is now.

    The same text again makes no new version. The word `document` may be left out, unless the
    document is called as one of these commands is.

        strata doc new Plan "# Goals"
        strata publish Plan
        strata publish document Plan --pin
    """
    return _status(db, db.publishing.publish(db.documents.called(document), pin=pin))


@publish.reads("list")
def list_publications(db: Workspace) -> Output:
    """List the documents that were ever published, as far as you see them.

    Those without a version are not shown at present.

        strata doc new Plan "# Goals"
        strata publish Plan
        strata publish list
    """
    found = db.publishing.list()
    headers = ("TITLE", "VERSION", "PINNED", "CHANGED", "ADDRESS")
    return Output(
        {"publications": found},
        table(headers, [_row(db, one) for one in found], right=["VERSION"]),
        empty="nothing is published; `strata publish DOCUMENT` shows a document to everyone",
    )


def _row(db: Workspace, one: Publication) -> tuple[str, ...]:
    is_shown = one.number is not None
    return (
        one_line(one.title),
        str(one.number) if is_shown else "-",
        "yes" if one.is_pinned else "",
        local_time(one.changed),
        db.public_address(one.path) if is_shown else "",
    )


@publish.reads("status")
def status(db: Workspace, document: DocumentName) -> Output:
    """Tell whether a document is published, where, and what has changed since.

    A version is frozen: what is written afterwards is not seen before it is published again.

        strata doc new Plan "# Goals"
        strata publish Plan
        strata doc edit Plan --replace Goals 목표
        strata publish status Plan
    """
    return _status(db, db.publishing.status(db.documents.called(document)))


def _status(db: Workspace, found: PublishStatus) -> Output:
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
    return Output(found, facts(pairs), url=address, time=time)


@publish.writes("undo", takes="branch user actor")
def undo(db: Workspace, document: DocumentName) -> Output:
    """Take a page back: its address shows nothing any more.

    Versions and address are kept; publishing the document shows it there again. `undo` and
    `unpublish` are the same.

        strata doc new Plan "# Goals"
        strata publish Plan
        strata publish undo Plan
        strata publish Plan
        strata publish unpublish Plan
    """
    return _status(db, db.publishing.unpublish(db.documents.called(document)))


publish.add_command(undo, "unpublish")


@publish.reads("versions")
def versions(db: Workspace, document: DocumentName) -> Output:
    """List the versions that were published, newest first, with who did so.

    The one that is shown now is marked.

        strata doc new Plan "# Goals"
        strata publish Plan
        strata publish versions Plan
    """
    found = db.publishing.versions(db.documents.called(document))
    names = db.users.names()
    rows = [
        (
            "*" if one.is_shown else "",
            one.number,
            local_time(one.created),
            ", ".join(filter(None, [names.get(one.user, one.user), one.via])),
            one.branch,
            one.title,
        )
        for one in found
    ]
    headers = ("", "VERSION", "PUBLISHED", "WHO", "BRANCH", "TITLE")
    lines = table(headers, rows, right=["VERSION"])
    return Output({"versions": found}, lines, empty="it was never published")


@publish.writes("rollback", takes="branch user actor")
def rollback(
    db: Workspace,
    document: DocumentName,
    number: Annotated[int, "The version, from `publish versions`.", msgspec.Meta(ge=1)],
) -> Output:
    """Show an older version again.

    The document itself stays as it is; publishing it shows the newest text.

        strata doc new Plan one
        strata publish Plan
        strata doc edit Plan --replace one two
        strata publish Plan
        strata publish rollback Plan 1
    """
    return _status(db, db.publishing.rollback(db.documents.called(document), number))


@publish.writes("pin", takes="branch user actor")
def pin(db: Workspace, document: DocumentName) -> Output:
    """Put a page before the others of its profile.

    Of several, the one that was pinned last comes first.

        strata doc new Plan "# Goals"
        strata publish Plan
        strata publish pin Plan
    """
    return _status(db, db.publishing.pin(db.documents.called(document)))


@publish.writes("unpin", takes="branch user actor")
def unpin(db: Workspace, document: DocumentName) -> Output:
    """Put a page back among the others of its profile.

    They are listed newest first.

        strata doc new Plan "# Goals"
        strata publish Plan --pin
        strata publish unpin Plan
    """
    return _status(db, db.publishing.pin(db.documents.called(document), is_pinned=False))


@publish.command_of("profile", takes="user actor")
def profile(
    session: Invocation,
    *,
    name: Annotated[str | None, "The part of the address behind the @."] = None,
    title: Annotated[str | None, "What the page is called."] = None,
    about: Annotated[
        str | None, "A few lines below the title; empty for none.", Spelling("TEXT")
    ] = None,
) -> Output:
    """Show or change your profile, the page that lists what you publish.

    An old name goes on leading to the new one, and no other user can take it. The page is
    there once something is published.

        strata publish profile --name 소연 --title "Soyeon Kim" --about "Writes about bread."
        strata publish profile
    """

    def change(db: Workspace) -> Output:
        return _profile(db, db.publishing.set_profile(name=name, title=title, about=about))

    if (name, title, about) != (None, None, None):
        return session.creating(change, anywhere=True)
    with session.reading() as db:
        return _profile(db, db.publishing.profile())


def _profile(db: Workspace, found: Profile) -> Output:
    address = db.public_address(found.path)
    pairs = [("name", found.name), ("title", one_line(found.title)), ("address", address)]
    if found.about:
        pairs.append(("about", one_line(found.about)))
    return Output(found, facts(pairs), url=address)
