"""A copy that was cut short goes on where it was, and is one state of the store in the end."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

import strata
from strata.base import limits
from strata.sql import create_workspace, list_workspaces, parse_address, reading_rows
from strata.sql.files import unfinished_path
from tests import databases
from tests.contract.copied import make_store, sums
from tests.databases import server_address

pytestmark = [
    pytest.mark.skipif(
        databases.IS_POSTGRES, reason="every path is a workspace there; files are copied here"
    ),
    pytest.mark.parametrize("to", ["file", "server"]),
]
# A copy keeps a thousand rows at once; those of versions are among the last.
VALUES = 2_500
CUT_AT = 2_000


@pytest.fixture
def store(folder: Path, postgres_address: str, to: str) -> Path | str:
    """A large store: in a file if it is copied to the server, else on the server."""
    path = make_store(folder / "원본.db")
    with strata.open(path, auto_embed=False) as db:
        db.kv.put_many({f"열쇠 {number}": number for number in range(VALUES)})
    if to == "server":
        return path
    strata.copy(path, f"{postgres_address}-from")
    return f"{postgres_address}-from"


@pytest.fixture
def target(folder: Path, postgres_address: str, to: str) -> Path | str:
    """A place without a store."""
    return folder / "복사.db" if to == "file" else postgres_address


class Cut(Exception):
    """What stops a copy in these tests."""


def cut(stage: str, done: int, total: int) -> None:
    """Stop a copy when it has brought some thousands of rows."""
    assert done <= total
    if stage == "rows" and done >= CUT_AT:
        raise Cut


def begin(store: Path | str, target: Path | str) -> None:
    """Copy a part of a store."""
    with pytest.raises(Cut):
        strata.copy(store, target, progress=cut)


def written(target: Path | str) -> dict[int, str]:
    """Return the versions that an unfinished copy has, or a finished one, each with its writing.

    A server knows by which transaction each row was written.
    """
    if isinstance(target, Path):
        path = target if target.exists() else unfinished_path(target)
        with closing(sqlite3.connect(path)) as file:
            return {number: "" for (number,) in file.execute("SELECT version FROM versions")}
    address = parse_address(target)
    with psycopg.connect(address.database) as session:
        rows = session.execute(
            "SELECT v.version, v.xmin::text FROM strata.versions AS v"
            " JOIN strata.workspaces AS w ON w.ws = v.ws AND w.deleted IS NULL"
            " WHERE w.name IN (%s, %s)",
            (address.workspace, f"{address.workspace} (unfinished copy)"),
        )
        return dict(rows.fetchall())


def test_what_was_copied_is_not_sent_again(store: Path | str, target: Path | str) -> None:
    begin(store, target)
    before = written(target)
    assert before
    reports: list[tuple[str, int, int]] = []
    done = strata.copy(store, target, progress=lambda *report: reports.append(report))
    assert done.kept >= len(before)
    assert done.kept <= CUT_AT
    assert done.outdated == 0
    after = written(target)
    assert len(after) > len(before)
    assert {number: after[number] for number in before} == before
    assert sums(target) == sums(store)
    # What was there counts as done.
    stages = [report for report in reports if report[0] == "rows"]
    assert stages[-1][2] == done.rows
    assert stages[-1][1] > done.rows - 500
    with strata.open(target, create=False, auto_embed=False) as db:
        assert [one.value for one in db.kv.history("열쇠 2499")] == [2499]
        db.kv.put("새", "복사한 뒤")
        assert db.verify(full=True).ok


def test_nothing_can_be_opened_before_the_copy_is_complete(
    store: Path | str, target: Path | str, folder: Path
) -> None:
    begin(store, target)
    rows = {table: one.rows for table, one in sums(store).items()}
    for create in (True, False):
        with pytest.raises(strata.Unusable, match="not complete") as refusal:
            strata.open(target, create=create)
        assert "strata copy" in str(refusal.value.hint)
    with pytest.raises(strata.StrataError):
        strata.copy(target, folder / "다른.db")
    if isinstance(target, Path):
        hidden: Path | str = unfinished_path(target)
    else:
        hidden = parse_address(target).unfinished
        with pytest.raises(strata.Unusable, match="not complete"):
            create_workspace(target, parse_address(target).workspace)
        names = [one.name for one in list_workspaces(server_address())]
        assert parse_address(target).workspace not in names
    with pytest.raises(strata.Unusable, match="not complete"):
        strata.open(hidden)
    strata.copy(store, target)
    assert {table: one.rows for table, one in sums(target).items()} == rows
    if isinstance(target, Path):
        assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_store_that_changed_meanwhile_is_copied_as_it_is_now(
    store: Path | str, target: Path | str
) -> None:
    """Rows are new, other, gone, and have names that rows which are gone had."""
    begin(store, target)
    with strata.open(store, auto_embed=False, actor="하나") as db:
        db.kv.put("열쇠 0", "다시")
        db.purge("열쇠 1")
        db.settings.set("timezone", "Europe/Berlin")
        db.branches.delete("곁")
        db.branches.fork("곁")
        db.tags.delete("v1")
        db.tags.create("v1", message="둘째 판")
        db.users.add("두리@example.com", name="두리")
        db.kv.put_many({f"뒤 {number}": number for number in range(50)})
    done = strata.copy(store, target)
    assert done.kept > 0
    assert done.outdated > 0
    assert sums(target) == sums(store)
    with strata.open(target, create=False, auto_embed=False) as db:
        assert [one.value for one in db.kv.history("열쇠 0")] == ["다시", 0]
        assert len(db.kv.history("뒤 49")) == 1
        assert db.verify(full=True).ok


def test_an_attempt_with_another_store_is_started_anew(
    store: Path | str, target: Path | str, folder: Path
) -> None:
    begin(store, target)
    other = make_store(folder / "다른 원본.db")
    done = strata.copy(other, target)
    assert done.kept == 0
    assert done.outdated > 0
    assert sums(target) == sums(other)


def test_two_processes_do_not_fill_the_same_place(
    store: Path | str, target: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LOCK_WAIT_S", 0.5)
    refused: list[strata.StrataError] = []

    def copy_too(stage: str, done: int, _total: int) -> None:
        if stage == "rows" and done >= CUT_AT and not refused:
            with pytest.raises(strata.Locked) as refusal:
                strata.copy(store, target)
            refused.append(refusal.value)

    strata.copy(store, target, progress=copy_too)
    assert refused
    assert sums(target) == sums(store)


def test_a_place_that_is_taken_while_the_copy_runs_stays(
    store: Path | str, target: Path | str
) -> None:
    def take(stage: str, done: int, _total: int) -> None:
        if stage == "rows" and done == CUT_AT:
            take_place(target)

    with pytest.raises(strata.AlreadyExists):
        strata.copy(store, target, progress=take)
    check_taken(target)


def test_a_place_that_was_taken_meanwhile_is_refused_and_stays(
    store: Path | str, target: Path | str
) -> None:
    begin(store, target)
    take_place(target)
    with pytest.raises(strata.AlreadyExists):
        strata.copy(store, target)
    check_taken(target)


def take_place(target: Path | str) -> None:
    """Put something else in a place, past what refuses that."""
    if isinstance(target, Path):
        target.write_bytes(b"mine")
        return
    with psycopg.connect(parse_address(target).database, autocommit=True) as session:
        session.execute(
            "INSERT INTO strata.workspaces (ws, name, created)"
            " SELECT max(ws) + 1, %s, 0 FROM strata.workspaces",
            (parse_address(target).workspace,),
        )


def check_taken(target: Path | str) -> None:
    """Check that what was put in a place is there unchanged."""
    if isinstance(target, Path):
        assert target.read_bytes() == b"mine"
    else:
        with reading_rows(target) as rows:
            assert rows.count("versions") == 0
