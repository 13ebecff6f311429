"""Who wrote what: runs of a text with their authors, carried on over its edits.

All edits are taken in at once, for a replica needs as long to tell one change as to tell all
together. Where the text is new, the ids of its characters say by which edit they came.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Protocol

from msgspec import Struct

from strata.base.errors import InvalidArgument
from strata.documents.text.anchors import deleted, put_marks
from strata.documents.text.replica import Replica, code_points
from strata.documents.text.surrogates import UTF16, TextStep, cuts
from strata.documents.text.updates import SKIP, Id, Update, UpdateStruct


class AuthorRun(Struct, frozen=True, array_like=True):
    """A piece of text that one author wrote at one time; `length` counts code points."""

    author: str
    via: str | None
    time: int
    length: int


class AuthoredUpdate(Protocol):
    """An update with its author, and the agent that made it for them."""

    @property
    def update(self) -> bytes: ...  # noqa: D102
    @property
    def author(self) -> str: ...  # noqa: D102
    @property
    def via(self) -> str | None: ...  # noqa: D102
    @property
    def time(self) -> int: ...  # noqa: D102


# Author, agent and time.
Mark = tuple[str, str | None, int]
# A length in UTF-8 bytes, and whose text it is.
Piece = tuple[int, Mark]


def blame(
    runs: Sequence[AuthorRun], state: bytes | None, entries: Iterable[AuthoredUpdate]
) -> list[AuthorRun]:
    """Return the runs of the text after more edits; `runs` are those of the text in `state`."""
    return blame_and_state(runs, state, entries)[0]


def blame_and_state(
    runs: Sequence[AuthorRun], state: bytes | None, entries: Iterable[AuthoredUpdate]
) -> tuple[list[AuthorRun], bytes]:
    """Return the runs of the text after more edits, and the state then."""
    edits = list(entries)
    replica = Replica(state=state)
    pieces = _in_bytes(runs, replica.text)
    known = dict(replica.known)
    said, halves, steps = replica.follow(edit.update for edit in edits)
    text, after = replica.text, replica.state()
    new = _in_order(dict(_written(said, edits, known)), replica)
    return _in_code_points(_carried(_halved(pieces, halves), steps, new), text), after


def _written(
    said: list[Update], edits: list[AuthoredUpdate], known: dict[int, int]
) -> Iterator[tuple[Id, Piece]]:
    """Yield what the edits wrote, in pieces with nothing between them, by their last unit."""
    borders = _borders(said, known)
    for each, edit in zip(said, edits, strict=True):
        mark = (edit.author, edit.via, edit.time)
        for item in (item for item in each.items if item.kind != SKIP):
            start = max(item.clock, known.get(item.client, 0))
            end = item.clock + item.length
            # What was known before begins behind its end, and has no pieces.
            near = borders.get(item.client, [])
            cut = near[bisect_right(near, start) : bisect_left(near, end)]
            for last, size in _pieces(item, [start, *cut, end] if start < end else []):
                yield (item.client, last), (size, mark)
            known[item.client] = max(start, end)


def _borders(said: list[Update], known: dict[int, int]) -> dict[int, list[int]]:
    """Return, for each client in order, the clocks at which its text may have been cut."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for each in said:
        for client, clock in cuts(each, known):
            found[client].add(clock)
    return {client: sorted(clocks) for client, clocks in found.items()}


def _pieces(item: UpdateStruct, clocks: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the last clock and the bytes of each piece of a text that is cut at those clocks."""
    raw = item.text.encode(UTF16)
    for start, end in pairwise(clocks if raw else ()):
        piece = raw[2 * (start - item.clock) : 2 * (end - item.clock)]
        yield end - 1, len(piece.decode(UTF16).encode())


def _in_order(written: dict[Id, Piece], replica: Replica) -> list[Piece]:
    """Return what is left of the pieces, from the last in the text to the first."""
    left = written.keys() - deleted(replica, written.keys())
    return [written[last] for last in reversed(put_marks(replica, left))]


def _carried(pieces: list[Piece], steps: list[TextStep], new: list[Piece]) -> list[Piece]:
    """Carry pieces through a change of the text; what is new comes from the end of `new`."""
    rest = pieces[::-1]
    out: list[Piece] = []
    for step in steps:
        out += _pop_pieces(rest, step.keep)
        for _ in _pop_pieces(rest, step.drop):
            pass
        out += _pop_pieces(new, len(step.put.encode()))
    return out + rest[::-1]


def _halved(pieces: list[Piece], halves: list[TextStep]) -> list[Piece]:
    """Make room for characters that became two halves, which stay their author's."""
    rest = pieces[::-1]
    out: list[Piece] = []
    for step in halves:
        out += _pop_pieces(rest, step.keep)
        out += ((len(step.put.encode()), mark) for _, mark in _pop_pieces(rest, step.drop))
    return out + rest[::-1]


def _pop_pieces(rest: list[Piece], size: int) -> Iterator[Piece]:
    """Remove so many bytes from the end of a list of pieces, and yield them."""
    while size:
        length, mark = rest.pop()
        if length > size:
            rest.append((length - size, mark))
            length = size
        size -= length
        yield length, mark


def _in_bytes(runs: Sequence[AuthorRun], text: str) -> list[Piece]:
    if sum(run.length for run in runs) != len(text):
        raise InvalidArgument("The runs are not those of this text.", parameter="runs")
    marks = [(run.author, run.via, run.time) for run in runs]
    lengths = [run.length for run in runs]
    if not text.isascii():
        borders = pairwise(accumulate(lengths, initial=0))
        lengths = [len(text[start:end].encode()) for start, end in borders]
    return list(zip(lengths, marks, strict=True))


def _in_code_points(pieces: list[Piece], text: str) -> list[AuthorRun]:
    """Turn bytes into code points, and make one run of neighbours that say the same."""
    marks: list[Mark] = []
    ends: list[int] = []
    at = 0
    for length, mark in pieces:
        at += length
        if marks and marks[-1] == mark:
            ends[-1] = at
        else:
            marks.append(mark)
            ends.append(at)
    borders = pairwise([0, *code_points(text, ends)])
    return [
        AuthorRun(*mark, end - start) for mark, (start, end) in zip(marks, borders, strict=True)
    ]
