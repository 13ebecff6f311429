"""Threads and suggestions as answers show them: in lists, and below the text they are about."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from strata.base import clock, limits
from strata.tools.budget import cut, that_fit, tokens
from strata.tools.declare import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.review import Comment, Proposal, Spot, Thread
    from strata.store import FiledEdit


def shortened(text: str) -> tuple[str, bool]:
    """Return a text as a list shows it, and whether something is missing."""
    most = limits.ANSWER_VALUE_TOKENS_MAX
    if len(text) <= most or tokens(text) <= most:
        return text, False
    return f"{cut(text, most)}…", True


def rest(tool: str, given: dict[str, Any], last: str) -> dict[str, Any]:
    """Return the call that lists what comes behind an item."""
    asked = {name: value for name, value in given.items() if value is not None}
    return {"tool": tool, "arguments": {"action": "list", **asked, "after": last}}


class CommentReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A reply."""

    comment_id: str
    body: str
    author: str
    author_id: str
    via: str | None = None
    created: str
    edited: str | UnsetType = UNSET


class ThreadAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A thread: its first comment, where the words are now, and the replies.

    `start` and `end` count UTF-16, as pages do. Words that are gone leave the quote behind.
    """

    comment_id: str
    body: str
    author: str
    author_id: Annotated[str, HIDDEN]
    via: Annotated[str | None, HIDDEN] = None
    created: Annotated[str, HIDDEN]
    edited: Annotated[str | UnsetType, HIDDEN] = UNSET
    # Whether its author took it back; the replies are there.
    deleted: Annotated[bool | UnsetType, HIDDEN] = UNSET
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

    @property
    def id(self) -> str:
        """The thread's own id: that of its first comment."""
        return self.comment_id


class SuggestionEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"
):
    """A suggestion, where its words are now, and whether it can be accepted as it is.

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

    @property
    def id(self) -> str:
        """The suggestion's own id."""
        return self.suggestion_id


def thread_fields(thread: "Thread", names: "Mapping[str, str]") -> ThreadAnswer:
    """Return a thread as it is listed; `names` are people's, by their ids."""
    comment = thread.comment
    quote = comment.quote
    is_resolved = comment.status == "resolved" and comment.decided_by is not None
    return ThreadAnswer(
        **_comment_fields(comment, names),
        deleted=UNSET if comment.deleted is None else True,
        status=comment.status,
        quoted_text=UNSET if quote is None else shortened(quote)[0],
        current_text=shortened(thread.spot.text)[0] if thread.changed and thread.spot else UNSET,
        changed=UNSET if quote is None else thread.changed,
        orphaned=UNSET if quote is None else thread.orphaned,
        **_place(thread.spot, comment.heading if quote is not None else None),
        resolved_by=_name(comment.decided_by, names) if is_resolved else UNSET,
        resolved_at=clock.iso(comment.decided_at or 0) if is_resolved else UNSET,
        replies=[
            msgspec.to_builtins(CommentReply(**_comment_fields(one, names)))
            for one in thread.replies
        ],
    )


def _comment_fields(comment: "Comment", names: "Mapping[str, str]") -> dict[str, Any]:
    return {
        "comment_id": comment.id,
        "body": comment.body,
        "author": _name(comment.author, names),
        "author_id": comment.author,
        "via": comment.via,
        "created": comment.iso_time,
        "edited": UNSET if comment.edited is None else clock.iso(comment.edited),
    }


def suggestion_fields(found: "Proposal", names: "Mapping[str, str]") -> SuggestionEntry:
    """Return a suggestion as it is listed; `names` are people's, by their ids."""
    one = found.suggestion
    original, is_cut = shortened(one.original)
    replacement, is_cut_too = shortened(one.replacement)
    differs = found.spot is not None and found.state == "changed"
    return SuggestionEntry(
        suggestion_id=one.id,
        original_text=original,
        replacement_text=replacement,
        shortened=(is_cut or is_cut_too) or UNSET,
        author=_name(one.author, names),
        author_id=one.author,
        via=one.via,
        created=clock.iso(one.created),
        status=one.status,
        reason=one.reason,
        severity=one.severity,
        confidence=UNSET if one.confidence is None else one.confidence,
        rationale=one.rationale or UNSET,
        branch=one.branch or UNSET,
        base_version=UNSET if one.base_version is None else one.base_version,
        applies=found.applies,
        state=found.state,
        current_text=shortened(found.spot.text)[0] if differs and found.spot else UNSET,
        **_place(found.spot, None),
        overlaps=list(found.overlaps) or UNSET,
    )


def _place(spot: "Spot | None", kept: tuple[str, ...] | None) -> dict[str, Any]:
    """Return where words are; of those that are gone, the headings that were above them."""
    if spot is None:
        return {} if not kept else {"heading_path": list(kept)}
    return {
        "heading_path": list(spot.path),
        "line": spot.line,
        "start": spot.units[0],
        "end": spot.units[1],
    }


def _name(user: str | None, names: "Mapping[str, str]") -> str:
    return names.get(user or "", user or "")


