"""The way back: a database that MAMA 1.0 opens, and from which nothing is missing afterwards."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from strata import AlreadyExists, NotFound, Unavailable, Workspace
from strata.decisions import change_of_memory
from strata.exchange import counted, export_mama, import_mama
from strata.exchange.mama import exporting
from strata.exchange.place import view_of
from tests.contract.mama.conftest import Given, rows, state

TABLES = (
    "decisions",
    "decision_edges",
    "checkpoints",
    "sessions",
    "error_patterns",
    "schema_version",
)


@pytest.fixture
def worked(db: Workspace, given: Given) -> Workspace:
    """A store that took over a dirty database and went on from there."""
    import_mama(db, given("dirty"))
    first = db.decisions.save("auth_strategy", "Use passkeys 🔑", "Users asked", confidence=0.9)
    second = db.decisions.save("새 주제", "새 결정", "이유\n두 줄")
    db.decisions.link(second.memory.id, first.memory.id, "motivated_by", reason="같은 손님")
    db.decisions.checkpoint("검색을 마쳤다", open_files=["a.py"], next_steps="쉰다")
    db.decisions.insight("Caches hide slow queries", tags=["perf"])
    db.decisions.outcome("failed", topic="새 주제", reason="안 됐다")
    return db


def shape(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The columns of every table and the indexes, as SQLite tells them."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    with closing(sqlite3.connect(path)) as db:
        for table in TABLES:
            columns = db.execute(f"PRAGMA table_info({table})").fetchall()
            keys = db.execute(f"PRAGMA foreign_key_list({table})").fetchall()
            found[table] = [*columns, *keys]
        names = db.execute("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index'")
        for name, table in names.fetchall():
            parts = db.execute(f"PRAGMA index_xinfo({name})").fetchall()
            found[name] = [(table, *part) for part in parts]
    return found


def test_the_tables_are_those_that_mama_itself_makes(
    worked: Workspace, given: Given, tmp_path: Path
) -> None:
    export_mama(worked, tmp_path / "out.db")
    own = {name: part for name, part in shape(tmp_path / "out.db").items() if "strata" not in name}
    assert own == shape(given("novec"))


@pytest.fixture
def opened(worked: Workspace, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """An exported database, opened as MAMA opens it."""
    export_mama(worked, tmp_path / "out.db")
    with closing(sqlite3.connect(tmp_path / "out.db", isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA foreign_keys = ON")
        yield db


def test_its_rules_hold_for_what_mama_writes_next(opened: sqlite3.Connection) -> None:
    for statement in (
        "UPDATE decisions SET outcome = 'maybe'",
        "UPDATE decisions SET confidence = 2",
        "UPDATE decisions SET user_involvement = 'x'",
        "UPDATE decisions SET supersedes = 'nobody'",
        "UPDATE decision_edges SET relationship = 'likes'",
        "UPDATE decision_edges SET weight = 7",
        "INSERT INTO checkpoints (timestamp) VALUES (1)",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            opened.execute(statement)
    assert opened.execute("PRAGMA foreign_key_check").fetchall() == []
    assert opened.execute("SELECT MAX(version) FROM schema_version").fetchone()[0] == 4


def test_what_mama_asks_is_answered(opened: sqlite3.Connection) -> None:
    newest = opened.execute(
        "SELECT * FROM decisions WHERE superseded_by IS NULL ORDER BY created_at DESC LIMIT 2"
    ).fetchall()
    assert {row["decision"] for row in newest} == {"새 결정", "Use passkeys 🔑"}
    chain = opened.execute(
        "WITH RECURSIVE chain AS (SELECT * FROM decisions WHERE topic = ? AND superseded_by IS NULL"
        " UNION ALL SELECT d.* FROM decisions d JOIN chain c ON d.id = c.supersedes)"
        " SELECT decision FROM chain ORDER BY created_at DESC",
        ("auth_strategy",),
    ).fetchall()
    assert [row[0] for row in chain][:2] == [
        "Use passkeys 🔑",
        "Passkeys first, refresh-token JWT stays for API clients",
    ]
    last = opened.execute(
        "SELECT * FROM checkpoints WHERE status = 'active' ORDER BY timestamp DESC LIMIT 1"
    ).fetchone()
    assert (last["summary"], last["open_files"]) == ("검색을 마쳤다", '["a.py"]')
    failed = opened.execute("SELECT * FROM decisions WHERE topic = '새 주제'").fetchone()
    assert (failed["outcome"], failed["failure_reason"]) == ("FAILED", "안 됐다")


def test_mama_can_go_on_writing(opened: sqlite3.Connection) -> None:
    opened.execute(
        "INSERT INTO decisions (id, topic, decision, supersedes, created_at, updated_at,"
        " needs_validation, usage_count) SELECT 'decision_next', topic, 'next', id, 1, 1, 0, 0"
        " FROM decisions WHERE topic = '새 주제'"
    )
    edge = "INSERT INTO decision_edges (from_id, to_id, relationship) VALUES (?, ?, 'refines')"
    opened.execute(edge, ("decision_next", "decision_dup_2_aaaa"))
    done = opened.execute("INSERT INTO checkpoints (timestamp, summary) VALUES (1, 'x')")
    assert done.lastrowid == 17


def test_every_row_that_came_from_mama_goes_back_as_it_was(
    db: Workspace, given: Given, tmp_path: Path
) -> None:
    path = given("small")
    import_mama(db, path)
    export_mama(db, tmp_path / "out.db")
    for table in ("decisions", "checkpoints"):
        before = {row["id"]: row for row in rows(path, table)}
        after = {row["id"]: row for row in rows(tmp_path / "out.db", table)}
        for row in (*before.values(), *after.values()):
            del row["_row"]
        assert after == before
    edges = [
        {
            (row["from_id"], row["to_id"], row["relationship"], row["reason"], row["created_at"])
            for row in rows(place, "decision_edges")
        }
        for place in (path, tmp_path / "out.db")
    ]
    assert edges[0] == edges[1]


def test_an_export_imported_elsewhere_gives_the_same_memories_and_links(
    worked: Workspace, other: Workspace, tmp_path: Path
) -> None:
    export_mama(worked, tmp_path / "out.db")
    import_mama(other, tmp_path / "out.db")
    assert state(other) == state(worked)
    assert import_mama(other, tmp_path / "out.db").written == 0


def test_an_export_imported_where_it_came_from_changes_nothing(
    worked: Workspace, tmp_path: Path
) -> None:
    before = state(worked)
    export_mama(worked, tmp_path / "out.db")
    assert import_mama(worked, tmp_path / "out.db").written == 0
    assert state(worked) == before


def test_what_mama_did_meanwhile_comes_back_beside_what_was_done_here(
    worked: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "out.db"
    export_mama(worked, path)
    with closing(sqlite3.connect(path)) as mama, mama:
        mama.execute("UPDATE decisions SET outcome = 'SUCCESS' WHERE id = 'decision_dup_2_aaaa'")
        insert = "INSERT INTO decisions (id, topic, decision, created_at) VALUES (?, ?, ?, ?)"
        mama.execute(insert, ("decision_mama", "새로", "마마에서", 1799000000000))
    worked.decisions.outcome("partial", id="decision_inv_1_aaaa", limitation="일부만")
    found = import_mama(worked, path)
    memories = state(worked)[0]
    assert memories["decision_dup_2_aaaa"].outcome == "SUCCESS"
    assert memories["decision_inv_1_aaaa"].outcome == "PARTIAL"
    assert memories["decision_mama"].content == "마마에서"
    assert found.clashes == ()
    assert found.written == 2


def test_what_mama_cannot_show_is_listed_by_id(worked: Workspace, tmp_path: Path) -> None:
    found = export_mama(worked, tmp_path / "out.db")
    memories, links = state(worked)
    told = {one.id for one in found.left_behind}
    insights = {
        memory.id
        for memory in memories.values()
        if memory.type == "insight" and "error_pattern" not in memory.metadata
    }
    assert insights <= told
    shown = {"supersedes", "refines", "contradicts"}
    assert {id_ for id_, link in links.items() if link.relationship not in shown} <= told
    assert sum(counted(found).values()) == len(found.left_behind)
    assert not any(one.id.startswith("decision_conf") for one in found.left_behind)


def test_a_file_that_exists_is_replaced_only_when_told_to(
    worked: Workspace, tmp_path: Path
) -> None:
    place = tmp_path / "있음.db"
    place.write_text("mine")
    with pytest.raises(AlreadyExists):
        export_mama(worked, place)
    assert place.read_text() == "mine"
    export_mama(worked, place, force=True)
    assert place.read_bytes().startswith(b"SQLite format 3")
    place.with_name("있음.db-wal").touch()
    with pytest.raises(Unavailable, match="open in another program"):
        export_mama(worked, place, force=True)
    with pytest.raises(NotFound):
        export_mama(worked, tmp_path / "nowhere" / "x.db")


def test_an_export_that_fails_leaves_nothing_behind(
    worked: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_values: object) -> list[tuple[str, str, str]]:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "x.db").write_text("before")
    monkeypatch.setattr(exporting, "extra_rows", fail)
    with pytest.raises(Unavailable, match="No space left"):
        export_mama(worked, folder / "x.db", force=True)
    assert [path.name for path in folder.iterdir()] == ["x.db"]
    assert (folder / "x.db").read_text() == "before"


def test_a_branch_and_a_past_state_can_go_back_too(db: Workspace, tmp_path: Path) -> None:
    first = db.decisions.save("t", "처음", "a")
    db.branches.fork("try")
    db.on("try").decisions.save("t", "다음", "b")
    export_mama(db.on("try"), tmp_path / "try.db")
    export_mama(db.on("try").at(first.memory.version or 1), tmp_path / "past.db")
    assert [row["decision"] for row in rows(tmp_path / "try.db", "decisions")] == ["처음", "다음"]
    assert [row["decision"] for row in rows(tmp_path / "past.db", "decisions")] == ["처음"]


def test_odd_metadata_does_not_break_the_rules_of_mama(
    db: Workspace, other: Workspace, tmp_path: Path
) -> None:
    saved = db.decisions.save("t", "d", "r").memory
    odd = {
        "confidence": 7,
        "outcome": "maybe",
        "user_involvement": ["x"],
        "reasoning": {"a": 1},
        "trust_context": "text",
        "session_id": 5,
        "v1": {"needs_validation": 9},
    }
    memory = msgspec.structs.replace(saved, metadata=odd, topic=None)
    with view_of(db).writing("odd") as transaction:
        transaction.stage(change_of_memory(memory))
    export_mama(db, tmp_path / "out.db")
    import_mama(other, tmp_path / "out.db")
    assert state(other)[0][saved.id].metadata | odd == state(other)[0][saved.id].metadata
