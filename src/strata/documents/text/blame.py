"""Who wrote what: runs of a text with their authors, carried on by replaying its edits.

While edits are replayed lengths are UTF-8 bytes, as the replica tells its changes; they become
code points once, at the end. So no edit needs a look at the text.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple, Protocol

from msgspec import Struct

from strata.base.errors import InvalidArgument
from strata.documents.text.replica import Replica, code_points

# Runs are kept in blocks, so that an edit looks at some hundred of them and not at all.
BLOCK = 64


class Run(Struct, frozen=True, array_like=True):
    """A piece of text that one author wrote at one time; `length` counts code points."""

    author: str
    via: str | None
    time: int
    length: int


class Edit(Protocol):
    """An update with its author."""

    @property
    def update(self) -> bytes:
        """What was done."""
        ...

    @property
    def author(self) -> str:
        """Who did it."""
        ...

    @property
    def via(self) -> str | None:
        """The agent that did it for them."""
        ...

    @property
    def time(self) -> int:
        """When, in microseconds."""
        ...


class Mark(NamedTuple):
    """What a run says of its text."""

    author: str
    via: str | None
    time: int


def blame(runs: Sequence[Run], state: bytes | None, entries: Iterable[Edit]) -> list[Run]:
    """Return the runs of the text after more edits; `runs` are those of the text in `state`."""
    replica = Replica(state=state)
    ribbon = _Ribbon(_in_bytes(runs, replica.text))
    for entry in entries:
        mark = Mark(entry.author, entry.via, entry.time)
        for change in replica.follow(entry.update):
            at = 0
            for step in change:
                at += step.keep
                ribbon.drop(at, step.drop)
                at += ribbon.put(at, len(step.put.encode()), mark)
    return _in_code_points(ribbon, replica.text)


Piece = tuple[int, Mark]


class _Ribbon:
    """Pieces of a text in order, each with its length in bytes and its mark."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        whole = list(pieces)
        self.blocks = [whole[at : at + BLOCK] for at in range(0, len(whole), BLOCK)] or [[]]
        self.sizes = [sum(length for length, _ in block) for block in self.blocks]

    def __iter__(self) -> Iterator[Piece]:
        for block in self.blocks:
            yield from block

    def put(self, at: int, length: int, mark: Mark) -> int:
        """Insert a piece, and return its length."""
        if length:
            block, place = self._cut(at)
            self.blocks[block].insert(place, (length, mark))
            self.sizes[block] += length
            self._level(block)
        return length

    def drop(self, at: int, length: int) -> None:
        """Take out what stands at an offset."""
        while length:
            block, place = self._cut(at)
            found, mark = self.blocks[block][place]
            gone = min(found, length)
            self.blocks[block][place : place + 1] = [(found - gone, mark)] if found > gone else []
            self.sizes[block] -= gone
            length -= gone

    def _cut(self, at: int) -> tuple[int, int]:
        """Make a piece begin at an offset, and return its block and its place there."""
        block = 0
        for block, size in enumerate(self.sizes):
            if at < size or block == len(self.sizes) - 1:
                break
            at -= size
        pieces = self.blocks[block]
        for place, (length, mark) in enumerate(pieces):
            if at < length:
                if at:
                    pieces[place : place + 1] = [(at, mark), (length - at, mark)]
                return block, place + bool(at)
            at -= length
        return block, len(pieces)

    def _level(self, block: int) -> None:
        pieces = self.blocks[block]
        if len(pieces) > 2 * BLOCK:
            self.blocks[block : block + 1] = pieces[:BLOCK], pieces[BLOCK:]
            rest = sum(length for length, _ in pieces[BLOCK:])
            self.sizes[block : block + 1] = self.sizes[block] - rest, rest


def _in_bytes(runs: Sequence[Run], text: str) -> Iterator[Piece]:
    if sum(run.length for run in runs) != len(text):
        raise InvalidArgument("The runs are not those of this text.", parameter="runs")
    at = 0
    for run in runs:
        piece = text[at : at + run.length]
        at += run.length
        yield len(piece.encode()), Mark(run.author, run.via, run.time)


def _in_code_points(ribbon: _Ribbon, text: str) -> list[Run]:
    """Turn bytes into code points, and make one run of neighbours that say the same."""
    whole = [
        (mark, sum(length for length, _ in same))
        for mark, same in groupby(ribbon, lambda piece: piece[1])
    ]
    ends = code_points(text, accumulate(length for _, length in whole))
    spans = (end - start for start, end in pairwise([0, *ends]))
    return [Run(*mark, length) for (mark, _), length in zip(whole, spans, strict=True)]
