"""The tables `memories` and `memory_links`: decisions of `default`, for any SQL shell."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import strata
from strata import Workspace
from strata.base.values import encode
from strata.decisions import SPACE, WantedLink
from strata.store import Header, Snapshot, StagedChange, Store, Transaction

NEWEST_CHECKPOINT = """
SELECT * FROM memories WHERE type = 'checkpoint' ORDER BY created_at DESC LIMIT 1
"""
WHAT_CAME_AFTER = """
SELECT old.content AS old, new.content AS new FROM memory_links AS l
JOIN memories AS new ON new.id = l.from_id JOIN memories AS old ON old.id = l.to_id
WHERE l.link_type = 'evolution' ORDER BY new.created_at
"""
LINKS_BY_TYPE = "SELECT link_type, count(*) FROM memory_links GROUP BY link_type ORDER BY link_type"
WITHOUT_AN_END = """
SELECT id FROM memory_links WHERE from_id NOT IN (SELECT id FROM memories)
OR to_id NOT IN (SELECT id FROM memories)
"""


# Bytes are no JSON; nothing that is compared here holds any.
STRANGER = """
import json, sqlite3, sys
with sqlite3.connect(sys.argv[1]) as connection:
    connection.row_factory = sqlite3.Row
    rows = connection.execute(sys.argv[2], json.loads(sys.argv[3]))
    print(json.dumps([dict(row) for row in rows], default=repr))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def db(path: Path) -> Iterator[Workspace]:
    with strata.open(path, durability="standard", auto_embed=False) as opened:
        yield opened


def ask(path: Path, statement: str, *values: object) -> list[dict[str, Any]]:
    """Ask as a stranger would: another process, with Python's own SQLite, nothing of Strata.

    Two libraries of SQLite must not meet in one process: each would drop the other's locks.
    """
    words = [sys.executable, "-c", STRANGER, str(path), statement, json.dumps(values)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30)
    if done.returncode:
        raise Refused(done.stderr)
    return json.loads(done.stdout)


class Refused(Exception):
    """What SQLite told the stranger."""


def ids(path: Path, table: str = "memories") -> set[str]:
    return {row["id"] for row in ask(path, f"SELECT id FROM {table}")}


def test_the_newest_checkpoint_is_one_plain_query_away(db: Workspace, path: Path) -> None:
    db.decisions.checkpoint("검색을 시작했다")
    saved = db.decisions.checkpoint(
        "검색을 마쳤다", open_files=["src/검색.py"], next_steps="Write the tests"
    )
    (row,) = ask(path, NEWEST_CHECKPOINT)
    assert row["id"] == saved.memory.id
    assert row["content"] == "검색을 마쳤다"
    assert row["topic"] is None
    assert row["created_at"] == saved.memory.created_at
    assert json.loads(row["metadata"])["open_files"] == ["src/검색.py"]


def test_joins_and_counts_tell_how_decisions_hang_together(db: Workspace, path: Path) -> None:
    first = db.decisions.save("auth", "Use sessions", "Simple to revoke").memory
    db.decisions.save("Auth", "토큰을 쓴다", "모바일 앱이 생겼다")
    db.decisions.insight("암호는 길어야 한다", links=[WantedLink(first.id, "supports")])
    assert ask(path, WHAT_CAME_AFTER) == [{"old": "Use sessions", "new": "토큰을 쓴다"}]
    counts = {row["link_type"]: row["count(*)"] for row in ask(path, LINKS_BY_TYPE)}
    links = db.decisions.links()
    assert counts == {
        type_: len([link for link in links if link.link_type == type_])
        for type_ in {link.link_type for link in links}
    }
    by_topic = "SELECT count(*) AS n FROM memories WHERE topic = ?"
    assert ask(path, by_topic, "auth") == [{"n": 1}]  # as it was spelled


def test_another_process_sees_a_row_as_soon_as_it_was_acknowledged(
    db: Workspace, path: Path
) -> None:
    for number in range(3):
        db.decisions.save(f"주제 {number}", "a", "b")
        expected = [
            {"id": memory.id, "topic": memory.topic} for memory in db.decisions.recent(limit=9)
        ]
        assert ask(path, "SELECT id, topic FROM memories ORDER BY created_at DESC") == expected


