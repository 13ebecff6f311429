"""Threads and suggestions as answers show them."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from strata.base import clock
from strata.tools.declare import HIDDEN
from strata.tools.reviewed.paging import shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.review import Comment, Proposal, Spot, Thread


class CommentReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What somebody replied."""

    comment_id: str
    body: str
    author: str
    author_id: str
    via: str | None = None
    created: str


class ThreadAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A thread: its first comment, where the words stand now, and the replies.

    `start` and `end` count UTF-16, as pages do. Words that are gone leave the quote behind.
    """

    comment_id: str
    body: str
    author: str
    author_id: Annotated[str, HIDDEN]
    via: Annotated[str | None, HIDDEN] = None
    created: Annotated[str, HIDDEN]
    status: str
    quoted_text: str | UnsetType = UNSET
    # What the words read now, if they were changed.
    current_text: Annotated[str | UnsetType, HIDDEN] = UNSET
    changed: Annotated[bool | UnsetType, HIDDEN] = UNSET
    orphaned: bool | UnsetType = UNSET
    heading_path: list[str] | UnsetType = UNSET
    line: int | UnsetType = UNSET
    start: Annotated[int | UnsetType, HIDDEN] = UNSET
    end: Annotated[int | UnsetType, HIDDEN] = UNSET
    resolved_by: Annotated[str | UnsetType, HIDDEN] = UNSET
    resolved_at: Annotated[str | UnsetType, HIDDEN] = UNSET
    replies: list[Any] = []


class Suggested(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A suggestion, where its words stand now, and whether it can be accepted as it is.

    `start` and `end` count UTF-16, as pages do.
    """

    suggestion_id: str
    original_text: str
    replacement_text: str
    # Whether one of the two is longer than what is shown of it.
    shortened: Annotated[bool | UnsetType, HIDDEN] = UNSET
    author: str
    author_id: Annotated[str, HIDDEN]
    via: Annotated[str | None, HIDDEN] = None
    created: Annotated[str, HIDDEN]
    status: Annotated[str, HIDDEN]
    # proposed, stale: made on a text that had changed, merge: another branch's words.
    reason: str
    severity: Annotated[str, HIDDEN]
    confidence: Annotated[float | UnsetType, HIDDEN] = UNSET
    rationale: str | UnsetType = UNSET
    branch: Annotated[str | UnsetType, HIDDEN] = UNSET
    base_version: Annotated[int | UnsetType, HIDDEN] = UNSET
    applies: bool
    # applies, done (the text says so already), changed or gone.
    state: Annotated[str, HIDDEN]
    current_text: Annotated[str | UnsetType, HIDDEN] = UNSET
    heading_path: list[str] | UnsetType = UNSET
    line: int | UnsetType = UNSET
    start: Annotated[int | UnsetType, HIDDEN] = UNSET
    end: Annotated[int | UnsetType, HIDDEN] = UNSET
    # Others about the same words: accepting one of them makes the rest stale.
    overlaps: list[str] | UnsetType = UNSET


def shown_thread(thread: "Thread", names: "Mapping[str, str]") -> ThreadAnswer:
    """Return a thread as it is listed; `names` are people's, by their ids."""
    comment = thread.comment
    quote = comment.quote
    is_resolved = comment.status == "resolved" and comment.decided_by is not None
    return ThreadAnswer(
        **_said(comment, names), status=comment.status,
        quoted_text=UNSET if quote is None else shortened(quote)[0],
        current_text=shortened(thread.spot.text)[0] if thread.changed and thread.spot else UNSET,
        changed=UNSET if quote is None else thread.changed,
        orphaned=UNSET if quote is None else thread.orphaned,
        **_place(thread.spot, comment.heading if quote is not None else None),
        resolved_by=_name(comment.decided_by, names) if is_resolved else UNSET,
        resolved_at=clock.iso(comment.decided_at or 0) if is_resolved else UNSET,
        replies=[msgspec.to_builtins(CommentReply(**_said(one, names))) for one in thread.replies],
    )  # fmt: skip


def _said(comment: "Comment", names: "Mapping[str, str]") -> dict[str, Any]:
    return {
        "comment_id": comment.id, "body": comment.body, "author": _name(comment.author, names),
        "author_id": comment.author, "via": comment.via, "created": comment.iso_time,
    }  # fmt: skip


def shown_suggestion(found: "Proposal", names: "Mapping[str, str]") -> Suggested:
    """Return a suggestion as it is listed; `names` are people's, by their ids."""
    one = found.suggestion
    original, is_cut = shortened(one.original)
    replacement, is_cut_too = shortened(one.replacement)
    differs = found.spot is not None and found.state == "changed"
    return Suggested(
        suggestion_id=one.id, original_text=original, replacement_text=replacement,
        shortened=(is_cut or is_cut_too) or UNSET, author=_name(one.author, names),
        author_id=one.author, via=one.via, created=clock.iso(one.created), status=one.status,
        reason=one.reason, severity=one.severity,
        confidence=UNSET if one.confidence is None else one.confidence,
        rationale=one.rationale or UNSET, branch=one.branch or UNSET,
        base_version=UNSET if one.base_version is None else one.base_version,
        applies=found.applies, state=found.state,
        current_text=shortened(found.spot.text)[0] if differs and found.spot else UNSET,
        **_place(found.spot, None), overlaps=list(found.overlaps) or UNSET,
    )  # fmt: skip


def _place(spot: "Spot | None", kept: tuple[str, ...] | None) -> dict[str, Any]:
    """Return where words stand; of those that are gone, the headings that were above them."""
    if spot is None:
        return {} if not kept else {"heading_path": list(kept)}
    return {
        "heading_path": list(spot.path), "line": spot.line, "start": spot.units[0],
        "end": spot.units[1],
    }  # fmt: skip


def _name(person: str | None, names: "Mapping[str, str]") -> str:
    return names.get(person or "", person or "")
