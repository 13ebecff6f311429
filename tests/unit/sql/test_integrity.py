"""Sums of whole tables: kept by every transaction, whatever happens inside it."""

from contextlib import suppress
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.base.errors import StrataError

WRITE = "INSERT INTO contexts (conversation, context, confidence, expires) VALUES (?, ?, 0.5, 1)"
# Fails at the second row, and SQLite then undoes the first.
COLLIDE = "UPDATE contexts SET conversation = 'same'"


@pytest.fixture
def db(tmp_path: Path) -> Workspace:
    return strata.open(tmp_path / "store.db", durability="standard", auto_embed=False)


def test_a_transaction_that_is_undone_leaves_the_sums_as_they_were(db: Workspace) -> None:
    with suppress(ZeroDivisionError), db._store.writing() as connection:
        connection.run(WRITE, ("가", "나"))
        raise ZeroDivisionError
    with db._store.writing() as connection:
        connection.run(WRITE, ("다", "라"))
    assert db.verify().ok


def test_a_statement_that_fails_half_way_does_not_spoil_the_sums(db: Workspace) -> None:
    with db._store.writing() as connection:
        connection.run(WRITE, ("가", "나"))
        connection.run(WRITE, ("다", "라"))
    with db._store.writing() as connection:
        with pytest.raises(StrataError):
            connection.run(COLLIDE)
        connection.run(WRITE, ("마", "바"))
    assert db.verify().ok


def test_rows_that_replace_others_are_counted_once(db: Workspace) -> None:
    for text in ("나", "다"):
        with db._store.writing() as connection:
            connection.run(WRITE.replace("INSERT", "INSERT OR REPLACE"), ("가", text))
    with db._store.writing() as connection:
        connection.run("DELETE FROM listeners")
    assert db.verify().ok


def test_compacting_changes_no_sum(db: Workspace) -> None:
    db.settings.set("timezone", "Asia/Seoul")
    db.compact()
    assert db.verify().ok