def test_only_the_default_branch_is_shown_and_a_merge_brings_the_rest(
    db: Workspace, path: Path
) -> None:
    kept = db.decisions.save("cache", "Cache for an hour", "Speed").memory.id
    db.branches.fork("실험")
    tried = db.on("실험").decisions.save("cache", "Cache nothing", "Prices move").memory.id
    assert ids(path) == {kept}
    db.branches.merge("실험")
    assert ids(path) == {kept, tried}
    assert ids(path, "memory_links") == {link.id for link in db.decisions.links()}
    db.undo()
    assert ids(path) == {kept}
    assert ids(path, "memory_links") == set()
    assert db.verify().ok


def test_an_outcome_changes_the_row_and_adds_the_insight(db: Workspace, path: Path) -> None:
    saved = db.decisions.save("cache", "Cache for an hour", "Speed").memory
    judged = db.decisions.outcome("failed", topic="cache", reason="가격이 틀렸다")
    row = ask(path, "SELECT * FROM memories WHERE id = ?", saved.id)[0]
    assert json.loads(row["metadata"]) == judged.memory.metadata
    assert row["updated_at"] == judged.memory.updated_at
    assert ids(path) == {saved.id, judged.insight.id}


def test_a_suggested_link_can_be_told_from_others(db: Workspace, path: Path) -> None:
    a, b = (db.decisions.insight(text).memory.id for text in ("가", "나"))
    link = db.decisions.link(b, a, "supports")
    kind = {
        "suggestion": True,
        "from": b,
        "to": a,
        "type": "association",
        "by": "system",
        "confidence": 0.4,
        "created_at": 1,
        "metadata": {"similarity": 0.9},
    }
    stage(db._store, StagedChange(SPACE, "link", "link_suggested", encode(kind)))
    statement = "SELECT id FROM memory_links WHERE metadata ->> 'suggestion' AND link_type = ?"
    assert ask(path, statement, "association") == [{"id": "link_suggested"}]
    db.decisions.confirm("link_suggested")
    assert ask(path, statement, "association") == []
    assert link.id in ids(path, "memory_links")
    assert db.verify().ok


def test_a_purged_memory_leaves_the_table_and_the_file(db: Workspace, path: Path) -> None:
    kept = db.decisions.insight("암호는 길어야 한다").memory.id
    told = db.decisions.save("비밀 주제", "The door opens with 4711-hunter", "Because").memory.id
    db.purge(told, space=SPACE)
    assert ids(path) == {kept}
    assert db.verify().ok
    db.close()
    assert b"4711-hunter" not in path.read_bytes()
    assert "비밀 주제".encode() not in path.read_bytes()


def test_purging_an_older_version_leaves_what_the_branch_shows(db: Workspace, path: Path) -> None:
    saved = db.decisions.save("cache", "Cache for an hour", "Speed").memory
    db.decisions.outcome("success", id=saved.id)
    db.purge(saved.id, space=SPACE, version=saved.version)
    assert saved.id in ids(path)
    assert db.verify().ok


def test_purging_on_a_branch_leaves_no_row_of_the_default_branch_behind(
    db: Workspace, path: Path
) -> None:
    saved = db.decisions.save("cache", "Cache for an hour", "Speed").memory
    db.branches.fork("실험")
    db.on("실험").decisions.outcome("success", id=saved.id)
    db.on("실험").purge(saved.id, space=SPACE)
    assert ids(path) == set()
    assert db.verify().ok


def test_a_link_outlives_an_end_that_was_purged(db: Workspace, path: Path) -> None:
    a, b = (db.decisions.insight(text).memory.id for text in ("가", "나"))
    link = db.decisions.link(b, a, "supports")
    db.purge(a, space=SPACE)
    found = [row["id"] for row in ask(path, WITHOUT_AN_END)]
    assert link.id in found
    assert db.verify().ok
    db.decisions.insight("다음")  # a commit is not held up by it
    assert db.verify().ok


