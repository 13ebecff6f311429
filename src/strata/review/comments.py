"""Comments as they lie in the store: beside the text, one record each, versioned like it."""

from typing import Literal, TypeAlias, cast

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.results import TimedResult
from strata.base.values import Json, encode
from strata.documents import COMMENT, SPACE, meta_of_user
from strata.store import DELETED, GONE, Record, Snapshot, StagedChange, damaged, value_of

Status: TypeAlias = Literal["active", "resolved"]


class Comment(TimedResult, frozen=True, kw_only=True):
    """What a user or an agent says about a document, or about some words of it.

    `start` and `end` are anchors of the quoted words: Yjs relative positions. A reply names in
    `parent` the comment that its thread began with, whose status is the thread's.
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


def change_of_comment(comment: Comment) -> StagedChange:
    """Return the change that keeps a comment."""
    value = cast("dict[str, Json]", msgspec.to_builtins(comment))
    document = value.pop("document")
    key = f"{document}/{value.pop('id')}"
    kept: dict[str, Json] = {name: one for name, one in value.items() if one not in (None, [])}
    # A thread counts once, however many replies it has.
    named = (("status", comment.status),) if comment.parent is None else ()
    return StagedChange(SPACE, COMMENT, key, encode(kept), attributes=named)


def removal_of_comment(comment: Comment, *, by: str) -> StagedChange:
    """Return the change by which a user takes a comment away; its past stays."""
    key = f"{comment.document}/{comment.id}"
    return StagedChange(SPACE, COMMENT, key, flags=DELETED, meta=meta_of_user(by))


def comments_of(snapshot: Snapshot, document: str) -> list[Comment]:
    """Return every comment on a document, oldest first."""
    found = snapshot.items(SPACE, COMMENT, f"{document}/")
    return [_comment_of(key, record) for key, record in found]


def find_comment(snapshot: Snapshot, document: str, comment: str) -> Comment | None:
    """Return a comment on a document, or None where there is none of that id."""
    key = f"{document}/{comment}"
    record = snapshot.get(SPACE, COMMENT, key)
    return None if record is None or record[2] & GONE else _comment_of(key, record)


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
