"""What an upload was announced for, and what is refused before a byte of it arrives."""

import msgspec

from strata.base import limits
from strata.base.checks import check_number, check_text
from strata.base.errors import InvalidArgument, LimitExceeded, NotFound, StrataError
from strata.documents.files.converting import FILE_TYPES
from strata.documents.files.images import IMAGE_TYPES

TEXT_TYPES = ("text/markdown", "text/plain")
# The call that hints name.
PRESIGN = "`db.serving.uploads().presign(USER, length=BYTES)`"


class UploadAnnouncement(msgspec.Struct, frozen=True):
    """An upload as the store knows it, without its bytes."""

    id: str
    user: str
    document: str | None
    title: str | None
    folder: str | None
    content_type: str
    length: int
    created: int
    expires: int
    place: str | None
    received: int | None = None
    sha256: str | None = None
    finished: str | None = None

    @property
    def is_image(self) -> bool:
        """Whether it becomes an image, and not a text."""
        return self.content_type in IMAGE_TYPES

    @property
    def is_binary(self) -> bool:
        """Whether its bytes are kept with a document as they are."""
        return self.is_image or self.is_file

    @property
    def is_file(self) -> bool:
        """Whether it is a file that is kept with a document, whose text becomes the document's."""
        return self.content_type in FILE_TYPES


def checked_type(content_type: str) -> str:
    """Return the bare type of a file that can be uploaded."""
    kind = check_text(content_type, name="content_type").partition(";")[0].strip().lower()
    if kind in TEXT_TYPES or kind in IMAGE_TYPES or kind in FILE_TYPES:
        return kind
    raise InvalidArgument(
        f"Files of type {content_type[:80]!r} cannot be uploaded.",
        hint=f"There are {', '.join((*TEXT_TYPES, *IMAGE_TYPES, *FILE_TYPES))}.",
        parameter="content_type",
    )


def check_length(kind: str, length: int) -> None:
    """Refuse a file that would be too large for what it becomes."""
    is_binary = kind in IMAGE_TYPES or kind in FILE_TYPES
    most = limits.IMAGE_BYTES_MAX if is_binary else limits.DOCUMENT_BYTES_MAX
    check_number(length, name="content_length", least=int(is_binary), most=most)


def check_target(kind: str, *, document: str | None, title: str | None, folder: str | None) -> None:
    """Refuse what would be no document's, or two documents'."""
    if title is not None and len(check_text(title, name="title")) > limits.TITLE_CHARACTERS_MAX:
        raise LimitExceeded(
            f"A title may have {limits.TITLE_CHARACTERS_MAX:,} characters, not {len(title):,}.",
            limit=limits.TITLE_CHARACTERS_MAX,
            size=len(title),
        )
    if title is not None and (not title.strip() or "\n" in title or "\0" in title):
        raise InvalidArgument(
            f"{title!r} cannot be a title.", hint="Use one line.", parameter="title"
        )
    if kind in IMAGE_TYPES:
        is_clear, hint = document is not None and folder is None, "An image needs `document`."
    elif kind in FILE_TYPES:
        is_clear = bool(title) and (folder is None or document is None)
        hint = "Give the name of the file as `title`, and `document` to keep it with that one."
    else:
        is_clear = (document is None) != (not title) and (folder is None or document is None)
        hint = "Give `document` to replace its text, or `title` (and `folder`) to make one."
    if not is_clear:
        raise InvalidArgument(
            "It is not clear what the file is for.", hint=hint, parameter="document"
        )


def wrong_length(announced: int, found: int) -> StrataError:
    """Return the error for a file of another length than was announced."""
    return InvalidArgument(
        f"{announced:,} bytes were announced, and {found:,} arrive; nothing was kept.",
        hint="Send the whole file again, or ask for an address for its real length (wc -c).",
        parameter="content_length",
    )


def unknown(upload: str) -> NotFound:
    """Return the one error for uploads that are not there, and for those of others."""
    return NotFound(
        f"There is no upload {upload[:80]!r}.",
        hint=f"{PRESIGN} gives ids; what was not finalized is removed after an hour.",
    )
