"""manage_comments and manage_suggestions: what users and agents say about a text."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import limits
from strata.base.errors import InvalidArgument, NotFound, StrataError
from strata.tools.budget import that_fit
from strata.tools.declare import HIDDEN, ToolGroup
from strata.tools.documents.group import DocumentId, HiddenAsOf, workspace_for
from strata.tools.documents.group import advise as advise_on_documents
from strata.tools.documents.results import TRASHED
from strata.tools.review_answers import (
    SuggestionEntry,
    ThreadAnswer,
    rest,
    suggestion_fields,
    thread_fields,
)
from strata.tools.session import Call, moment

if TYPE_CHECKING:
    from strata.review import CommentResult, Review, SuggestionResult
    from strata.workspace import Workspace

T = TypeVar("T", ThreadAnswer, SuggestionEntry)

# What a list may hold beside what answers have in common.
_TOKENS_OF_LIST = limits.ANSWER_TOKENS_MAX - 500

# What to call where something is not there, by what the error names.
_HINTS = {
    "comment": 'manage_comments with action "list" gives the IDs of those there are.',
    "suggestion": 'manage_suggestions with action "list" gives the IDs of pending ones.',
}


def advise(error: StrataError) -> Mapping[str, Any]:
    """Return an error's words for MCP clients, in place of those for the terminal."""
    advice = dict(advise_on_documents(error))
    about = next((name for name in _HINTS if name in error.details), None)
    if isinstance(error, NotFound) and about is not None:
        advice["hint"] = _HINTS[about]
    return advice


def _page(
    here: "Workspace", shown: Sequence[T], tool: str, *, given: dict[str, Any]
) -> tuple[list[T], dict[str, Any]]:
    """Return the items that fit into an answer, and its members that tell where the rest is."""
    kept = that_fit(shown[: limits.REVIEW_ITEMS_SHOWN], _TOKENS_OF_LIST)
    page: dict[str, Any] = {"branch": here.branch, "as_of": moment(here)}
    if len(kept) < len(shown):
        as_of = None if here.as_of is None else here.as_of.iso_time
        following = {**given, "branch": here.branch, "asOf": as_of}
        page |= {"truncated": True, "next": rest(tool, following, kept[-1].id)}
    return kept, page


_DOC = "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"
comments = ToolGroup("comments", case="camel", advise=advise)

Headings = Annotated[
    list[str] | None, 'Headings above it, if it occurs several times: ["Goals","Dates"]'
]
# A page knows the place of the caret; a model does not.
Start = Annotated[int | None, "Where it begins, in UTF-16", HIDDEN]
Request = Annotated[str | None, "The same again: done once"]


def hint_about(call: Call, document: str, hint: str | UnsetType = UNSET) -> str | UnsetType:
    """Return the hint of an answer; about a document in the trash it says so."""
    is_trashed = workspace_for(call).documents.get(document).trashed
    return " ".join(one for one in (hint, TRASHED if is_trashed else "") if one) or UNSET


def review_for(call: Call, request: str | None = None) -> "Review":
    """Return the review to write to; what has the same request's key is done once."""
    review = workspace_for(call).review
    return review if request is None else review.with_request(request)


_RESOLVED = 'The thread is resolved; action "reopen" makes it active again.'
_SAME = "It was so already; nothing was changed."


class CommentAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What was done, or the threads; which members there are depends on the action."""

    document_id: str
    branch: Annotated[str, HIDDEN]
    # create, reply, edit, delete, resolve, reopen
    comment_id: str | UnsetType = UNSET
    thread_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    status: str | UnsetType = UNSET
    quoted_text: Annotated[str | UnsetType, HIDDEN] = UNSET
    heading_path: Annotated[list[str] | UnsetType, HIDDEN] = UNSET
    deleted: Annotated[bool | UnsetType, HIDDEN] = UNSET
    unchanged: Annotated[bool | UnsetType, HIDDEN] = UNSET
    repeated: Annotated[bool | UnsetType, HIDDEN] = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET
    # list
    comments: list[ThreadAnswer] | UnsetType = UNSET
    total: Annotated[int | UnsetType, HIDDEN] = UNSET
    truncated: Annotated[bool | UnsetType, HIDDEN] = UNSET
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


Body = Annotated[str, "What to say (create, reply, edit)"]
CommentId = Annotated[str, "cmt_… (edit, delete, resolve, reopen)"]


def _create(
    call: Call,
    *,
    document_id: DocumentId,
    body: Body,
    quoted_text: Annotated[str | None, "Exact text to comment on; without: the document"] = None,
    heading_context: Headings = None,
    start: Start = None,
    idempotency_key: Request = None,
) -> CommentAnswer:
    for name, value in (("headingContext", heading_context), ("start", start)):
        if quoted_text is None and value is not None:
            raise InvalidArgument(
                f"{name} says where quotedText is, and there is none.",
                hint="Send quotedText as well, or comment on the whole document without it.",
                parameter=name,
            )
    done = review_for(call, idempotency_key).comment(
        document_id, body, quote=quoted_text, under=heading_context or (), near=start
    )
    return _commented(
        call,
        done,
        quoted_text=quoted_text or UNSET,
        heading_path=list(done.comment.heading) if quoted_text else UNSET,
    )


def _reply(
    call: Call,
    *,
    document_id: DocumentId,
    parent_comment_id: Annotated[str, "Comment to reply to (reply)"],
    body: Body,
    idempotency_key: Request = None,
) -> CommentAnswer:
    done = review_for(call, idempotency_key).reply(document_id, parent_comment_id, body)
    hint = _RESOLVED if done.status == "resolved" else UNSET
    return _commented(call, done, thread_id=done.comment.parent or UNSET, hint=hint)


def _turning(verb: Literal["resolve", "reopen"]) -> Callable[..., CommentAnswer]:
    """Return the action that marks a thread as done, or as open again."""

    def turn(
        call: Call,
        *,
        document_id: DocumentId,
        comment_id: CommentId,
        idempotency_key: Request = None,
    ) -> CommentAnswer:
        review = review_for(call, idempotency_key)
        done: CommentResult = getattr(review, verb)(document_id, comment_id)
        is_same = done.unchanged or UNSET
        return _commented(call, done, unchanged=is_same, hint=_SAME if is_same else UNSET)

    return turn


def _edit(
    call: Call,
    *,
    document_id: DocumentId,
    comment_id: CommentId,
    body: Body,
    idempotency_key: Request = None,
) -> CommentAnswer:
    done = review_for(call, idempotency_key).edit(document_id, comment_id, body)
    is_same = done.unchanged or UNSET
    return _commented(call, done, unchanged=is_same, hint=_SAME if is_same else UNSET)


def _delete(
    call: Call, *, document_id: DocumentId, comment_id: CommentId, idempotency_key: Request = None
) -> CommentAnswer:
    done = review_for(call, idempotency_key).delete(document_id, comment_id)
    return _commented(call, done, deleted=True)


def _commented(
    call: Call, done: "CommentResult", *, hint: str | UnsetType = UNSET, **more: Any
) -> CommentAnswer:
    document = done.comment.document
    return CommentAnswer(
        document_id=document,
        branch=call.branch,
        comment_id=done.comment.id,
        status=done.status,
        repeated=done.repeated or UNSET,
        hint=hint_about(call, document, hint),
        **more,
    )


def _list_threads(
    call: Call,
    *,
    document_id: DocumentId,
    status: Annotated[Literal["active", "resolved"] | None, "Only these (list)"] = None,
    after: Annotated[str | None, "Thread to go on behind", HIDDEN] = None,
    as_of: HiddenAsOf = None,
) -> CommentAnswer:
    here = workspace_for(call, as_of)
    found = here.review.comments(document_id, status=status)
    names = here.users.names()
    waiting = [one for one in found if after is None or one.comment.id > after]
    shown = [thread_fields(one, names) for one in waiting]
    given = {"documentId": document_id, "status": status}
    kept, page = _page(here, shown, "manage_comments", given=given)
    return CommentAnswer(document_id=document_id, comments=kept, total=len(found), **page)


_COMMENT = "cmt_01JABCDEFGHJKMNPQRSTVWXYZ0"
_COMMENT_EXAMPLES: dict[str, dict[str, Any]] = {
    "create": {"documentId": _DOC, "body": "Is May still right?", "quotedText": "Ship in May"},
    "reply": {"documentId": _DOC, "parentCommentId": _COMMENT, "body": "Yes."},
    "edit": {"documentId": _DOC, "commentId": _COMMENT, "body": "Is June right?"},
    "delete": {"documentId": _DOC, "commentId": _COMMENT},
    "resolve": {"documentId": _DOC, "commentId": _COMMENT},
    "reopen": {"documentId": _DOC, "commentId": _COMMENT},
    "list": {"documentId": _DOC, "status": "active"},
}

comments.actions(
    "manage_comments",
    {
        "create": _create,
        "reply": _reply,
        "edit": _edit,
        "delete": _delete,
        "resolve": _turning("resolve"),
        "reopen": _turning("reopen"),
        "list": _list_threads,
    },
    summary="Discuss a document: comment threads on it or on words of it.",
    description=(
        "create: body, [quotedText, headingContext]; quotedText is copied exactly from"
        " read_document; headingContext tells which if it occurs several times."
        " reply: parentCommentId, body. edit (your own): commentId, body. delete (your own):"
        " commentId. resolve, reopen: commentId, the whole thread."
        " list: [status]. Comments follow the words they are about and never change the text:"
        " to propose other words use manage_suggestions, to write them edit_document."
    ),
    reading=("list",),
    lists_shared=True,
    example={"action": "create", **_COMMENT_EXAMPLES["create"]},
    examples={name: {"action": name, **example} for name, example in _COMMENT_EXAMPLES.items()},
    output=CommentAnswer,
)


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
    suggestions: list[SuggestionEntry] | UnsetType = UNSET
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
    done = review_for(call, idempotency_key).propose(
        document_id,
        original_text,
        replacement_text,
        under=heading_context or (),
        near=start,
        severity=severity,
        confidence=confidence,
        rationale=rationale or None,
    )
    return _decided(call, done)


def _deciding(verb: Literal["accept", "reject", "withdraw"]) -> Callable[..., SuggestionAnswer]:
    """Return the action that decides about a suggestion."""

    def decide(
        call: Call,
        *,
        document_id: DocumentId,
        suggestion_id: SuggestionId,
        idempotency_key: Request = None,
    ) -> SuggestionAnswer:
        review = review_for(call, idempotency_key)
        done: SuggestionResult = getattr(review, verb)(document_id, suggestion_id)
        if verb != "accept":
            return _decided(call, done, hint=_SAME if done.unchanged else UNSET)
        hint = UNSET if done.edited else _SAME if done.unchanged else _THERE
        return _decided(call, done, edited=done.edited, hint=hint)

    return decide


def _decided(
    call: Call, done: "SuggestionResult", *, hint: str | UnsetType = UNSET, **more: Any
) -> SuggestionAnswer:
    document = done.suggestion.document
    return SuggestionAnswer(
        document_id=document,
        branch=call.branch,
        hint=hint_about(call, document, hint),
        suggestion_id=done.suggestion.id,
        status=done.suggestion.status,
        version=done.version,
        unchanged=done.unchanged or UNSET,
        repeated=done.repeated or UNSET,
        **more,
    )


def _list_suggestions(
    call: Call,
    *,
    document_id: DocumentId,
    after: Annotated[str | None, "Suggestion to go on behind", HIDDEN] = None,
    as_of: HiddenAsOf = None,
) -> SuggestionAnswer:
    here = workspace_for(call, as_of)
    found = here.review.suggestions(document_id)
    names = here.users.names()
    waiting = [one for one in found if after is None or one.suggestion.id > after]
    shown = [suggestion_fields(one, names) for one in waiting]
    kept, page = _page(here, shown, "manage_suggestions", given={"documentId": document_id})
    return SuggestionAnswer(document_id=document_id, suggestions=kept, total=len(found), **page)


_SUGGESTION = "sug_01JABCDEFGHJKMNPQRSTVWXYZ0"
_ONE = {"documentId": _DOC, "suggestionId": _SUGGESTION}
_SUGGESTION_EXAMPLES: dict[str, dict[str, Any]] = {
    "propose": {
        "documentId": _DOC,
        "originalText": "Ship in May.",
        "replacementText": "Ship in June.",
        "rationale": "The review takes four weeks.",
    },
    "accept": _ONE,
    "reject": _ONE,
    "withdraw": _ONE,
    "list": {"documentId": _DOC},
}

comments.actions(
    "manage_suggestions",
    {
        "propose": _propose,
        "accept": _deciding("accept"),
        "reject": _deciding("reject"),
        "withdraw": _deciding("withdraw"),
        "list": _list_suggestions,
    },
    summary="Propose changes to a document, and decide about proposed ones.",
    description=(
        "propose: originalText, replacementText, [headingContext, severity, confidence,"
        " rationale]; originalText is copied exactly from read_document or a find snippet. It waits"
        " until a user"
        " who edits the document accepts it; to change the text at once use edit_document."
        " accept: suggestionId: makes the edit, unless the words have changed since; the error"
        " shows them then. reject, withdraw (your own): suggestionId. list: pending ones,"
        " whether each still applies, and which overlap: accepting one makes those stale."
    ),
    reading=("list",),
    lists_shared=True,
    example={"action": "propose", **_SUGGESTION_EXAMPLES["propose"]},
    examples={name: {"action": name, **example} for name, example in _SUGGESTION_EXAMPLES.items()},
    output=SuggestionAnswer,
)

TOOL_GROUPS = (comments,)
