"""Errors about documents in the words of these tools: their parameters, and the call that helps."""

from collections.abc import Mapping
from typing import Any

from strata.base.errors import NotFound, StrataError

# How what an error is about is called here.
_PARAMETERS = {
    "document": "documentId", "folder": "folderId", "user": "targetUserId", "max_width": "maxWidth",
    "content_type": "contentType", "image": "imageId", "as_of": "asOf", "max_nodes": "maxNodes",
    "time": "asOf", "request": "idempotencyKey",
    "template": "templateDocumentId",
}  # fmt: skip
# What to call where something is not there, by what the error names.
_HINTS = {
    "document": "It may have been removed, or not be shared with you: look for it with find.",
    "folder": 'find with intent "list" and scope {"type":"folders"} lists those you see.',
    "image": "read_document lists the images that a text shows.",
    "space": 'find with intent "list" and scope {"type":"spaces"} lists those you see.',
    "version": "Read the document again: read_document tells its version.",
}


def advise(error: StrataError) -> Mapping[str, Any]:
    """Return what is told instead of an error's own words for people in a terminal."""
    told: dict[str, Any] = {}
    named = error.details.get("parameter")
    about = next((name for name in _HINTS if name in error.details), None)
    if isinstance(named, str) and named in _PARAMETERS:
        told["parameter"] = _PARAMETERS[named]
    if isinstance(error, NotFound) and about is not None:
        told["hint"] = _HINTS[about]
    return told
