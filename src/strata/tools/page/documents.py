"""What a page does with a document beside its text: its title and versions."""

from typing import Annotated

from strata.tools.documents.group import DocumentId
from strata.tools.page.group import PageAnswer, Who, iso, page, who_wrote
from strata.tools.review_answers import (
    SuggestionEntry,
    ThreadAnswer,
    suggestion_fields,
    thread_fields,
)
from strata.tools.session import Call

Version = Annotated[int, "Version of the document"]


class TitleAnswer(PageAnswer, frozen=True):
    """A document and what it is called now."""

    document_id: str
    title: str


class AboutAnswer(TitleAnswer, frozen=True):
    """A document, what it is called, and what the user may do with it."""

    role: str


class OriginAnswer(PageAnswer, frozen=True):
    """Who wrote a character of a text, and when; `who` names the task of an agent's run."""

    when: str
    who: Who


class RestoreAnswer(PageAnswer, frozen=True):
    """The version that was made; none is where the text was the same."""

    version: int
    changed: bool


class NamedAnswer(PageAnswer, frozen=True):
    """A version and its name."""

    version: int
    name: str


class ReviewAnswer(PageAnswer, frozen=True):
    """All threads on a document, oldest first, and all suggestions that wait."""

    comments: list[ThreadAnswer]
    suggestions: list[SuggestionEntry]


@page.reads(needs="core", example={"documentId": "doc_01K2Z9"})
def about(call: Call, *, document_id: DocumentId) -> AboutAnswer:
    """Read the title of a document and the user's role, without reading its text."""
    found = call.db.documents.get(document_id)
    return AboutAnswer(document_id=found.id, title=found.title, role=found.role)


@page.reads(needs="core", example={"documentId": "doc_01K2Z9", "client": 3920475, "clock": 12})
def origin(
    call: Call,
    *,
    document_id: DocumentId,
    client: Annotated[int, "ID of the Yjs replica that wrote the character"],
    clock: Annotated[int, "Place of the character in what that replica wrote"],
) -> OriginAnswer:
    """Read who wrote a character of a document, when, and in which task."""
    here = call.db
    found = here.documents.origin(document_id, client, clock)
    by = here.authors([found.version]).get(found.version)
    task = None if by is None else by.task
    who = who_wrote(here.users.names(), found.author, found.via, task=task)
    return OriginAnswer(when=iso(found.timestamp), who=who)


@page.reads(needs="comments", example={"documentId": "doc_01K2Z9"})
def review(call: Call, *, document_id: DocumentId) -> ReviewAnswer:
    """List the comments and suggestions on a document, all of them in one answer.

    Their words are looked for in the text once; lists for models do that for every page.
    """
    found, names = call.db.review, call.db.users.names()
    return ReviewAnswer(
        comments=[thread_fields(one, names) for one in found.comments(document_id)],
        suggestions=[suggestion_fields(one, names) for one in found.suggestions(document_id)],
    )


@page.writes(needs="core", example={"documentId": "doc_01K2Z9", "title": "계획"})
def rename(
    call: Call, *, document_id: DocumentId, title: Annotated[str, "New title"]
) -> TitleAnswer:
    """Give a document another title; its ID and its links stay."""
    made = call.db.documents.rename(document_id, title)
    return TitleAnswer(document_id=document_id, title=made.title)


@page.writes(needs="core", example={"documentId": "doc_01K2Z9", "documentVersion": 12})
def restore(call: Call, *, document_id: DocumentId, document_version: Version) -> RestoreAnswer:
    """Bring back the text of a version, as a new one."""
    made = call.db.documents.restore(document_id, document_version)
    return RestoreAnswer(version=made.version, changed=made.status == "applied")


@page.writes(
    needs="core", example={"documentId": "doc_01K2Z9", "documentVersion": 12, "called": "초안"}
)
def name_version(
    call: Call,
    *,
    document_id: DocumentId,
    document_version: Version,
    called: Annotated[str, "Its name"],
) -> NamedAnswer:
    """Give a version of a document a name."""
    number = call.db.documents.name_version(document_id, called, document_version)
    return NamedAnswer(version=number, name=called)
