"""The format of the file: steps that never change once they are released."""

import re
from pathlib import Path

import pytest

import strata
from strata.sql import SqliteDatabase, checksum, connect, format_number
from strata.sql import migrate as module
from strata.sql.migrate import check_format, migrate

# A released step is never edited; what must change comes as a new step behind it. Until the
# first release these pin what is there, so that an edit is always a decision.
RELEASED = {
    1: "553d78462a0117009b3d28b80bdad1640804aec87ccb647233c5916924f3de3d",
    2: "5212e45c0adeb5ac501639569f987905d809df580c7578a9787a0f4d939d4d8b",
    3: "6347e19cdac074fd479ff83022442dbae312b3b0f3c26522be6f51874bee708e",
    4: "90d8bee483fbe23440c533d88403c1d4f16a967d9fc03e6e43fb0eb2a501091d",
    5: "f9723b7667c6f9dcc415a3afc8c5a3095b80cd5ea844a3654043c4898e1a8207",
    6: "55eb00dfcfb32a95da05755b61a7bdff841d1ccc4d3d55b692a50b7a584c9b58",
    7: "aa815c6b009bab712b7f77afdde1f1dae651a8f1c38a2610d54e26a71fa036a4",
    8: "a3555b2837666e59cdb68c5bd8518ce0f3aaef31d300be158c9a1460df416228",
}


def test_released_steps_are_what_they_were() -> None:
    assert {number: checksum(number) for number in RELEASED} == RELEASED
    assert format_number() == len(RELEASED)


def test_the_changelog_names_the_format_that_is_written() -> None:
    changelog = Path(__file__).parents[3] / "CHANGELOG.md"
    newest = re.search(r"^## .*\[(\d+)\]$", changelog.read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert int(newest[1]) == format_number()


def test_taking_the_steps_twice_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard") as db:
        db.kv.put("k", 1)
    before = path.read_bytes()
    connection = connect(path.as_uri(), durability="standard", mode="write")
    assert migrate(connection) == format_number()
    assert migrate(connection) == format_number()
    connection.close()
    assert path.read_bytes() == before


def test_a_new_file_says_that_it_was_empty(tmp_path: Path) -> None:
    first = SqliteDatabase(tmp_path / "store.db", durability="standard")
    assert first.was_empty
    first.close()
    again = SqliteDatabase(tmp_path / "store.db", durability="standard")
    assert not again.was_empty
    again.close()


def test_a_step_that_fails_leaves_an_empty_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (*module.steps()[:-1], module.steps()[-1] + "\nCREATE TABLE catalog (twice);")
    monkeypatch.setattr(module, "steps", lambda: broken)
    with pytest.raises(strata.StrataError):
        SqliteDatabase(tmp_path / "new.db", durability="standard")
    assert list(tmp_path.iterdir()) == [], "a file that opening made is taken away again"
    (tmp_path / "store.db").touch()
    with pytest.raises(strata.StrataError):
        SqliteDatabase(tmp_path / "store.db", durability="standard")
    monkeypatch.undo()
    connection = connect((tmp_path / "store.db").as_uri(), durability="standard", mode="write")
    assert check_format(connection) == 0
    assert connection.pragma("schema_version") == 0
    connection.close()
    with strata.open(tmp_path / "store.db", durability="standard") as db:
        assert db.verify().ok


def test_two_openers_of_a_new_file_take_the_steps_once(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def open_and_put(number: int) -> int:
        with strata.open(tmp_path / "store.db", durability="standard") as db:
            return db.kv.put(f"k{number}", number).version

    with ThreadPoolExecutor(8) as pool:
        versions = list(pool.map(open_and_put, range(8)))
    assert sorted(versions) == list(range(1, 9))
    with strata.open(tmp_path / "store.db", read_only=True) as db:
        assert db.verify().ok
        assert len(db.branches.list()) == 1


def test_a_store_is_opened_while_another_thread_opens_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = [SqliteDatabase(tmp_path / "one.db", durability="standard")]
    look = SqliteDatabase.is_same_file

    def look_and_open(self: SqliteDatabase, path: Path) -> bool:
        opened.append(SqliteDatabase(None))  # as another thread may, between two looks
        return look(self, path)

    monkeypatch.setattr(SqliteDatabase, "is_same_file", look_and_open)
    opened.append(SqliteDatabase(tmp_path / "둘.db", durability="standard"))
    assert opened[-1].was_empty
    for database in opened:
        database.close()


# What a later release might add.
LATER = "CREATE TABLE later (id INTEGER PRIMARY KEY); INSERT INTO later VALUES (7);"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return a store of today's format that holds something."""
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("인사", "안녕")
        db.users.add("ann@example.com", "Ann")
    return path


@pytest.fixture
def later(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the same store, for a program that knows one format more."""
    known = (*module.steps(), LATER)
    monkeypatch.setattr(module, "steps", lambda: known)
    return made


def test_a_later_program_takes_its_own_steps_and_keeps_everything(later: Path) -> None:
    with strata.open(later, durability="standard", auto_embed=False) as db:
        assert db.info().format == format_number()
        assert [found.value for found in db.kv.history("인사")] == ["안녕"]
        assert "ann@example.com" in [user.email for user in db.users.list()]
        assert db._store.connection().rows("SELECT id FROM later") == [(7,)]
        assert db.verify(full=True).ok
        db.kv.put("인사", "다시")
        assert db.verify(full=True).ok


def test_a_later_program_reads_the_format_before_without_changing_it(later: Path) -> None:
    before = later.read_bytes()
    with strata.open(later, read_only=True, auto_embed=False) as db:
        found = db.kv.get("인사")
        assert found is not None
        assert found.value == "안녕"
        assert db.verify(full=True).ok
    assert later.read_bytes() == before


def test_a_later_step_that_fails_leaves_the_format_before(
    later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (*module.steps()[:-1], LATER + " CREATE TABLE catalog (twice);")
    with monkeypatch.context() as patch:
        patch.setattr(module, "steps", lambda: broken)
        with pytest.raises(strata.StrataError):
            strata.open(later, durability="standard")
    connection = connect(later.as_uri(), durability="standard", mode="write")
    assert check_format(connection) == format_number() - 1
    connection.close()


def test_a_file_whose_number_was_lowered_is_refused(later: Path) -> None:
    strata.open(later, durability="standard", auto_embed=False).close()
    connection = connect(later.as_uri(), durability="standard", mode="write")
    connection.pragma("user_version", format_number() - 1)
    connection.close()
    with pytest.raises(strata.DamagedStore, match="'later' of a later one"):
        strata.open(later, durability="standard")
