"""Errors about documents in the words of these tools: their parameters, and the call that helps."""

from collections.abc import Mapping
from typing import Any

from strata.base.errors import Conflict, NotFound, StrataError

# How these tools call what an error is about: the parameter of the SDK, and that of the tool.
_PARAMETERS = {
    "document": "documentId", "folder": "folderId", "user": "targetUserId", "max_width": "maxWidth",
    "content_type": "contentType", "content_length": "contentLength", "image": "imageId",
    "upload": "uploadId", "as_of": "asOf", "time": "asOf", "max_nodes": "maxNodes",
    "since_days": "sinceDays", "request": "idempotencyKey", "template": "templateDocumentId",
    "old": "oldString", "new": "newString", "text": "newContent", "original": "originalText",
    "replacement": "replacementText", "quote": "quotedText", "under": "headingContext",
    "comment": "commentId", "parent": "parentCommentId", "suggestion": "suggestionId",
}  # fmt: skip
_HEADINGS = 'headingContext: the headings above it, such as ["Goals", "Dates"].'
# What to send instead, by the kind of the error and the parameter of the SDK.
_ADVICE: dict[tuple[type[StrataError], str], str] = {
    (Conflict, "old"): "Send more of the words around the one you mean, or replaceAll: true.",
    (Conflict, "original"): f"Send more of the words around the one you mean, or {_HEADINGS}",
    (Conflict, "quote"): f"Send more of the words around the one you mean, or {_HEADINGS}",
}
_QUOTING = frozenset({"old", "original", "quote"})
_READ_AGAIN = "Read the document again with read_document and copy the words exactly."
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
    named = str(error.details.get("parameter"))
    about = next((name for name in _HINTS if name in error.details), None)
    if named in _PARAMETERS:
        told["parameter"] = _PARAMETERS[named]
        if error.message.startswith(f"{named} "):
            told["message"] = _PARAMETERS[named] + error.message.removeprefix(named)
    if isinstance(error, NotFound) and about is not None:
        told["hint"] = _HINTS[about]
    elif isinstance(error, NotFound) and named in _QUOTING and "nearest" not in error.details:
        told["hint"] = _READ_AGAIN
    elif hint := _ADVICE.get((type(error), named)):
        told["hint"] = hint
    return told
