"""get_image: a picture of a document, to be looked at."""

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from strata.base import limits
from strata.base.errors import WrongType
from strata.tools.declare import Picture
from strata.tools.documents.surface import DocumentId, HiddenAsOf, core, seen
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.documents import Documents

# Where the header of a PNG tells its size: two numbers of four bytes.
_SIZE = 16


@core.reads(
    example={
        "documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0",
        "imageId": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }
)
def get_image(
    call: Call,
    *,
    document_id: DocumentId,
    image_id: Annotated[str, "Hex digits behind `image:`, or the first few"],
    max_width: Annotated[
        int, Meta(description="Pixels; less saves tokens", ge=1, le=limits.IMAGE_SIDE_MAX)
    ] = limits.IMAGE_WIDTH,
    as_of: HiddenAsOf = None,
) -> Picture:
    """Look at an image of a document, as PNG.

    In the text it stands with the target image:ID; read_document lists the IDs in images.
    """
    wanted = image_id.strip().removeprefix("image:").lower()
    documents = seen(call, as_of).documents
    about: dict[str, Any] = {"documentId": document_id, "imageId": wanted}
    try:
        png = documents.image(document_id, wanted, max_width=max_width).png
    except WrongType:
        return Picture(None, about | {"svg": _drawing(documents, document_id, wanted)})
    width, height = (int.from_bytes(png[at : at + 4]) for at in (_SIZE, _SIZE + 4))
    size = {"width": width, "height": height, "bytes": len(png), "mimeType": "image/png"}
    return Picture(png, about | size)


def _drawing(documents: "Documents", document: str, image: str) -> str:
    """Return what a drawing is made of: it is text, and a model can read it as such."""
    text = documents.image_file(document, image).decode("utf-8", "replace")
    if len(text) > limits.READ_TOKENS * 4:
        raise WrongType(
            "This is a drawing (SVG), too long to be read as text, and it is not rendered.",
            hint="Attach it as PNG as well, by presignUpload with contentType image/png.",
            parameter="imageId",
        )
    return text
