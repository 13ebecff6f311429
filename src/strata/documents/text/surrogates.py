"""Characters that take two UTF-16 units, and edits that cut them in two.

Yjs counts UTF-16 units, so one of its peers can delete half of an emoji. Yjs then shows U+FFFD for
either half. The library below loses a unit there, after which its text and its numbers differ from
everybody else's for good. So before such an edit is applied, the character is replaced by
its two halves in everything that was known before, which is what Yjs does by itself.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from strata.documents.text.updates import (
    ASTRAL,
    DELETED,
    GC,
    HAS_ORIGIN,
    HAS_RIGHT,
    KIND,
    ROOT,
    STRING,
    Id,
    Update,
    UpdateReader,
    UpdateStruct,
    number,
    string,
    units,
)

UTF16 = "utf-16-le"
HALVES = "\ufffd\ufffd"
NUMBER = rb"[\x80-\xff]*[\x00-\x7f]"


def _heads() -> dict[int, re.Pattern[bytes]]:
    """Return, by its first byte, what comes before the content of a struct, and its length."""
    root = re.escape(number(1) + string(ROOT))
    beside = {0: root, HAS_ORIGIN: NUMBER * 2, HAS_RIGHT: NUMBER * 2}
    beside[HAS_ORIGIN | HAS_RIGHT] = NUMBER * 4
    found = {bits | kind: ids for bits, ids in beside.items() for kind in (STRING, DELETED)}
    found[GC] = b""
    return {
        info: re.compile(b"." + ids + b"(" + NUMBER + b")", re.DOTALL)
        for info, ids in found.items()
    }


HEADS = _heads()


class TextStep(NamedTuple):
    """A piece of a change: keep some bytes (of UTF-8), then drop some, then put something new."""

    keep: int
    drop: int
    put: str


class Pairs:
    """The characters of two units that some replica or update holds."""

    def __init__(self) -> None:
        # For each client the clocks at which pieces with such characters start, and the pieces.
        self._clients: dict[int, tuple[list[int], list[bytes]]] = {}

    @classmethod
    def of_update(cls, update: Update) -> "Pairs":
        """Collect those of an update."""
        pairs = cls()
        pairs.learn(update, {})
        return pairs

    @classmethod
    def of_state(cls, state: bytes) -> "Pairs":
        """Collect those of a replica's own state, which is sound and need not be checked."""
        pairs = cls()
        reader = UpdateReader(state)
        for _ in range(reader.number()):
            count = reader.number()
            client, clock = reader.id()
            for _ in range(count):
                length, text = _content(reader)
                if text:
                    pairs.add((client, clock), text, length)
                clock += length
        return pairs

    def learn(self, update: Update, known: Mapping[int, int]) -> None:
        """Add those of an update that are not known yet."""
        for item in update.items:
            if item.clock + item.length > known.get(item.client, 0):
                self.add((item.client, item.clock), item.text, item.length)

    def add(self, at: Id, text: str, length: int) -> None:
        """Note a text that begins at an id; its length counts units."""
        if length > len(text) > 0:
            starts, pieces = self._clients.setdefault(at[0], ([], []))
            place = bisect_right(starts, at[1])
            starts.insert(place, at[1])
            pieces.insert(place, text.encode(UTF16))

    def __bool__(self) -> bool:
        return bool(self._clients)

    def __contains__(self, at: Id) -> bool:
        """Tell whether an id is the second unit of a character."""
        starts, pieces = self._clients.get(at[0], ([], []))
        place = bisect_right(starts, at[1]) - 1
        return place >= 0 and _is_second(pieces[place], at[1] - starts[place])


def cuts(update: Update, known: Mapping[int, int]) -> Iterator[Id]:
    """Yield every id before which an update needs an item to begin."""
    for item in update.items:
        yield item.client, known.get(item.client, 0)
        if item.origin:
            yield item.origin[0], item.origin[1] + 1
        if item.right:
            yield item.right
    for gone in update.deletions:
        yield gone.client, gone.clock
        yield gone.client, gone.clock + gone.length


def halved(update: Update, cut: set[Id]) -> Update:
    """Return the update with the halves of those characters in place of each."""
    return Update([_halved(item, cut) for item in update.items], update.deletions)


def halvings(before: str, after: str) -> list[TextStep]:
    """Return what happened to a text in which some characters became their two halves."""
    steps: list[TextStep] = []
    done = more = 0
    for found in ASTRAL.finditer(before):
        start = found.start()
        if after[start + more] != found[0]:
            steps.append(TextStep(len(before[done:start].encode()), len(found[0].encode()), HALVES))
            done = start + 1
            more += 1
    return steps


def _halved(item: UpdateStruct, cut: set[Id]) -> UpdateStruct:
    if item.length == len(item.text):
        return item
    raw = bytearray(item.text.encode(UTF16))
    for client, clock in cut:
        unit = clock - item.clock
        if client == item.client and _is_second(raw, unit):
            raw[2 * unit - 2 : 2 * unit + 2] = HALVES.encode(UTF16)
    return item._replace(text=raw.decode(UTF16))


def _is_second(raw: bytes | bytearray, unit: int) -> bool:
    return 0 < unit < len(raw) // 2 and raw[2 * unit + 1] & 0xFC == 0xDC


def _content(reader: UpdateReader) -> tuple[int, str]:
    """Skip the position of a struct, and return its length and its text, if that is not ASCII."""
    data, place = reader.data, reader.place
    info = data[place]
    head = HEADS[info].match(data, place)
    assert head is not None, "a replica's own state is sound"
    reader.place, end = head.span(1)
    # Most numbers are one byte.
    length = data[reader.place] if end == reader.place + 1 else reader.number()
    reader.place = end
    if info & KIND != STRING:
        return length, ""
    reader.place += length
    piece = data[end : reader.place]
    if piece.isascii():
        return length, ""
    text = piece.decode()
    return units(text), text
