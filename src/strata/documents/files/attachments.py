"""Images of a document: the record that names one, and the bytes that several may share."""

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import LimitExceeded, NotFound
from strata.base.results import Result
from strata.base.values import encode
from strata.documents.files.images import image_id, inspect
from strata.documents.files.marks import image_markdown
from strata.documents.files.storage import Storage
from strata.documents.records import BLOB, IMAGE, SPACE
from strata.store import GONE, Snapshot, StagedChange, damaged, value_of


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
    if len(check_text(name, name="name")) > limits.TITLE_CHARACTERS_MAX:
        raise LimitExceeded(
            f"The name of an image may have {limits.TITLE_CHARACTERS_MAX:,} characters, "
            f"not {len(name):,}.",
            limit=limits.TITLE_CHARACTERS_MAX,
            size=len(name),
        )
    facts, image = inspect(data), image_id(data)
    record = _Record(name, facts.media_type, facts.width, facts.height, len(data))
    found = _image(image, document, record)
    body = encode(msgspec.to_builtins(record))
    changes = [StagedChange(SPACE, IMAGE, f"{document}/{image}", body)]
    blob = snapshot.get(SPACE, BLOB, image)
    if blob is None or blob[2] & GONE:
        changes.append(storage.keep(image, data))
    return found, changes


def find_image(snapshot: Snapshot, document: str, image: str) -> Image:
    """Return an image of a document; raise NotFound where the document has none of that id."""
    record = snapshot.get(SPACE, IMAGE, f"{document}/{image}")
    if record is None or record[2] & GONE:
        raise NotFound(
            f"This document has no image {image[:80]!r}.",
            hint="The ids of its images are in its text, as image:ID.",
        )
    try:
        return _image(image, document, msgspec.convert(value_of(record), _Record))
    except msgspec.ValidationError as error:
        raise damaged(record[0]) from error


def images_of(snapshot: Snapshot, document: str) -> list[Image]:
    """Return the images that a document has, by id."""
    prefix = f"{document}/"
    keys = snapshot.keys(SPACE, IMAGE, prefix)
    return [find_image(snapshot, document, key.removeprefix(prefix)) for key, _version in keys]


def _image(image: str, document: str, record: _Record) -> Image:
    return Image(id=image, document=document, **msgspec.structs.asdict(record))
