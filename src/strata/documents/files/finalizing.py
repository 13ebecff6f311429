"""What becomes of a file that has arrived: a document, or an image or a file of one."""

from typing import TYPE_CHECKING, Protocol

import msgspec

from strata.base.errors import InvalidArgument
from strata.documents.files.announcements import UploadAnnouncement
from strata.documents.files.attachments import AttachedFile, Image
from strata.documents.files.converting import FILE_TYPES

if TYPE_CHECKING:
    from strata.documents.writing import WriteResult


class FinishedUpload(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an upload: a document, or an image or a file of one, with a text for it."""

    document: str
    bytes: int
    created: bool = False
    version: int | None = None
    status: str = "applied"
    suggestions: tuple[str, ...] = ()
    image_id: str | None = None
    file_id: str | None = None
    markdown: str | None = None


class ImageDocuments(Protocol):
    """Writes documents with the permissions of a user: `db.documents`."""

    def with_request(self, key: str, /) -> "ImageDocuments":
        """Return the same part, whose next write happens once, however often it is asked."""
        ...

    def create(self, title: str, content: str, /, *, folder: str | None) -> "WriteResult":
        """Make a document."""
        ...

    def write(self, document: str, content: str, /) -> "WriteResult":
        """Give a document another text."""
        ...

    def attach_image(self, document: str, data: bytes, /, *, name: str) -> Image:
        """Keep an image for a document."""
        ...

    def attach_file(self, document: str, data: bytes, /, *, name: str) -> AttachedFile:
        """Keep a file for a document."""
        ...

    def import_file(
        self, data: bytes, /, *, name: str, folder: str | None
    ) -> "tuple[WriteResult, AttachedFile]":
        """Make a document of a file, which is kept with it."""
        ...


def make_of(row: UploadAnnouncement, data: bytes, documents: ImageDocuments) -> FinishedUpload:
    """Write the document or attach the image that an upload was announced for."""
    if row.is_file:
        return _imported(row, data, documents)
    return _attached(row, data, documents) if row.is_image else _written(row, data, documents)


def _imported(row: UploadAnnouncement, data: bytes, documents: ImageDocuments) -> FinishedUpload:
    ending = FILE_TYPES[row.content_type]
    name = (row.title or "file").removesuffix(ending) + ending
    done = None
    if row.document is not None:
        file = documents.attach_file(row.document, data, name=name)
    else:
        done, file = documents.with_request(row.id).import_file(data, name=name, folder=row.folder)
    return FinishedUpload(
        document=file.document,
        bytes=row.length,
        created=done is not None,
        version=None if done is None else done.version,
        file_id=file.id,
        markdown=file.markdown,
    )


def _written(row: UploadAnnouncement, data: bytes, documents: ImageDocuments) -> FinishedUpload:
    text = _text_of(data)
    once = documents.with_request(row.id)
    if row.document is not None:
        done = once.write(row.document, text)
    else:
        done = once.create(row.title or "", text, folder=row.folder)
    return FinishedUpload(
        document=done.document,
        bytes=row.length,
        created=row.document is None,
        version=done.version,
        status=done.status,
        suggestions=done.suggestions,
    )


def _attached(row: UploadAnnouncement, data: bytes, documents: ImageDocuments) -> FinishedUpload:
    assert row.document is not None, "an image is announced for a document"
    image = documents.attach_image(row.document, data, name=row.title or "image")
    return FinishedUpload(
        document=row.document, bytes=row.length, image_id=image.id, markdown=image.markdown
    )


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidArgument(
            f"The file is no UTF-8: byte {error.start:,} is 0x{data[error.start]:02x}.",
            hint="Convert it, as by `iconv -t UTF-8`, and upload it again.",
            parameter="upload",
            offset=error.start,
        ) from None
