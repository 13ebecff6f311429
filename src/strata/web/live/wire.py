"""Messages of a live document, in the form of y-websocket: the number of a kind, then its contents.

Numbers have a variable length, seven bits a byte. Kind 100 is for messages of Strata alone,
as JSON, which other programs pass over.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from strata.base import limits
from strata.base.errors import DamagedUpdate, LimitExceeded, StrataError
from strata.base.shell import in_shell_words
from strata.base.values import Json
from strata.documents import number

SYNC, AWARENESS, AUTH, QUERY_AWARENESS, NOTICE = 0, 1, 2, 3, 100
STEP_1, STEP_2, UPDATE = 0, 1, 2
_MORE = 0x80
# What a number of 53 bits takes, the largest that JavaScript holds exactly.
_NUMBER_BYTES = 8

_encode_json = msgspec.json.Encoder().encode
_decode_state = msgspec.json.Decoder(dict[str, Any] | None).decode


class Message(NamedTuple):
    """A received message: `step` tells the parts of a sync apart and is 0 for all else."""

    kind: int
    step: int
    body: bytes


def read_message(data: bytes) -> Message:
    """Read a message, or raise DamagedUpdate. Bytes after its end are ignored."""
    reader = WireReader(data)
    kind, step, body = reader.number(), 0, b""
    if kind == SYNC:
        step = reader.number()
        if step > UPDATE:
            raise broken("it is no step of a sync")
    if kind in {SYNC, AWARENESS}:
        body = reader.bytes()
    return Message(kind, step, body)


def sync(step: int, body: bytes) -> bytes:
    """Write a step of a sync."""
    return bytes((SYNC, step)) + number(len(body)) + body


def awareness(body: bytes) -> bytes:
    """Write what awareness says about some clients."""
    return bytes((AWARENESS,)) + number(len(body)) + body


def notice(kind: str, content: Mapping[str, object]) -> bytes:
    """Write something that only Strata says."""
    body = _encode_json({"kind": kind, **content})
    return bytes((NOTICE,)) + number(len(body)) + body


def refusal(error: StrataError) -> bytes:
    """Write why something was not taken."""
    hint = in_shell_words(error.hint)
    return notice("refused", {"code": error.code, "message": error.message, "hint": hint})


def read_vector(body: bytes) -> dict[int, int]:
    """Read a state vector: for each client the clock that comes next."""
    reader = WireReader(body)
    return {reader.number(): reader.number() for _ in range(reader.number())}


class AwarenessState(NamedTuple):
    """What one client says of itself; None once it has gone. Each one counts its own changes."""

    client: int
    clock: int
    value: dict[str, Json] | None


class RawState(NamedTuple):
    """A state as it was sent: its value is JSON that was not parsed."""

    client: int
    clock: int
    data: bytes

    @property
    def is_leaving(self) -> bool:
        """Whether the client says that it goes."""
        return self.data == b"null"

    def decode(self) -> AwarenessState:
        """Read the value, or raise DamagedUpdate."""
        return AwarenessState(self.client, self.clock, _value(self.data))


def split_states(body: bytes, most: int) -> list[RawState]:
    """Return the states of an awareness message, or raise DamagedUpdate or LimitExceeded.

    Values stay unread: most of them are echoes of what others have said.
    """
    if len(body) > limits.LIVE_STATES_BYTES_MAX:
        raise _too_long(len(body), limits.LIVE_STATES_BYTES_MAX)
    reader = WireReader(body)
    count = reader.number()
    if count > most:
        raise LimitExceeded(
            f"This message tells of {count:,} pages; the document has {most:,} at most.",
            hint="A page tells of itself, and of others that it has heard of.",
            limit=most,
            size=count,
        )
    return [RawState(reader.number(), reader.number(), reader.bytes()) for _ in range(count)]


def read_states(body: bytes) -> list[AwarenessState]:
    """Read all that an awareness message says."""
    return [raw.decode() for raw in split_states(body, limits.LIVE_CLIENTS_REMEMBERED)]


def check_state(state: AwarenessState) -> None:
    """Raise LimitExceeded for a client that has too much to say of itself."""
    size = len(_encode_json(state.value))
    if size > limits.LIVE_STATE_BYTES_MAX:
        raise _too_long(size, limits.LIVE_STATE_BYTES_MAX)


def _too_long(size: int, most: int) -> LimitExceeded:
    return LimitExceeded(
        f"What this page says of itself takes {size:,} bytes; it may take {most:,}.",
        limit=most,
        size=size,
    )


def write_states(states: list[AwarenessState]) -> bytes:
    """Write what awareness says."""
    parts = [number(len(states))]
    for state in states:
        value = _encode_json(state.value)
        parts += (number(state.client), number(state.clock), number(len(value)), value)
    return b"".join(parts)


def broken(why: str) -> DamagedUpdate:
    """Say that a message cannot be read."""
    return DamagedUpdate(f"This message cannot be read: {why}.")


def _value(data: bytes) -> dict[str, Json] | None:
    try:
        return _decode_state(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise broken("a state in it is no JSON object") from None


class WireReader:
    """Reads numbers and bytes from what may be anything."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def number(self) -> int:
        """Read an unsigned number."""
        value = shift = 0
        for byte in self._data[self._place : self._place + _NUMBER_BYTES]:
            self._place += 1
            value |= (byte & 0x7F) << shift
            if byte < _MORE:
                return value
            shift += 7
        raise broken("a number in it does not end")

    def bytes(self) -> bytes:
        """Read bytes behind their count."""
        length = self.number()
        start, self._place = self._place, self._place + length
        if self._place > len(self._data):
            raise broken("it ends too early")
        return self._data[start : self._place]
