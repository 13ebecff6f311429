"""The format of the file: steps that never change once they are released."""

import re
from pathlib import Path

import pytest

import strata
from strata.sql import Database, checksum, connect, format_number
from strata.sql.migrate import check_format, migrate

# A released step is never edited; what must change comes as a new step behind it. Until the
# first release these pin what is there, so that an edit is always a decision.
RELEASED = {
    1: "73ae00443ebe7567fe45455fab5ddc81e8cd12470ac68eda58e09e4f39e509eb",
    2: "042cfcfc66ec697a6770f4fa97421b140f04d6dbe7bafe9f8e88f7075f200c3c",
    3: "f79a27cf1d5c8064e32e6ac73c65f1e9595ac594cabc75aba9452ef4a1e5132d",
    4: "1a42782d2f982994b3a5cfbc9f90e439ad7e23bba5b05341c169ff8c8f63a787",
    5: "cf84824cc5cd72f8858f167938ebb17304d0a2f0d13717bde96f817d7198c5a9",
    6: "b73d1b44eb4fb77741d6575986b1a18743e356651f26d9366647c8eef8114e66",
    7: "f1b5b8381e73e6bf422e0187fe70f258743c9185ea12f63eeb9b7b05abcae8c6",
    8: "0682f85353b373f6ed204fdb4b33af136977e3dd565578b33654b3144526607b",
    9: "c20c106cb50ea89709eced705b12c4742d3f9d110bbe3d078dc61ee32ac3b7c2",
    10: "d6eb1a3c7cd760f63cc81fc3d69d4999deb9f5fec6b75f408eef318363cf80c7",
    11: "d4ea89ef69b811453ff9d58a59f717654c868c9ff9a33612b9c1eaac77ac147c",
    12: "b96476fc5f8f3e8d0c008ceee86f51cccce9f14fa5d569f6bfd742e3542ee086",
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


def test_a_new_file_says_before_that_it_was_empty(tmp_path: Path) -> None:
    first = Database(tmp_path / "store.db", durability="standard")
    assert first.format_before == 0
    first.close()
    again = Database(tmp_path / "store.db", durability="standard")
    assert again.format_before == format_number()
    again.close()


def test_a_step_that_fails_leaves_an_empty_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from strata.sql import migrate as module

    broken = (*module.steps()[:-1], module.steps()[-1] + "\nCREATE TABLE catalog (twice);")
    monkeypatch.setattr(module, "steps", lambda: broken)
    with pytest.raises(strata.StrataError):
        Database(tmp_path / "new.db", durability="standard")
    assert list(tmp_path.iterdir()) == [], "a file that opening made is taken away again"
    (tmp_path / "store.db").touch()
    with pytest.raises(strata.StrataError):
        Database(tmp_path / "store.db", durability="standard")
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
