"""An older and a newer Strata on one file: the older one stops, and writes nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import apsw
import pytest

import strata
from strata import NewerFormat, Workspace
from tests.crash.processes import TIMEOUT_S, start

pytestmark = pytest.mark.crash
RaiseFormat: TypeAlias = Callable[[Path], None]

READS: dict[str, Callable[[Workspace], object]] = {
    "get": lambda db: db.kv.get("키/1"),
    "get_many": lambda db: db.kv.get_many(["키/1", "키/2"]),
    "list": lambda db: db.kv.list(),
    "history": lambda db: db.kv.history("키/1"),
    "a past view": lambda db: db.at("tag:v1"),
    "json": lambda db: db.json.get("문서"),
    "state": lambda db: db.state.get("cell"),
    "events": lambda db: db.events.list(),
    "search": lambda db: db.vectors.search("v", [1, 0, 0]),
    "branches": lambda db: db.branches.list(),
    "diff": lambda db: db.branches.diff("default", "side"),
    "another branch": lambda db: db.on("side").kv.get("새"),
}
WRITES: dict[str, Callable[[Workspace], object]] = {
    "put": lambda db: db.kv.put("새", 1),
    "put_many": lambda db: db.kv.put_many({"새": 1, "둘": 2}),
    "delete": lambda db: db.kv.delete("키/1"),
    "append": lambda db: db.events.append("note", {}),
    "set": lambda db: db.state.set("cell", 3),
    "json": lambda db: db.json.set("문서", "$.a", 1),
    "upsert": lambda db: db.vectors.upsert("v", "새", [1, 2, 3]),
    "transact": lambda db: db.transact(lambda tx: tx.kv.put("새", 1)),
    "space": lambda db: db.spaces.create("새"),
    "fork": lambda db: db.branches.fork("새"),
    "merge": lambda db: db.branches.merge("side", into="default"),
    "delete branch": lambda db: db.branches.delete("side", force=True),
    "rename": lambda db: db.branches.rename("side", "새"),
    "tag": lambda db: db.tags.create("v2"),
    "delete tag": lambda db: db.tags.delete("v1"),
    "setting": lambda db: db.settings.set("timezone", "UTC"),
    "unset": lambda db: db.settings.unset("timezone"),
    "lease": lambda db: db.leases.acquire("work"),
    "policy": lambda db: db.retention.set(max_versions=3),
    "retention": lambda db: db.retention.apply(),
    "revert": lambda db: db.revert(1, strategy="source_wins"),
    "undo": lambda db: db.undo(),
    "purge": lambda db: db.purge("키/1"),
    "compact": lambda db: db.compact(),
}


@pytest.fixture(scope="module")
def later() -> Iterator[RaiseFormat]:
    """A newer program in a process of its own, which raises the format of any store."""
    process = start("raises_formats")
    assert process.stdin is not None
    assert process.stdout is not None
    paths, answers = process.stdin, process.stdout

    def raise_format(path: Path) -> None:
        paths.write(f"{path}\n")
        paths.flush()
        assert answers.readline() == "raised\n"

    yield raise_format
    complaint = process.communicate(timeout=TIMEOUT_S)[1]
    assert process.returncode == 0, complaint[-3000:]


@pytest.mark.parametrize("what", READS)
def test_an_older_program_refuses_to_read_a_newer_format(
    later: RaiseFormat, furnished: Path, what: str
) -> None:
    with strata.open(furnished, auto_embed=False) as old:
        write_calmly(old)
        later(furnished)
        with pytest.raises(NewerFormat, match="Update Strata"):
            READS[what](old)


@pytest.mark.parametrize("what", WRITES)
def test_an_older_program_writes_nothing_into_a_newer_format(
    later: RaiseFormat, furnished: Path, what: str
) -> None:
    with strata.open(furnished, auto_embed=False) as old:
        write_calmly(old)
        later(furnished)
        before = contents(furnished)
        with pytest.raises(NewerFormat):
            WRITES[what](old)
        assert contents(furnished) == before


def test_an_older_program_refuses_to_open_a_newer_format(
    later: RaiseFormat, furnished: Path
) -> None:
    later(furnished)
    before = contents(furnished)
    for read_only in (False, True):
        with pytest.raises(NewerFormat):
            strata.open(furnished, read_only=read_only)
    assert contents(furnished) == before


def write_calmly(db: Workspace) -> None:
    """Write until the process knows that nobody else does, and takes its shortest way."""
    for number in range(4):
        db.kv.put("ours", number)


def contents(path: Path) -> list[tuple[object, ...]]:
    """Return every row of every table, past the SDK."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    tables = connection.execute(
        "SELECT name, type, sql FROM sqlite_schema ORDER BY name"
    ).fetchall()
    rows = [
        (name, *row)
        for name, kind, _sql in tables
        if kind == "table"
        for row in connection.execute(f'SELECT * FROM "{name}"')
    ]
    connection.close()
    return [*tables, *rows]
