"""Files in every state: held by a running program, in folders nobody may write to, or none."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from strata import NotFound, StrataError, Unusable, Workspace
from strata.exchange import find_mama, import_mama
from tests.contract.mama.conftest import Given, state
from tests.contract.mama.made import decision, make
from tests.contract.mama.test_rows import contents

# A program that holds a database in its log, says so, and waits to be told what to add.
HOLDER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA wal_autocheckpoint = 0")
row = "INSERT INTO decisions (id, topic, decision, created_at) VALUES (?, '실시간', 'x', ?)"
db.execute(row, ("decision_live_1", 1764000000000))
print("ready", flush=True)
for line in sys.stdin:
    db.execute(row, (line.strip(), 1764000000000))
    print("added", flush=True)
"""


@pytest.fixture
def held(tmp_path: Path):
    path = make(tmp_path / "held.db", decisions=[decision(1)])
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield path, process
    process.stdin.close()
    process.wait(60)
    process.stdout.close()


def test_a_database_is_read_with_its_log_while_a_program_holds_it(
    db: Workspace, held: tuple[Path, "subprocess.Popen[str]"]
) -> None:
    path, process = held
    assert process.stdin is not None
    assert process.stdout is not None
    import_mama(db, path)
    assert state(db)[0].keys() == {"decision_1_aaaa", "decision_live_1"}
    process.stdin.write("decision_live_2\n")
    process.stdin.flush()
    assert process.stdout.readline() == "added\n"  # the import left no lock behind
    assert import_mama(db, path).written == 3  # with two links to the one before it
    assert "decision_live_2" in state(db)[0]


@pytest.mark.skipif(os.name == "nt", reason="kills as POSIX does")
def test_a_program_that_was_killed_leaves_all_it_had_written(
    db: Workspace, held: tuple[Path, "subprocess.Popen[str]"]
) -> None:
    path, process = held
    process.kill()
    process.wait(60)
    before = contents(path.parent)
    assert f"{path.name}-shm" in before
    import_mama(db, path)
    after = contents(path.parent)
    assert {"decision_1_aaaa", "decision_live_1"} == state(db)[0].keys()
    for name in (path.name, f"{path.name}-wal"):
        assert after[name] == before[name]


def test_the_log_of_a_program_that_was_killed_is_read(db: Workspace, given: Given) -> None:
    path = given("live")
    assert path.stat().st_size == 4096  # nothing but a header
    found = import_mama(db, path)
    assert found.memories == {"decision": 4, "checkpoint": 1}


def test_a_journal_that_was_left_behind_is_rolled_back_in_a_copy_only(
    db: Workspace, tmp_path: Path
) -> None:
    path = make(tmp_path / "m.db", decisions=[decision(n) for n in range(200)])
    source = sqlite3.connect(path, isolation_level=None)
    source.execute("PRAGMA cache_size = 1")
    source.execute("BEGIN IMMEDIATE")
    source.execute("UPDATE decisions SET decision = 'half' || decision")
    torn = tmp_path / "torn"
    torn.mkdir()
    for ending in ("", "-journal"):
        shutil.copy(f"{path}{ending}", torn / f"m.db{ending}")
    source.execute("ROLLBACK")
    source.close()
    before = contents(torn)
    import_mama(db, torn / "m.db")
    assert contents(torn) == before
    assert not any(memory.content.startswith("half") for memory in state(db)[0].values())
    assert len(state(db)[0]) == 200


@pytest.mark.skipif(os.name == "nt", reason="permissions of folders are POSIX's")
@pytest.mark.parametrize("name", ["small", "live"])
def test_a_folder_that_cannot_be_written_is_no_obstacle(
    db: Workspace, given: Given, name: str
) -> None:
    path = given(name)
    for file in path.parent.iterdir():
        file.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        before = contents(path.parent)
        assert import_mama(db, path).written > 0
        assert contents(path.parent) == before
    finally:
        path.parent.chmod(0o700)


@pytest.mark.parametrize(
    "data", [b"", b"x", b"SQLite format 3\0", b"not a database" * 100, b"SQLite format 3\0" * 300]
)
def test_what_is_no_database_is_refused_and_named(
    db: Workspace, tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "그림.db"
    path.write_bytes(data)
    with pytest.raises(Unusable, match="그림"):
        import_mama(db, path)
    assert [branch.name for branch in db.branches.list()] == ["default"]


def test_a_database_of_another_program_is_refused(db: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as source:
        source.execute("CREATE TABLE songs (id)")
    source.close()
    with pytest.raises(Unusable, match="no database of MAMA"):
        import_mama(db, path)
    db.kv.put("k", 1)
    assert db.path is not None
    with pytest.raises(Unusable, match="no database of MAMA"):
        import_mama(db, db.path)


def test_a_missing_file_and_a_folder_are_told_apart(db: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        import_mama(db, tmp_path / "nothing.db")
    with pytest.raises(Unusable):
        import_mama(db, tmp_path)


def test_without_a_path_the_places_of_mama_are_looked_at_in_its_order(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    with pytest.raises(NotFound, match="MAMA_DB_PATH"):
        find_mama(home)
    places = [".claude/mama-memory.db", ".spinelift/memories.db", "second.db", "first.db"]
    for place in places:
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).touch()
    assert find_mama(home | {"MAMA_DB_PATH": "~/first.db"}) == tmp_path / "first.db"
    second = {"MAMA_DATABASE_PATH": "${HOME}/second.db"}
    assert find_mama(home | second) == tmp_path / "second.db"
    assert find_mama(home | second | {"MAMA_DB_PATH": "/nowhere"}) == tmp_path / "second.db"
    assert find_mama(home) == tmp_path / ".spinelift/memories.db"
    (tmp_path / ".spinelift/memories.db").unlink()
    assert find_mama(home) == tmp_path / ".claude/mama-memory.db"


def test_damaged_pages_cost_what_lies_on_them_and_are_told(db: Workspace, tmp_path: Path) -> None:
    path = make(tmp_path / "m.db", decisions=[decision(n) for n in range(600)])
    data = bytearray(path.read_bytes())
    leaves = [at for at in range(4096, len(data), 4096) if data[at] == 13]
    damaged = leaves[len(leaves) // 2]
    data[damaged : damaged + 4096] = os.urandom(8) + bytes(4088)
    path.write_bytes(data)
    try:
        found = import_mama(db, path)
    except StrataError as error:
        pytest.fail(f"the rest could have been read: {error}")
    kept = state(db)[0]
    assert 400 < len(kept) < 600
    assert {"decision_0_aaaa", "decision_599_aaaa"} <= kept.keys()
    assert any("cannot be read" in one.what for one in found.warnings)
