"""Databases with any rows and any damage: all that can be read is kept, and told by id."""

import sqlite3
import string
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

import strata
from strata import Unusable
from strata.exchange import export_mama, import_mama
from tests.contract.mama.conftest import rows, state
from tests.contract.mama.made import insert, make
from tests.property.examples import examples

texts = st.text(st.characters(codec="utf-8"), max_size=20)
scraps = st.one_of(
    st.none(),
    texts,
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.binary(max_size=12),
    st.sampled_from(
        [
            "",
            "[]",
            "{}",
            '["d1"]',
            "{broken",
            "2025-11-20T10:30:00Z",
            "2025-11-20",
            "SUCCESS",
            "active",
            "1763000000",
            "approved",
            "d1",
            "d2",
            "d3",
            '{"a":NaN}',
        ]
    ),
)
ids = st.sampled_from(["d1", "d2", "d3", "d4", "결정", "\u1112\u1161\u11ab"])
decision_rows = st.fixed_dictionaries(
    {"id": st.one_of(ids, scraps)},
    optional={
        name: st.one_of(ids, scraps)
        for name in (
            "topic",
            "decision",
            "reasoning",
            "outcome",
            "confidence",
            "created_at",
            "updated_at",
            "supersedes",
            "superseded_by",
            "refined_from",
            "trust_context",
            "session_id",
            "usage_count",
            "needs_validation",
        )
    },
)
edge_rows = st.fixed_dictionaries(
    {"from_id": st.one_of(ids, scraps), "to_id": st.one_of(ids, scraps)},
    optional=dict.fromkeys(("relationship", "reason", "weight", "created_at"), scraps),
)
CHECKPOINT = ("timestamp", "summary", "open_files", "next_steps", "status")
checkpoint_rows = st.fixed_dictionaries({}, optional=dict.fromkeys(CHECKPOINT, scraps))


def loose(path: Path, **found: list[dict[str, Any]]) -> Path:
    """Make a database whose tables have columns without any rule."""
    make(path)
    columns = {
        "decisions": "id, topic, decision, reasoning, outcome, confidence, created_at, updated_at,"
        "supersedes, superseded_by, refined_from, trust_context, session_id, usage_count,"
        "needs_validation",
        "decision_edges": "from_id, to_id, relationship, reason, weight, created_at",
        "checkpoints": "id INTEGER PRIMARY KEY, timestamp, summary, open_files, next_steps, status",
    }
    with closing(sqlite3.connect(path)) as db, db:
        for table, names in columns.items():
            db.execute(f"DROP TABLE {table}")
            db.execute(f"CREATE TABLE {table} ({names})")
            for row in found.get(table, []):
                insert(db, table, row or {"rowid": None})
    return path


def in_folder(work: Callable[[Path], None]) -> None:
    with TemporaryDirectory() as folder:
        work(Path(folder))


@settings(max_examples=examples(60))
@given(
    st.lists(decision_rows, max_size=8),
    st.lists(edge_rows, max_size=8),
    st.lists(checkpoint_rows, max_size=3),
)
def test_whatever_stands_in_the_rows_each_becomes_a_memory_and_a_second_run_changes_nothing(
    decisions: list[dict[str, Any]],
    edges: list[dict[str, Any]],
    checkpoints: list[dict[str, Any]],
) -> None:
    def work(folder: Path) -> None:
        path = loose(
            folder / "m.db", decisions=decisions, decision_edges=edges, checkpoints=checkpoints
        )
        with strata.open(durability="cache", auto_embed=False) as db:
            found = import_mama(db, path)
            assert found.memories.get("decision", 0) == len(decisions)
            assert found.memories.get("checkpoint", 0) == len(checkpoints)
            given_ids = [row.get("id") for row in decisions]
            for row in rows(path, "decisions"):
                if row["id"] in ("d1", "d2", "결정") and given_ids.count(row["id"]) == 1:
                    memory = db.decisions.get(row["id"])
                    assert memory is not None
                    assert not isinstance(row["decision"], str) or memory.content == row["decision"]
            before = state(db)
            assert import_mama(db, path).written == 0
            assert state(db) == before

    in_folder(work)


@settings(max_examples=examples(30))
@given(
    st.lists(decision_rows, max_size=6),
    st.lists(edge_rows, max_size=6),
    st.lists(checkpoint_rows, max_size=3),
)
def test_whatever_was_imported_goes_to_mama_and_back(
    decisions: list[dict[str, Any]],
    edges: list[dict[str, Any]],
    checkpoints: list[dict[str, Any]],
) -> None:
    def work(folder: Path) -> None:
        path = loose(
            folder / "m.db", decisions=decisions, decision_edges=edges, checkpoints=checkpoints
        )
        with (
            strata.open(durability="cache", auto_embed=False) as db,
            strata.open(durability="cache", auto_embed=False) as other,
        ):
            import_mama(db, path)
            export_mama(db, folder / "out.db")
            import_mama(other, folder / "out.db")
            assert state(other) == state(db)

    in_folder(work)


@settings(max_examples=examples(40))
@example([(0.078125, 128)])  # the name of a column is no text any more
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=30))
def test_flipped_bytes_never_break_an_import_in_any_other_way_than_told(
    flips: list[tuple[float, int]],
) -> None:
    def work(folder: Path) -> None:
        row = {"topic": "t", "decision": string.printable, "created_at": 1764000000}
        decisions = [row | {"id": f"d{number}"} for number in range(40)]
        path = loose(folder / "m.db", decisions=decisions)
        data = bytearray(path.read_bytes())
        for share, value in flips:
            data[16 + int(share * (len(data) - 17))] = value
        path.write_bytes(data)
        with strata.open(durability="cache", auto_embed=False) as db:
            try:
                found = import_mama(db, path)
            except Unusable:
                assert state(db) == ({}, {})
            else:
                assert sum(found.memories.values()) == len(state(db)[0])

    in_folder(work)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=15))
@settings(max_examples=examples(60))
def test_decisions_that_replace_each_other_in_circles_come_out_as_none(
    pairs: list[tuple[int, int]],
) -> None:
    def work(folder: Path) -> None:
        decisions = [
            {"id": f"d{n}", "topic": "t", "decision": "x", "created_at": 1764000000 + n // 2}
            for n in range(6)
        ]
        edges = [
            {"from_id": f"d{a}", "to_id": f"d{b}", "relationship": "supersedes"} for a, b in pairs
        ]
        path = loose(folder / "m.db", decisions=decisions, decision_edges=edges)
        with strata.open(durability="cache", auto_embed=False) as db:
            found = import_mama(db, path)
            links = [link for link in state(db)[1].values() if link.supersedes]
            assert not has_circle({(link.from_id, link.to_id) for link in links})
            assert db.decisions.heads("t")
            lost = {(f"d{a}", f"d{b}") for a, b in pairs} - {
                (link.from_id, link.to_id) for link in links
            }
            told = {one.id for one in found.warnings}
            assert {a for a, _b in lost} <= told

    in_folder(work)


def has_circle(pairs: set[tuple[str, str]]) -> bool:
    left = set(pairs)
    while left:
        ends = {b for _a, b in left} - {a for a, _b in left}
        if not ends:
            return True
        left = {(a, b) for a, b in left if b not in ends}
    return False
