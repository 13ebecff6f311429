"""Databases as the versions of MAMA make them, written here: any schema, any rows, vectors too."""

import random
import sqlite3
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]

_DECISIONS_1 = """
    id TEXT PRIMARY KEY, topic TEXT NOT NULL, decision TEXT NOT NULL, reasoning TEXT,
    outcome TEXT, failure_reason TEXT, limitation TEXT, duration_days INTEGER,
    user_involvement TEXT, session_id TEXT, supersedes TEXT, superseded_by TEXT,
    refined_from TEXT, confidence REAL DEFAULT 0.5, created_at INTEGER, updated_at INTEGER
"""
_EDGES_1 = """
    from_id TEXT NOT NULL, to_id TEXT NOT NULL, relationship TEXT NOT NULL, reason TEXT,
    weight REAL DEFAULT 1.0, created_at INTEGER, PRIMARY KEY (from_id, to_id, relationship)
"""
_CHECKPOINTS = """
    id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp INTEGER, summary TEXT, open_files TEXT,
    next_steps TEXT, status TEXT DEFAULT 'active'
"""
# What each later version added, by table.
_ADDED: dict[int, dict[str, tuple[str, ...]]] = {
    3: {
        "decisions": (
            "needs_validation INTEGER DEFAULT 0",
            "last_validated_at INTEGER",
            "validation_attempts INTEGER DEFAULT 0",
            "usage_count INTEGER DEFAULT 0",
        )
    },
    4: {
        "decisions": (
            "trust_context TEXT",
            "usage_success INTEGER DEFAULT 0",
            "usage_failure INTEGER DEFAULT 0",
            "time_saved INTEGER DEFAULT 0",
        )
    },
    5: {"decisions": ("evidence TEXT", "alternatives TEXT", "risks TEXT")},
    6: {
        "decision_edges": (
            "created_by TEXT DEFAULT 'user'",
            "decision_id TEXT",
            "approved_by_user INTEGER DEFAULT 1",
            "evidence TEXT",
        )
    },
}
_LATER = {
    6: "CREATE TABLE link_audit_log (id INTEGER PRIMARY KEY, from_id, to_id, action, actor)",
    7: "CREATE TABLE restart_metrics (id INTEGER PRIMARY KEY, timestamp TEXT, status TEXT)",
}
_PATTERNS = """
    id INTEGER PRIMARY KEY AUTOINCREMENT, error_pattern TEXT NOT NULL, error_type TEXT,
    solution TEXT NOT NULL, solution_type TEXT DEFAULT 'bash', success_rate REAL DEFAULT 1.0,
    occurrences INTEGER DEFAULT 1, successes INTEGER DEFAULT 1, last_seen INTEGER,
    first_seen INTEGER, embedding BLOB, created_at INTEGER, updated_at INTEGER
"""


def make(path: Path, *, version: int = 4, **rows: Iterable[Row]) -> Path:
    """Make a database of a schema version with rows by table; columns it lacks are left out."""
    with sqlite3.connect(path) as db:
        _make_tables(db, version)
        for table, found in rows.items():
            for row in found:
                insert(db, table, row)
    db.close()
    return path


def _make_tables(db: sqlite3.Connection, version: int) -> None:
    db.execute(f"CREATE TABLE decisions ({_DECISIONS_1})")
    db.execute(f"CREATE TABLE decision_edges ({_EDGES_1})")
    db.execute(
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, project_path, rolling_summary, "
        "latest_exchange, action_count, decision_count, started_at, last_active_at, "
        "ended_at)"
    )
    db.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at, description)")
    db.execute(f"CREATE TABLE checkpoints ({_CHECKPOINTS})")
    if version >= 2:
        db.execute(f"CREATE TABLE error_patterns ({_PATTERNS})")
    for number in range(1, version + 1):
        db.execute("INSERT INTO schema_version (version) VALUES (?)", (number,))
        for table, columns in _ADDED.get(number, {}).items():
            for column in columns:
                db.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
        if number in _LATER:
            db.execute(_LATER[number])


