"""Stores from before the first release: refused with a way out, and taken over whole."""

import json
from pathlib import Path

import apsw
import pytest

import strata
from strata.exchange import import_store
from tests import earlier
from tests.surface.conftest import Run


@pytest.fixture
def old(project: Path) -> Path:
    return earlier.earlier_store(project / "옛날 것.strata")


def test_opening_one_names_the_command_that_takes_it_over(old: Path, run: Run) -> None:
    before = old.read_bytes()
    for words in (["status"], ["get", "배포"], ["put", "k", "1"]):
        found = run(*words, "--db", str(old))
        assert found.code != 0
        assert "from before version 0.1.0" in found.err
        assert f"strata import '{old.parent}/옛날 것-old.strata' --db '{old}'" in found.err
    with pytest.raises(strata.Unusable, match=r"before version 0\.1\.0"):
        strata.open(old, read_only=True)
    assert old.read_bytes() == before
    assert sorted(path.name for path in old.parent.glob("옛날*")) == [old.name]


def test_it_is_taken_over_with_everything(old: Path, ok: Run, project: Path) -> None:
    before = old.read_bytes()
    answer = ok("import", str(old), "--db", str(project / "new.strata"), "--json").json
    assert old.read_bytes() == before
    said = earlier.said()
    secret = said.pop("secret")
    with strata.open(project / "new.strata", auto_embed=False) as db:
        found = json.loads(json.dumps(earlier.told(db)))
        assert sorted(found) == sorted(said)
        for part, expected in said.items():
            assert found[part] == expected, part
        assert [answer[name] for name in ("branches", "documents", "versions", "commits")] == [
            said["info"][0],
            *said["info"][3:],
        ]
        assert db.verify(full=True).ok
        token = db.tokens.check(secret)
        assert token is not None
        assert token.label == "노트북"
        db.kv.put("더", "새로")
        db.documents.edit(db.documents.called("계획"), "가을에", "겨울에")
        db.branches.merge("edits", into="default")
        assert "Ship in June" in db.documents.text(db.documents.called("계획"))
        assert db.verify(full=True).ok


def test_what_the_owner_sees_of_it(old: Path, ok: Run, project: Path) -> None:
    new = str(project / "new.strata")
    told = ok("import", str(old), "--db", new).out
    assert told.splitlines()[0].startswith("took over 41 commits on 6 branches, 2 documents")
    assert ok("get", "배포", "--db", new).out == "금요일 오후에는 하지 않는다\n"
    assert ok("get", "배포", "--at", "1", "--db", new).out == "금요일에는 하지 않는다\n"
    assert "가을에 배포한다" in ok("doc", "show", "계획", "--db", new).out
    assert "소연" in ok("user", "list", "--db", new).out


def test_a_store_in_use_is_no_place_for_it(old: Path, run: Run, ok: Run, project: Path) -> None:
    new = str(project / "new.strata")
    ok("put", "k", "1", "--db", new)
    found = run("import", str(old), "--db", new)
    assert found.code != 0
    assert "only be taken over into a new one" in found.err
    assert ok("get", "k", "--db", new).out == "1\n"


def test_one_that_was_left_by_a_killed_program_is_read_with_its_log(
    old: Path, project: Path
) -> None:
    connection = apsw.Connection(str(old))
    connection.pragma("journal_mode", "WAL")
    connection.execute("UPDATE catalog SET syncs = syncs + 1")
    log = Path(f"{old}-wal").read_bytes()
    connection.close()
    Path(f"{old}-wal").write_bytes(log)
    with strata.open(project / "new.strata", auto_embed=False) as db:
        assert import_store(db, old).commits == earlier.said()["info"][5]


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE versions SET actor = 'mallory' WHERE version = 1",
        "UPDATE versions SET value = x'2278' WHERE version = 2",
        "UPDATE branches SET fork_version = 3 WHERE name = 'deep'",
        "DELETE FROM item_tags",
    ],
)
def test_a_damaged_one_is_refused_and_nothing_is_kept(old: Path, project: Path, harm: str) -> None:
    connection = apsw.Connection(str(old))
    connection.execute(harm)
    connection.close()
    with strata.open(project / "new.strata", auto_embed=False) as db:
        with pytest.raises(strata.DamagedStore, match="taken over"):
            import_store(db, old)
        assert (db.info().versions, len(db.branches.list()), len(db.users.list())) == (0, 1, 1)
        assert db.verify().ok


def test_the_formats_before_the_last_one_are_refused(old: Path, project: Path) -> None:
    connection = apsw.Connection(str(old))
    connection.pragma("user_version", 9)
    connection.close()
    with (
        strata.open(project / "new.strata", auto_embed=False) as db,
        pytest.raises(strata.Unusable, match="earlier format 9"),
    ):
        import_store(db, old)
