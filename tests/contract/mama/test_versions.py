"""Every schema that MAMA has had, and columns and tables that nobody knows yet."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from strata import Workspace
from strata.exchange import import_mama
from tests.contract.mama.conftest import state
from tests.contract.mama.made import decision, insert, make

FULL: dict[str, Any] = {
    "topic": "한글 주제",
    "outcome": "PARTIAL",
    "limitation": "작은 것만",
    "duration_days": 3,
    "usage_count": 7,
    "needs_validation": 1,
    "trust_context": '{"a": [1]}',
    "evidence": "측정값",
    "alternatives": "없음",
    "risks": "느림",
}
EDGE = {
    "from_id": "decision_2_aaaa",
    "to_id": "decision_1_aaaa",
    "weight": 0.6,
    "created_at": 1_764_000_000_000,
}


@pytest.mark.parametrize("version", range(1, 11))
def test_every_schema_is_taken_with_the_columns_it_has(
    db: Workspace, tmp_path: Path, version: int
) -> None:
    pattern = {
        "error_pattern": "E.*",
        "solution": "고친다",
        "first_seen": 1764000000,
        "last_seen": 1764000001,
    }
    path = make(
        tmp_path / "m.db",
        version=version,
        decisions=[decision(1), decision(2, **FULL)],
        decision_edges=[EDGE | {"relationship": "refines", "reason": "by hand"}],
        checkpoints=[{"timestamp": 1764000000, "summary": "여기까지"}],
        sessions=[{"id": "s1", "rolling_summary": "요약", "started_at": 1764000000}],
        **({"error_patterns": [pattern]} if version >= 2 else {}),
    )
    found = import_mama(db, path, backfill="none")
    memories, links = state(db)
    assert found.schema_version == version
    assert sum(found.memories.values()) == 4 + (version >= 2) == len(memories)
    memory = memories["decision_2_aaaa"]
    v1 = memory.metadata.get("v1", {})
    assert (memory.topic, memory.outcome) == ("한글 주제", "PARTIAL")
    assert v1["duration_days"] == 3
    assert v1.get("usage_count") == (7 if version >= 3 else None)
    assert memory.metadata.get("trust_context") == ({"a": [1]} if version >= 4 else None)
    assert v1.get("evidence") == ("측정값" if version >= 5 else None)
    [link] = links.values()
    assert (link.link_type, link.relationship, link.confidence) == ("evolution", "refines", 0.6)
    assert not link.supersedes


def test_links_that_a_model_proposed_in_later_versions_are_suggestions(
    db: Workspace, tmp_path: Path
) -> None:
    words = ("builds_on", "debates", "synthesizes", "쓰이는 곳")
    edges = [EDGE | {"relationship": word, "created_by": "llm", "evidence": "e"} for word in words]
    edges[1]["approved_by_user"] = 0
    path = make(
        tmp_path / "m.db", version=10, decisions=[decision(1), decision(2)], decision_edges=edges
    )
    import_mama(db, path, backfill="none")
    links = {link.relationship: link for link in state(db)[1].values()}
    assert {word: link.link_type for word, link in links.items()} == {
        "builds_on": "evolution",
        "debates": "association",
        "synthesizes": "association",
        "쓰이는 곳": "association",
    }
    assert [word for word, link in links.items() if link.is_suggestion] == ["debates"]
    assert {link.created_by for link in links.values()} == {"llm"}
    assert links["builds_on"].metadata["v1"] == {"evidence": "e"}


def test_columns_and_tables_that_nobody_knows_are_kept_or_counted(
    db: Workspace, tmp_path: Path
) -> None:
    path = make(tmp_path / "m.db", version=7, decisions=[decision(1)])
    with sqlite3.connect(path) as source:
        source.execute("ALTER TABLE decisions ADD COLUMN mood TEXT")
        source.execute("ALTER TABLE decisions ADD COLUMN picture BLOB")
        insert(source, "decisions", decision(2, mood="좋음", picture=b"\x00\xff"))
        source.execute("CREATE TABLE songs (name)")
        source.execute("INSERT INTO songs VALUES ('a'), ('b')")
        source.execute("INSERT INTO restart_metrics (status) VALUES ('success')")
    source.close()
    found = import_mama(db, path)
    v1 = state(db)[0]["decision_2_aaaa"].metadata["v1"]
    assert v1 == {"mood": "좋음", "picture": {"base64": "AP8="}}
    assert found.not_taken == {"songs": 2, "restart_metrics": 1}


def test_missing_tables_and_columns_are_no_obstacle(db: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with sqlite3.connect(path) as source:
        source.execute("CREATE TABLE decisions (id TEXT, decision TEXT)")
        source.execute("INSERT INTO decisions VALUES ('decision_x', '이것만')")
    source.close()
    found = import_mama(db, path)
    memory = state(db)[0]["decision_x"]
    assert (memory.content, memory.topic) == ("이것만", None)
    assert found.schema_version == 0
    assert {one.id for one in found.warnings} == {"decision_x"}


def test_a_table_without_row_numbers_is_read_all_the_same(db: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with sqlite3.connect(path) as source:
        source.execute(
            "CREATE TABLE decisions (id TEXT PRIMARY KEY, topic, decision, created_at, "
            "supersedes) WITHOUT ROWID"
        )
        for number in (1, 2, 3):
            insert(source, "decisions", decision(number, topic="하나"))
        source.execute("UPDATE decisions SET supersedes = 'decision_2_aaaa' WHERE id LIKE '%3%'")
    source.close()
    import_mama(db, path, backfill="none")
    [link] = state(db)[1].values()
    assert (link.from_id, link.to_id) == ("decision_3_aaaa", "decision_2_aaaa")
    assert len(state(db)[0]) == 3


def test_ids_that_cannot_be_ids_are_replaced_and_told(db: Workspace, tmp_path: Path) -> None:
    odd = [None, "", "x" * 2000, "nul\0inside", 7]
    path = make(tmp_path / "m.db")
    with sqlite3.connect(path) as source:
        source.execute("DROP TABLE decisions")
        source.execute("CREATE TABLE decisions (id, topic, decision, created_at, supersedes)")
        for number, id_ in enumerate(odd):
            row = {"id": id_, "topic": "t", "decision": f"d{number}", "created_at": 1764000000}
            insert(source, "decisions", row)
        insert(source, "decisions", {"id": "new", "topic": "t", "decision": "d", "supersedes": 7})
    source.close()
    found = import_mama(db, path)
    memories, links = state(db)
    assert len(memories) == 6
    assert sum("id cannot be used" in one.what for one in found.warnings) == 5
    [link] = [link for link in links.values() if link.supersedes]
    assert memories[link.to_id].content == "d4"
    assert import_mama(db, path).written == 0


def test_texts_that_are_none_and_numbers_for_texts_are_read_as_far_as_they_go(
    db: Workspace, tmp_path: Path
) -> None:
    path = make(tmp_path / "m.db", decisions=[decision(1), decision(2)])
    with sqlite3.connect(path) as source:
        source.execute(
            "UPDATE decisions SET decision = CAST(x'ec9e90ff41' AS TEXT), topic = x'41' "
            "WHERE rowid = 1"
        )
        source.execute(
            "UPDATE decisions SET confidence = 7, outcome = 'odd', created_at = 'soon', "
            "updated_at = 9e99 WHERE rowid = 2"
        )
    source.close()
    found = import_mama(db, path)
    first, second = (state(db)[0][f"decision_{n}_aaaa"] for n in (1, 2))
    assert (first.content, first.topic) == ("자\ufffdA", "A")
    assert first.metadata["v1"]["decision"] == {"base64": "7J6Q/0E="}
    assert second.metadata["v1"]["confidence"] == 7
    assert second.metadata["v1"]["outcome"] == "odd"
    assert second.metadata["v1"]["created_at"] == "soon"
    assert second.outcome is None
    assert {one.id for one in found.warnings} == {"decision_1_aaaa", "decision_2_aaaa"}


def test_a_row_that_is_too_large_is_cut_and_told(db: Workspace, tmp_path: Path) -> None:
    path = make(tmp_path / "m.db", decisions=[decision(1, reasoning="가" * 6_000_000)])
    found = import_mama(db, path)
    assert any("cut" in one.what for one in found.warnings)
    assert state(db)[0]["decision_1_aaaa"].reasoning.startswith("가가가")


def test_secrets_in_a_file_are_kept_and_told_without_telling_them(
    db: Workspace, tmp_path: Path
) -> None:
    dsn = "postgres://app:" + "tr0ub4dor" + "@db/app"
    path = make(tmp_path / "m.db", decisions=[decision(1, reasoning=f"use {dsn}")])
    found = import_mama(db, path)
    assert [secret.id for secret in found.secrets] == ["decision_1_aaaa"]
    assert "tr0ub4dor" not in repr(found)
    assert dsn in state(db)[0]["decision_1_aaaa"].reasoning
