"""Suggestions: edits that wait for a user to accept them, kept beside the text."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Literal, TypeAlias, cast

import msgspec

from strata.base.ids import new_id
from strata.base.results import TimedResult
from strata.base.values import Json, encode
from strata.documents.quotes import places
from strata.documents.records import SPACE, SUGGESTION, TEXT
from strata.documents.text import Replica, anchor, joined_to
from strata.store import GONE, FiledEdit, Record, Snapshot, StagedChange, damaged, value_of

# Why it waits: asked for, made on a text that has changed, or found by a merge.
Reason: TypeAlias = Literal["proposed", "stale", "merge"]
Status: TypeAlias = Literal["pending", "accepted", "rejected", "withdrawn"]
Severity: TypeAlias = Literal["info", "warning", "error"]


class Suggestion(TimedResult, frozen=True, kw_only=True):
    """A replacement of some words. `start` and `end` are anchors: Yjs relative positions.

    `decided_by` is the user who accepted, rejected or withdrew it.
    """

    TIME = "created"

    id: str
    document: str
    original: str
    replacement: str
    start: bytes
    end: bytes
    author: str
    via: str | None = None
    reason: Reason = "proposed"
    status: Status = "pending"
    created: int
    base_version: int | None = None
    branch: str | None = None
    rationale: str | None = None
    severity: Severity = "info"
    confidence: float | None = None
    decided_by: str | None = None
    decided_at: int | None = None
    # What the words are joined to on either side, to notice letters that were added there.
    beside: tuple[str, str] | None = None


def suggest(
    replica: Replica,
    span: tuple[int, int],
    replacement: str,
    *,
    document: str,
    author: str,
    via: str | None,
    reason: Reason,
    now: int,
    base_version: int | None = None,
    branch: str | None = None,
    rationale: str | None = None,
    severity: Severity = "info",
    confidence: float | None = None,
) -> Suggestion:
    """Return a suggestion for a span of the replica's text."""
    start, end = anchor(replica, *span)
    return Suggestion(
        id=new_id("sug"),
        document=document,
        original=replica.text[slice(*span)],
        beside=joined_to(replica.text, span),
        replacement=replacement,
        start=start,
        end=end,
        author=author,
        via=via,
        reason=reason,
        created=now,
        base_version=base_version,
        branch=branch,
        rationale=rationale,
        severity=severity,
        confidence=confidence,
    )


def filed_edits(
    text: str, made: Sequence[Suggestion], spans: Sequence[tuple[int, int]], *, title: str
) -> list[FiledEdit]:
    """Return suggestions with the places in a text that they were just made for."""
    return [
        FiledEdit(
            space=SPACE,
            kind=TEXT,
            key=one.document,
            title=title,
            suggestion=one.id,
            line=seen.line,
            section=seen.section,
            around=seen.text,
            original=one.original,
            replacement=one.replacement,
        )
        for one, seen in zip(made, places(text, spans), strict=True)
    ]


def change_of(suggestion: Suggestion) -> StagedChange:
    """Return the change that keeps a suggestion."""
    value = cast("dict[str, Json]", msgspec.to_builtins(suggestion, builtin_types=(bytes,)))
    value["start"] = b64encode(suggestion.start).decode()
    value["end"] = b64encode(suggestion.end).decode()
    key = f"{suggestion.document}/{value.pop('id')}"
    value.pop("document")
    return StagedChange(
        SPACE, SUGGESTION, key, encode(value), attributes=(("status", suggestion.status),)
    )


def suggestions_of(snapshot: Snapshot, document: str) -> list[Suggestion]:
    """Return every suggestion on a document, oldest first."""
    return [
        suggestion_of(key, record)
        for key, record in snapshot.items(SPACE, SUGGESTION, f"{document}/")
    ]


def find_suggestion(snapshot: Snapshot, document: str, suggestion: str) -> Suggestion | None:
    """Return a suggestion on a document, or None where there is none of that id."""
    key = f"{document}/{suggestion}"
    record = snapshot.get(SPACE, SUGGESTION, key)
    return None if record is None or record[2] & GONE else suggestion_of(key, record)


def suggestion_of(key: str, record: Record) -> Suggestion:
    """Return a suggestion as the store has it."""
    document, _slash, id_ = key.partition("/")
    try:
        value = cast("dict[str, object]", value_of(record))
        given = value | {
            "id": id_,
            "document": document,
            "start": b64decode(str(value["start"])),
            "end": b64decode(str(value["end"])),
        }
        return msgspec.convert(given, Suggestion)
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(record[0]) from error
