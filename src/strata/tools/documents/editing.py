"""edit_document: creating, editing, moving, sharing and uploading documents."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET

from strata.base import clock
from strata.base.values import Json
from strata.tools.documents.group import DocumentId, core, documents_for, workspace_for
from strata.tools.documents.results import EditAnswer, audience_of, edited
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.workspace import Workspace

_MARKDOWN = "text/markdown"
_DRAFTED = (
    "The document waits for a user's decision; it has no id, and no one finds it until it is"
    " accepted. Send it again with the same title to change it."
)


def presign_upload(
    call: Call,
    *,
    content_length: Annotated[int, "Bytes (presignUpload)"],
    document_id: str | None = None,
    title: str | None = None,
    folder_id: str | None = None,
    content_type: Annotated[str | None, "Default text/markdown"] = None,
) -> EditAnswer:
    """Return where to send a file of so many bytes."""
    here = workspace_for(call)
    kind = content_type or _MARKDOWN
    is_text = kind.strip().lower().startswith("text/")
    _check_right(here, document_id, folder_id, is_text=is_text)
    made = here.serving.uploads(call.session.host.upload_url).presign(
        here.rights.user.id,
        length=content_length,
        content_type=kind,
        document=document_id,
        title=title,
        folder=folder_id,
    )
    rest = {"action": "finalizeUpload", "uploadId": made.id, "branch": call.branch}
    return EditAnswer(
        document_id=document_id or UNSET,
        upload_id=made.id,
        upload_url=made.url,
        required_headers=made.required_headers,
        expires_at=clock.iso(made.expires_at),
        next={"tool": "edit_document", "arguments": rest},
        hint="PUT the file to uploadUrl with requiredHeaders, then make the call in next.",
    )


def _check_right(
    here: "Workspace", document: str | None, folder: str | None, *, is_text: bool
) -> None:
    """Refuse now what would be refused when the file has been sent."""
    rights = here.rights
    if document is None:
        rights.home(folder)
        return
    here.documents.get(document)
    # A text can wait as a suggestion; an image or a file cannot.
    may_propose = rights.cap.suggest_only and is_text
    rights.require(document, "commenter" if may_propose else "editor", what="edit")


_UPLOADED: dict[tuple[bool, bool], str] = {
    (True, False): "Write `markdown` into the text where the image belongs.",
    (False, True): "The file is kept with the document; `markdown` is a link to it.",
}


def finalize_upload(call: Call, *, upload_id: Annotated[str, "For finalizeUpload"]) -> EditAnswer:
    """Make of a file that has arrived what it was announced for; again gives the same answer."""
    here = workspace_for(call)
    done = here.serving.uploads().finalize(here.rights.user.id, upload_id, here.documents)
    kept = list(done.suggestions)
    return EditAnswer(
        document_id=done.document,
        bytes=done.bytes,
        created=done.created,
        version=UNSET if done.version is None else done.version,
        branch=call.branch,
        status=done.status,
        suggestion_id=kept[0] if kept else UNSET,
        suggestion_ids=kept if len(kept) > 1 else UNSET,
        image_id=done.image_id or UNSET,
        file_id=done.file_id or UNSET,
        markdown=done.markdown or UNSET,
        hint=_UPLOADED.get((done.image_id is not None, done.file_id is not None), UNSET),
    )


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
) -> EditAnswer:
    if call.session.proposes:
        return _drafted(call, title, content, folder=folder_id)
    made = documents_for(call, idempotency_key).create(title, content, folder=folder_id)
    return edited(call, made, created=True)


def _create_from_template(
    call: Call,
    *,
    template_document_id: Annotated[str, "For createFromTemplate"],
    title: Title,
    folder_id: FolderId = None,
    variables: Annotated[dict[str, Json] | None, "Values by the template's variables"] = None,
    idempotency_key: Request = None,
) -> EditAnswer:
    if call.session.proposes:
        content = documents_for(call).filled(template_document_id, variables)
        return _drafted(call, title, content, folder=folder_id)
    made = documents_for(call, idempotency_key).create_from_template(
        template_document_id, title, variables=variables, folder=folder_id
    )
    return edited(call, made, created=True)


def _drafted(call: Call, title: str, content: str, *, folder: str | None) -> EditAnswer:
    """Propose a document; asked for again it takes the place of the first."""
    workspace_for(call).proposals.draft(title, content, folder=folder)
    return EditAnswer(title=title, branch=call.branch, status="proposed", hint=_DRAFTED)


def _edit(
    call: Call,
    *,
    document_id: DocumentId,
    old_string: Annotated[str, "Exact text to replace (edit)"],
    new_string: Annotated[str, "Replacement (edit)"],
    replace_all: Annotated[bool, "Every match, not just one (edit)"] = False,
    base_version: BaseVersion = None,
    idempotency_key: Request = None,
) -> EditAnswer:
    done = documents_for(call, idempotency_key).edit(
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
) -> EditAnswer:
    done = documents_for(call, idempotency_key).write(
        document_id, new_content, base_version=base_version
    )
    return edited(call, done)


def _move(call: Call, *, document_id: DocumentId, folder_id: str) -> EditAnswer:
    audience = documents_for(call).move(document_id, folder_id)
    return EditAnswer(document_id=document_id, effective_audience=audience_of(audience))


def _share(
    call: Call,
    *,
    document_id: DocumentId,
    email: Annotated[str, "For share"],
    role: Annotated[Literal["viewer", "commenter", "editor"], "For share"],
) -> EditAnswer:
    share, audience = documents_for(call).share(document_id, email, role)
    return EditAnswer(
        document_id=document_id,
        pending=share.pending,
        effective_audience=audience_of(audience),
        hint="No user has that email yet: the share counts once one has."
        if share.pending
        else UNSET,
    )


def _unshare(
    call: Call,
    *,
    document_id: DocumentId,
    target_user_id: Annotated[str, "User ID or email (unshare)"],
) -> EditAnswer:
    audience = documents_for(call).unshare(document_id, target_user_id)
    return EditAnswer(document_id=document_id, effective_audience=audience_of(audience))


_DOC, _FOLDER = "doc_01JABCDEFGHJKMNPQRSTVWXYZ0", "folder_01JABCDEFGHJKMNPQRSTVWXYZ0"
_EXAMPLES: dict[str, dict[str, Any]] = {
    "create": {"title": "Plan", "content": "# Goals\n\nShip in May.\n"},
    "createFromTemplate": {
        "templateDocumentId": _DOC,
        "title": "Kickoff",
        "variables": {"project": "Han"},
    },
    "edit": {"documentId": _DOC, "oldString": "Ship in May.", "newString": "Ship in June."},
    "write": {"documentId": _DOC, "newContent": "# Goals\n\nShip in June.\n"},
    "move": {"documentId": _DOC, "folderId": _FOLDER},
    "share": {"documentId": _DOC, "email": "ann@example.com", "role": "viewer"},
    "unshare": {"documentId": _DOC, "targetUserId": "ann@example.com"},
    "presignUpload": {"contentLength": 2048, "title": "Plan"},
    "finalizeUpload": {"uploadId": "upload_01JABCDEFGHJKMNPQRSTVWXYZ0"},
}

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
        " or documentId (replace; with contentType image/…: attach; a PDF or DOCX with title,"
        " its file name, becomes a document) gives uploadUrl and requiredHeaders; PUT it there;"
        " finalizeUpload: uploadId."
        " Status suggested: kept for review; partly: but for `suggestions`."
    ),
    lists_shared=True,
    example={"action": "edit", **_EXAMPLES["edit"]},
    examples={name: {"action": name, **example} for name, example in _EXAMPLES.items()},
    output=EditAnswer,
)
