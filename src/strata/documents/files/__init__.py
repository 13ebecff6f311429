"""Uploads, images, and where their bytes lie."""

from strata.documents.files.attachments import (
    AttachedPicture,
    Image,
    find_image,
    image_changes,
    images_of,
)
from strata.documents.files.drawings import is_drawing
from strata.documents.files.finalizing import FinishedUpload, ImageDocuments
from strata.documents.files.images import IMAGE_TYPES, ImageFacts, as_png, image_id, inspect, png_of
from strata.documents.files.marks import (
    image_links,
    image_markdown,
    images_in,
)
from strata.documents.files.servers import STORE_HEADER, Servers
from strata.documents.files.signing import Signer
from strata.documents.files.storage import (
    BlobPlace,
    InBucket,
    InStore,
    Storage,
    bucket_of,
    open_storage,
    read_blob,
)
from strata.documents.files.uploads import IncomingFile, ReceivedUpload, Upload, Uploads

__all__ = [
    "IMAGE_TYPES",
    "STORE_HEADER",
    "AttachedPicture",
    "BlobPlace",
    "FinishedUpload",
    "Image",
    "ImageDocuments",
    "ImageFacts",
    "InBucket",
    "InStore",
    "IncomingFile",
    "ReceivedUpload",
    "Servers",
    "Signer",
    "Storage",
    "Upload",
    "Uploads",
    "as_png",
    "bucket_of",
    "find_image",
    "image_changes",
    "image_id",
    "image_links",
    "image_markdown",
    "images_in",
    "images_of",
    "inspect",
    "is_drawing",
    "open_storage",
    "png_of",
    "read_blob",
]