def filed_edit_fields(one: "FiledEdit") -> dict[str, Any]:
    """Return where an edit waits, the words that are in the text, and those that are suggested."""
    named = {"suggestion": one.suggestion, "conflict": one.id, "choice": one.choice}
    known = {name: value for name, value in named.items() if value is not None}
    return {
        "document": one.document,
        "title": one.title,
        **known,
        "line": one.line,
        "section": one.section,
        "current": shortened(one.original)[0],
        "suggested": shortened(one.replacement)[0],
    }


# What is shown below a text, beside the text itself.
_TOKENS_BESIDE = limits.ANSWER_TOKENS_MAX // 2
_QUOTE_CHARACTERS = 200


class Mark(NamedTuple):
    """A mark that is put into a text that is shown, behind a character."""

    at: int
    text: str


class Footnotes(NamedTuple):
    """Marks in a text, and the notes that they lead to."""

    marks: list[Mark]
    notes: str


def footnotes(threads: "Sequence[Thread]", text: str, names: "Mapping[str, str]") -> Footnotes:
    """Return active threads as footnotes; where one is about no words, as a note alone."""
    active = [one for one in threads if one.comment.status == "active"]
    if not active:
        return Footnotes([], "")
    prefix = _unused(text)
    marks: list[Mark] = []
    lines: list[str] = []
    left = _TOKENS_BESIDE
    for number, thread in enumerate(active[: limits.THREADS_SHOWN], 1):
        name = f"[^{prefix}-{number}]"
        note = _note(thread, names)
        left -= tokens(note)
        if lines and left < 0:
            break
        lines.append(f"{name}: {note}")
        spot = thread.spot
        # An author may have written between reading the text and reading the comments.
        if spot is not None and text.startswith(spot.text, spot.start):
            marks.append(Mark(spot.start + len(spot.text.rstrip()), name))
    rest = f" {len(active) - len(lines)} more: manage_comments lists them." * (
        len(lines) < len(active)
    )
    told = f"<!-- Comments: marks such as [^{prefix}-1] and these notes are no part of the text."
    return Footnotes(sorted(marks), "\n".join(["", "", f"{told}{rest} -->", *lines, ""]))


def _unused(text: str) -> str:
    """Return what begins the names of footnotes that the text does not have itself."""
    names = ("comment", *(f"comment-{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"))
    return next((name for name in names if f"[^{name}-" not in text), "strata-comment")


def _note(thread: "Thread", names: "Mapping[str, str]") -> str:
    about = ""
    quote = (thread.comment.quote or "")[:_QUOTE_CHARACTERS]
    if thread.comment.quote is None:
        about = " (on the whole document)"
    elif thread.orphaned:
        about = f" (on words that are gone: {quote!r})"
    elif thread.changed:
        about = f" (on words that were: {quote!r})"
    said = "(deleted)" if thread.comment.deleted else thread.comment.body
    first = f"{_signed(thread.comment, names)} {thread.comment.id}{about}: {said}"
    replies = [f"{_signed(one, names)}: {one.body}" for one in thread.replies]
    # Indented, no line of a body can look like another note, or like what another user said.
    parts = ["\n        ".join(part.splitlines()) for part in (first, *replies)]
    return cut("\n    ".join(parts), limits.ANSWER_VALUE_TOKENS_MAX)


def _signed(comment: "Comment", names: "Mapping[str, str]") -> str:
    who = names.get(comment.author, comment.author)
    by = f" by {comment.via}" if comment.via else ""
    return f"**{who}**{by} {comment.iso_time[:10]}"


def marked(text: str, marks: Sequence[Mark], *, start: int = 0, end: int | None = None) -> str:
    """Return a part of a text with the marks behind its characters."""
    last = len(text) if end is None else end
    parts: list[str] = []
    done = start
    for mark in marks:
        if start < mark.at <= last:
            parts += (text[done : mark.at], mark.text)
            done = mark.at
    return "".join([*parts, text[done:last]])


# Of no use to a reader: ids of authors, and places that pages count in.
_UNSHOWN = frozenset({"authorId", "via", "start", "end", "baseVersion"})


def thread_list(threads: "Sequence[Thread]", names: "Mapping[str, str]") -> list[Any]:
    """Return threads, active and resolved ones, as many as can be read beside a text."""
    return _readable_beside([thread_fields(one, names) for one in threads])


def suggestion_list(found: "Sequence[Proposal]", names: "Mapping[str, str]") -> list[Any]:
    """Return pending suggestions, as many as can be read beside a text."""
    return _readable_beside([suggestion_fields(one, names) for one in found])


def _readable_beside(items: Sequence[msgspec.Struct]) -> list[Any]:
    shown = [_plain(msgspec.to_builtins(item)) for item in items[: limits.THREADS_SHOWN]]
    return that_fit(shown, _TOKENS_BESIDE)


def _plain(members: dict[str, Any]) -> dict[str, Any]:
    """Return what an answer shows without what only programs use, in replies too."""
    plain = {name: value for name, value in members.items() if name not in _UNSHOWN}
    if plain.get("replies"):
        plain["replies"] = [_plain(reply) for reply in plain["replies"]]
    return plain
