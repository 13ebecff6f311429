"""Yjs updates (encoding version 1) of one text: read, checked and written.

An update lists, for each client, a run of structs, and behind them what was deleted. A struct has
a clock, the number of its first UTF-16 unit among all that its client ever wrote. Only what a
plain text needs is let through. The rest would reach code that trusts its input: a deeply nested
value in an update makes the decoder below overflow its stack, which no `except` can catch.
"""

import re
from collections.abc import Container, Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from strata.base.errors import DamagedUpdate, LimitExceeded
from strata.base.memo import remembered

ROOT = "content"
# An update without structs and without deletions.
NOTHING = b"\0\0"
# Yjs keeps client ids within what a JavaScript number holds exactly; yrs keeps clocks in 32 bits.
MAX_CLIENT = 2**53 - 1
MAX_CLOCK = 2**32 - 1
GC, DELETED, STRING, SKIP = 0, 1, 4, 10
HAS_ORIGIN, HAS_RIGHT, HAS_KEY, KIND = 0x80, 0x40, 0x20, 0x1F
MAX_BYTES = 8  # What a number of 53 bits takes.
MORE = 0x80  # The bit of a byte that says: the number goes on.
_SHIFTS = range(7, 7 * MAX_BYTES, 7)  # Of the bytes of a number behind its first one.
ID_BYTES = 5  # Most client ids have 32 bits, and so take five bytes.
_SHORT_BYTES = 1_024
ASTRAL = re.compile("[\U00010000-\U0010ffff]")

Id = tuple[int, int]


class UpdateStruct(NamedTuple):
    """A struct: what one client wrote at one place, at one time."""

    client: int
    clock: int
    length: int
    kind: int
    origin: Id | None
    right: Id | None
    text: str


class Deletion(NamedTuple):
    """UTF-16 units of one client that are no longer in the text."""

    client: int
    clock: int
    length: int


class Update(NamedTuple):
    """What an update says."""

    items: list[UpdateStruct]
    deletions: list[Deletion]

    @property
    def has_pairs(self) -> bool:
        """Whether a text in it has characters of two units."""
        return any(item.length > len(item.text) > 0 for item in self.items)


def read_update(data: bytes, *, most: int | None = None) -> Update:
    """Read an update, or raise DamagedUpdate when it is not one of a plain text.

    One with more than `most` structs and deletions raises LimitExceeded before they are read.
    The lists of what is returned belong to all callers: nothing changes them.
    """
    return _read_short(data) if len(data) < _SHORT_BYTES else _read(data, most)


def _read(data: bytes, most: int | None = None) -> Update:
    try:
        return UpdateReader(data, most).update()
    except IndexError:
        raise damaged("it ends too early") from None
    except UnicodeDecodeError:
        raise damaged("a text in it is not UTF-8") from None


# A typed update is read several times on its way into the store and to the pages. A short one
# cannot have too many structs.
_read_short = remembered(1_024)(_read)


def read_vector(data: bytes) -> dict[int, int]:
    """Read a state vector: for each client the clock that comes next."""
    reader = UpdateReader(data)
    try:
        found = dict(reader.id() for _ in range(reader.number()))
    except IndexError:
        raise damaged("it ends too early") from None
    reader.finish()
    return found


def write_update(update: Update) -> bytes:
    """Write an update that says the same; the structs of a client follow one another."""
    runs = [list(run) for _, run in groupby(update.items, attrgetter("client"))]
    out = [number(len(runs))]
    for run in runs:
        out += (number(len(run)), number(run[0].client), number(run[0].clock))
        out += map(_struct, run)
    gone = [list(run) for _, run in groupby(update.deletions, attrgetter("client"))]
    out.append(number(len(gone)))
    for run in gone:
        out += (number(run[0].client), number(len(run)))
        out += (number(each.clock) + number(each.length) for each in run)
    return b"".join(out)


def number(value: int) -> bytes:
    """Write an unsigned number of variable length."""
    if value < MORE:
        return bytes((value,))
    out = bytearray()
    while value >= MORE:
        out.append(value & 0x7F | MORE)
        value >>= 7
    out.append(value)
    return bytes(out)


def string(text: str) -> bytes:
    """Write a string."""
    data = text.encode()
    return number(len(data)) + data


