"""Events: numbered keys, and a hash over everything that came before in their log."""

from hashlib import blake2b

import msgspec

from strata.base import ids
from strata.base.values import Json, digest
from strata.store.record import Change, Record, meta_of
from strata.store.snapshot import Snapshot

EVENT = "event"
# Zero-padded, so that the order of keys is the order of numbers.
_DIGITS = 16


class Origin(msgspec.Struct, frozen=True):
    """Where a merged event was first written."""

    branch: str
    sequence: int
    timestamp: int
    hash: str
    id: str


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
    if high and snapshot.get(space, EVENT, event_key(high)) is not None:
        low = high
    while low < high - 1:
        middle = (low + high) // 2
        if snapshot.get(space, EVENT, event_key(middle)) is not None:
            low = middle
        else:
            high = middle
    if low == 0:
        return 0, ""
    record = snapshot.get(space, EVENT, event_key(low))
    assert record is not None, "the newest event was just seen"
    return low, meta_of(record)["hash"]


def event_change(
    space: str,
    data: bytes,
    *,
    type_: str,
    sequence: int,
    previous: str,
    origin: Origin | None = None,
) -> Change:
    """Return the change that appends one event."""
    id_ = origin.id if origin is not None else ids.token()
    link = event_hash(previous, data, type_=type_, id_=id_)
    meta: dict[str, Json] = {"type": type_, "id": id_, "hash": link}
    attributes = [("type", type_), ("id", id_)]
    if origin is not None:
        meta["origin"] = msgspec.to_builtins(origin)
        attributes.append(("origin", origin.hash))
    return Change(
        space,
        EVENT,
        event_key(sequence),
        data,
        meta=msgspec.json.encode(meta),
        attributes=tuple(attributes),
    )


def origin_of(record: Record, *, branch: str, sequence: int) -> Origin:
    """Return where an event was first written, also when it was merged before."""
    origin = meta_of(record).get("origin")
    if origin is not None:
        return msgspec.convert(origin, Origin)
    meta = meta_of(record)
    return Origin(branch, sequence, record[1], meta["hash"], meta["id"])


def has_event(snapshot: Snapshot, space: str, origin: Origin) -> bool:
    """Whether a log has an event, as its own or merged. Its hash is the same everywhere."""
    own = snapshot.get(space, EVENT, event_key(origin.sequence))
    if own is not None and meta_of(own).get("hash") == origin.hash:
        return True
    return bool(snapshot.by_attribute(space, EVENT, "origin", value=origin.hash))
