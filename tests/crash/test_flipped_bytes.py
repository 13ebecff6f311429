"""One wrong byte in the file: it is found, refused, or provably without effect."""

import random
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import cast

import apsw
import pytest

import strata
from strata import Damaged, Unusable
from tests.crash.length import rounds
from tests.crash.picture import picture

pytestmark = [pytest.mark.crash, pytest.mark.slow]
FLIPS = rounds(80, 2000)


class Anatomy:
    """Which bytes of a store's file hold something, and which table they belong to."""

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        pages = "SELECT pageno, name, pagetype FROM dbstat"
        self.pages = {row[0]: (row[1], row[2]) for row in connection.execute(pages)}
        self.size: int = connection.pragma("page_size")
        connection.close()

    def owner(self, offset: int) -> str:
        return self.pages[offset // self.size + 1][0]

    def used(self) -> list[int]:
        """Return the offsets of everything but free pages and the gaps inside pages."""
        return [offset for page in self.pages for offset in self._used(page)]

    def _used(self, page: int) -> Iterator[int]:
        start = (page - 1) * self.size
        head = start + (100 if page == 1 else 0)
        cells, content = struct.unpack_from(">HH", self.data, head + 3)
        if self.pages[page][1] == "overflow":
            yield from range(start, start + self.size)
        else:
            yield from range(start, head + 12 + 2 * cells)
            yield from range(start + (content or 65536), start + self.size)


def flipped(anatomy: Anatomy, path: Path, offset: int, mask: int) -> Path:
    """Write the store with one byte changed."""
    data = bytearray(anatomy.data)
    data[offset] ^= mask
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    path.write_bytes(data)
    return path


def outcome(path: Path, before: dict[str, object]) -> tuple[str, list[str]]:
    """Tell what becomes of a store with a wrong byte, and which parts read differently."""
    try:
        with strata.open(path, create=False, auto_embed=False) as db:
            if not db.verify().ok:
                return "found", []
            now = picture(db)
    except (Damaged, Unusable):
        return "refused", []
    differing = [part for part in before if before[part] != now[part]]
    return ("silent", differing) if differing else ("no effect", [])


def test_a_flipped_byte_never_goes_by_in_silence(furnished: Path, tmp_path: Path) -> None:
    with strata.open(furnished, auto_embed=False) as db:
        db.compact()
        before = picture(db)
        assert db.verify().ok
    anatomy = Anatomy(furnished)
    dice, used = random.Random(20), anatomy.used()
    tally: Counter[tuple[str, str]] = Counter()
    silent: list[tuple[str, list[str]]] = []
    for number in range(FLIPS):
        anywhere = number % 5 == 0
        offset = dice.randrange(len(anatomy.data)) if anywhere else dice.choice(used)
        damaged = flipped(anatomy, tmp_path / "hurt.db", offset, dice.randint(1, 255))
        result, parts = outcome(damaged, before)
        tally[anatomy.owner(offset), result] += 1
        if result == "silent":
            silent.append((anatomy.owner(offset), parts))
    print("\n" + table(tally))
    assert silent == [], "something reads differently, and verify said it was all right"
    assert sum(tally.values()) == FLIPS
    # Vectors are made in the background, some by now or none; they follow from the rest.
    covered = {at: count for at, count in tally.items() if not at[0].startswith("embed")}
    noticed = sum(count for (_owner, result), count in covered.items() if result != "no effect")
    assert noticed > sum(covered.values()) / 2


def test_damage_in_a_value_is_found_and_its_version_named(furnished: Path, tmp_path: Path) -> None:
    with strata.open(furnished, auto_embed=False) as db:
        db.compact()
    anatomy = Anatomy(furnished)
    dice = random.Random(4)
    tried = 0
    for version, key, stored in values(furnished):
        offset = anatomy.data.find(stored[:60])
        if len(stored) < 8 or offset < 0 or anatomy.data.count(stored[:60]) > 1:
            continue
        tried += 1
        place = offset + dice.randrange(min(60, len(stored)))
        damaged = flipped(anatomy, tmp_path / "hurt.db", place, dice.randint(1, 255))
        with strata.open(damaged, auto_embed=False) as db:
            problems = [found for found in db.verify().problems if found.kind == "value"]
        assert [found.version for found in problems] == [version]
        assert key in problems[0].message
    print(f"\n{tried} values hurt, {tried} versions named")
    assert tried > 40


@pytest.mark.parametrize(
    "owner",
    [
        "attributes",
        "branches",
        "item_tags",
        "lineage",
        "memories",
        "memory_links",
        "settings",
        "keyspaces",
        "tags",
        "versions_by_key",
    ],
)
def test_every_hurt_byte_of_a_small_table_is_noticed(
    furnished: Path, tmp_path: Path, owner: str
) -> None:
    with strata.open(furnished, auto_embed=False) as db:
        db.compact()
        before = picture(db)
    anatomy = Anatomy(furnished)
    dice = random.Random(9)
    places = [offset for offset in anatomy.used() if anatomy.owner(offset) == owner]
    for _ in range(rounds(8, 200)):
        offset, mask = dice.choice(places), dice.randint(1, 255)
        damaged = flipped(anatomy, tmp_path / "hurt.db", offset, mask)
        assert outcome(damaged, before)[0] != "silent", (offset, mask)


@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE branches SET name = CAST(x'ff' AS TEXT) WHERE name = 'side'",
        "UPDATE branches SET metadata = CAST(x'7bff7d' AS TEXT) WHERE name = 'side'",
        "UPDATE branches SET metadata = '{' WHERE name = 'side'",
        "UPDATE branches SET name = 'defau1t' WHERE name = 'default'",
    ],
)
def test_a_store_with_unreadable_branches_is_refused_as_damaged(
    furnished: Path, wrong: str
) -> None:
    change(furnished, wrong)
    with pytest.raises(Damaged), strata.open(furnished):
        pass


