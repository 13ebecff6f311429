"""get_image: a picture of a document, to be looked at."""

from typing import Annotated

from msgspec import Meta

from strata.base import limits
from strata.tools.declare import Picture
from strata.tools.documents.surface import DocumentId, HiddenAsOf, core, seen
from strata.tools.session import Call


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
    image_id: Annotated[str, "64 hex digits behind `image:`"],
    max_width: Annotated[
        int, Meta(description="Pixels; less saves tokens", ge=1, le=limits.IMAGE_SIDE_MAX)
    ] = limits.IMAGE_WIDTH,
    as_of: HiddenAsOf = None,
) -> Picture:
    """Look at an image of a document, as PNG.

    In the text it stands as ![alt](image:ID); read_document lists the IDs in images.
    """
    wanted = image_id.strip().removeprefix("image:").lower()
    shown = seen(call, as_of).documents.image(document_id, wanted, max_width=max_width)
    return Picture(shown.png, {})
