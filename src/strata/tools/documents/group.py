"""What the tools of documents have in common: names, whose documents they see, what errors say."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, UnsetType

from strata.base import clock
from strata.base.errors import (
    Conflict,
    InvalidArgument,
    LimitExceeded,
    NotAllowed,
    NotFound,
    StrataError,
    Unavailable,
)
from strata.tools.declare import HIDDEN, ToolGroup, When, camel
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import Folder
    from strata.documents import Documents
    from strata.workspace import Workspace

# How these tools call what an error is about: the parameter of the SDK, and that of the tool.
# Those that are not here have the same name in camelCase.
_PARAMETERS = {
    "document": "documentId",
    "folder": "folderId",
    "user": "targetUserId",
    "image": "imageId",
    "upload": "uploadId",
    "time": "asOf",
    "request": "idempotencyKey",
    "template": "templateDocumentId",
    "old": "oldString",
    "new": "newString",
    "text": "newContent",
    "original": "originalText",
    "replacement": "replacementText",
    "quote": "quotedText",
    "under": "headingContext",
    "comment": "commentId",
    "parent": "parentCommentId",
    "suggestion": "suggestionId",
    "url": "uploadUrl",
}
# Errors whose sentences may name parameters; others repeat words of documents.
_ABOUT_ARGUMENTS = (InvalidArgument, LimitExceeded, Unavailable)
# A parameter that a sentence names; filters are members of one.
_QUOTED = re.compile(r"`(filters\.)?([a-z_]+)`")
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
    """Return an error's words for MCP clients, in place of those for the terminal."""
    from strata.tools.hints import hint_for_tools  # noqa: PLC0415  (needed for errors only)

    told: dict[str, Any] = {}
    named = str(error.details.get("parameter"))
    about = next((name for name in _HINTS if name in error.details), None)
    if isinstance(error, _ABOUT_ARGUMENTS):
        told["message"] = _message(error.message)
    if "parameter" in error.details:
        told["parameter"] = _wire(named)
    if isinstance(error, NotFound) and about is not None:
        told["hint"] = _HINTS[about]
    elif isinstance(error, NotFound) and named in _QUOTING and "nearest" not in error.details:
        told["hint"] = _READ_AGAIN
    elif hint := _ADVICE.get((type(error), named)):
        told["hint"] = hint
    elif isinstance(error, _ABOUT_ARGUMENTS) and (hint := hint_for_tools(error)):
        told["hint"] = in_tool_words(hint)
    return told


def _message(text: str) -> str:
    """Return what an error says; it begins with a small letter where that is a parameter."""
    first, space, rest = text.partition(" ")
    return f"{_wire(first) if first.islower() else first}{space}{in_tool_words(rest)}"


def in_tool_words(text: str) -> str:
    """Return a sentence of the SDK with the names that MCP clients know."""
    from strata.tools.hints import in_tool_words  # noqa: PLC0415  (needed where nothing is found)

    return _QUOTED.sub(lambda found: f"{found[1] or ''}{_wire(found[2])}", in_tool_words(text))


def _wire(name: str) -> str:
    return _PARAMETERS.get(name) or camel(name)


core = ToolGroup(
    "core",
    case="camel",
    advise=advise,
    # One finds, reads and then writes.
    order=(
        "find",
        "read_document",
        "edit_document",
        "get_document_graph",
        "get_image",
        "app_get_section_content",
    ),
)
TOOL_GROUPS = (core,)

DocumentId = Annotated[str, "doc_…"]
AsOf = Annotated[When | None, 'Past time: "2h ago", ISO 8601, version']
HiddenAsOf = Annotated[When | None, 'Past time: "2h ago", ISO 8601, version', HIDDEN]


def workspace_for(call: Call, as_of: str | float | None = None) -> "Workspace":
    """Return the workspace of the calling user, now or at a past time; NotAllowed without a
    user."""
    grant = call.session.grant
    if grant is not None and grant.user is None:
        raise NotAllowed(
            "Your token names no user of this workspace, so there are no documents for it.",
            hint="The owner of the workspace can add you: `strata user add EMAIL`.",
        )
    return call.db if as_of is None else call.db.at(as_of)


def documents_for(call: Call, request: str | None = None) -> "Documents":
    """Return the documents to write to; what has the same request's key is done once."""
    documents = workspace_for(call).documents
    return documents if request is None else documents.with_request(request)


def time_of(microseconds: int | None) -> str | UnsetType:
    """Return a time as answers show it."""
    return UNSET if microseconds is None else clock.iso(microseconds)


def folder_fields(here: "Workspace", folder: "Folder") -> "tuple[str, str] | tuple[()]":
    """Return id and name of a folder, to those who see it."""
    return (folder.id, folder.name) if here.rights.place_role(folder) is not None else ()
