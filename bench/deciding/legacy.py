"""A database as MAMA 1.0 writes one: decisions with their edges, checkpoints, vectors."""

import json
import random
from pathlib import Path

import apsw
import numpy as np

from deciding.world import Writer, topic_name

_DAY_MS = 86_400_000
_START_MS = 1_763_800_000_000
_DIMENSION = 384
_CHUNK = 1024
_TABLES = """
CREATE TABLE decisions (
    id TEXT PRIMARY KEY, topic TEXT NOT NULL, decision TEXT NOT NULL, reasoning TEXT, outcome TEXT,
    failure_reason TEXT, limitation TEXT, duration_days INTEGER, user_involvement TEXT,
    session_id TEXT, supersedes TEXT, superseded_by TEXT, refined_from TEXT,
    confidence REAL DEFAULT 0.5, created_at INTEGER, updated_at INTEGER,
    needs_validation INTEGER DEFAULT 0, validation_attempts INTEGER DEFAULT 0,
    last_validated_at INTEGER, usage_count INTEGER DEFAULT 0, trust_context TEXT,
    usage_success INTEGER DEFAULT 0, usage_failure INTEGER DEFAULT 0, time_saved INTEGER DEFAULT 0);
CREATE TABLE decision_edges (
    from_id TEXT NOT NULL, to_id TEXT NOT NULL, relationship TEXT NOT NULL, reason TEXT,
    weight REAL DEFAULT 1.0, created_at INTEGER, PRIMARY KEY (from_id, to_id, relationship));
CREATE TABLE checkpoints (
    id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp INTEGER NOT NULL, summary TEXT NOT NULL,
    open_files TEXT, next_steps TEXT, status TEXT DEFAULT 'active');
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, project_path TEXT, rolling_summary TEXT, latest_exchange TEXT,
    action_count INTEGER DEFAULT 0, decision_count INTEGER DEFAULT 0, started_at INTEGER,
    last_active_at INTEGER, ended_at INTEGER);
CREATE TABLE error_patterns (
    id INTEGER PRIMARY KEY AUTOINCREMENT, error_pattern TEXT NOT NULL, error_type TEXT,
    solution TEXT NOT NULL, solution_type TEXT, success_rate REAL, occurrences INTEGER,
    successes INTEGER, last_seen INTEGER, first_seen INTEGER, embedding BLOB, created_at INTEGER,
    updated_at INTEGER);
CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at INTEGER, description TEXT);
INSERT INTO schema_version VALUES (4, 1763800000, 'trust context');
CREATE TABLE vss_memories_info (key TEXT PRIMARY KEY, value ANY);
CREATE TABLE vss_memories_chunks (
    chunk_id INTEGER PRIMARY KEY AUTOINCREMENT, size INTEGER NOT NULL, validity BLOB NOT NULL,
    rowids BLOB NOT NULL);
CREATE TABLE vss_memories_rowids (
    rowid INTEGER PRIMARY KEY AUTOINCREMENT, id, chunk_id INTEGER, chunk_offset INTEGER);
CREATE TABLE vss_memories_vector_chunks00 (rowid PRIMARY KEY, vectors BLOB NOT NULL);
"""
_DECISION = """
INSERT INTO decisions (rowid, id, topic, decision, reasoning, outcome, failure_reason, session_id,
    supersedes, confidence, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_EDGE = "INSERT OR IGNORE INTO decision_edges VALUES (?, ?, ?, ?, ?, ?)"


def make_legacy(path: Path, sentences: list[list[str]], count: int, *, seed: int = 5) -> int:
    """Write so many decisions on a third as many topics; return how many edges they have."""
    return _Making(path, sentences, seed).made(count)


class _Making:
    def __init__(self, path: Path, sentences: list[list[str]], seed: int) -> None:
        self._rng = random.Random(seed)
        self._writer = Writer(sentences, self._rng)
        self._connection = apsw.Connection(str(path))
        self._ids: list[str] = []

    def made(self, count: int) -> int:
        connection = self._connection
        with connection:
            connection.execute(_TABLES)
            heads: dict[int, str] = {}
            for number in range(count):
                self._decide(number, self._rng.randrange(max(count // 3, 1)), heads)
            for number in range(count // 10):
                self._pause(number, count)
            self._write_vectors(count)
        edges = connection.execute("SELECT from_id FROM decision_edges").fetchall()
        connection.close()
        return len(edges)

    def _decide(self, number: int, topic: int, heads: dict[int, str]) -> None:
        rng, name, now = self._rng, topic_name(topic), _time(number)
        id_ = f"decision_{name}_{now}_{rng.getrandbits(20):04x}"
        before = heads.get(topic)
        outcome = rng.choices((None, "SUCCESS", "FAILED", "PARTIAL"), (75, 13, 6, 6))[0]
        failure = self._writer.text(topic) if outcome == "FAILED" else None
        self._connection.execute(
            _DECISION,
            (
                number + 1,
                id_,
                name,
                self._writer.text(topic),
                self._writer.text(topic, 40),
                outcome,
                failure,
                f"session_{number // 12:04d}",
                before,
                round(rng.random(), 2),
                now,
                now,
            ),
        )
        if before is not None:
            self._connection.execute(_EDGE, (id_, before, "supersedes", "same topic", 1.0, now))
        # What MAMA found alike by itself.
        for other in rng.sample(self._ids[-60:], min(3, len(self._ids))):
            reason = f"Related work (similarity: 0.{rng.randint(75, 95)})"
            self._connection.execute(_EDGE, (id_, other, "refines", reason, 0.8, now))
        heads[topic] = id_
        self._ids.append(id_)

    def _pause(self, number: int, count: int) -> None:
        files = json.dumps([f"src/part_{number}.py"])
        values = (
            _time(number * 10 % count),
            self._writer.text(number),
            files,
            "다음 단계",
            "active",
        )
        statement = (
            "INSERT INTO checkpoints (timestamp, summary, open_files, next_steps, status)"
            " VALUES (?, ?, ?, ?, ?)"
        )
        self._connection.execute(statement, values)

    def _write_vectors(self, count: int) -> None:
        """Write vectors in groups that are alike, where the index of vectors keeps them."""
        dice = np.random.default_rng(9)
        centres = dice.standard_normal((max(count // 12, 1), _DIMENSION))
        wanted = centres[dice.integers(len(centres), size=count)]
        vectors = wanted + 0.6 * dice.standard_normal((count, _DIMENSION))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        execute = self._connection.execute
        for chunk, start in enumerate(range(0, count, _CHUNK), 1):
            part = np.zeros((_CHUNK, _DIMENSION), "<f4")
            rows = vectors[start : start + _CHUNK]
            part[: len(rows)] = rows
            execute(
                "INSERT INTO vss_memories_vector_chunks00 VALUES (?, ?)", (chunk, part.tobytes())
            )
            for offset in range(len(rows)):
                execute(
                    "INSERT INTO vss_memories_rowids VALUES (?, NULL, ?, ?)",
                    (start + offset + 1, chunk, offset),
                )


def _time(number: int) -> int:
    """Return when a decision was made: twelve a day, some minutes apart."""
    return _START_MS + number // 12 * _DAY_MS + number % 12 * 420_000