def test_what_is_no_memory_has_no_row_and_stops_no_commit(db: Workspace, path: Path) -> None:
    whole = {"type": "insight", "content": "글", "created_at": 1, "updated_at": 1, "metadata": {}}
    broken: list[strata.Json] = [
        {**whole, "type": "rumour"},
        {**whole, "created_at": 1 << 64},
        {**whole, "content": 7},
        {"type": "insight"},
    ]
    changes = [StagedChange(SPACE, "memory", f"bad_{n}", encode(v)) for n, v in enumerate(broken)]
    link = {
        "from": "a",
        "to": "b",
        "type": "temporal",
        "confidence": 1.5,
        "by": "system",
        "created_at": 1,
    }
    strange = StagedChange("elsewhere", "memory", "not_ours", encode(whole))
    stage(db._store, *changes, StagedChange(SPACE, "link", "bad_link", encode(link)), strange)
    stage(db._store, StagedChange(SPACE, "memory", "good", encode({**whole, "metadata": None})))
    assert ask(path, "SELECT id, metadata FROM memories") == [{"id": "good", "metadata": "{}"}]
    assert ids(path, "memory_links") == set()
    assert db.verify().ok


def test_the_tables_refuse_what_no_memory_and_no_link_can_be(db: Workspace, path: Path) -> None:
    db.close()
    insert = "INSERT INTO memory_links VALUES ('x', 'a', 'b', {}, '{{}}', 1)"
    wrong = [
        "INSERT INTO memories (id, type, content) VALUES ('x', 'rumour', '글')",
        insert.format("'friendship', 0.5, 'user'"),
        insert.format("'temporal', 1.5, 'user'"),
        insert.format("'temporal', 0.5, 'nobody'"),
    ]
    for statement in wrong:
        with pytest.raises(Refused, match="CHECK constraint failed"):
            ask(path, statement)
    found = ask(path, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    names = {row["name"] for row in found}
    assert {"idx_memories_type", "idx_memories_topic", "idx_memories_created"} <= names
    assert {f"idx_links_{n}" for n in ("from", "to", "type", "confidence")} <= names


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("UPDATE memories SET content = 'Use nothing'", "memories"),
        ("UPDATE memories SET embedding_vector = x'00'", "memories"),
        ("DELETE FROM memories WHERE type = 'insight'", "memories"),
        ("INSERT INTO memories (id, type, content) VALUES ('가짜', 'insight', '글')", "memories"),
        ("UPDATE memory_links SET confidence = 0.01", "memory_links"),
        ("DELETE FROM memory_links", "memory_links"),
    ],
)
def test_what_others_write_is_noticed_and_made_right(
    db: Workspace, path: Path, statement: str, table: str
) -> None:
    db.decisions.save("auth", "Use sessions", "Simple")
    db.decisions.save("auth", "토큰을 쓴다", "Mobile")
    db.decisions.insight("교훈")
    before = [ask(path, f"SELECT * FROM {name}") for name in ("memories", "memory_links")]
    ask(path, statement)
    problems = db.verify().problems
    assert [problem.kind for problem in problems] == ["table"]
    assert repr(table) in problems[0].message
    assert db.reindex().rows > 0
    after = [ask(path, f"SELECT * FROM {name}") for name in ("memories", "memory_links")]
    assert [sorted(map(str, rows)) for rows in after] == [sorted(map(str, rows)) for rows in before]
    assert db.verify().ok
    assert db.reindex().rows == 0


def test_tables_of_many_pages_are_compared_and_made_again(db: Workspace, path: Path) -> None:
    value = {"type": "insight", "content": "글", "created_at": 1, "updated_at": 1, "metadata": {}}
    data = encode(value)
    stage(db._store, *(StagedChange(SPACE, "memory", f"m{n:05}", data) for n in range(1203)))
    assert db.verify().ok
    ask(path, "DELETE FROM memories")
    ask(path, "INSERT INTO memories (id, type, content) VALUES ('m00500x', 'insight', '')")
    ask(path, "INSERT INTO memories (id, type, content) VALUES ('zz', 'insight', '')")
    assert "1,205 rows" in db.verify().problems[0].message
    assert db.reindex().rows == 1205
    assert len(ids(path)) == 1203
    assert db.verify().ok


def stage(store: Store, *changes: StagedChange) -> None:
    """Commit records as a merge or an import would, past the room's own checks."""
    header = Header("import", "소연")
    with Transaction(Snapshot(store, "default"), header, locked=True) as transaction:
        for change in changes:
            transaction.stage(change)
