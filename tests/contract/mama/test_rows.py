"""Every row of a database that MAMA's server wrote is there, column by column."""

import json
from pathlib import Path
from typing import Any

import pytest

from strata import Workspace
from strata.decisions import Link, Memory
from strata.exchange import import_mama
from tests.contract.mama.conftest import Given, rows, state

TEXTS = ("reasoning", "outcome", "failure_reason", "limitation", "user_involvement", "session_id")
COUNTERS = (
    "usage_count",
    "usage_success",
    "usage_failure",
    "time_saved",
    "needs_validation",
    "validation_attempts",
)


@pytest.mark.parametrize("name", ["small", "novec", "live"])
def test_every_decision_is_kept_with_all_its_columns(
    db: Workspace, given: Given, name: str
) -> None:
    path = given(name)
    found = import_mama(db, path)
    memories, links = state(db)
    decisions = rows(path, "decisions")
    assert found.rows["decisions"] == len(decisions) == found.memories["decision"]
    assert found.warnings == ()
    for row in decisions:
        check_decision(memories[row["id"]], row)
        check_evolution(links, row)


def check_decision(memory: Memory, row: dict[str, Any]) -> None:
    """Compare a memory with the row it came from."""
    assert memory.type == "decision"
    assert (memory.topic, memory.content) == (row["topic"], row["decision"])
    assert (memory.created_at, memory.updated_at) == (row["created_at"], row["updated_at"])
    assert memory.metadata["confidence"] == row["confidence"]
    for name in TEXTS:
        assert memory.metadata.get(name) == row[name], name
    for name in COUNTERS:
        assert memory.metadata.get("v1", {}).get(name, 0) == row[name], name


def check_evolution(links: dict[str, Link], row: dict[str, Any]) -> None:
    """Compare what a decision replaces with its row."""
    ends = [link.to_id for link in links.values() if link.from_id == row["id"] and link.supersedes]
    assert ends == ([row["supersedes"]] if row["supersedes"] else [])


def test_every_edge_is_one_link_with_its_reason_and_time(db: Workspace, given: Given) -> None:
    path = given("small")
    import_mama(db, path)
    links = {(link.from_id, link.to_id): link for link in state(db)[1].values() if link.supersedes}
    edges = rows(path, "decision_edges")
    assert len(edges) == len(links) == 20
    for edge in edges:
        link = links[edge["from_id"], edge["to_id"]]
        assert link.link_type == "evolution"
        assert link.metadata["reason"] == edge["reason"]
        assert (link.confidence, link.created_at) == (edge["weight"], edge["created_at"])


@pytest.mark.parametrize("name", ["small", "live"])
def test_every_checkpoint_is_kept_and_answers_to_its_number(
    db: Workspace, given: Given, name: str
) -> None:
    path = given(name)
    import_mama(db, path)
    checkpoints = rows(path, "checkpoints")
    assert checkpoints
    for row in checkpoints:
        memory = db.decisions.get(f"checkpoint_{row['id']}")
        assert memory is not None
        assert memory.type == "checkpoint"
        assert (memory.content, memory.created_at) == (row["summary"], row["timestamp"])
        assert memory.metadata["open_files"] == json.loads(row["open_files"] or "[]")
        assert memory.metadata["next_steps"] == row["next_steps"]
    newest = max(checkpoints, key=lambda row: row["timestamp"])
    last = db.decisions.last_checkpoint()
    assert last is not None
    assert last.content == newest["summary"]


def test_a_topic_reads_as_its_chain_with_the_newest_as_the_present_one(
    db: Workspace, given: Given
) -> None:
    import_mama(db, given("small"))
    history = db.decisions.on_topic("배포 전략")
    assert [memory.topic for memory in history.chain] == ["배포 전략"] * 3
    assert list(history.heads) == [history.chain[-1].id]
    assert len(db.decisions.on_topic("mesh_structure").chain) == 4


def test_what_was_imported_is_found_by_its_words_in_both_languages(
    db: Workspace, given: Given
) -> None:
    import_mama(db, given("small"))
    assert db.decisions.search("httpOnly cookie sessions in Redis")
    assert any("배포" in (one.memory.topic or "") for one in db.decisions.search("배포 전략"))


def test_the_file_and_its_folder_are_left_as_they_were(db: Workspace, given: Given) -> None:
    for name in ("small", "live"):
        path = given(name)
        before = contents(path.parent)
        import_mama(db, path)
        assert contents(path.parent) == before


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_import_is_one_commit_on_its_own_branch_and_a_merge(
    db: Workspace, given: Given
) -> None:
    found = import_mama(db, given("small"))
    assert found.commits == 1
    assert len(db.on(found.import_branch).log()) == 1
    newest = db.log(limit=1)[0]
    assert newest.version == found.version
    assert newest.operation == "merge"
