"""Places in a text that follow its characters, as Yjs relative positions.

An anchor names a character by client and clock, so it stays right whatever happens around it;
Yjs reads and writes the same bytes. Both ways are done by a scratch replica, which knows the order
of the characters. To make an anchor, its character is deleted there, and the update says which
one that was. To resolve anchors, a mark is put behind each of their characters, and the change of
the text says where the marks are. pycrdt has positions of its own, which are wrong as soon as
the text is not ASCII.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from strata.base.errors import DamagedUpdate, InvalidArgument
from strata.documents.text.gaps import gap
from strata.documents.text.replica import Replica, code_points
from strata.documents.text.splice import Splice
from strata.documents.text.surrogates import Pairs
from strata.documents.text.updates import (
    ROOT,
    STRING,
    Deletion,
    Id,
    Update,
    UpdateReader,
    UpdateStruct,
    number,
    read_update,
    string,
    units,
    write_update,
)

IN_ITEM, IN_ROOT = 0, 1
BEFORE, BEHIND = b"\x00", b"\x41"  # 0 and -1, as Yjs writes signed numbers.
SIGN, MAGNITUDE = 0x40, 0x3F
# Sorts before every other client, so its marks land right behind the characters they name.
MARKER = 0


class Position(NamedTuple):
    """A character, or an end of the text where there is none, and the side that is meant."""

    id: Id | None
    behind: bool


class AnchorPlace(NamedTuple):
    """Where an anchor is now, and whether its character still is; None for an end of the text."""

    at: int
    stays: bool | None


def anchor(replica: Replica, start: int, end: int) -> tuple[bytes, bytes]:
    """Anchor text[start:end]: its start to the first character, its end to the last one."""
    return anchors(replica, [(start, end)])[0]


def anchors(replica: Replica, ranges: Sequence[tuple[int, int]]) -> list[tuple[bytes, bytes]]:
    """Anchor many ranges at once, which takes hardly longer than one."""
    size = len(replica.text)
    for start, end in ranges:
        if not 0 <= start <= end <= size:
            raise InvalidArgument(
                f"{start}:{end} does not lie within the text of {size} characters.",
                parameter="start",
            )
    wanted = {start for start, _ in ranges} | {end - 1 for _, end in ranges}
    found = _characters(replica, sorted(wanted - {-1, size}))
    return [(_before(found.get(start)), _behind(found.get(end - 1))) for start, end in ranges]


def resolve(replica: Replica, anchors: Sequence[bytes]) -> list[int]:
    """Return where the anchors are now; UpdateGap when one names what is not here.

    Where its character was deleted, an anchor is where the character would be.
    """
    return [found.at for found in _located(replica, [_read(each) for each in anchors])]


def locate(replica: Replica, anchors: Sequence[bytes]) -> list[AnchorPlace | None]:
    """Return where the anchors are now, all in one pass; None for what names nothing here.

    An anchor can come alone to a branch that does not have its text, and a file can lie.
    """
    readable: dict[int, Position] = {}
    for index, data in enumerate(anchors):
        try:
            position = _read(data)
        except InvalidArgument:
            continue
        if position.id is None or _is_known(replica, position.id):
            readable[index] = position
    found = dict(zip(readable, _located(replica, list(readable.values())), strict=True))
    return [found.get(index) for index in range(len(anchors))]


def _located(replica: Replica, positions: Sequence[Position]) -> list[AnchorPlace]:
    wanted = {position.id for position in positions if position.id}
    ends = _ends(replica, wanted)
    gone = deleted(replica, wanted)
    size = len(replica.text)

    def place(at: Id | None, *, behind: bool) -> AnchorPlace:
        if at is None:
            return AnchorPlace(0 if behind else size, None)
        # A character that is left is one code point long, and may be meant from its front.
        return AnchorPlace(ends[at] if behind or at in gone else ends[at] - 1, at not in gone)

    return [place(at, behind=behind) for at, behind in positions]


def _is_known(replica: Replica, at: Id) -> bool:
    client, clock = at
    return clock < replica.known.get(client, 0)


def is_gone(replica: Replica, anchors: tuple[bytes, bytes]) -> bool:
    """Tell whether nothing is left of what was anchored.

    What an author wrote within the range counts as part of it: an anchor names its two ends only.
    """
    start, end = resolve(replica, anchors)
    return start >= end


def _characters(replica: Replica, offsets: list[int]) -> dict[int, Deletion]:
    """Return the ids of the characters at these offsets, in ascending order."""
    scratch = Replica(state=replica.state())
    places = replica.byte_places([Splice(at, at + 1, "") for at in offsets])
    found: dict[int, Deletion] = {}
    for at, place in zip(reversed(offsets), reversed(places), strict=True):
        found[at] = read_update(scratch.write([place])).deletions[0]
    return found


def _before(character: Deletion | None) -> bytes:
    return _position(character and (character.client, character.clock)) + BEFORE


def _behind(character: Deletion | None) -> bytes:
    # The last unit of the character, as Yjs has it.
    last = character and (character.client, character.clock + character.length - 1)
    return _position(last) + BEHIND


def _position(at: Id | None) -> bytes:
    if at is None:
        return number(IN_ROOT) + string(ROOT)
    return number(IN_ITEM) + number(at[0]) + number(at[1])


def _read(data: bytes) -> Position:
    try:
        return _read_position(UpdateReader(data))
    except (IndexError, UnicodeDecodeError, DamagedUpdate):
        raise _unreadable() from None


def _read_position(reader: UpdateReader) -> Position:
    kind = reader.number()
    at = reader.id() if kind == IN_ITEM else None
    if at is None and (kind != IN_ROOT or reader.string() != ROOT):
        raise _unreadable()
    # Yjs once wrote positions without a side.
    side = reader.number() if reader.place < len(reader.data) else 0
    return Position(at, bool(side & SIGN and side & MAGNITUDE))


def _unreadable() -> InvalidArgument:
    return InvalidArgument("This is not a place in the text of a document.", parameter="anchor")


def _ends(replica: Replica, wanted: Iterable[Id]) -> dict[Id, int]:
    """Return the offset behind each character, or where it was."""
    if not all(_is_known(replica, at) for at in wanted):
        raise gap()
    if not wanted:
        return {}
    places = put_marks(Replica(state=replica.state()), wanted)
    return dict(zip(places, code_points(replica.text, places.values()), strict=True))


def put_marks(scratch: Replica, wanted: Iterable[Id]) -> dict[Id, int]:
    """Put a mark behind each character, and return where they are, in ascending order.

    The offsets are UTF-8 bytes of the text without the marks.
    """
    names = _in_turn(scratch, wanted)
    found: dict[Id, int] = {}
    at = 0
    for step in scratch.watch([_marks(names, scratch.known.get(MARKER, 0))]):
        at += step.keep
        found |= {names[int(name)]: at for name in step.put.split()}
    return found


def _in_turn(scratch: Replica, wanted: Iterable[Id]) -> list[Id]:
    """Return in which order marks are put, so that it is quick and none is put wrong.

    Each mark cuts a piece of text in two, which takes as long as the piece is: so the middle
    comes first. A mark between the two units of a character moves what follows: so those come
    last, from the highest clock down.
    """
    text, names = scratch.text, sorted(wanted)
    is_wide = units(text) > len(text)
    pairs = Pairs.of_state(scratch.state()) if is_wide else Pairs()
    between = [name for name in names if (name[0], name[1] + 1) in pairs]
    cutting = set(between)
    return [*_middle_first([one for one in names if one not in cutting]), *reversed(between)]


def _middle_first(names: Sequence[Id]) -> Iterator[Id]:
    """Yield the middle item, then the middle items of either half, and so on."""
    parts = [(0, len(names))]
    while parts:
        halves = [(low, (low + high) // 2, high) for low, high in parts if low < high]
        yield from (names[middle] for _low, middle, _high in halves)
        parts = [
            part for low, middle, high in halves for part in ((low, middle), (middle + 1, high))
        ]


def _marks(names: Iterable[Id], clock: int) -> bytes:
    """Write an update that puts a numbered mark behind each character."""
    items: list[UpdateStruct] = []
    for mark, name in enumerate(names):
        text = f"{mark} "
        items.append(UpdateStruct(MARKER, clock, len(text), STRING, name, None, text))
        clock += len(text)
    return write_update(Update(items, []))


def deleted(replica: Replica, wanted: Iterable[Id]) -> set[Id]:
    """Return those of the characters that were deleted."""
    # What is new since now: nothing but the list of all deletions.
    deletions = sorted(read_update(replica.since(replica.vector())).deletions)
    found: set[Id] = set()
    for client, clock in wanted:
        nearest = bisect_left(deletions, (client, clock + 1)) - 1
        if nearest >= 0:
            gone = deletions[nearest]
            if gone.client == client and clock < gone.clock + gone.length:
                found.add((client, clock))
    return found
