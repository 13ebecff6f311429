"""The past of a document, for the time slider: its versions, and its text in each."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from strata.tools.documents.group import DocumentId
from strata.tools.page.group import Limit, PageAnswer, Who, iso, page, who_wrote
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.documents import DocumentVersion
    from strata.store import Signature


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
    names, signed = here.users.names(), here.authors(one.version for one in found)
    lines = [
        VersionLine(
            version=one.version,
            when=iso(one.timestamp),
            started=iso(one.started or one.timestamp),
            who=_authors(one, names, signed.get(one.version)),
            name=one.name,
            operation=one.operation,
            bytes=one.bytes,
            edits=one.edits,
        )
        for one in found
    ]
    return VersionList(versions=lines, next=None if found.next is None else str(found.next))


def _authors(one: "DocumentVersion", names: Mapping[str, str], by: "Signature | None") -> list[Who]:
    """Return who wrote a version: of one author the agent and the task, too."""
    if len(one.authors) == 1 and len(one.via) <= 1:
        task = None if by is None else by.task
        return [who_wrote(names, one.authors[0], next(iter(one.via), None), task=task)]
    return [*(who_wrote(names, author) for author in one.authors), *(Who(agent=a) for a in one.via)]


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
