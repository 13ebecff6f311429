"""What the tables show of a memory and of a link.

A record may have come from anywhere, by a bundle or a merge. One that is no memory has no row:
what a table cannot hold must never stop a commit.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec

from strata.decisions.links import LINK, Creator, LinkType
from strata.decisions.records import MEMORY, Type
from strata.sql import Queries

_INTEGER_MAX = (1 << 63) - 1
_Integer: TypeAlias = Annotated[int, msgspec.Meta(ge=-_INTEGER_MAX, le=_INTEGER_MAX)]
_Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
_EMPTY = msgspec.Raw(b"{}")

Row: TypeAlias = tuple[Any, ...]


class Table(msgspec.Struct, frozen=True):
    """One table: which records it shows, how, and the statements that keep it."""

    name: str
    kind: str
    row_of: Callable[[str, bytes], Row | None]
    upsert: str
    delete: str
    between: str


class _Memory(msgspec.Struct, frozen=True, gc=False):
    type: Type
    content: str
    created_at: _Integer
    updated_at: _Integer
    topic: str | None = None
    metadata: msgspec.Raw = _EMPTY


class _Link(msgspec.Struct, frozen=True, gc=False):
    from_id: str = msgspec.field(name="from")
    to_id: str = msgspec.field(name="to")
    type: LinkType
    confidence: _Share
    by: Creator
    created_at: _Integer
    metadata: msgspec.Raw = _EMPTY
    suggestion: bool = False


_as_memory = msgspec.json.Decoder(_Memory).decode
_as_link = msgspec.json.Decoder(_Link).decode


def tables(queries: Queries) -> Sequence[Table]:
    """Return the tables, memories first."""
    return (
        Table(
            "memories",
            MEMORY,
            memory_row,
            queries.upsert_memory,
            queries.delete_memory,
            queries.memories_between,
        ),
        Table(
            "memory_links",
            LINK,
            link_row,
            queries.upsert_memory_link,
            queries.delete_memory_link,
            queries.memory_links_between,
        ),
    )


def memory_row(id_: str, data: bytes) -> Row | None:
    """Return the row of a memory; None for what is none."""
    try:
        found = _as_memory(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    metadata = _text(found.metadata)
    return (
        id_,
        found.type,
        found.content,
        found.topic,
        metadata,
        found.created_at,
        found.updated_at,
    )


def link_row(id_: str, data: bytes) -> Row | None:
    """Return the row of a link; None for what is none."""
    try:
        found = _as_link(data)
        metadata = _text(found.metadata)
        if found.suggestion:
            metadata = _marked(metadata)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return (
        id_,
        found.from_id,
        found.to_id,
        found.type,
        found.confidence,
        found.by,
        metadata,
        found.created_at,
    )


def _text(metadata: msgspec.Raw) -> str:
    """Return metadata as JSON text: as it was written, never null."""
    text = bytes(metadata).decode()
    return "{}" if text == "null" else text


def _marked(metadata: str) -> str:
    """Return a link's metadata with the mark of a suggestion."""
    members = msgspec.json.decode(metadata, type=dict[str, Any])
    return msgspec.json.encode({**members, "suggestion": True}).decode()
