"""One conversation of a store: its turns by number, and appending new ones."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import BinaryIO, NamedTuple

from msgspec.structs import replace

from strata.base import limits
from strata.conversations.records import (
    CONVERSATION,
    SPACE,
    ConversationTurn,
    LineMark,
    change_of_conversation,
    change_of_turn,
    mark_of,
    source_id,
    turn_of,
)
from strata.conversations.spoken import About, SpokenTurn
from strata.search import TURN, turn_key
from strata.secrets import mask
from strata.store import DELETED, GONE, Record, Snapshot, StagedChange, View


class Appended(NamedTuple):
    """How many turns were new, and how many secrets were masked in them."""

    turns: int = 0
    masked: int = 0

    def __add__(self, other: object) -> "Appended":
        assert isinstance(other, Appended), "only such figures are added up"
        return Appended(self.turns + other.turns, self.masked + other.masked)


class Overtaken(Exception):
    """Another process has appended to a conversation since its turns were counted."""


class Stream:
    """The turns of one conversation. They are numbered from 1 without a gap."""

    def __init__(self, view: View, id_: str) -> None:
        self._view = view
        self.id = id_

    @property
    def _snapshot(self) -> Snapshot:
        return self._view.snapshot

    @property
    def header(self) -> Record | None:
        """What is noted about the conversation; None if there never was one."""
        return self._snapshot.get(SPACE, CONVERSATION, self.id)

    @property
    def is_forgotten(self) -> bool:
        """Whether the conversation was taken in once, and forgotten."""
        found = self.header
        return found is not None and bool(found[2] & GONE)

    def count(self) -> int:
        """Return how many turns there are: the number of the last one."""
        low, high = 0, 1
        while self.record(high) is not None:
            low, high = high, high * 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.record(middle) is not None else (low, middle)
        return low

    def record(self, number: int) -> Record | None:
        """Return a turn as the store has it; an erased one keeps its place."""
        found = self._snapshot.get(SPACE, TURN, turn_key(self.id, number))
        return None if found is None or found[2] & DELETED else found

    def turn(self, number: int) -> ConversationTurn | None:
        """Return a turn, or None."""
        found = self.record(number)
        return None if found is None or found[2] & GONE else turn_of(self.id, number, found)

    def known_ids(self) -> set[str]:
        """Return what the turns are called in their file."""
        records = map(self.record, range(1, self.count() + 1))
        return {source_id(record) for record in records if record is not None}

    def resume(self, file: BinaryIO, count: int) -> int:
        """Return the byte behind the last of so many turns; 0 if the file is another one now."""
        last = self.record(count) if count else None
        mark = None if last is None or last[2] & GONE else mark_of(last)
        if mark is None:
            return 0
        file.seek(mark.start)
        return mark.end if digest(file.read(mark.end - mark.start)) == mark.digest else 0

    def append(
        self, about: About, turns: Iterable[tuple[SpokenTurn, LineMark | None]], *, behind: int
    ) -> Appended:
        """Append turns as one commit; none begins a conversation without one.

        Raises Overtaken unless there are as many turns before them as when they were read.
        """
        batch = list(turns)
        if not batch:
            return Appended()
        clean = [_masked(turn) for turn, _mark in batch] if self._view.screened else None
        masked = 0 if clean is None else sum(count for _turn, count in clean)
        if clean is not None:
            batch = [(turn, mark) for (turn, _), (_, mark) in zip(clean, batch, strict=True)]
        with self._view.writing("conversation") as transaction:
            if self.count() != behind:
                raise Overtaken
            changes = list(self._changes(about, batch, behind))
            transaction.stage_many(self._view.store.all_indexed(changes))
        return Appended(len(batch), masked)

    def _changes(
        self, about: About, batch: list[tuple[SpokenTurn, LineMark | None]], count: int
    ) -> Iterator[StagedChange]:
        if count == 0:
            yield change_of_conversation(self.id, about, batch[0][0])
        last = self.turn(count) if count else None
        before = None if last is None else last.timestamp
        now = self._view.store.clock()
        for number, (turn, mark) in enumerate(batch, count + 1):
            # A turn without a time was said after the one before it; the future is now.
            time = turn.time if turn.time is not None else before or now
            before = min(time, now)
            yield change_of_turn(self.id, number, turn, time=before, mark=mark)


def digest(data: bytes) -> str:
    """Return what tells whether the bytes of a line are still the same."""
    return blake2b(data, digest_size=8).hexdigest()


def _masked(turn: SpokenTurn) -> tuple[SpokenTurn, int]:
    """Return a turn without secrets, and how many it had."""
    text, found = mask(turn.text[: limits.TURN_CHARACTERS_MAX + 1])
    tools, more = mask(list(turn.tools))
    if not found and not more:
        return turn, 0
    assert isinstance(text, str) and isinstance(tools, list), "masking keeps the shape"
    return replace(turn, text=text, tools=tuple(map(str, tools))), len(found) + len(more)
