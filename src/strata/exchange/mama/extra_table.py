"""What MAMA 1.0 has no column for, in a table of ours beside its own.

MAMA leaves tables alone that it does not know, so an export that comes back is whole again:
memories of other types, all links, and of each row its id and the metadata without a column.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias, cast

import msgspec

from strata.decisions import Link, Memory
from strata.exchange.mama.fields import MamaNotes
from strata.exchange.mama.source import (
    CHECKPOINTS,
    DECISIONS,
    KEPT,
    PATTERNS,
    SESSIONS,
    MamaSource,
)
from strata.sql import ForeignRow
from strata.store import check_key

# The columns with the times of a row: when it was made, and when it was last changed.
TIMES: dict[str, tuple[str, str | None]] = {
    DECISIONS: ("created_at", "updated_at"),
    CHECKPOINTS: ("timestamp", None),
    SESSIONS: ("started_at", "last_active_at"),
    PATTERNS: ("first_seen", "last_seen"),
}
# Differs from everything that a row can hold.
_NOTHING = object()


class ExtraRow(msgspec.Struct, frozen=True):
    """Which memory a row of MAMA is, and what it has beside the row."""

    table: str
    row: str | int
    id: str
    metadata: dict[str, Any] = {}
    # What the row has in its place: while it has it, the metadata holds.
    told: dict[str, Any] = {}
    # MAMA's own times before 2020 would be taken for seconds.
    created_at: int | None = None
    updated_at: int | None = None


class MamaOrigin(msgspec.Struct, frozen=True):
    """The state that an export was made of."""

    id: str  # the hash of its newest commit
    branch: str
    version: int


class _Still:
    """Tells what holds of the metadata beside a row that MAMA may have changed since."""

    def __init__(self, kept: ExtraRow, row: ForeignRow) -> None:
        self._told, self._values = kept.told, row.values

    def of(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """Return what still holds."""
        return {
            name: value
            for name, value in metadata.items()
            if name not in self._told or self._values.get(name) == self._told[name]
        }

    def time(self, column: str | None, kept: int | None, read: int) -> int:
        """Return a time as it was, unless the row has another one by now."""
        is_same = column is None or self._values.get(column) == kept
        return kept if kept is not None and is_same else read


# What a row of that table may hold.
Written: TypeAlias = Memory | Link | ExtraRow | MamaOrigin


class ExtraTable(msgspec.Struct, frozen=True):
    """Everything of that table."""

    memories: tuple[Memory, ...] = ()
    links: tuple[Link, ...] = ()
    rows: dict[tuple[str, str | int], ExtraRow] = {}
    origin: MamaOrigin | None = None

    def id_of(self, table: str, row: ForeignRow) -> str | None:
        """Return the id that a row's memory had before it was exported."""
        found = self._row(table, row)
        return found.id if found is not None else None

    def restored(self, table: str, row: ForeignRow, memory: Memory) -> Memory:
        """Return a row's memory with what the row could not hold."""
        found = self._row(table, row)
        if found is None or found.id != memory.id:
            return memory
        still = _Still(found, row)
        metadata = memory.metadata | still.of(found.metadata)
        v1 = memory.metadata.get("v1", {}) | still.of(found.metadata.get("v1", {}))
        created, updated = TIMES[table]
        return msgspec.structs.replace(
            memory,
            metadata={**metadata, "v1": v1} if v1 else metadata,
            created_at=still.time(created, found.created_at, memory.created_at),
            updated_at=still.time(updated, found.updated_at, memory.updated_at),
        )

    def _row(self, table: str, row: ForeignRow) -> ExtraRow | None:
        name = row.values.get("id")
        return self.rows.get((table, name)) if isinstance(name, (str, int)) else None


def read_extra_table(source: MamaSource, *, notes: MamaNotes) -> ExtraTable:
    """Read that table, if it is there; what is broken is reported and left out."""
    memories: list[Memory] = []
    links: list[Link] = []
    rows: dict[tuple[str, str | int], ExtraRow] = {}
    origin: MamaOrigin | None = None
    for row in source.rows(KEPT):
        try:
            found = _read(row.values.get("kind"), row.values.get("data"))
        except (msgspec.MsgspecError, ValueError, TypeError) as error:
            notes.warn(KEPT, str(row.values.get("id")), f"it cannot be read: {error}")
            continue
        if isinstance(found, Memory):
            memories.append(found)
        elif isinstance(found, Link):
            links.append(found)
        elif isinstance(found, MamaOrigin):
            origin = found
        else:
            rows[found.table, found.row] = found
    return ExtraTable(tuple(memories), tuple(links), rows, origin)


def _read(kind: Any, data: Any) -> Written:
    types: dict[Any, type[Written]] = {
        "memory": Memory,
        "link": Link,
        "row": ExtraRow,
        "origin": MamaOrigin,
    }
    if kind not in types:
        raise ValueError(f"{kind!r:.60} is no kind")
    found = msgspec.json.decode(data, type=types[kind])
    check_key(found.id)
    return found


def extra_rows(values: Iterable[Written]) -> list[tuple[str, str, str]]:
    """Return rows for that table."""
    kinds = {Memory: "memory", Link: "link", ExtraRow: "row", MamaOrigin: "origin"}
    rows: list[tuple[str, str, str]] = []
    for value in values:
        is_record = isinstance(value, (Memory, Link))
        bare = msgspec.structs.replace(value, version=0) if is_record else value
        rows.append((kinds[type(bare)], bare.id, msgspec.json.encode(bare).decode()))
    return rows


def extra_metadata(
    metadata: dict[str, Any], held: Iterable[str], old: dict[str, Any]
) -> dict[str, Any]:
    """Return the metadata that a row does not give back.

    `held` are names that it does; `old` are its columns without a place among ours.
    """
    known = {*held, "v1"}
    extra = {name: value for name, value in metadata.items() if name not in known}
    v1 = metadata.get("v1")
    if isinstance(v1, dict):
        values = cast("dict[str, Any]", v1)
        lost = {name: value for name, value in values.items() if old.get(name, _NOTHING) != value}
        extra |= {"v1": lost} if lost else {}
    return extra
