"""The files that are kept with a document."""

from typing import Annotated

from strata.tools.documents.group import DocumentId
from strata.tools.page.group import PageAnswer, page
from strata.tools.session import Call

_EXAMPLE = "doc_01K2Z9"


class PageFile(PageAnswer, frozen=True):
    """A file of a document, and where a browser gets it."""

    id: str
    name: str
    media_type: str
    bytes: int
    path: str


class FilesPage(PageAnswer, frozen=True):
    """The files of a document, by name."""

    files: list[PageFile]


class FileGone(PageAnswer, frozen=True):
    """The file that was taken from a document."""

    file_id: str


@page.reads(needs="core", example={"documentId": _EXAMPLE})
def files(call: Call, *, document_id: DocumentId) -> FilesPage:
    """List the files that are kept with a document beside its images."""
    found = call.db.documents.files(document_id)
    return FilesPage(
        files=[
            PageFile(
                id=one.id,
                name=one.name,
                media_type=one.media_type,
                bytes=one.bytes,
                path=one.path,
            )
            for one in found
        ]
    )


@page.writes(needs="core", destructive=True, example={"documentId": _EXAMPLE, "fileId": "0" * 64})
def detach_file(
    call: Call, *, document_id: DocumentId, file_id: Annotated[str, "Its ID"]
) -> FileGone:
    """Take a file from a document; the past keeps it."""
    return FileGone(file_id=call.db.documents.detach_file(document_id, file_id).id)
