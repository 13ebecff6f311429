"""The pieces of a text that search and links know: a section each, or a part of a long one.

A piece keeps its id while others change, and as long as anything of it can be recognised: its
words, its heading, or its place between two pieces that stayed.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from strata.base.ids import new_id
from strata.base.results import Result
from strata.base.values import encode
from strata.documents.markdown import (
    Section,
    chunks,
    normal_title,
    references,
    resections,
    sections,
)
from strata.documents.records import SECTION, SPACE
from strata.documents.text import Splice
from strata.store import DELETED, Snapshot, StagedChange, value_of


class Piece(Result, frozen=True, gc=False):
    """A piece of a text: its id, the headings above it, and its words."""

    id: str
    path: tuple[str, ...]
    text: str


class _Stored(msgspec.Struct, frozen=True):
    """A piece as its record has it; the key has its id."""

    path: tuple[str, ...]
    text: str


class SectionLayout(msgspec.Struct, frozen=True):
    """A text cut into sections, and these into pieces; `counts` are the pieces of each.

    `overdue` is what the store must be told before it has these pieces: nothing, unless the
    text was written live and what follows from it was left for later.
    """

    sections: list[Section]
    counts: list[int]
    pieces: list[Piece]
    overdue: tuple[StagedChange, ...] = ()


def cut(text: str, found: Sequence[Section]) -> tuple[list[int], list[Piece]]:
    """Return how many pieces each section has, and all of them in order, without ids."""
    counts = [0] * len(found)
    pieces: list[Piece] = []
    for chunk in chunks(text, found):
        counts[chunk.section] += 1
        pieces.append(Piece("", found[chunk.section].path, text[chunk.start : chunk.end]))
    return counts, pieces


def stored_pieces(snapshot: Snapshot, document: str) -> Iterator[Piece]:
    """Yield the pieces that the store has of a document, by id."""
    prefix = f"{document}/"
    for key, record in snapshot.items(SPACE, SECTION, prefix):
        value = msgspec.convert(value_of(record), _Stored)
        yield Piece(key.removeprefix(prefix), value.path, value.text)


def layout_of(snapshot: Snapshot, document: str, text: str) -> SectionLayout:
    """Return a text cut up, with the ids that the store has for its pieces."""
    stored = list(stored_pieces(snapshot, document))
    found = sections(text)
    counts, bare = cut(text, found)
    pieces = renewed(stored, bare)
    return SectionLayout(found, counts, pieces, tuple(changes(document, stored, pieces)))


def pieces_of(snapshot: Snapshot, document: str, text: str) -> list[Piece]:
    """Return the pieces that the store has of a text, in order."""
    return layout_of(snapshot, document, text).pieces


def relaid(before: SectionLayout, text: str, splices: Sequence[Splice]) -> SectionLayout:
    """Return the layout of a text after splices.

    Only the text between the first and the last change is split again.
    """
    found, moved = resections(text, before.sections, splices)
    head = _same_head(before.sections, found, splices[0].start)
    tail = min(moved, len(before.sections) - head, len(found) - head)
    if tail and before.sections[-tail].start <= splices[-1].end:
        tail -= 1
    counts, bare = cut(text, found[head : len(found) - tail])
    first, last = sum(before.counts[:head]), len(before.pieces) - _sum_of_last(before.counts, tail)
    kept = renewed(before.pieces[first:last], bare)
    return SectionLayout(
        found,
        [*before.counts[:head], *counts, *before.counts[len(before.counts) - tail :]],
        [*before.pieces[:first], *kept, *before.pieces[last:]],
    )


def _sum_of_last(counts: list[int], tail: int) -> int:
    return sum(counts[len(counts) - tail :])


def _same_head(before: list[Section], after: list[Section], start: int) -> int:
    """Return how many sections are complete before the first change, and stay what they were."""
    head = min(bisect_left(before, start, key=lambda section: section.end), len(after))
    while head:
        old, new = before[head - 1], after[head - 1]
        if (old.start, old.end, old.path) == (new.start, new.end, new.path):
            break
        head -= 1
    return head


def renewed(before: Sequence[Piece], after: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of a changed text, each with the id that it had or a new one."""
    matched: dict[int, str] = {}
    left = _Left(before)
    for same in (_all, _words, _path):
        for index, piece in enumerate(after):
            if index not in matched and (id_ := left.claim(same(piece), same)):
                matched[index] = id_
    _by_place(after, before, matched, left=left)
    return [
        Piece(matched.get(index) or new_id("chunk"), piece.path, piece.text)
        for index, piece in enumerate(after)
    ]


