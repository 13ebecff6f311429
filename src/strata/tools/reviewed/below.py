"""What is put beside a text that is read: footnotes for comments, or lists of their own.

None of it is part of the document: an agent copies words from what it reads.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from strata.base import limits
from strata.tools.budget import cut, tokens
from strata.tools.reviewed.shapes import shown_suggestion, shown_thread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.review import Comment, Proposal, Thread

# What is shown below a text, beside the text itself.
_ROOM = limits.ANSWER_TOKENS_MAX // 2
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
    room = _ROOM
    for number, thread in enumerate(active[: limits.THREADS_SHOWN], 1):
        name = f"[^{prefix}-{number}]"
        note = _note(thread, names)
        room -= tokens(note)
        if lines and room < 0:
            break
        lines.append(f"{name}: {note}")
        spot = thread.spot
        # Somebody may have written between reading the text and reading the comments.
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
    first = f"{_said(thread.comment, names)} {thread.comment.id}{about}: {thread.comment.body}"
    replies = [f"{_said(one, names)}: {one.body}" for one in thread.replies]
    # Indented, no line of a body can look like another note, or like what somebody else said.
    said = ["\n        ".join(part.splitlines()) for part in (first, *replies)]
    return cut("\n    ".join(said), limits.ANSWER_VALUE_TOKENS_MAX)


def _said(comment: "Comment", names: "Mapping[str, str]") -> str:
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


# Of no use to whoever reads: ids of authors, and places that pages count in.
_UNSHOWN = frozenset({"authorId", "via", "start", "end", "baseVersion"})


def threads_shown(threads: "Sequence[Thread]", names: "Mapping[str, str]") -> list[Any]:
    """Return threads, active and resolved ones, as many as can be read beside a text."""
    return _that_fit([shown_thread(one, names) for one in threads])


def suggestions_shown(found: "Sequence[Proposal]", names: "Mapping[str, str]") -> list[Any]:
    """Return pending suggestions, as many as can be read beside a text."""
    return _that_fit([shown_suggestion(one, names) for one in found])


def _that_fit(items: Sequence[msgspec.Struct]) -> list[Any]:
    kept: list[Any] = []
    room = _ROOM
    for item in items[: limits.THREADS_SHOWN]:
        shown = _plain(msgspec.to_builtins(item))
        room -= tokens(shown)
        if kept and room < 0:
            break
        kept.append(shown)
    return kept


def _plain(members: dict[str, Any]) -> dict[str, Any]:
    """Return what an answer shows without what only programs use, in replies too."""
    plain = {name: value for name, value in members.items() if name not in _UNSHOWN}
    if plain.get("replies"):
        plain["replies"] = [_plain(reply) for reply in plain["replies"]]
    return plain
