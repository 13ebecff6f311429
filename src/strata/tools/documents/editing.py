"""edit_document: making texts, changing them, and all that the other actions do to documents."""

from typing import Annotated, Any, Literal

from msgspec import UNSET

from strata.base.values import Json
from strata.tools.documents.results import Edited, audience_of, edited
from strata.tools.documents.surface import DocumentId, core, room
from strata.tools.documents.uploads import finalize_upload, presign_upload
from strata.tools.session import Call

Title = Annotated[str, "For a new document"]
FolderId = Annotated[str | None, "Default: the user's personal folder"]
Request = Annotated[str | None, "The same again: done once"]
BaseVersion = Annotated[int | None, "Version you read (edit, write)"]


def _create(
    call: Call,
    *,
    title: Title,
    content: Annotated[str, "Markdown (create)"] = "",
    folder_id: FolderId = None,
    idempotency_key: Request = None,
) -> Edited:
    made = room(call, idempotency_key).create(title, content, folder=folder_id)
    return edited(call, made, created=True)


def _create_from_template(
    call: Call,
    *,
    template_document_id: Annotated[str, "For createFromTemplate"],
    title: Title,
    folder_id: FolderId = None,
    variables: Annotated[dict[str, Json] | None, "Values by the template's variables"] = None,
    idempotency_key: Request = None,
) -> Edited:
    made = room(call, idempotency_key).create_from_template(
        template_document_id, title, variables=variables, folder=folder_id
    )
    return edited(call, made, created=True)


def _edit(
    call: Call,
    *,
    document_id: DocumentId,
    old_string: Annotated[str, "Exact text to replace (edit)"],
    new_string: Annotated[str, "Replacement (edit)"],
    replace_all: Annotated[bool, "Every match, not just one (edit)"] = False,
    base_version: BaseVersion = None,
    idempotency_key: Request = None,
) -> Edited:
    done = room(call, idempotency_key).edit(
        document_id, old_string, new_string, replace_all=replace_all, base_version=base_version
    )
    return edited(call, done, matches=done.matches)


def _write(
    call: Call,
    *,
    document_id: DocumentId,
    new_content: Annotated[str, "Full new markdown (write)"],
    base_version: BaseVersion = None,
    idempotency_key: Request = None,
) -> Edited:
    done = room(call, idempotency_key).write(document_id, new_content, base_version=base_version)
    return edited(call, done)


def _move(call: Call, *, document_id: DocumentId, folder_id: str) -> Edited:
    audience = room(call).move(document_id, folder_id)
    return Edited(document_id=document_id, effective_audience=audience_of(audience))


def _share(
    call: Call,
    *,
    document_id: DocumentId,
    email: Annotated[str, "For share"],
    role: Annotated[Literal["viewer", "commenter", "editor"], "For share"],
) -> Edited:
    share, audience = room(call).share(document_id, email, role)
    return Edited(
        document_id=document_id, pending=share.pending, effective_audience=audience_of(audience),
        hint="Nobody of that email is here yet: it counts once they are." if share.pending
        else UNSET,
    )  # fmt: skip


def _unshare(
    call: Call,
    *,
    document_id: DocumentId,
    target_user_id: Annotated[str, "User ID or email (unshare)"],
) -> Edited:
    audience = room(call).unshare(document_id, target_user_id)
    return Edited(document_id=document_id, effective_audience=audience_of(audience))


_DOC, _FOLDER = "doc_01JABCDEFGHJKMNPQRSTVWXYZ0", "folder_01JABCDEFGHJKMNPQRSTVWXYZ0"
_EXAMPLES: dict[str, dict[str, Any]] = {
    "create": {"title": "Plan", "content": "# Goals\n\nShip in May.\n"},
    "createFromTemplate": {
        "templateDocumentId": _DOC, "title": "Kickoff", "variables": {"project": "Han"},
    },
    "edit": {"documentId": _DOC, "oldString": "Ship in May.", "newString": "Ship in June."},
    "write": {"documentId": _DOC, "newContent": "# Goals\n\nShip in June.\n"},
    "move": {"documentId": _DOC, "folderId": _FOLDER},
    "share": {"documentId": _DOC, "email": "ann@example.com", "role": "viewer"},
    "unshare": {"documentId": _DOC, "targetUserId": "ann@example.com"},
    "presignUpload": {"contentLength": 2048, "title": "Plan"},
    "finalizeUpload": {"uploadId": "upload_01JABCDEFGHJKMNPQRSTVWXYZ0"},
}  # fmt: skip

core.actions(
    "edit_document",
    {
        "create": _create,
        "createFromTemplate": _create_from_template,
        "edit": _edit,
        "write": _write,
        "move": _move,
        "share": _share,
        "unshare": _unshare,
        "presignUpload": presign_upload,
        "finalizeUpload": finalize_upload,
    },
    summary="Create and change documents, say who sees them, upload files.",
    description=(
        "create: title, [content, folderId]."
        " createFromTemplate: templateDocumentId, title, [variables, folderId]; templates: find"
        ' with filters {"status":["template"]}.'
        " edit: documentId, oldString, newString, [replaceAll]; oldString must occur once, copied"
        " from read_document. write: documentId, newContent: the whole text anew; small changes:"
        " edit. move: documentId, folderId: the folder decides who sees it, a personal one only"
        " its owner. share: documentId, email, role. unshare: documentId, targetUserId."
        " Upload a file rather than send its text: presignUpload: contentLength with title (new)"
        " or documentId (replace; with contentType image/…: attach) gives uploadUrl and"
        " requiredHeaders; PUT it there; finalizeUpload: uploadId."
        " Status suggested: kept for review; partly: but for `suggestions`."
    ),
    lists_shared=True,
    example={"action": "edit", **_EXAMPLES["edit"]},
    examples={name: {"action": name, **example} for name, example in _EXAMPLES.items()},
    output=Edited,
)
