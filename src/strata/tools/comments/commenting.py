"""manage_comments: threads on a document, and on words of it."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from strata.base.errors import InvalidArgument
from strata.tools.comments.surface import Headings, Request, Start, comments, room, told
from strata.tools.declare import HIDDEN
from strata.tools.documents.surface import DocumentId, HiddenAsOf, moment, seen
from strata.tools.reviewed.paging import rest, that_fit
from strata.tools.reviewed.shapes import ThreadAnswer, shown_thread
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.review import Commented

_RESOLVED = 'The thread is resolved; action "reopen" makes it active again.'
_SAME = "It was so already; nothing was changed."


class CommentAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What was done, or the threads; which members there are depends on the action."""

    document_id: str
    branch: Annotated[str, HIDDEN]
    # create, reply, resolve, reopen
    comment_id: str | UnsetType = UNSET
    thread_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    status: str | UnsetType = UNSET
    quoted_text: Annotated[str | UnsetType, HIDDEN] = UNSET
    heading_path: Annotated[list[str] | UnsetType, HIDDEN] = UNSET
    unchanged: Annotated[bool | UnsetType, HIDDEN] = UNSET
    repeated: Annotated[bool | UnsetType, HIDDEN] = UNSET
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET
    # list
    comments: list[ThreadAnswer] | UnsetType = UNSET
    total: Annotated[int | UnsetType, HIDDEN] = UNSET
    truncated: Annotated[bool | UnsetType, HIDDEN] = UNSET
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


def _create(
    call: Call,
    *,
    document_id: DocumentId,
    body: Annotated[str, "What to say (create, reply)"],
    quoted_text: Annotated[str | None, "Exact text to comment on; without: the document"] = None,
    heading_context: Headings = None,
    start: Start = None,
    idempotency_key: Request = None,
) -> CommentAnswer:
    for name, value in (("headingContext", heading_context), ("start", start)):
        if quoted_text is None and value is not None:
            raise InvalidArgument(
                f"{name} says where quotedText stands, and there is none.",
                hint="Send quotedText as well, or comment on the whole document without it.",
                parameter=name,
            )
    done = room(call, idempotency_key).comment(
        document_id, body, quote=quoted_text, under=heading_context or (), near=start
    )
    return _done(
        call, done, quoted_text=quoted_text or UNSET,
        heading_path=list(done.comment.heading) if quoted_text else UNSET,
    )  # fmt: skip


def _reply(
    call: Call,
    *,
    document_id: DocumentId,
    parent_comment_id: Annotated[str, "Comment to reply to (reply)"],
    body: Annotated[str, "What to say (create, reply)"],
    idempotency_key: Request = None,
) -> CommentAnswer:
    done = room(call, idempotency_key).reply(document_id, parent_comment_id, body)
    hint = _RESOLVED if done.status == "resolved" else UNSET
    return _done(call, done, thread_id=done.comment.parent or UNSET, hint=hint)


def _resolve(
    call: Call,
    *,
    document_id: DocumentId,
    comment_id: Annotated[str, "cmt_… (resolve, reopen)"],
    idempotency_key: Request = None,
) -> CommentAnswer:
    return _turned(call, room(call, idempotency_key).resolve(document_id, comment_id))


def _reopen(
    call: Call,
    *,
    document_id: DocumentId,
    comment_id: Annotated[str, "cmt_… (resolve, reopen)"],
    idempotency_key: Request = None,
) -> CommentAnswer:
    return _turned(call, room(call, idempotency_key).reopen(document_id, comment_id))


def _turned(call: Call, done: "Commented") -> CommentAnswer:
    return _done(
        call, done, unchanged=done.unchanged or UNSET, hint=_SAME if done.unchanged else UNSET
    )


def _done(
    call: Call, done: "Commented", *, hint: str | UnsetType = UNSET, **more: Any
) -> CommentAnswer:
    document = done.comment.document
    return CommentAnswer(
        document_id=document, branch=call.branch, comment_id=done.comment.id, status=done.status,
        repeated=done.repeated or UNSET, hint=told(call, document, hint), **more,
    )  # fmt: skip


def _list(
    call: Call,
    *,
    document_id: DocumentId,
    status: Annotated[Literal["active", "resolved"] | None, "Only these (list)"] = None,
    after: Annotated[str | None, "Thread to go on behind", HIDDEN] = None,
    as_of: HiddenAsOf = None,
) -> CommentAnswer:
    here = seen(call, as_of)
    found = here.review.comments(document_id, status=status)
    names = here.people.names()
    waiting = [one for one in found if after is None or one.comment.id > after]
    shown = [shown_thread(one, names) for one in waiting]
    kept = that_fit(shown)
    given = {
        "documentId": document_id, "status": status, "branch": here.branch,
        "asOf": None if here.as_of is None else here.as_of.iso_time,
    }  # fmt: skip
    is_cut = len(kept) < len(shown)
    return CommentAnswer(
        document_id=document_id, branch=here.branch, comments=kept, total=len(found),
        truncated=is_cut or UNSET, as_of=moment(here),
        next=rest("manage_comments", given, kept[-1].comment_id) if is_cut else UNSET,
    )  # fmt: skip


_DOC, _COMMENT = "doc_01JABCDEFGHJKMNPQRSTVWXYZ0", "cmt_01JABCDEFGHJKMNPQRSTVWXYZ0"
_EXAMPLES: dict[str, dict[str, Any]] = {
    "create": {"documentId": _DOC, "body": "Is May still right?", "quotedText": "Ship in May"},
    "reply": {"documentId": _DOC, "parentCommentId": _COMMENT, "body": "Yes."},
    "resolve": {"documentId": _DOC, "commentId": _COMMENT},
    "reopen": {"documentId": _DOC, "commentId": _COMMENT},
    "list": {"documentId": _DOC, "status": "active"},
}

comments.actions(
    "manage_comments",
    {
        "create": _create, "reply": _reply, "resolve": _resolve, "reopen": _reopen, "list": _list,
    },
    summary="Discuss a document: comment threads on it or on words of it.",
    description=(
        "create: body, [quotedText, headingContext]; quotedText is copied exactly from"
        " read_document; headingContext tells which if it occurs several times."
        " reply: parentCommentId, body. resolve, reopen: commentId, the whole thread."
        " list: [status]. Comments follow the words they are about and never change the text:"
        " to propose other words use manage_suggestions, to write them edit_document."
    ),
    reading=("list",),
    lists_shared=True,
    example={"action": "create", **_EXAMPLES["create"]},
    examples={name: {"action": name, **example} for name, example in _EXAMPLES.items()},
    output=CommentAnswer,
)  # fmt: skip
