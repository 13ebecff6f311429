"""What the actions of edit_document answer: one shape, whose members depend on the action."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from strata.base import limits
from strata.tools.declare import HIDDEN
from strata.tools.review_answers import filed_edit_fields
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.access import Audience
    from strata.documents import WriteResult

_STALE = (
    "Others have changed these words since baseVersion: currentText shows them, and your edit waits"
    " as a suggestion. If it should be made now, edit again with words of the current text."
)
_PARTLY = (
    "Applied, but for what suggestions lists: others have changed these words since baseVersion."
    " If those should be made now, edit again with words of the current text."
)
_PROPOSED = "Kept as a suggestion: you may suggest changes here, not make them."
_WITHDRAWN = "Your earlier suggestion for these words was withdrawn."
TRASHED = "The document is in the trash: it is not found until a user restores it."
_HINTS = {
    "suggested": _STALE,
    "partly": _PARTLY,
    "unchanged": "The document has this text already; nothing was written.",
}


class ReaderAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A user who sees a document; an invited one has no id yet."""

    user_id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    email: str
    role: str
    # Why: the folder, a share, or a team by its name.
    through: str | UnsetType = UNSET


class ReadersAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Everybody who sees a document from now on."""

    kind: str
    folder_id: str
    folder_name: str
    people: list[Any]
    invited: list[Any] = []
    # How many people there are, where not all of them are listed.
    total: int | UnsetType = UNSET


class EditAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What was done; which members there are depends on the action."""

    document_id: str | UnsetType = UNSET
    version: int | UnsetType = UNSET
    title: Annotated[str | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str | UnsetType, HIDDEN] = UNSET
    # create, edit, write
    status: str | UnsetType = UNSET
    created: Annotated[bool | UnsetType, HIDDEN] = UNSET
    matches: Annotated[int | UnsetType, HIDDEN] = UNSET
    suggestion_id: str | UnsetType = UNSET
    suggestion_ids: Annotated[list[str] | UnsetType, HIDDEN] = UNSET
    # What of an edit was not applied, because others have changed the same words.
    suggestions: Annotated[list[dict[str, Any]] | UnsetType, HIDDEN] = UNSET
    current_text: Annotated[str | UnsetType, HIDDEN] = UNSET
    # Suggestions of earlier edits of yours that came too late, and are done with this one.
    withdrawn: Annotated[list[str] | UnsetType, HIDDEN] = UNSET
    trashed: Annotated[bool | UnsetType, HIDDEN] = UNSET
    repeated: Annotated[bool | UnsetType, HIDDEN] = UNSET
    # move, share, unshare
    effective_audience: dict[str, Any] | UnsetType = UNSET
    pending: Annotated[bool | UnsetType, HIDDEN] = UNSET
    # presignUpload, finalizeUpload
    upload_id: str | UnsetType = UNSET
    upload_url: str | UnsetType = UNSET
    required_headers: Annotated[dict[str, str] | UnsetType, HIDDEN] = UNSET
    expires_at: Annotated[str | UnsetType, HIDDEN] = UNSET
    bytes: Annotated[int | UnsetType, HIDDEN] = UNSET
    image_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    file_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    markdown: Annotated[str | UnsetType, HIDDEN] = UNSET
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET


def edited(call: Call, written: "WriteResult", **more: Any) -> EditAnswer:
    """Return what a write did."""
    kept = list(written.suggestions)
    is_stale = bool(kept) and not written.proposed
    return EditAnswer(
        document_id=written.document,
        version=written.version,
        title=written.title,
        branch=call.branch,
        status=written.status,
        suggestion_id=written.suggestion or UNSET,
        suggestion_ids=kept if len(kept) > 1 else UNSET,
        suggestions=[filed_edit_fields(one) for one in written.filed] if is_stale else UNSET,
        current_text=written.filed[0].around if is_stale else UNSET,
        withdrawn=list(written.withdrawn) or UNSET,
        trashed=written.trashed or UNSET,
        repeated=written.repeated or UNSET,
        hint=_hint(written),
        **more,
    )


def _hint(written: "WriteResult") -> str | UnsetType:
    said = [
        _PROPOSED if written.suggestions and written.proposed else _HINTS.get(written.status),
        _WITHDRAWN if written.withdrawn else None,
        TRASHED if written.trashed else None,
    ]
    return " ".join(filter(None, said)) or UNSET


def audience_of(audience: "Audience") -> dict[str, Any]:
    """Return who sees a document, as many as can be read."""
    most = limits.AUDIENCE_SHOWN
    people = [
        ReaderAnswer(
            user_id=one.id, name=one.name, email=one.email, role=one.role, through=one.through
        )
        for one in audience.people[:most]
    ]
    shown = ReadersAnswer(
        kind=audience.kind,
        folder_id=audience.folder_id,
        folder_name=audience.folder_name,
        people=people,
        invited=[ReaderAnswer(email=one.email, role=one.role) for one in audience.pending[:most]],
        total=len(audience.people) if len(audience.people) > most else UNSET,
    )
    return msgspec.to_builtins(shown)
