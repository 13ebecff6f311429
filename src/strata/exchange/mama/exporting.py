"""Writing a database that MAMA 1.0 opens, from the decisions of a branch.

MAMA knows decisions, three relationships between them, checkpoints, sessions and patterns of
errors. What it has no place for is listed, and goes into a table of ours that it leaves alone:
an import finds everything again.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, cast

import msgspec

from strata.base.errors import Unavailable
from strata.decisions import OUTCOMES, Link, Memory, MemoryReader
from strata.exchange.mama.edges import AUTOMATIC, AUTOMATIC_MARK, TYPES_OF_WORDS
from strata.exchange.mama.extra_table import (
    ExtraRow,
    MamaOrigin,
    Written,
    extra_metadata,
    extra_rows,
)
from strata.exchange.mama.fields import as_json_value
from strata.exchange.mama.memories import (
    DECISION_DEFAULTS,
    SCHEMA_VERSION,
    SESSION_DEFAULTS,
    pattern_content,
)
from strata.exchange.mama.report import LeftBehind, MamaExport
from strata.exchange.mama.source import (
    CHECKPOINTS,
    DECISIONS,
    EDGES,
    PATTERNS,
    PROGRAM,
    SESSIONS,
)
from strata.exchange.place import check_target, pinned, view_of, whole_file
from strata.sql import ForeignWriter, write_foreign
from strata.upkeep import Progress
from strata.workspace import Workspace

_RELATIONSHIPS = ("supersedes", "refines", "contradicts")
_INVOLVED = ("requested", "approved", "rejected")
# Metadata that has a column, by table.
_COLUMNS: dict[str, tuple[str, ...]] = {
    DECISIONS: (
        "reasoning",
        "outcome",
        "failure_reason",
        "limitation",
        "user_involvement",
        "session_id",
        "confidence",
        "trust_context",
        "schema_version",
    ),
    CHECKPOINTS: ("open_files", "next_steps", "status", "schema_version"),
    SESSIONS: ("category", "project_path", "latest_exchange", "schema_version"),
    PATTERNS: ("category", "error_pattern", "solution", "error_type", "schema_version"),
}
_JSON = ("trust_context", "open_files", "latest_exchange")
_NUMBERS = (
    "needs_validation",
    "validation_attempts",
    "last_validated_at",
    "usage_count",
    "usage_success",
    "usage_failure",
    "time_saved",
    "duration_days",
)
_PATTERN_NUMBERS = ("solution_type", "success_rate", "occurrences", "successes")
# Columns that come back as metadata.v1, by table.
_OLD: dict[str, tuple[str, ...]] = {
    DECISIONS: _NUMBERS,
    CHECKPOINTS: (),
    SESSIONS: tuple(SESSION_DEFAULTS),
    PATTERNS: (*_PATTERN_NUMBERS, "created_at", "updated_at"),
}
_STEPS = 3


def export_mama(
    db: Workspace,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> MamaExport:
    """Write the decisions of a branch, now or as of a time, as a database for MAMA 1.0.

    The report lists what MAMA cannot show. The file is there complete or not at all; one that
    exists is replaced only with `force`, and never while a program has it open.

    >>> from strata.exchange import export_mama
    >>> _ = db.decisions.save("auth", "토큰을 쓴다", "모바일 앱이 생겼다")
    >>> export_mama(db, folder / "mama.db").rows["decisions"]
    1
    """
    tell = progress or _say_nothing
    place, here = Path(path), pinned(db)
    check_database(place, force=force)
    tell("reading", 0, _STEPS)
    keyspace = MemoryReader(view_of(here).snapshot)
    told = _MamaRows(list(keyspace.all()), list(keyspace.all_links()), origin=_origin(here))
    tell("writing", 1, _STEPS)
    with whole_file(place, force=force) as part, write_foreign(part, program=PROGRAM) as writer:
        told.write(writer)
    tell("done", _STEPS, _STEPS)
    assert here.as_of is not None, "a pinned view knows its moment"
    return MamaExport(
        path=place,
        branch=here.branch,
        version=here.as_of.version,
        rows={name: len(rows) for name, rows in told.rows.items()},
        left_behind=tuple(told.left_behind),
    )


def _say_nothing(_stage: str, _done: int, _total: int) -> None:
    """Report no progress."""


def check_database(place: Path, *, force: bool) -> None:
    """Refuse a path where no file may be put, or where a program has a database open."""
    check_target(place, force=force)
    for ending in ("-wal", "-shm", "-journal"):
        if place.with_name(place.name + ending).exists():
            raise Unavailable(
                f"{place} is open in another program, or was not closed: there is a {ending} file.",
                hint="Name another file, or end MAMA first.",
                path=str(place),
            )


def _origin(here: Workspace) -> MamaOrigin | None:
    """Return the exported state, so that later changes by MAMA can be recognised."""
    newest = here.log(limit=1)
    return MamaOrigin(newest[0].hash, here.branch, newest[0].version) if newest else None


class _MamaRows:
    """What is exported: rows by table, and what has no place there."""

    def __init__(
        self, memories: Sequence[Memory], links: Sequence[Link], *, origin: MamaOrigin | None
    ) -> None:
        self.left_behind: list[LeftBehind] = []
        self.rows: dict[str, list[Any]] = {
            name: [] for name in (DECISIONS, EDGES, CHECKPOINTS, SESSIONS, PATTERNS)
        }
        self._kept: list[Written] = [] if origin is None else [origin]
        self._supersedes: dict[str, Link] = {}
        self._superseded_by: dict[str, Link] = {}
        self._names: set[tuple[str, object]] = set()
        self._edges: set[tuple[str, str, str]] = set()
        ordered = sorted(memories, key=lambda memory: (memory.created_at, memory.id))
        self._numbers = _numbers(ordered)
        for memory in ordered:
            self._add_memory(memory)
        self._decisions = {row["id"]: row for row in self.rows[DECISIONS]}
        for link in sorted(links, key=lambda link: (link.created_at, link.id)):
            self._add_link(link)

    def write(self, writer: ForeignWriter) -> None:
        """Write all of it."""
        writer.run_all("make_")
        writer.run_many("add_decision", self.rows[DECISIONS])
        for name, found in (
            ("set_supersedes", [(link.to_id, link.from_id) for link in self._supersedes.values()]),
            (
                "set_superseded_by",
                [(link.from_id, link.to_id) for link in self._superseded_by.values()],
            ),
            ("add_edge", self.rows[EDGES]),
            ("add_checkpoint", self.rows[CHECKPOINTS]),
            ("add_session", self.rows[SESSIONS]),
            ("add_error_pattern", self.rows[PATTERNS]),
            ("keep", extra_rows(self._kept)),
        ):
            writer.run_many(name, found)

    # Memories.

    def _add_memory(self, memory: Memory) -> None:
        table = _table_of(memory)
        row = _ROWS[table](memory, self._numbers.get(memory.id)) if table else None
        if table is None or row is None or not self._is_free(table, row):
            self._kept.append(memory)
            self._leave(memory.id, f"MAMA 1.0 has no place for this {memory.type}")
            return
        self.rows[table].append(row)
        old = {name: row[name] for name in _OLD[table]}
        extra = extra_metadata(memory.metadata, _held(table, memory, row), old)
        told = {name: row[name] for name in (*extra, *extra.get("v1", ())) if name in row}
        times = (memory.created_at, memory.updated_at)
        self._kept.append(ExtraRow(table, row["id"], memory.id, extra, told, *times))
        unseen = sorted(extra.keys() - {"alias", "schema_version", "v1"})
        if unseen:
            self._leave(memory.id, f"MAMA 1.0 does not show its {', '.join(unseen)}")

    def _is_free(self, table: str, row: dict[str, Any]) -> bool:
        """Take the name that only one row of a table can have."""
        name = (table, row["error_pattern" if table == PATTERNS else "id"])
        is_free = name not in self._names
        self._names.add(name)
        return is_free

    # Links.

    def _add_link(self, link: Link) -> None:
        self._kept.append(link)
        word = "supersedes" if link.supersedes else link.relationship
        edge = (link.from_id, link.to_id, word)
        if (
            not _has_word(link, word)
            or not {*edge[:2]} <= self._decisions.keys()
            or edge in self._edges
        ):
            what = "suggested link" if link.is_suggestion else f"{link.link_type} link"
            self._leave(link.id, f"MAMA 1.0 has no place for this {what} ({link.relationship})")
            return
        self._edges.add(edge)
        weight = _number(_dictionary(link.metadata.get("v1")).get("weight", 1.0))
        if not link.is_suggestion:
            weight = min(max(link.confidence, 0.0), 1.0)
        reason = _text(link.metadata.get("reason"))
        self.rows[EDGES].append((*edge, reason, weight, link.created_at))
        if link.supersedes:
            self._note_column(self._supersedes, link.from_id, link)
            self._note_column(self._superseded_by, link.to_id, link)

    def _note_column(self, column: dict[str, Link], id_: str, link: Link) -> None:
        """Let a column that has room for one name the nearest: of the same topic, the newest."""
        known = column.get(id_)
        if known is None or self._nearness(known) < self._nearness(link):
            column[id_] = link

    def _nearness(self, link: Link) -> tuple[bool, int, int, str]:
        newer, older = self._decisions[link.from_id], self._decisions[link.to_id]
        is_same = newer["topic"] == older["topic"]
        return is_same, older["created_at"], newer["created_at"], link.id

    def _leave(self, id_: str, what: str) -> None:
        self.left_behind.append(LeftBehind(id_, what))


def _has_word(link: Link, word: str) -> bool:
    """Whether MAMA 1.0 has a word for a link; of suggestions it has only its own."""
    if word not in _RELATIONSHIPS or TYPES_OF_WORDS[word] != link.link_type:
        return False
    is_own = word in AUTOMATIC and AUTOMATIC_MARK in str(link.metadata.get("reason"))
    return not link.is_suggestion or is_own


def _numbers(memories: Iterable[Memory]) -> dict[str, int]:
    """Return a number for what MAMA numbers: the one it had, or the next that is free."""
    found: dict[str, int] = {}
    for table in (CHECKPOINTS, PATTERNS):
        numbered = [memory for memory in memories if _table_of(memory) == table]
        taken: dict[int, str] = {}
        for memory in numbered:
            last = str(memory.metadata.get("alias") or "").rpartition("_")[2]
            if last.isascii() and last.isdigit() and 0 < len(last) < 16 and int(last):
                taken.setdefault(int(last), memory.id)
        found |= {id_: number for number, id_ in taken.items()}
        following = count(max(taken, default=0) + 1)
        found |= {memory.id: next(following) for memory in numbered if memory.id not in found}
    return found


def _held(table: str, memory: Memory, row: dict[str, Any]) -> Iterable[str]:
    """Return the names of metadata that the row gives back exactly."""
    metadata = memory.metadata
    held = {name for name in _COLUMNS[table] if name in metadata}
    if metadata.get("schema_version") != SCHEMA_VERSION:
        held.discard("schema_version")
    return {
        name for name in held if name not in row or _given_back(name, row[name]) == metadata[name]
    }


def _given_back(name: str, value: Any) -> Any:
    """Return what an import makes of a column."""
    return as_json_value(value) if name in _JSON else value


def _table_of(memory: Memory) -> str | None:
    category = memory.metadata.get("category")
    if memory.type == "decision":
        return DECISIONS
    if memory.type == "checkpoint":
        return CHECKPOINTS
    if memory.type == "context" and category == "session" and memory.metadata.get("alias"):
        return SESSIONS
    is_pattern = category == "error_pattern" and "error_pattern" in memory.metadata
    return PATTERNS if memory.type == "insight" and is_pattern else None


def _decision(memory: Memory, _number_of: int | None) -> dict[str, Any]:
    metadata, v1 = memory.metadata, _dictionary(memory.metadata.get("v1"))
    involved, trust = metadata.get("user_involvement"), metadata.get("trust_context")
    outcome, confidence = metadata.get("outcome"), _number(metadata.get("confidence"))
    old = {name: _number(v1.get(name, DECISION_DEFAULTS[name])) for name in _NUMBERS}
    if old["needs_validation"] not in (0, 1, None):
        old["needs_validation"] = 0
    texts = ("reasoning", "failure_reason", "limitation", "session_id")
    return {
        "id": memory.id,
        "topic": memory.topic or "",
        "decision": memory.content,
        **{name: _text(metadata.get(name)) for name in texts},
        **old,
        "outcome": outcome if outcome in OUTCOMES else None,
        "user_involvement": involved if involved in _INVOLVED else None,
        "refined_from": None,
        "confidence": confidence if confidence is not None and 0 <= confidence <= 1 else None,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "trust_context": None if trust is None else _json(trust),
    }


def _checkpoint(memory: Memory, number: int | None) -> dict[str, Any]:
    metadata = memory.metadata
    return {
        "id": number,
        "timestamp": memory.created_at,
        "summary": memory.content,
        "open_files": _json(metadata.get("open_files") or []),
        "next_steps": _text(metadata.get("next_steps")) or "",
        "status": "archived" if metadata.get("status") == "archived" else "active",
    }


def _session(memory: Memory, _number_of: int | None) -> dict[str, Any]:
    metadata, v1 = memory.metadata, _dictionary(memory.metadata.get("v1"))
    exchange = metadata.get("latest_exchange")
    old = {name: _number(v1.get(name, default)) for name, default in SESSION_DEFAULTS.items()}
    for name in ("action_count", "decision_count"):
        old[name] = max(old[name] or 0, 0)
    return {
        "id": metadata["alias"],
        "project_path": _text(metadata.get("project_path")),
        "rolling_summary": memory.content,
        **old,
        "latest_exchange": None if exchange is None else _json(exchange),
        "started_at": memory.created_at,
        "last_active_at": memory.updated_at,
    }


def _pattern(memory: Memory, number: int | None) -> dict[str, Any] | None:
    metadata, v1 = memory.metadata, _dictionary(memory.metadata.get("v1"))
    pattern, solution = _text(metadata["error_pattern"]) or "", _text(metadata.get("solution"))
    if memory.content != pattern_content(pattern, solution or ""):
        return None
    defaults = {"solution_type": "bash", "success_rate": 1.0, "occurrences": 1, "successes": 1}
    return {
        "id": number,
        "error_pattern": pattern,
        "solution": solution or "",
        "error_type": _text(metadata.get("error_type")),
        "first_seen": memory.created_at,
        "last_seen": memory.updated_at,
        "created_at": v1.get("created_at"),
        "updated_at": v1.get("updated_at"),
        **{name: _scalar(v1.get(name, default)) for name, default in defaults.items()},
    }


_ROWS: dict[str, Callable[[Memory, int | None], dict[str, Any] | None]] = {
    DECISIONS: _decision,
    CHECKPOINTS: _checkpoint,
    SESSIONS: _session,
    PATTERNS: _pattern,
}


def _dictionary(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else _json(value)


def _number(value: object) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value


def _scalar(value: object) -> object:
    return value if isinstance(value, (str, int, float)) else None


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def counted(found: MamaExport) -> dict[str, int]:
    """Count what was left behind by what is said of it."""
    return dict(Counter(one.what for one in found.left_behind))
