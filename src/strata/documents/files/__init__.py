"""Uploads, images, and where their bytes lie."""

from strata.documents.files.attachments import (
    AttachedFile,
    AttachedPicture,
    Image,
    blob_changes,
    file_changes,
    files_of,
    find_file,
    find_image,
    image_changes,
    images_of,
    removal_of_file,
)
from strata.documents.files.converting import (
    FILE_TYPES,
    check_file_size,
    file_type,
    markdown_of_file,
    title_of_file,
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
    bucket_failure,
    bucket_of,
    check_endpoint,
    open_storage,
    read_blob,
)
from strata.documents.files.uploads import IncomingFile, ReceivedUpload, Upload, Uploads

__all__ = [
    "FILE_TYPES",
    "IMAGE_TYPES",
    "STORE_HEADER",
    "AttachedFile",
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
    "blob_changes",
    "bucket_failure",
    "bucket_of",
    "check_endpoint",
    "check_file_size",
    "file_changes",
    "file_type",
    "files_of",
    "find_file",
    "find_image",
    "image_changes",
    "image_id",
    "image_links",
    "image_markdown",
    "images_in",
    "images_of",
    "inspect",
    "is_drawing",
    "markdown_of_file",
    "open_storage",
    "png_of",
    "read_blob",
    "removal_of_file",
    "title_of_file",
]
