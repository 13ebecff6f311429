"""Images and files of a document: the record that names one, and bytes that several may share."""

from collections.abc import Iterator

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import LimitExceeded, NotFound
from strata.base.results import Result
from strata.base.values import encode
from strata.documents.files.converting import file_type
from strata.documents.files.escaping import escaped
from strata.documents.files.images import IMAGE_TYPES, image_id, inspect
from strata.documents.files.marks import image_markdown
from strata.documents.files.storage import Storage
from strata.documents.records import BLOB, IMAGE, SPACE
from strata.store import DELETED, GONE, Snapshot, StagedChange, damaged, value_of


class Image(Result, frozen=True, kw_only=True):
    """An image of a document. `id` is the SHA-256 of its file; a drawing may have no size."""

    id: str
    document: str
    name: str
    media_type: str
    width: int | None
    height: int | None
    bytes: int

    @property
    def markdown(self) -> str:
        """The Markdown of the image in the text."""
        return image_markdown(self.name, self.id)


class AttachedPicture(Result, frozen=True):
    """An image to be looked at: what is known of it, and a PNG."""

    image: Image
    png: bytes


class AttachedFile(Result, frozen=True, kw_only=True):
    """A file that is kept with a document. `id` is the SHA-256 of it."""

    id: str
    document: str
    name: str
    media_type: str
    bytes: int

    @property
    def path(self) -> str:
        """The address below that of the server, where users who read the document get it."""
        return f"/d/{self.document}/files/{self.id}"

    @property
    def markdown(self) -> str:
        """The Markdown of a link to the file."""
        return f"[{escaped(self.name)}]({self.path})"


class _Record(msgspec.Struct, frozen=True):
    name: str
    media_type: str
    width: int | None
    height: int | None
    bytes: int


def image_changes(
    snapshot: Snapshot, storage: Storage, *, document: str, data: bytes, name: str
) -> tuple[Image, list[StagedChange]]:
    """Return an image that a document may have, and what to commit for it.

    Its bytes are put where they belong before that: without a commit they are not found.
    """
    check_file_name(name)
    facts, image = inspect(data), image_id(data)
    record = _Record(name, facts.media_type, facts.width, facts.height, len(data))
    changes = [_change(document, image, record), *blob_changes(snapshot, storage, data)]
    return _image(image, document, record), changes


def file_changes(document: str, data: bytes, name: str) -> tuple[AttachedFile, StagedChange]:
    """Return a file that a document may have, and the record of it; its bytes come beside it."""
    record = _Record(check_file_name(name), file_type(data, name), None, None, len(data))
    id_ = image_id(data)
    return _file(id_, document, record), _change(document, id_, record)


def removal_of_file(file: AttachedFile) -> StagedChange:
    """Return the change that takes a file from a document; its past keeps it."""
    return StagedChange(SPACE, IMAGE, f"{file.document}/{file.id}", flags=DELETED)


def check_file_name(name: str) -> str:
    """Return the name of an image or a file, or raise LimitExceeded."""
    if len(check_text(name, name="name")) > limits.TITLE_CHARACTERS_MAX:
        raise LimitExceeded(
            f"The name of a file may have {limits.TITLE_CHARACTERS_MAX:,} characters, "
            f"not {len(name):,}.",
            limit=limits.TITLE_CHARACTERS_MAX,
            size=len(name),
        )
    return name


def _change(document: str, id_: str, record: _Record) -> StagedChange:
    return StagedChange(SPACE, IMAGE, f"{document}/{id_}", encode(msgspec.to_builtins(record)))


def blob_changes(snapshot: Snapshot, storage: Storage, data: bytes) -> list[StagedChange]:
    """Put bytes where they belong; return what to commit, nothing where they are kept already."""
    id_ = image_id(data)
    blob = snapshot.get(SPACE, BLOB, id_)
    return [storage.keep(id_, data)] if blob is None or blob[2] & GONE else []


def find_image(snapshot: Snapshot, document: str, image: str) -> Image:
    """Return an image of a document; raise NotFound where the document has none of that id."""
    record = _find(snapshot, document, image)
    if record is None or record.media_type not in IMAGE_TYPES:
        raise NotFound(
            f"This document has no image {image[:80]!r}.",
            hint="The ids of its images are in its text, as image:ID.",
        )
    return _image(image, document, record)


def find_file(snapshot: Snapshot, document: str, file: str) -> AttachedFile:
    """Return a file of a document; raise NotFound where the document has none of that id."""
    record = _find(snapshot, document, file)
    if record is None or record.media_type in IMAGE_TYPES:
        raise NotFound(
            f"This document has no file {file[:80]!r}.",
            hint="Its files are listed below its text on the page.",
        )
    return _file(file, document, record)


def images_of(snapshot: Snapshot, document: str) -> list[Image]:
    """Return the images that a document has, by id."""
    found = _records(snapshot, document)
    return [_image(id_, document, one) for id_, one in found if one.media_type in IMAGE_TYPES]


def files_of(snapshot: Snapshot, document: str) -> list[AttachedFile]:
    """Return the files that a document has beside its images, by name."""
    found = _records(snapshot, document)
    files = [_file(id_, document, one) for id_, one in found if one.media_type not in IMAGE_TYPES]
    return sorted(files, key=lambda one: (one.name, one.id))


def _records(snapshot: Snapshot, document: str) -> Iterator[tuple[str, _Record]]:
    prefix = f"{document}/"
    for key, _version in snapshot.keys(SPACE, IMAGE, prefix):
        id_ = key.removeprefix(prefix)
        record = _find(snapshot, document, id_)
        if record is not None:
            yield id_, record


def _find(snapshot: Snapshot, document: str, id_: str) -> _Record | None:
    record = snapshot.get(SPACE, IMAGE, f"{document}/{id_}")
    if record is None or record[2] & GONE:
        return None
    try:
        return msgspec.convert(value_of(record), _Record)
    except msgspec.ValidationError as error:
        raise damaged(record[0]) from error


def _file(id_: str, document: str, record: _Record) -> AttachedFile:
    return AttachedFile(
        id=id_,
        document=document,
        name=record.name,
        media_type=record.media_type,
        bytes=record.bytes,
    )


def _image(image: str, document: str, record: _Record) -> Image:
    return Image(id=image, document=document, **msgspec.structs.asdict(record))