def insert(db: sqlite3.Connection, table: str, row: Row) -> None:
    """Insert a row as far as the table has its columns."""
    columns = {found[1] for found in db.execute(f"PRAGMA table_info({table})")}
    kept = {name: value for name, value in row.items() if name in columns or name == "rowid"}
    names, marks = ", ".join(kept), ", ".join("?" for _ in kept)
    db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(kept.values()))


def add_vectors(path: Path, vectors: Mapping[int, Iterable[float]]) -> None:
    """Add vectors by row, in the tables that lie beneath MAMA's vector index."""
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE vss_memories_rowids (rowid INTEGER PRIMARY KEY AUTOINCREMENT, "
            "id, chunk_id INTEGER, chunk_offset INTEGER)"
        )
        db.execute("CREATE TABLE vss_memories_vector_chunks00 (rowid PRIMARY KEY, vectors BLOB)")
        chunk = bytearray(1024 * 1536)
        for offset, (number, vector) in enumerate(vectors.items()):
            data = struct.pack("<384f", *vector)
            chunk[offset * 1536 : (offset + 1) * 1536] = data
            db.execute(
                "INSERT INTO vss_memories_rowids (rowid, chunk_id, chunk_offset) VALUES (?, 1, ?)",
                (number, offset),
            )
        db.execute("INSERT INTO vss_memories_vector_chunks00 VALUES (1, ?)", (bytes(chunk),))
    db.close()


def decision(number: int, **columns: Any) -> dict[str, Any]:
    """Return a row of `decisions`; a topic of its own unless told."""
    at = 1_764_000_000_000 + number * 3_600_000
    return {
        "id": f"decision_{number}_aaaa",
        "topic": f"topic_{number}",
        "decision": f"결정 {number}",
        "reasoning": "because",
        "confidence": 0.5,
        "created_at": at,
        "updated_at": at,
        "user_involvement": "approved",
        "session_id": f"mama_api_{at}",
    } | columns


_CHOICES = (
    "Use one table",
    "작은 인터페이스 뒤로 옮긴다",
    "Stream to disk",
    "Retry three times",
    "플래그 뒤에 둔다",
    "Store UTC milliseconds",
    "Reject early",
    "Run it nightly",
)


def make_large(path: Path, count: int, *, seed: int = 1) -> Path:
    """Make a database as a busy team would have it: chains of topics, alike edges, vectors."""
    chance = random.Random(seed)
    topics = [f"{chance.choice(('auth', 'cache', '배포'))}_{n}" for n in range(count // 3)]
    head: dict[str, dict[str, Any]] = {}
    decisions: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    for number in range(count):
        topic = chance.choice(topics)
        why = f"측정해 보니 p95가 {chance.randint(2, 900)} ms였다. It held."
        what = f"{chance.choice(_CHOICES)} ({number})"
        row = decision(number, topic=topic, decision=what, reasoning=why)
        before = head.get(topic)
        if before is not None:
            row["supersedes"], before["superseded_by"] = before["id"], row["id"]
            edges.append(_edge(row, before, "supersedes", "changed"))
        for other in chance.sample(decisions, min(3, len(decisions))):
            edges.append(
                _edge(row, other, "refines", "Refines previous approach (similarity: 0.9)")
            )
        head[topic] = row
        decisions.append(row)
    checkpoints = [
        {
            "timestamp": decisions[at]["created_at"],
            "summary": f"{decisions[at]['topic']} 작업 중",
            "open_files": '["src/a.ts"]',
            "next_steps": "Review",
            "status": "active",
        }
        for at in range(0, count, 10)
    ]
    unique = {(edge["from_id"], edge["to_id"], edge["relationship"]): edge for edge in edges}
    make(path, decisions=decisions, decision_edges=unique.values(), checkpoints=checkpoints)
    vectors = {n + 1: [chance.gauss(0.5, 1) for _ in range(384)] for n in range(min(count, 1024))}
    add_vectors(path, vectors)
    return path


def _edge(newer: Row, older: Row, word: str, reason: str) -> dict[str, Any]:
    return {
        "from_id": newer["id"],
        "to_id": older["id"],
        "relationship": word,
        "reason": reason,
        "weight": 1.0,
        "created_at": newer["created_at"] + 50,
    }
