"""manage_suggestions: changes that are proposed, and decided by whoever edits."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.tools.comments.surface import Headings, Request, Start, comments, room, told
from strata.tools.declare import HIDDEN
from strata.tools.documents.surface import DocumentId, HiddenAsOf, moment, seen
from strata.tools.reviewed.paging import rest, that_fit
from strata.tools.reviewed.shapes import Suggested, shown_suggestion
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.review import Decided

_SAME = "It was so already; nothing was changed."
_THERE = "The text says this already, so nothing had to be edited."


class SuggestionAnswer(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"
):
    """What was done, or the suggestions; which members there are depends on the action."""

    document_id: str
    branch: Annotated[str, HIDDEN]
    # propose, accept, reject, withdraw
    suggestion_id: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    version: Annotated[int | UnsetType, HIDDEN] = UNSET
    edited: Annotated[bool | UnsetType, HIDDEN] = UNSET
    unchanged: Annotated[bool | UnsetType, HIDDEN] = UNSET
    repeated: Annotated[bool | UnsetType, HIDDEN] = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET
    # list
    suggestions: list[Suggested] | UnsetType = UNSET
    total: Annotated[int | UnsetType, HIDDEN] = UNSET
    truncated: Annotated[bool | UnsetType, HIDDEN] = UNSET
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


SuggestionId = Annotated[str, "sug_… (accept, reject, withdraw)"]


def _propose(
    call: Call,
    *,
    document_id: DocumentId,
    original_text: Annotated[str, "Exact text to replace (propose)"],
    replacement_text: Annotated[str, 'New markdown; "" deletes (propose)'],
    heading_context: Headings = None,
    start: Start = None,
    severity: Annotated[Literal["info", "warning", "error"], "How much it matters"] = "info",
    confidence: Annotated[float | None, Meta(description="0 to 1", ge=0, le=1)] = None,
    rationale: Annotated[str | None, "Why, in a sentence"] = None,
    idempotency_key: Request = None,
) -> SuggestionAnswer:
    done = room(call, idempotency_key).propose(
        document_id, original_text, replacement_text, under=heading_context or (), near=start,
        severity=severity, confidence=confidence, rationale=rationale or None,
    )  # fmt: skip
    return _done(call, done)


def _accept(
    call: Call,
    *,
    document_id: DocumentId,
    suggestion_id: SuggestionId,
    idempotency_key: Request = None,
) -> SuggestionAnswer:
    done = room(call, idempotency_key).accept(document_id, suggestion_id)
    hint = UNSET if done.edited else _SAME if done.unchanged else _THERE
    return _done(call, done, edited=done.edited, hint=hint)


def _reject(
    call: Call,
    *,
    document_id: DocumentId,
    suggestion_id: SuggestionId,
    idempotency_key: Request = None,
) -> SuggestionAnswer:
    done = room(call, idempotency_key).reject(document_id, suggestion_id)
    return _done(call, done, hint=_SAME if done.unchanged else UNSET)


def _withdraw(
    call: Call,
    *,
    document_id: DocumentId,
    suggestion_id: SuggestionId,
    idempotency_key: Request = None,
) -> SuggestionAnswer:
    done = room(call, idempotency_key).withdraw(document_id, suggestion_id)
    return _done(call, done, hint=_SAME if done.unchanged else UNSET)


def _done(
    call: Call, done: "Decided", *, hint: str | UnsetType = UNSET, **more: Any
) -> SuggestionAnswer:
    document = done.suggestion.document
    return SuggestionAnswer(
        document_id=document, branch=call.branch, hint=told(call, document, hint),
        suggestion_id=done.suggestion.id, status=done.suggestion.status, version=done.version,
        unchanged=done.unchanged or UNSET, repeated=done.repeated or UNSET, **more,
    )  # fmt: skip


def _list(
    call: Call,
    *,
    document_id: DocumentId,
    after: Annotated[str | None, "Suggestion to go on behind", HIDDEN] = None,
    as_of: HiddenAsOf = None,
) -> SuggestionAnswer:
    here = seen(call, as_of)
    found = here.review.suggestions(document_id)
    names = here.people.names()
    waiting = [one for one in found if after is None or one.suggestion.id > after]
    shown = [shown_suggestion(one, names) for one in waiting]
    kept = that_fit(shown)
    given = {
        "documentId": document_id, "branch": here.branch,
        "asOf": None if here.as_of is None else here.as_of.iso_time,
    }  # fmt: skip
    is_cut = len(kept) < len(shown)
    return SuggestionAnswer(
        document_id=document_id, branch=here.branch, suggestions=kept, total=len(found),
        truncated=is_cut or UNSET, as_of=moment(here),
        next=rest("manage_suggestions", given, kept[-1].suggestion_id) if is_cut else UNSET,
    )  # fmt: skip


_DOC, _SUGGESTION = "doc_01JABCDEFGHJKMNPQRSTVWXYZ0", "sug_01JABCDEFGHJKMNPQRSTVWXYZ0"
_ONE = {"documentId": _DOC, "suggestionId": _SUGGESTION}
_EXAMPLES: dict[str, dict[str, Any]] = {
    "propose": {
        "documentId": _DOC, "originalText": "Ship in May.", "replacementText": "Ship in June.",
        "rationale": "The review takes four weeks.",
    },
    "accept": _ONE, "reject": _ONE, "withdraw": _ONE, "list": {"documentId": _DOC},
}  # fmt: skip

comments.actions(
    "manage_suggestions",
    {
        "propose": _propose, "accept": _accept, "reject": _reject, "withdraw": _withdraw,
        "list": _list,
    },
    summary="Propose changes to a document, and decide about proposed ones.",
    description=(
        "propose: originalText, replacementText, [headingContext, severity, confidence,"
        " rationale]; originalText is copied exactly from read_document or a find snippet. It waits"
        " until somebody"
        " who edits the document accepts it; to change the text at once use edit_document."
        " accept: suggestionId: makes the edit, unless the words have changed since; the error"
        " shows them then. reject, withdraw (your own): suggestionId. list: pending ones,"
        " whether each still applies, and which overlap: accepting one makes those stale."
    ),
    reading=("list",),
    lists_shared=True,
    example={"action": "propose", **_EXAMPLES["propose"]},
    examples={name: {"action": name, **example} for name, example in _EXAMPLES.items()},
    output=SuggestionAnswer,
)  # fmt: skip
