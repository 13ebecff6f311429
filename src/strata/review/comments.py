"""Comments as they lie in the store: beside the text, one record each, versioned like it."""

from typing import Literal, TypeAlias, cast

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.results import TimedResult
from strata.base.values import Json, encode
from strata.documents import COMMENT, SPACE
from strata.store import GONE, Record, Snapshot, StagedChange, damaged, value_of

Status: TypeAlias = Literal["active", "resolved"]


class Comment(TimedResult, frozen=True, kw_only=True):
    """What a user or an agent says about a document, or about some words of it.

    `start` and `end` are anchors of the quoted words: Yjs relative positions. A reply names in
    `parent` the comment that its thread began with, whose status is the thread's. A deleted
    comment has an empty body; it is shown only where it keeps a thread together.
    """

    TIME = "created"

    id: str
    document: str
    body: str
    author: str
    via: str | None = None
    created: int
    parent: str | None = None
    quote: str | None = None
    start: bytes | None = None
    end: bytes | None = None
    # By which the words are known again, should an author delete them and bring them back.
    around: str | None = None
    heading: tuple[str, ...] = ()
    status: Status = "active"
    # Who resolved or reopened it last, and when.
    decided_by: str | None = None
    decided_at: int | None = None
    # When its author changed the body last.
    edited: int | None = None
    deleted: int | None = None
    deleted_by: str | None = None


def change_of_comment(comment: Comment, *, is_shown: bool = True) -> StagedChange:
    """Return the change that keeps a comment; one that is not shown begins no open thread."""
    value = cast("dict[str, Json]", msgspec.to_builtins(comment))
    document = value.pop("document")
    key = f"{document}/{value.pop('id')}"
    kept: dict[str, Json] = {name: one for name, one in value.items() if one not in (None, [])}
    # A thread counts once, however many replies it has.
    named = (("status", comment.status),) if comment.parent is None and is_shown else ()
    return StagedChange(SPACE, COMMENT, key, encode(kept), attributes=named)


def comments_of(snapshot: Snapshot, document: str) -> list[Comment]:
    """Return every comment on a document, oldest first.

    A deleted one is among them where a reply to it is: a merge may bring the reply later.
    """
    found = snapshot.items(SPACE, COMMENT, f"{document}/")
    every = [_comment_of(key, record) for key, record in found]
    answered = {one.parent for one in every if one.deleted is None}
    return [one for one in every if one.deleted is None or one.id in answered]


def find_comment(snapshot: Snapshot, document: str, comment: str) -> Comment | None:
    """Return a comment on a document, or None where there is none of that id."""
    key = f"{document}/{comment}"
    record = snapshot.get(SPACE, COMMENT, key)
    if record is None or record[2] & GONE:
        return None
    found = _comment_of(key, record)
    if found.deleted is None:
        return found
    return next((one for one in comments_of(snapshot, document) if one.id == found.id), None)


def _comment_of(key: str, record: Record) -> Comment:
    document, _slash, id_ = key.partition("/")
    try:
        value = cast("dict[str, object]", value_of(record))
        return msgspec.convert(value | {"id": id_, "document": document}, Comment)
    except (TypeError, ValueError) as error:
        raise damaged(record[0]) from error


def check_words(text: object, name: str) -> str:
    """Return the text of a comment; raise if it is empty or too long."""
    words = check_text(text, name=name)
    if not words.strip():
        raise InvalidArgument(f"{name} is empty.", hint="Say something.", parameter=name)
    check_length(words, name)
    return words


def check_length(words: str, name: str) -> None:
    """Raise LimitExceeded for what is too long to be kept beside a text."""
    most = limits.COMMENT_CHARACTERS_MAX
    if len(words) > most:
        raise LimitExceeded(
            f"{name} has {len(words):,} characters; the limit is {most:,}.",
            hint="Write a document, and link to it.",
            parameter=name,
            limit=most,
            size=len(words),
        )