@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE versions SET meta = x'ff' WHERE version = ?",
        "UPDATE versions SET meta = '[]' WHERE version = ?",
        "UPDATE versions SET value = x'ff' WHERE version = ?",
        # A frame of zstd that states a size of 18 petabytes.
        "UPDATE versions SET value = x'28b52ffde0000000000000400000', flags = 8 WHERE version = ?",
        "UPDATE versions SET keyspace = 999 WHERE version = ?",
        "UPDATE versions SET flags = 2 WHERE version = ?",
        "UPDATE versions SET flags = 16 WHERE version = ?",
        "UPDATE versions SET flags = 64 WHERE version = ?",
        "UPDATE versions SET second_version = 1 WHERE version = ?",
        "UPDATE versions SET message = 7 WHERE version = ?",
    ],
)
def test_verify_names_the_version_whose_row_was_changed(path: Path, wrong: str) -> None:
    with strata.open(path) as db:
        db.kv.put("before", 1)
        version = db.kv.put("k", "값", tags=["표"]).version
        db.kv.put("after", 1)
    change(path, wrong, version)
    with strata.open(path) as db:
        found = db.verify()
        assert not found.ok
        named = {problem.version for problem in found.problems}
        assert version in named or "file" in {problem.kind for problem in found.problems}
        # Reading it may succeed or not; what it raises is an error of ours.
        for read in (db.kv.get, db.kv.history, lambda _key: db.changes(0)):
            with suppress(Damaged, strata.TooOld):
                read("k")


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ("UPDATE branches SET created = created + 1 WHERE name = 'side'", "branch 'side'"),
        ("UPDATE branches SET deleted = deleted - 1 WHERE name = 'gone'", "branch 'gone'"),
        ("UPDATE branches SET deleted = NULL WHERE name = 'gone'", "branch 'gone'"),
        ("UPDATE branches SET actor = '소영' WHERE name = 'side'", "branch 'side'"),
        ("UPDATE branches SET actor = NULL WHERE name = 'side'", "branch 'side'"),
        ("UPDATE branches SET metadata = '{\"왜\":\"시럼\"}' WHERE name = 'side'", "branch 'side'"),
        ("UPDATE branches SET name = 'sidf' WHERE name = 'side'", "branch 'sidf'"),
        ("UPDATE branches SET digest = x'00' WHERE name = 'side'", "branch 'side'"),
        ("UPDATE tags SET name = 'v2'", "tag 'v2'"),
        ("UPDATE tags SET actor = NULL", "tag 'v1'"),
        ("UPDATE tags SET message = '마지막'", "tag 'v1'"),
        ("UPDATE settings SET value = '\"Asia/Tokyo\"' WHERE name = 'timezone'", "'timezone'"),
        ("UPDATE settings SET name = 'timezonf' WHERE name = 'timezone'", "'timezonf'"),
        ("UPDATE settings SET value = '[]' WHERE name = 'retention'", "'retention'"),
    ],
)
def test_verify_names_the_note_that_was_changed(furnished: Path, wrong: str, named: str) -> None:
    change(furnished, wrong)
    with strata.open(furnished, auto_embed=False) as db:
        problems = db.verify().problems
        assert [problem for problem in problems if named in problem.message], problems


