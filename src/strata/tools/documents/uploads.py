"""Uploads: a file goes to an address by itself, and becomes a document or an image of one."""

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET

from strata.base import clock
from strata.tools.documents.results import Edited
from strata.tools.documents.surface import seen
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.workspace import Workspace

_MARKDOWN = "text/markdown"


def presign_upload(
    call: Call,
    *,
    content_length: Annotated[int, "Bytes (presignUpload)"],
    document_id: str | None = None,
    title: str | None = None,
    folder_id: str | None = None,
    content_type: Annotated[str | None, "Default text/markdown"] = None,
) -> Edited:
    """Return where to send a file of so many bytes."""
    here = seen(call)
    kind = content_type or _MARKDOWN
    is_image = kind.strip().lower().startswith("image/")
    _check_right(here, document_id, folder_id, is_image=is_image)
    made = here.serving.uploads(call.session.host.upload_url).presign(
        here.rights.person.id, length=content_length, content_type=kind,
        document=document_id, title=title, folder=folder_id,
    )  # fmt: skip
    rest = {"action": "finalizeUpload", "uploadId": made.id, "branch": call.branch}
    return Edited(
        document_id=document_id or UNSET, upload_id=made.id, upload_url=made.url,
        required_headers=made.required_headers, expires_at=clock.iso(made.expires_at),
        next={"tool": "edit_document", "arguments": rest},
        hint="PUT the file to uploadUrl with requiredHeaders, then make the call in next.",
    )  # fmt: skip


def _check_right(
    here: "Workspace", document: str | None, folder: str | None, *, is_image: bool
) -> None:
    """Refuse now what would be refused when the file has been sent."""
    rights = here.rights
    if document is None:
        rights.home(folder)
        return
    here.documents.get(document)
    # A text can wait as a suggestion; an image cannot.
    may_propose = rights.cap.suggest_only and not is_image
    rights.require(document, "commenter" if may_propose else "editor", what="edit")


def finalize_upload(call: Call, *, upload_id: Annotated[str, "For finalizeUpload"]) -> Edited:
    """Make of a file that has arrived what it was announced for; again gives the same answer."""
    here = seen(call)
    done = here.serving.uploads().finalize(here.rights.person.id, upload_id, here.documents)
    kept = list(done.suggestions)
    return Edited(
        document_id=done.document, bytes=done.bytes, created=done.created,
        version=UNSET if done.version is None else done.version, branch=call.branch,
        status=done.status, suggestion_id=kept[0] if kept else UNSET,
        suggestion_ids=kept if len(kept) > 1 else UNSET,
        image_id=done.image_id or UNSET, markdown=done.markdown or UNSET,
        hint="Write `markdown` into the text where the image belongs." if done.image_id else UNSET,
    )  # fmt: skip
