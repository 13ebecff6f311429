"""The text index follows from the values: verify compares both, reindex makes it anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import strata
from strata import Workspace
from tests.unit.search.embedders import Words


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Workspace]:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        yield db


def furnish(db: Workspace) -> None:
    db.kv.put(
        "talk/1", "[2026-03-19] 소연: 배포는 금요일에 하지 않는다", tags=["session:2", "session:1"]
    )
    db.kv.put("talk/2", "Why not on Fridays?")
    db.json.set("계획", "$", {"speaker": "Minh", "text": "Hẹn gặp ngày mai", "n": [1, 2.5, None]})
    db.state.set("cell", {"phase": "готово"})
    db.events.append("note", {"what": "x" * 5_000, "말": "길다"})
    db.kv.delete("talk/2")
    db.vectors.create("v", 2)
    db.vectors.upsert("v", "x", [1, 0], metadata={"t": "text"})
    db.branches.fork("side")
    db.on("side").kv.put("talk/3", "옆에서 쓴 글", tags=["session:9", "session:8"])
    db.branches.merge("side")


def change(db: Workspace, statement: str, *values: object) -> None:
    with db._store.writing() as connection:
        connection.run(statement, values)


def entries(db: Workspace) -> dict[int, bytes | None]:
    rows = db._store.connection().rows("SELECT version, text FROM versions")
    return {row[0]: row[1] for row in rows}


def words(db: Workspace) -> set[str]:
    return {row[0] for row in db._store.connection().rows("SELECT word FROM words")}


def test_entries_follow_from_the_values_whoever_wrote_them(db: Workspace) -> None:
    furnish(db)
    assert sum(entry is not None for entry in entries(db).values()) >= 7
    assert db.verify().problems == ()
    assert db.reindex().changed == 0


@pytest.mark.parametrize("at", [0, 1, 2, 4, 8, 12, 20, -1])
def test_one_wrong_byte_of_an_entry_is_found_and_mended(db: Workspace, at: int) -> None:
    furnish(db)
    good = entries(db)
    entry = bytearray(good[1] or b"")
    entry[at] ^= 0x40
    change(db, "UPDATE versions SET text = ? WHERE version = 1", bytes(entry))
    (problem,) = db.verify().problems
    assert (problem.kind, problem.version) == ("index", 1)
    assert "Nothing is lost" in problem.message
    assert db.reindex().changed == 1
    assert db.verify().ok
    assert entries(db) == good


@pytest.mark.parametrize("wrong", ["x''", "'text'", "zeroblob(30)", "x'02'"])
def test_what_is_no_entry_at_all_is_found_too(db: Workspace, wrong: str) -> None:
    furnish(db)
    change(db, f"UPDATE versions SET text = {wrong} WHERE version = 1")
    assert [problem.kind for problem in db.verify().problems] == ["index"]
    db.reindex()
    assert db.verify().ok


def test_an_entry_of_what_nobody_searches_is_wrong(db: Workspace) -> None:
    furnish(db)
    change(db, "UPDATE versions SET text = zeroblob(20) WHERE value IS NULL")
    assert {problem.kind for problem in db.verify().problems} == {"index"}


def test_many_wrong_entries_are_counted_and_some_are_named(db: Workspace) -> None:
    db.kv.put_many({f"k{n}": f"글 {n}" for n in range(50)})
    change(db, "UPDATE versions SET text = zeroblob(20)")
    problems = db.verify().problems
    assert len(problems) == 21
    assert problems[-1].message.startswith("50 entries")
    assert db.reindex().changed == 50
    assert db.verify().ok


def test_a_damaged_value_is_not_blamed_on_its_entry(db: Workspace) -> None:
    furnish(db)
    change(db, "UPDATE versions SET value = x'ff' WHERE version = 1")
    assert [problem.kind for problem in db.verify().problems] == ["value"]


def test_a_store_written_without_an_index_gets_one(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", text_index=False) as db:
        furnish(db)
        assert set(entries(db).values()) == {None}
        assert db.verify().ok, "what has no entry is not damaged"
        assert len(db.search("금요일", mode="keyword")) == 0
        seen: list[tuple[str, int, int]] = []
        done = db.reindex(progress=lambda *step: seen.append(step))
        assert done.changed >= 7
        assert seen[-1][1] == seen[-1][2]
        assert db.reindex().changed == 0
        assert [hit.key for hit in db.search("금요일", mode="keyword")] == ["talk/1"]
        assert "hẹn" in words(db) or "hen" in words(db)
        made = entries(db)
    other = tmp_path / "other.db"
    with strata.open(other, durability="standard", auto_embed=False) as db:
        furnish(db)
        assert entries(db) == made, "as if it had been written with one"


def test_texts_that_come_into_the_index_are_embedded(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    model = Words("test")
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("a", "ein Zettel")
    with strata.open(path, durability="standard", text_index=False) as db:
        db.kv.put("b", "noch ein Zettel")
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put("c", "der letzte Zettel")
        db.embeddings.use(model)
        assert db.embeddings.wait(60)
        assert model.asked == ["ein Zettel", "der letzte Zettel"]
        assert db.embeddings.status().pending == 0
        db.reindex()
        assert db.embeddings.wait(60)
        assert model.asked[2:] == ["noch ein Zettel"]
        assert db.search("noch ein Zettel", mode="semantic")[0].key == "b"


def test_others_see_the_new_index_at_once(db: Workspace) -> None:
    db.kv.put("a", "ein Zettel")
    assert db.path is not None
    with strata.open(db.path, durability="standard", auto_embed=False) as other:
        assert [hit.key for hit in other.search("Zettel", mode="keyword")] == ["a"]
        change(db, "UPDATE versions SET text = NULL")
        db.reindex()
        assert [hit.key for hit in other.search("Zettel", mode="keyword")] == ["a"]
