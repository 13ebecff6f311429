"""Conversations and their turns as they lie in the store.

A conversation is `CLIENT/ID`, such as `codex/01a1ed19-9bde`, and its turns are numbered from 1:
`codex/01a1ed19-9bde#12` cites one of them, `#12-15` several.
"""

import re
from typing import Any, NamedTuple, cast

import msgspec

from strata.base import limits
from strata.base.results import Result, TimedResult
from strata.base.utc import iso
from strata.base.values import Json, encode
from strata.conversations.spoken import About, SpokenTurn, time_of
from strata.search import TURN, turn_key
from strata.store import Record, StagedChange, damaged, meta_of, value_of

SPACE, CONVERSATION = "conversations", "conversation"
_CITATION = re.compile(r"(?P<id>[^#\s]+/[^#\s]+)#(?P<first>\d{1,8})(?:-(?P<last>\d{1,8}))?")
_TITLE_CHARACTERS = 80


class Conversation(TimedResult, frozen=True, kw_only=True):
    """A conversation that was taken in: where it was held, and how many turns it has.

    `timestamp` is the time of its last turn, `started` that of its first, in microseconds.
    """

    id: str
    client: str
    title: str
    folder: str
    turns: int
    started: int
    timestamp: int


class ConversationTurn(TimedResult, frozen=True, kw_only=True):
    """What a user or a model said in a conversation, and when.

    `tools` are the calls that the model made before it said that.
    """

    conversation: str
    number: int
    speaker: str
    text: str
    timestamp: int
    tools: tuple[str, ...] = ()
    version: int = 0

    @property
    def citation(self) -> str:
        """How a fact or a decision names this turn as its source."""
        return f"{self.conversation}#{self.number}"


class Citation(Result, frozen=True):
    """The turns that something names as its source: a conversation, and from where to where."""

    conversation: str
    first: int
    last: int


class LineMark(NamedTuple):
    """Where a turn lies in its file: the bytes of its line, and a digest of them."""

    start: int
    end: int
    digest: str


def read_citation(text: str) -> Citation | None:
    """Return which turns a source names; None for a source of another kind."""
    found = _CITATION.fullmatch(text)
    if found is None:
        return None
    first = int(found["first"])
    last = int(found["last"] or first)
    return Citation(found["id"], first, last) if 0 < first <= last else None


def change_of_conversation(id_: str, about: About, first: SpokenTurn) -> StagedChange:
    """Return the change that begins a conversation; it is named by what was said first."""
    line = " ".join((about.title or first.text).split())
    title = line if len(line) <= _TITLE_CHARACTERS else f"{line[: _TITLE_CHARACTERS - 1]}…"
    value: dict[str, Json] = {"title": title, "folder": about.folder}
    return StagedChange(SPACE, CONVERSATION, id_, encode(value))


def change_of_turn(
    id_: str, number: int, turn: SpokenTurn, *, time: int, mark: LineMark | None
) -> StagedChange:
    """Return the change that appends a turn."""
    text = turn.text
    if len(text) > limits.TURN_CHARACTERS_MAX:
        text = f"{text[: limits.TURN_CHARACTERS_MAX]}\n[cut: {len(text):,} characters]"
    value: dict[str, Json] = {"speaker": turn.speaker, "text": text, "time": iso(time)}
    if turn.tools:
        value["tools"] = list(turn.tools)
    meta: dict[str, Json] = {"id": turn.id}
    if mark is not None:
        meta["mark"] = list(mark)
    key = turn_key(id_, number)
    return StagedChange(SPACE, TURN, key, encode(value), meta=msgspec.json.encode(meta))


def turn_of(id_: str, number: int, record: Record) -> ConversationTurn:
    """Return a turn as the store has it; raise DamagedStore for what is none."""
    value = cast("dict[str, Any]", value_of(record))
    try:
        return ConversationTurn(
            conversation=id_,
            number=number,
            speaker=value["speaker"],
            text=value["text"],
            timestamp=time_of(value["time"]) or record[1],
            tools=tuple(value.get("tools", ())),
            version=record[0],
        )
    except (KeyError, TypeError) as error:
        raise damaged(record[0]) from error


def source_id(record: Record) -> str:
    """Return what a turn is called in the file it came from."""
    return str(meta_of(record).get("id", ""))


def mark_of(record: Record) -> LineMark | None:
    """Return where a turn lies in its file, if that was a file of lines."""
    found = meta_of(record).get("mark")
    if not isinstance(found, list):
        return None
    start, end, digest = cast("tuple[int, int, str]", tuple(cast("list[Any]", found)))
    return LineMark(start, end, digest)
