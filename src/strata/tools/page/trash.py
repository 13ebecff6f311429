"""The trash: documents that are not found any more, restored or erased for good from here."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from strata.base import limits
from strata.base.errors import NotAllowed
from strata.tools.page.folders import WRITING, DocumentIds, each_once
from strata.tools.page.group import PageAnswer, Who, iso, page
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.documents import DocumentRow
    from strata.workspace import Workspace

_VERSIONS_COUNTED = 1000


class TrashLine(PageAnswer, frozen=True):
    """A document in the trash: who put it there, when, and where it goes back to."""

    id: str
    title: str
    owner: str
    # Null where the user does not see the folder.
    folder_name: str | None
    who: Who
    trashed: str
    can_restore: bool


class TrashPage(PageAnswer, frozen=True):
    """The documents in the trash that the user may read, the last ones first."""

    documents: list[TrashLine]
    total: int
    # Whether the user may erase documents for good.
    can_erase: bool


@page.reads(needs="core", example={"limit": 20})
def trash(
    call: Call,
    *,
    query: Annotated[str, "Only documents with these words in their title"] = "",
    offset: Annotated[int, "Documents to skip"] = 0,
    limit: Annotated[int, Meta(description="Most rows", ge=1, le=limits.TABLE_ROWS_MAX)] = 100,
) -> TrashPage:
    """List the documents in the trash of the branch, with who put them there and when."""
    from strata.documents import TableRequest  # noqa: PLC0415  (not before it is needed)

    here = call.db
    asked = TableRequest(status=("trashed",), query=query, offset=offset, limit=limit)
    found = here.documents.table(asked)
    names = here.users.names()
    return TrashPage(
        documents=[_line(row, names) for row in found.rows],
        total=found.total,
        can_erase=here.rights.user.is_owner,
    )


def _line(row: "DocumentRow", names: dict[str, str]) -> TrashLine:
    item = row.item
    return TrashLine(
        id=item.id,
        title=item.title,
        owner=item.owner_name or "",
        folder_name=item.folder_name,
        who=Who(person=names.get(row.trashed_by or "")),
        trashed=iso(row.trashed or item.updated or 0),
        can_restore=item.role in WRITING,
    )


class TrashAnswer(PageAnswer, frozen=True):
    """How many documents went into the trash, or came out of it."""

    documents: int


@page.writes(needs="core", example={"documentIds": ["doc_01JABCDEFGHJKMNPQRSTVWXYZ0"]})
def trash_documents(call: Call, *, document_ids: DocumentIds) -> TrashAnswer:
    """Put documents into the trash, all of them or none; they can be restored."""
    ids = each_once(document_ids)
    call.db.transact(lambda tx: [tx.documents.trash(one) for one in ids])
    return TrashAnswer(documents=len(ids))


@page.writes(needs="core", example={"documentIds": ["doc_01JABCDEFGHJKMNPQRSTVWXYZ0"]})
def untrash_documents(call: Call, *, document_ids: DocumentIds) -> TrashAnswer:
    """Take documents out of the trash, all of them or none; they are where they were."""
    ids = each_once(document_ids)
    call.db.transact(lambda tx: [tx.documents.untrash(one) for one in ids])
    return TrashAnswer(documents=len(ids))


class Erasure(PageAnswer, frozen=True):
    """What erasing documents for good takes away, on the branch that the user looks at."""

    documents: int
    versions: int
    # Whether there are more versions than were counted.
    is_more: bool
    images: int
    comments: int
    published: int


@page.reads(needs="core", example={"documentIds": ["doc_01JABCDEFGHJKMNPQRSTVWXYZ0"]})
def erasure(call: Call, *, document_ids: DocumentIds) -> Erasure:
    """Tell what would be erased for good with documents."""
    here = call.db
    found = [_counted(here, document) for document in each_once(document_ids)]
    return Erasure(
        documents=len(found),
        versions=sum(one.versions for one in found),
        is_more=any(one.is_more for one in found),
        images=sum(one.images for one in found),
        comments=sum(one.comments for one in found),
        published=sum(one.published for one in found),
    )


def _counted(here: "Workspace", document: str) -> Erasure:
    past = here.documents.history(document, limit=_VERSIONS_COUNTED)
    return Erasure(
        documents=1,
        versions=len(past),
        is_more=past.more,
        images=len(here.documents.images(document)),
        comments=len(here.review.comments(document)),
        published=int(here.documents.get(document).status == "published"),
    )


class ErasedDocuments(PageAnswer, frozen=True):
    """How much was erased; not complete while a reader keeps old pages of the file."""

    documents: int
    versions: int
    is_complete: bool


@page.writes(
    needs="core", destructive=True, example={"documentIds": ["doc_01JABCDEFGHJKMNPQRSTVWXYZ0"]}
)
def erase_documents(call: Call, *, document_ids: DocumentIds) -> ErasedDocuments:
    """Erase documents in the trash for good: from every branch, all history and the file.

    There is no way back. Only the owner of the store may.
    """
    here, ids = call.db, each_once(document_ids)
    for document in ids:
        if not here.documents.get(document).trashed:
            raise NotAllowed(
                "A document that is not in the trash cannot be erased here.",
                hint="Put it into the trash first.",
            )
    erased = [here.purge_document(document) for document in ids]
    return ErasedDocuments(
        documents=len(erased),
        versions=sum(one.versions for one in erased),
        is_complete=all(one.is_complete for one in erased),
    )
