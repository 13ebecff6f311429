"""What an export is made of: a header, and one record for each thing that is kept.

Both formats hold the same records, so that either can be imported again. A record without a
space goes to the space of the import.
"""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from strata.base import clock, limits
from strata.base.errors import InvalidArgument
from strata.base.values import Json
from strata.store import EVENT

FORMAT, FORMAT_VERSION = "strata-export", 1
KEYED = ("kv", "json", "state")
KINDS = (*KEYED, EVENT)

State: TypeAlias = Literal["live", "deleted", "trimmed", "erased"]
_Name: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=1, max_length=limits.NAME_CHARACTERS_MAX, pattern=r"^[^\x00]*$")
]


class HeaderRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line: which format this is, and what of which state was written."""

    format: str
    format_version: int
    branch: str = ""
    version: int = 0
    time: str = ""
    history: bool = False
    space: str | None = None
    prefix: str = ""
    kinds: tuple[str, ...] = ()

    @property
    def selection(self) -> bytes:
        """What was left out, if anything: two exports of one branch may hold other keys."""
        chosen = (self.space, self.prefix, self.kinds)
        return msgspec.json.encode(chosen) if any(chosen) else b""


class KeyedRecord(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """A value under a key. `version` and `time` tell where it came from."""

    key: str
    space: str = ""
    # Any: whatever JSON can hold. Absent where there is nothing left to tell.
    value: Any = msgspec.UNSET
    tags: tuple[str, ...] = ()
    state: State = "live"
    version: int = 0
    time: str = ""


class FactRecord(KeyedRecord, frozen=True, omit_defaults=True, tag="kv"):
    """A plain value."""


class DocumentRecord(KeyedRecord, frozen=True, omit_defaults=True, tag="json"):
    """A JSON document."""


class CellRecord(KeyedRecord, frozen=True, omit_defaults=True, tag="state"):
    """A state cell. Its counter is a matter between those who share one store."""


class EventRecord(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag=EVENT):
    """Something that happened. The id tells two imports of one event from two events."""

    type: _Name
    space: str = ""
    value: Any = msgspec.UNSET
    id: str = ""
    sequence: int = 0
    branch: str = ""
    hash: str = ""
    state: State = "live"
    version: int = 0
    time: str = ""


class CommitRecord(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="commit"):
    """One step of a history; the records behind it are what it wrote."""

    hash: _Name
    time: str
    version: int = 0
    actor: str | None = None
    message: str | None = None


Item: TypeAlias = FactRecord | DocumentRecord | CellRecord | EventRecord
Record: TypeAlias = Item | CommitRecord

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(
    FactRecord | DocumentRecord | CellRecord | EventRecord | CommitRecord
).decode
_decode_header = msgspec.json.Decoder(HeaderRecord).decode
_KEYED: dict[str, type[FactRecord | DocumentRecord | CellRecord]] = {
    "kv": FactRecord,
    "json": DocumentRecord,
    "state": CellRecord,
}


def keyed(kind: str, key: str, **fields: Any) -> FactRecord | DocumentRecord | CellRecord:
    """Return the record of a kind that has keys."""
    return _KEYED[kind](key, **fields)


def as_json(record: HeaderRecord | Record) -> bytes:
    """Return a record as one line of JSON."""
    return _encode(record)


def read_record(data: bytes | str) -> Record:
    """Read a record; raise ValueError for what is none."""
    return _whole(_decode(data))


def record_of(members: dict[str, Any]) -> Record:
    """Return the record that an object describes; raise ValueError for what is none."""
    return _whole(
        msgspec.convert(
            members, FactRecord | DocumentRecord | CellRecord | EventRecord | CommitRecord
        )
    )


def _whole(record: Record) -> Record:
    if isinstance(record, CommitRecord):
        return record
    if record.state == "live" and record.value is msgspec.UNSET:
        raise ValueError("the record has no value")
    return record


def read_header(data: bytes | str) -> HeaderRecord:
    """Read a header; raise ValueError for what is none."""
    return _decode_header(data)


def kind_of(record: Record) -> str:
    """Return the kind that a record names itself."""
    return str(record.__struct_config__.tag)


def value_of(record: Item) -> Json:
    """Return the value of a record; None where there is none."""
    return None if record.value is msgspec.UNSET else record.value


def time_us(text: str) -> int:
    """Read the time of a record, in microseconds; raise InvalidArgument for anything else."""
    moment = clock.parse_time(text, now=0, timezone="UTC", clamp=False)
    if moment.timestamp is None:
        raise InvalidArgument(f"{text!r} is no time.", parameter="time")
    return moment.timestamp
