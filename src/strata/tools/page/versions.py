"""The past of a document, for the time slider: its versions, and its text in each."""

from typing import Annotated

from strata.tools.documents.group import DocumentId
from strata.tools.page.group import Limit, PageAnswer, Who, iso, page
from strata.tools.session import Call


class VersionLine(PageAnswer, frozen=True):
    """A state that a document had; `edits` counts the commits that it was typed in."""

    version: int
    when: str
    started: str
    who: list[Who]
    name: str | None
    operation: str
    bytes: int
    edits: int


class VersionList(PageAnswer, frozen=True):
    """The versions of a document, newest first."""

    versions: list[VersionLine]
    next: str | None


@page.reads(needs="core", example={"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def versions(
    call: Call,
    *,
    document_id: DocumentId,
    before: Annotated[int | None, "Those before this version"] = None,
    limit: Limit = 200,
) -> VersionList:
    """List the versions of a document with their authors, newest first."""
    here = call.db
    found = here.documents.history(document_id, limit=limit, before=before)
    names = here.users.names()
    lines = [
        VersionLine(
            version=one.version,
            when=iso(one.timestamp),
            started=iso(one.started or one.timestamp),
            who=[
                *(Who(person=names.get(author, author)) for author in one.authors),
                *(Who(agent=agent) for agent in one.via),
            ],
            name=one.name,
            operation=one.operation,
            bytes=one.bytes,
            edits=one.edits,
        )
        for one in found
    ]
    return VersionList(versions=lines, next=None if found.next is None else str(found.next))


class VersionText(PageAnswer, frozen=True):
    """A document as it was."""

    title: str
    text: str


@page.reads(needs="core", example={"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"})
def text(
    call: Call,
    *,
    document_id: DocumentId,
    version: Annotated[int | None, "As it was then; default: as it is"] = None,
) -> VersionText:
    """Read a whole document, now or in one of its versions; nothing is cut."""
    here = call.db if version is None else call.db.at(version)
    return VersionText(
        title=here.documents.get(document_id).title, text=here.documents.text(document_id)
    )