def _all(piece: Piece) -> object:
    return (piece.path, piece.text)


def _words(piece: Piece) -> object:
    return piece.text


def _path(piece: Piece) -> object:
    return piece.path


class _Left:
    """The pieces that have found no successor yet."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.ids = {piece.id: piece for piece in pieces}
        self._by: dict[Callable[[Piece], object], dict[object, list[str]]] = {}

    def claim(self, wanted: object, same: Callable[[Piece], object]) -> str | None:
        """Return the id of the first piece left that looks the same in one respect."""
        if same not in self._by:
            self._by[same] = defaultdict(list)
            for piece in self.ids.values():
                self._by[same][same(piece)].append(piece.id)
        waiting = self._by[same].get(wanted, [])
        while waiting:
            id_ = waiting.pop(0)
            if id_ in self.ids:
                del self.ids[id_]
                return id_
        return None


def _by_place(
    after: Sequence[Piece], before: Sequence[Piece], matched: dict[int, str], *, left: _Left
) -> None:
    """Match what is left if it follows the same section as before."""
    if not left.ids:
        return
    follower = {piece.id: following.id for piece, following in pairwise(before)}
    first = before[0].id if before else ""
    for index in range(len(after)):
        if index in matched:
            continue
        previous = matched.get(index - 1)
        wanted = first if index == 0 else follower.get(previous or "", "")
        if wanted in left.ids:
            del left.ids[wanted]
            matched[index] = wanted


def changes(
    document: str, before: Sequence[Piece], after: Sequence[Piece]
) -> Iterator[StagedChange]:
    """Yield what must be written so that search knows the new pieces."""
    head = _count_same(before, after)
    tail = _count_same(before[head:][::-1], after[head:][::-1])
    lost = {piece.id: piece for piece in before[head : len(before) - tail]}
    for piece in after[head : len(after) - tail]:
        if lost.pop(piece.id, None) != piece:
            yield change_of(document, piece)
    for id_ in lost:
        yield StagedChange(SPACE, SECTION, f"{document}/{id_}", flags=DELETED)


def _count_same(before: Sequence[Piece], after: Sequence[Piece]) -> int:
    """Return how many pieces both begin with."""
    for at, (old, new) in enumerate(zip(before, after, strict=False)):
        if old is not new:
            return at
    return min(len(before), len(after))


def change_of(document: str, piece: Piece) -> StagedChange:
    """Return the change that lets search find a piece, and what it links to."""
    value = encode({"path": list(piece.path), "text": piece.text})
    return StagedChange(
        SPACE, SECTION, f"{document}/{piece.id}", value, links=tuple(_links(piece.text))
    )


def _links(text: str) -> Iterable[tuple[str, str]]:
    """Return type and target of what a text links to, each once."""
    found: dict[tuple[str, str], None] = {}
    for reference in references(text):
        if reference.kind != "image":
            found.update(
                ((reference.kind, target), None) for target in targets_of(reference.target)
            )
    return found


def targets_of(written: str) -> tuple[str, ...]:
    """Return what a link is kept as: a document's id, or titles to be looked up when read.

    A path is kept as its last part too, for that is the title. Addresses of the web and of mail
    are no documents.
    """
    name = written.strip()
    last = name.rstrip("/").rpartition("/")[2]
    if last.startswith("doc_"):
        return (f"doc:{last.partition('#')[0]}",)
    if not name or "://" in name or name.startswith(("#", "mailto:")):
        return ()
    names = dict.fromkeys((name.removesuffix(".md"), last.removesuffix(".md")))
    return tuple(f"title:{normal_title(one)}" for one in names)