def units(text: str) -> int:
    """Count UTF-16 units, which clocks count."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) >> 1


def clients_of(update: bytes) -> frozenset[int]:
    """Return the clients that wrote something in an update; deleting is not writing."""
    return frozenset(clocks_of(update))


def clocks_of(update: bytes, *, most: int | None = None) -> dict[int, int]:
    """Return the clients that wrote something in an update, each with the clock behind that."""
    said = read_update(update, most=most).items
    return {one.client: one.clock + one.length for one in said if one.kind != SKIP}


def without(update: bytes, clients: Container[int]) -> bytes:
    """Write an update again without what some clients wrote; what was deleted stays."""
    said = read_update(update)
    return write_update(
        said._replace(items=[one for one in said.items if one.client not in clients])
    )


def joined(updates: Sequence[bytes]) -> bytes | None:
    """Write updates that were made one after the other as one; None where they do not fit.

    Each client's part has to go on where its last one ended: nothing is compared or cut.
    """
    items: dict[int, list[UpdateStruct]] = {}
    said = [read_update(update) for update in updates]
    for item in (item for each in said for item in each.items):
        run = items.setdefault(item.client, [])
        is_next = not run or run[-1].clock + run[-1].length == item.clock
        if item.kind == SKIP or not is_next:
            return None
        run.append(item)
    gone = _without_overlaps(one for each in said for one in each.deletions)
    return write_update(Update([item for run in items.values() for item in run], gone))


def _without_overlaps(deletions: Iterable[Deletion]) -> list[Deletion]:
    """Return what was deleted in order, each unit once: Yjs garbles what is out of order."""
    found: list[Deletion] = []
    for client, clock, length in sorted(deletions):
        last = found[-1] if found else None
        if last is not None and last.client == client and clock <= last.clock + last.length:
            end = max(last.clock + last.length, clock + length)
            found[-1] = Deletion(client, last.clock, end - last.clock)
        else:
            found.append(Deletion(client, clock, length))
    return found


def damaged(why: str) -> DamagedUpdate:
    """Say that an update cannot be read."""
    return DamagedUpdate(f"This update of a document cannot be read: {why}.")


def _struct(item: UpdateStruct) -> bytes:
    if item.kind in {GC, SKIP}:
        return number(item.kind) + number(item.length)
    info, near = item.kind, b""
    for bit, beside in ((HAS_ORIGIN, item.origin), (HAS_RIGHT, item.right)):
        if beside:
            info |= bit
            near += number(beside[0]) + number(beside[1])
    content = string(item.text) if item.kind == STRING else number(item.length)
    return bytes([info]) + (near or b"\1" + string(ROOT)) + content


class UpdateReader:
    """Reads an update from bytes, which may be anything; IndexError means: too short."""

    __slots__ = ("clients", "data", "most", "place", "seen", "told")

    def __init__(self, data: bytes, most: int | None = None) -> None:
        self.data = data
        self.place = 0
        # How many structs and deletions there may be, and were announced so far.
        self.most = most
        self.told = 0
        self.clients: dict[bytes, int] = {}
        self.seen: set[int] = set()

    def number(self, most: int = MAX_CLOCK) -> int:
        """Read an unsigned number of variable length."""
        data, place = self.data, self.place
        value = data[place]
        place += 1
        if value >= MORE:
            value &= 0x7F
            # No farther than a number may reach: one without an end would be built up bit by
            # bit, which takes the square of its length.
            for shift in _SHIFTS:
                byte = data[place]
                place += 1
                value |= (byte & 0x7F) << shift
                if byte < MORE:
                    break
            else:
                raise damaged("a number in it does not end")
        if value > most:
            raise damaged("a number in it is too great")
        self.place = place
        return value

    def id(self) -> Id:
        """Read the id of a character."""
        # An update names the same few clients over and over: reading them is half the work.
        key = self.data[self.place : self.place + ID_BYTES]
        client = self.clients.get(key)
        if client is not None:
            self.place += ID_BYTES
            return client, self.number()
        start = self.place
        client = self.number(MAX_CLIENT)
        if self.place - start == ID_BYTES:
            self.clients[key] = client
        return client, self.number()

    def string(self) -> str:
        """Read a string."""
        length = self.number()
        start = self.place
        self.place = end = start + length
        if end > len(self.data):
            raise IndexError
        return self.data[start:end].decode()

    def finish(self) -> None:
        """Refuse bytes behind the end."""
        if self.place != len(self.data):
            raise damaged("it goes on behind its end")

    def update(self) -> Update:
        """Read a whole update."""
        items: list[UpdateStruct] = []
        for _ in range(self.number()):
            self.run(items)
        deletions: list[Deletion] = []
        for _ in range(self.number()):
            client = self.number(MAX_CLIENT)
            deletions += [self.deletion(client) for _ in range(self.count())]
        self.finish()
        return Update(items, deletions)

    def count(self) -> int:
        """Read how many structs or deletions follow."""
        found = self.number()
        self.told += found
        if self.most is not None and self.told > self.most:
            raise LimitExceeded(
                f"This update makes more than {self.most:,} changes at once.",
                hint="Copy the text, reload the page and paste it: that is one change.",
                limit=self.most,
                size=self.told,
            )
        return found

    def run(self, items: list[UpdateStruct]) -> None:
        """Read what one client wrote."""
        count = self.count()
        client, clock = self.id()
        if client in self.seen:
            raise damaged("a client has two parts in it")
        self.seen.add(client)
        for _ in range(count):
            item = self.item(client, clock)
            clock += item.length
            if not item.length or clock > MAX_CLOCK:
                raise damaged("a part of it has an impossible length")
            items.append(item)

    def item(self, client: int, clock: int) -> UpdateStruct:
        """Read one struct."""
        info = self.data[self.place]
        self.place += 1
        kind = info & KIND
        if info in {GC, SKIP}:
            return UpdateStruct(client, clock, self.number(), kind, None, None, "")
        origin = self.id() if info & HAS_ORIGIN else None
        right = self.id() if info & HAS_RIGHT else None
        if info & HAS_KEY or (origin is None and right is None and not self.in_root()):
            raise damaged("it writes elsewhere than into the text")
        if kind == STRING:
            text = self.string()
            return UpdateStruct(client, clock, units(text), kind, origin, right, text)
        if kind == DELETED:
            return UpdateStruct(client, clock, self.number(), kind, origin, right, "")
        raise damaged("it holds something that is not text")

    def in_root(self) -> bool:
        """Read the parent of a struct; tell whether it is the text."""
        return self.number() == 1 and self.string() == ROOT

    def deletion(self, client: int) -> Deletion:
        """Read one range of what was deleted."""
        found = Deletion(client, self.number(), self.number())
        if not found.length or found.clock + found.length > MAX_CLOCK:
            raise damaged("a deletion has an impossible length")
        return found