@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE settings SET value = '{'",
        "UPDATE settings SET value = CAST(x'ff' AS TEXT)",
        "UPDATE settings SET value = 7",
        "UPDATE settings SET value = '{\"a\":1}' WHERE name = 'retention'",
        "UPDATE tags SET branch = 99",
        "UPDATE tags SET message = x'ff'",
        "UPDATE versions SET meta = '{}' WHERE version = 71",
        'UPDATE versions SET meta = \'{"type":"a","id":1,"hash":2}\' WHERE version = 71',
        "UPDATE versions SET meta = replace(meta, 'type', 'tipo') WHERE version = 71",
    ],
)
def test_what_cannot_be_read_is_damage_and_nothing_else(furnished: Path, wrong: str) -> None:
    with strata.open(furnished, auto_embed=False) as db:
        first = db.events.get(1)
        assert first is not None
        assert first.version == 71
    change(furnished, wrong)
    raised = 0
    with strata.open(furnished, auto_embed=False) as db:
        assert not db.verify().ok
        reads = (
            db.retention.list,
            db.settings.list,
            db.tags.list,
            db.events.list,
            lambda: db.events.list("note"),
            lambda: db.events.get(1),
        )
        for read in reads:
            try:
                read()
            except Damaged:
                raised += 1
    assert raised > 0


def test_mending_one_note_does_not_hide_that_another_was_hurt(furnished: Path) -> None:
    change(furnished, "UPDATE branches SET created = created + 1 WHERE name = 'side'")
    with strata.open(furnished, auto_embed=False) as db:
        db.branches.rename("side", "옆")
        db.branches.delete("옆")
        found = db.verify()
        # The row has a digest, and so has the table.
        assert [problem.kind for problem in found.problems] == ["branch", "table"]
        assert "'옆'" in found.problems[0].message
        assert "'branches'" in found.problems[1].message


def test_every_way_of_changing_a_branch_leaves_it_whole(path: Path) -> None:
    with strata.open(path, durability="standard", actor="소연") as db:
        db.kv.put("k", 1)
        db.branches.fork("하나", metadata={"왜": ["1.0", 1.0, None]})
        db.branches.create_empty("blank")
        db.branches.rename("하나", "둘")
        db.branches.delete("둘", force=True)
        db.branches.restore("둘", as_name="셋")
        db.tags.create("v1", message="처음")
        db.tags.delete("v1")
        db.tags.create("v1", message=None)
        db.settings.set("timezone", "Asia/Seoul")
        db.settings.set("timezone", "Europe/Kyiv")
        db.retention.set(max_versions=3)
        db.retention.remove()
        found = db.verify()
        assert found.ok, found.problems


def test_verify_sees_branches_that_other_processes_made_meanwhile(path: Path) -> None:
    with strata.open(path, durability="standard") as one, strata.open(path) as other:
        one.kv.put("k", 1)
        other.branches.fork("그 사이")
        other.on("그 사이").kv.put("k", 2)
        found = one.verify()
        assert found.ok, found.problems
        assert found.commits == 2


def change(path: Path, statement: str, *parameters: int) -> None:
    """Change a row behind the back of the store."""
    connection = apsw.Connection(str(path))
    connection.execute(statement, parameters)
    assert connection.changes() >= 1
    connection.close()


def values(path: Path) -> list[tuple[int, str, bytes]]:
    """Return version, key and stored bytes of every value, past the SDK."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    query = "SELECT version, key, value FROM versions WHERE value IS NOT NULL"
    rows = cast("list[tuple[int, str, bytes]]", connection.execute(query).fetchall())
    connection.close()
    return rows


def table(tally: Counter[tuple[str, str]]) -> str:
    """Draw the outcomes, one table of the store a line."""
    results = ("found", "refused", "no effect", "silent")
    lines = [f"{'':24}" + "".join(f"{result:>12}" for result in results)]
    for owner in sorted({owner for owner, _result in tally}):
        counts = "".join(f"{tally[owner, result]:>12}" for result in results)
        lines.append(f"{owner:24}{counts}")
    totals = [sum(n for (_owner, r), n in tally.items() if r == result) for result in results]
    return "\n".join([*lines, f"{'all':24}" + "".join(f"{total:>12}" for total in totals)])
