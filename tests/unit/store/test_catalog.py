"""What a process remembers of branches, keyspaces and lineages, and when it looks again."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import strata
from strata import Json, Workspace
from strata.sql import Connection, SqliteDatabase, migrate
from strata.store import catalog as catalog_module
from strata.store import insert_branch, row_digest
from strata.store.catalog import BranchRow, Catalog
from tests.counting import counted
from tests.unit.conftest import Bench


@contextmanager
def undone(bench: Bench) -> Generator[Connection]:
    """Give a write transaction that is rolled back."""
    connection = bench.store.database.begin_writing()
    try:
        yield connection
    finally:
        bench.store.database.finish_writing(connection, keep=False)


def test_a_keyspace_that_a_transaction_undoes_is_not_remembered(bench: Bench) -> None:
    catalog, queries = bench.store.catalog, bench.store.queries
    with undone(bench) as connection:
        row = connection.row(queries.insert_keyspace, ("팀", "kv"))
        assert row is not None
        number = row[0]
        assert catalog.keyspace("팀", "kv", connection) == number
        assert catalog.keyspace_name(number, connection) == ("팀", "kv")
    assert catalog.keyspace("팀", "kv", bench.store.connection()) is None
    assert number not in catalog.keyspace_names


def test_a_lineage_that_a_transaction_undoes_is_not_remembered(bench: Bench) -> None:
    catalog, queries = bench.store.catalog, bench.store.queries
    with undone(bench) as connection:
        connection.run(queries.insert_branch_itself, (7,))
        assert catalog.lineage(7, connection)
    assert catalog.lineage(7, bench.store.connection()) == ()


def test_a_transaction_that_wrote_nothing_reads_a_lineage_once(bench: Bench) -> None:
    bench.db.branches.fork("시도")
    branch, catalog = bench.store.catalog.known("시도"), Catalog(bench.store.queries)
    assert branch is not None
    with bench.store.writing() as connection:
        assert counted(lambda: catalog.lineage(branch.id, connection))[1] == 1
        assert counted(lambda: catalog.lineage(branch.id, connection))[1] == 0


def test_a_process_reads_only_the_branches_that_another_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read = tmp_path / "store.db", list[str]()

    def noted(number: int, name: str, *columns: Any, metadata: Json) -> BranchRow:
        read.append(name)
        return BranchRow(number, name, *columns, metadata=metadata)

    with strata.open(path, auto_embed=False) as one, strata.open(path, auto_embed=False) as other:
        for number in range(30):
            one.branches.fork(f"일 {number}")
        assert len(other.branches.list()) == 31
        monkeypatch.setattr(catalog_module, "BranchRow", noted)
        one.branches.fork("새 일")
        one.branches.delete("일 3")
        one.branches.rename("일 4", "일 네")
        read.clear()
        found = [branch.name for branch in other.branches.list()]
    assert sorted(read) == ["새 일", "일 3", "일 네"]
    assert len(found) == 31
    assert {"일 3", "일 4"}.isdisjoint(found)


def test_names_that_two_branches_exchange_lead_to_each_other(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, auto_embed=False) as one, strata.open(path, auto_embed=False) as other:
        for name in ("가", "나"):
            one.branches.fork(name)
            one.on(name).kv.put("k", name)
        assert len(other.branches.list()) == 3
        for old, new in (("가", "다"), ("나", "가"), ("다", "나")):
            one.branches.rename(old, new)
        found = {name: other.on(name).kv.get("k") for name in ("가", "나")}
        assert {name: kept.value for name, kept in found.items() if kept} == {
            "가": "나",
            "나": "가",
        }
        assert not other.branches.exists("다")


def test_changed_branches_are_found_by_an_index(bench: Bench) -> None:
    statement = f"EXPLAIN QUERY PLAN {bench.store.queries.branches_changed_since}"
    plan = str(bench.store.connection().rows(statement, (1,)))
    assert "branches_by_change" in plan


def test_branches_that_a_transaction_undoes_are_not_remembered(bench: Bench) -> None:
    catalog = bench.store.catalog
    bench.db.branches.fork("시도")
    with undone(bench) as connection:
        insert_branch(bench.store, "다시")
        catalog.look(connection)
        assert catalog.known("다시") is None
    catalog.look(bench.store.connection())
    assert catalog.known("다시") is None
    assert catalog.known("시도") is not None


def test_a_listing_asks_no_more_statements_for_more_branches(db: Workspace) -> None:
    db.branches.fork("하나")
    db.branches.list()
    few = counted(db.branches.list)[1]
    for number in range(20):
        db.branches.fork(f"일 {number}")
        db.on(f"일 {number}").kv.put("k", number)
    db.branches.list()
    assert counted(db.branches.list)[1] == few
    assert db.branches.list() == [db.branches.get(one.name) for one in db.branches.list()]


def test_branches_that_an_older_format_has_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, steps = tmp_path / "store.db", migrate.steps()
    before = next(n for n, step in enumerate(steps) if "ADD COLUMN changed" in step)
    monkeypatch.setattr(migrate, "steps", lambda: steps[:before])
    database = SqliteDatabase(path)
    values = ("default", None, None, 1, None, None, None)
    with database.writing() as connection:
        connection.run("INSERT INTO catalog VALUES (1, 5, 0, 0, 'store', 1)")
        connection.run(
            "INSERT INTO branches (name, created, digest) VALUES (?, 1, ?)",
            ("default", row_digest(*values)),
        )
        connection.run("INSERT INTO lineage VALUES (1, 0, 1, 9223372036854775807)")
    database.close()
    monkeypatch.undo()
    with strata.open(path, auto_embed=False) as one, strata.open(path, auto_embed=False) as other:
        one.branches.fork("시도")
        assert [branch.name for branch in other.branches.list()] == ["default", "시도"]
        assert other.verify().ok
