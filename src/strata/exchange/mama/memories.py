"""Rows of MAMA as memories. A row that is broken is taken as far as it can be read.

| table | becomes | its id |
|---|---|---|
| decisions | decision | as it was |
| checkpoints | checkpoint | new, with the alias checkpoint_N |
| sessions | context | new, with the old one as alias |
| error_patterns | insight | new, with the alias error_pattern_N |
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import msgspec

from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.values import Json, encode
from strata.decisions import OUTCOMES, Memory, Type
from strata.exchange.mama.extra_table import ExtraTable
from strata.exchange.mama.fields import Fields, MamaNotes
from strata.exchange.mama.source import CHECKPOINTS, DECISIONS, PATTERNS, SESSIONS, MamaSource
from strata.sql import ForeignRow
from strata.store import check_key

SCHEMA_VERSION = 1
# What MAMA 1.0 writes by default.
DECISION_DEFAULTS: dict[str, object] = {
    "needs_validation": 0,
    "validation_attempts": 0,
    "last_validated_at": None,
    "usage_count": 0,
    "usage_success": 0,
    "usage_failure": 0,
    "time_saved": 0,
    "duration_days": None,
    "evidence": None,
    "alternatives": None,
    "risks": None,
    "supersedes": None,
    "superseded_by": None,
    "refined_from": None,
}
SESSION_DEFAULTS: dict[str, object] = {"action_count": 0, "decision_count": 0, "ended_at": None}
PATTERN_DEFAULTS: dict[str, object] = {
    "error_type": None,
    "embedding": None,
    "created_at": None,
    "updated_at": None,
}
# Links are made of these; see `edges`.
LINKING = ("supersedes", "superseded_by", "refined_from")
# A text is cut only where the whole would not fit into one value.
_CUT_FIRST = 1_000_000


class Memories(msgspec.Struct, frozen=True):
    """The memories of a file by id, and the ids of its decisions by their old ones and rows."""

    by_id: dict[str, Memory]
    decision_ids: dict[object, str]
    by_row: dict[int, str]
    # Whose time is the import's, because the row has none.
    timeless: frozenset[str]


def memories_of(source: MamaSource, *, kept: ExtraTable, now_ms: int, notes: MamaNotes) -> Memories:
    """Return a memory for every row; `now_ms` is for those that have no time."""
    maker = _Maker(kept, now_ms, notes)
    ids: dict[object, str] = {}
    by_row: dict[int, str] = {}
    for row in source.rows(DECISIONS):
        made = maker.make(DECISIONS, row, _decision)
        ids.setdefault(row.values.get("id"), made.id)
        by_row[row.number] = made.id
    for table, make in ((CHECKPOINTS, _checkpoint), (SESSIONS, _session), (PATTERNS, _pattern)):
        for row in source.rows(table):
            maker.make(table, row, make)
    for memory in kept.memories:
        maker.made.setdefault(memory.id, memory)
    return Memories(maker.made, ids, by_row, frozenset(maker.timeless))


class _Part(msgspec.Struct):
    """What a row says, before it is known how it fits together."""

    type: Type
    content: str
    created: str
    updated: str
    topic: str | None = None
    metadata: dict[str, Json] = {}
    defaults: dict[str, object] = {}


class _Maker:
    """Gives ids and times to what rows say."""

    def __init__(self, kept: ExtraTable, now_ms: int, notes: MamaNotes) -> None:
        self._kept, self._now_ms, self._notes = kept, now_ms, notes
        self.made: dict[str, Memory] = {}
        self.timeless: set[str] = set()

    def make(self, table: str, row: ForeignRow, say: "Callable[[Fields], _Part]") -> Memory:
        """Make the memory of a row."""
        fields = Fields(table, _label_of(table, row), row, notes=self._notes)
        part = say(fields)
        created = fields.time(part.created)
        updated = None if part.updated == part.created else fields.time(part.updated)
        id_, alias = self._id(fields, row, created)
        if created is None:
            fields.warn(f"{part.created} is missing; the time of the import was taken")
            self.timeless.add(id_)
        at = self._now_ms if created is None else created
        metadata = {"schema_version": SCHEMA_VERSION, "alias": alias, **part.metadata}
        metadata["v1"] = fields.rest(part.defaults) or None
        memory = Memory(
            id=id_,
            type=part.type,
            content=part.content,
            topic=part.topic,
            created_at=at,
            updated_at=at if updated is None else updated,
            metadata=_bare(metadata),
        )
        self.made[id_] = fitted(self._kept.restored(table, row, memory), fields.warn)
        return self.made[id_]

    def _id(self, fields: Fields, row: ForeignRow, created: int | None) -> tuple[str, str | None]:
        """Return the id of a row's memory, and the older name it is known by."""
        known = self._kept.id_of(fields.table, row)
        if known is not None and known not in self.made:
            fields.pop("id")
            return known, None
        given = fields.pop("id")
        if fields.table != DECISIONS:
            type_, mark, alias = _new_id(fields, given)
            return f"{type_}_{created or 0:013d}_{mark}", alias
        if isinstance(given, str) and given not in self.made:
            try:
                return check_key(given), None
            except (InvalidArgument, LimitExceeded):
                pass
        fields.keep("id")
        made = f"decision_{created or 0:013d}_{_mark(fields.table, row.number, given)}"
        fields.warn(f"the id cannot be used; it is {made} now")
        return made, None


