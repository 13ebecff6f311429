"""Events: numbered keys, and a hash over everything that came before in their log."""

from hashlib import blake2b

import msgspec

from strata.base import ids
from strata.base.digests import digest
from strata.base.results import TimedResult
from strata.base.values import Json
from strata.store.record import DELETED, Record, StagedChange, damaged
from strata.store.snapshot import Snapshot

EVENT = "event"
# Zero-padded, so that the order of keys is the order of numbers.
_DIGITS = 16
# What the version declares that hides an event, so that hidden ones can be counted.
_HIDDEN = ("state", "deleted")


class EventOrigin(TimedResult, frozen=True):
    """Where a merged event was first written; the timestamp is when it happened."""

    branch: str
    sequence: int
    timestamp: int
    hash: str
    id: str


class EventNotes(msgspec.Struct, frozen=True):
    """What a log keeps beside a payload; a deleted or erased event keeps it too.

    `time` is when the event happened, where that is not when it was written.
    """

    type: str
    id: str
    hash: str
    origin: EventOrigin | None = None
    time: int | None = None


_decode_notes = msgspec.json.Decoder(EventNotes).decode


def event_notes(record: Record) -> EventNotes:
    """Return what is noted about an event, or raise DamagedStore."""
    try:
        return _decode_notes(record[4] or b"")
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise damaged(record[0]) from error


def event_time(record: Record) -> int:
    """Return when an event happened, on whatever branch and in whatever store."""
    notes = event_notes(record)
    if notes.time is not None:
        return notes.time
    return record[1] if notes.origin is None else notes.origin.timestamp


def event_key(sequence: int) -> str:
    """Return the key of an event's number."""
    return f"{sequence:0{_DIGITS}d}"


def event_hash(previous: str, data: bytes, *, type_: str, id_: str) -> str:
    """Return the link of the chain: it covers the log so far, id, type and payload.

    The payload enters by its digest, so that the chain holds when the payload is erased.
    The id makes two events two, even when all else about them is the same.
    """
    text = f"{previous}\0{type_}\0{id_}\0".encode() + digest(data)
    return blake2b(text, digest_size=16).hexdigest()


def last_event(snapshot: Snapshot, space: str) -> tuple[int, str]:
    """Return number and hash of the newest event a snapshot shows; (0, "") when none.

    Visible numbers are 1..n without a gap, so n is found by bisection below the greatest
    number ever written; on a branch that moves on, that is n itself.
    """
    greatest = snapshot.greatest_key(space, EVENT)
    low, high = 0, int(greatest) if greatest is not None else 0
    newest = snapshot.get(space, EVENT, event_key(high)) if high else None
    if newest is not None:
        low = high
    while low < high - 1:
        middle = (low + high) // 2
        record = snapshot.get(space, EVENT, event_key(middle))
        if record is not None:
            low, newest = middle, record
        else:
            high = middle
    return low, "" if newest is None else event_notes(newest).hash


def event_change(
    space: str,
    data: bytes,
    *,
    type_: str,
    sequence: int,
    previous: str,
    origin: EventOrigin | None = None,
    time: int | None = None,
) -> StagedChange:
    """Return the change that appends one event; `time` is when it happened, if not now."""
    id_ = origin.id if origin is not None else ids.token()
    link = event_hash(previous, data, type_=type_, id_=id_)
    return _change((space, event_key(sequence)), data, EventNotes(type_, id_, link, origin, time))


def _change(place: tuple[str, str], data: bytes, notes: EventNotes) -> StagedChange:
    space, key = place
    meta: dict[str, Json] = {"type": notes.type, "id": notes.id, "hash": notes.hash}
    attributes = [("type", notes.type), ("id", notes.id)]
    if notes.time is not None:
        meta["time"] = notes.time
    if notes.origin is not None:
        meta["origin"] = msgspec.to_builtins(notes.origin)
        attributes.append(("origin", notes.origin.hash))
    encoded = msgspec.json.encode(meta)
    return StagedChange(space, EVENT, key, data, meta=encoded, attributes=tuple(attributes))


def event_deletion(space: str, key: str, record: Record) -> StagedChange:
    """Return the change that hides an event; its number stays taken, its link stays known."""
    # Its time is noted, for the version that shows it again has another one.
    notes = msgspec.structs.replace(event_notes(record), time=event_time(record))
    meta = _change((space, key), b"", notes).meta
    return StagedChange(space, EVENT, key, flags=DELETED, meta=meta, attributes=(_HIDDEN,))


def event_return(space: str, key: str, record: Record, *, data: bytes) -> StagedChange:
    """Return the change that shows a hidden event again, in its old place."""
    return _change((space, key), data, event_notes(record))


def count_events(snapshot: Snapshot, space: str) -> int:
    """Return how many events a log shows."""
    hidden = snapshot.by_attribute(space, EVENT, _HIDDEN[0], value=_HIDDEN[1])
    return last_event(snapshot, space)[0] - len(hidden)


def origin_of(record: Record, *, branch: str, sequence: int) -> EventOrigin:
    """Return where an event was first written, also when it was merged before."""
    notes = event_notes(record)
    return notes.origin or EventOrigin(branch, sequence, event_time(record), notes.hash, notes.id)


def find_event(snapshot: Snapshot, space: str, origin: EventOrigin) -> str | None:
    """Return the key of an event in a log that has it, as its own or merged, or hides it."""
    key = event_key(origin.sequence)
    if _is_event(snapshot.get(space, EVENT, key), origin):
        return key
    store = snapshot.store
    keyspace = store.catalog.keyspace(space, EVENT, store.connection()) or 0
    rows = store.connection().rows(store.queries.keys_of_attribute, (keyspace, "id", origin.id))
    found = (row[0] for row in rows if _is_event(snapshot.get(space, EVENT, row[0]), origin))
    return next(found, None)


def _is_event(record: Record | None, origin: EventOrigin) -> bool:
    return record is not None and event_notes(record).id == origin.id
