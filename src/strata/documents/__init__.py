"""Floor 4: documents that people and agents write together."""

from strata.documents.files import (
    STORE_HEADER,
    Arriving,
    Finalized,
    ImageFacts,
    Received,
    Storage,
    Upload,
    Uploads,
    as_png,
    bucket_of,
    image_id,
    image_markdown,
    image_marker,
    images_in,
    inspect,
    mark_images,
    open_storage,
    png_of,
    read_blob,
)
from strata.documents.markdown import (
    Section,
    find_section,
    nearest_paths,
    path_name,
    references,
    tokens,
)
from strata.documents.merging import TextJoiner
from strata.documents.records import KINDS, SPACE, Card, Document
from strata.documents.room import Documents, NewDocument, Shared
from strata.documents.sections import Piece
from strata.documents.suggestions import Suggestion
from strata.documents.versions import BlamedLine, DocumentVersion
from strata.documents.writing import Written

__all__ = [
    "KINDS",
    "SPACE",
    "STORE_HEADER",
    "Arriving",
    "BlamedLine",
    "Card",
    "Document",
    "DocumentVersion",
    "Documents",
    "Finalized",
    "ImageFacts",
    "NewDocument",
    "Piece",
    "Received",
    "Section",
    "Shared",
    "Storage",
    "Suggestion",
    "TextJoiner",
    "Upload",
    "Uploads",
    "Written",
    "as_png",
    "bucket_of",
    "find_section",
    "image_id",
    "image_markdown",
    "image_marker",
    "images_in",
    "inspect",
    "mark_images",
    "nearest_paths",
    "open_storage",
    "path_name",
    "png_of",
    "read_blob",
    "references",
    "tokens",
]