def _label_of(table: str, row: ForeignRow) -> str:
    """Return what warnings call a row by."""
    found = row.values.get("id")
    if isinstance(found, str) and found:
        return found
    return f"{_NAMES.get(table, table)}_{row.number if found is None else found}"


_NAMES = {CHECKPOINTS: "checkpoint", PATTERNS: "error_pattern", DECISIONS: "row"}


def _new_id(fields: Fields, given: object) -> tuple[str, str, str | None]:
    """Return type, mark and alias for a row whose id is no id of ours."""
    # Only what never changes later may tell a row apart: its status and counts do.
    if fields.table == CHECKPOINTS:
        mark = _mark(given, fields.peek("timestamp"), fields.peek("summary"))
        return "checkpoint", mark, f"checkpoint_{given}"
    if fields.table == PATTERNS:
        return "insight", _mark(fields.peek("error_pattern")), f"error_pattern_{given}"
    alias = given if isinstance(given, str) and given else None
    return "context", _mark(given), alias


def _mark(*parts: object) -> str:
    return blake2b(repr(parts).encode(errors="replace"), digest_size=4).hexdigest()


def _bare(metadata: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is not there; an unknown outcome is reported all the same."""
    return {
        name: value for name, value in metadata.items() if name == "outcome" or value is not None
    }


def _decision(fields: Fields) -> _Part:
    content, topic = fields.text("decision") or "", fields.text("topic")
    if not content.strip():
        fields.warn("the decision is empty")
    if not topic:
        fields.warn("it has no topic")
    for name in LINKING:
        fields.pop(name)
    metadata: dict[str, Json] = {
        "reasoning": fields.text("reasoning"),
        "confidence": fields.share("confidence"),
        "outcome": _outcome(fields),
        "failure_reason": fields.text("failure_reason"),
        "limitation": fields.text("limitation"),
        "user_involvement": fields.text("user_involvement"),
        "session_id": fields.text("session_id"),
        "trust_context": fields.json("trust_context"),
    }
    return _Part(
        "decision",
        content,
        "created_at",
        "updated_at",
        topic or None,
        metadata,
        DECISION_DEFAULTS,
    )


def _outcome(fields: Fields) -> str | None:
    found = fields.text("outcome")
    known = found.strip().upper() if found else None
    if known is None or known in OUTCOMES:
        return known
    fields.keep("outcome")
    fields.warn(f"{found!r:.60} is no outcome")
    return None


def _checkpoint(fields: Fields) -> _Part:
    summary = fields.text("summary") or ""
    if not summary.strip():
        fields.warn("the summary is empty")
    metadata: dict[str, Json] = {
        "open_files": _files(fields),
        "next_steps": fields.text("next_steps") or "",
        "status": _status(fields),
    }
    return _Part("checkpoint", summary, "timestamp", "timestamp", None, metadata)


def _files(fields: Fields) -> list[Json]:
    found = fields.json("open_files")
    if found is None:
        return []
    if isinstance(found, list) and all(isinstance(name, str) for name in found):
        return found
    fields.keep("open_files")
    fields.warn("open_files is no list of names; it is kept as it is")
    return [found] if isinstance(found, str) else []


def _status(fields: Fields) -> str:
    found = fields.text("status")
    if found is None or found in ("active", "archived"):
        return found or "active"
    fields.keep("status")
    fields.warn(f"{found!r:.60} is no status; MAMA does not show such a checkpoint")
    return "archived"


def _session(fields: Fields) -> _Part:
    path = fields.text("project_path")
    metadata: dict[str, Json] = {
        "category": "session",
        "project_path": path,
        "latest_exchange": fields.json("latest_exchange"),
    }
    content = fields.text("rolling_summary") or path or ""
    return _Part(
        "context", content, "started_at", "last_active_at", None, metadata, SESSION_DEFAULTS
    )


def _pattern(fields: Fields) -> _Part:
    pattern, solution = fields.text("error_pattern") or "", fields.text("solution") or ""
    metadata: dict[str, Json] = {
        "category": "error_pattern",
        "error_pattern": pattern,
        "solution": solution,
        "error_type": fields.text("error_type"),
    }
    content = pattern_content(pattern, solution)
    if not content:
        fields.warn("the pattern is empty")
    return _Part("insight", content, "first_seen", "last_seen", None, metadata, PATTERN_DEFAULTS)


def pattern_content(pattern: str, solution: str) -> str:
    """Return what a pattern of an error says."""
    return f"{pattern}\n{solution}".strip()


def fitted(memory: Memory, warn: Callable[[str], None]) -> Memory:
    """Return a memory that fits into one value, its longest texts cut if need be."""
    most = _CUT_FIRST
    cut = memory
    while True:
        try:
            encode({"content": cut.content, "topic": cut.topic, "metadata": cut.metadata})
        except LimitExceeded:
            cut = msgspec.structs.replace(
                memory,
                content=memory.content[:most],
                topic=memory.topic and memory.topic[:most],
                metadata=_cut(memory.metadata, most),
            )
            most //= 2
            continue
        if cut is not memory:
            warn("it is too large for one memory; its longest texts were cut")
        return cut


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return value[:most]
    if isinstance(value, list):
        return [_cut(part, most) for part in value[:most]]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, Mapping):
        return {name: _cut(part, most) for name, part in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value
