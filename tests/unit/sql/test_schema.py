"""A file that defines what no migration made is refused before anything in it can run."""

from pathlib import Path

import apsw
import pytest

import strata
from strata.sql import migrate

FOREIGN = {
    "trigger": "CREATE TRIGGER spy AFTER INSERT ON tokens BEGIN DELETE FROM audit; END",
    "view": "CREATE VIEW spy AS SELECT * FROM versions",
    "table": "CREATE TABLE spy (word TEXT)",
    "index": "CREATE INDEX spy ON tokens (label)",
}


def altered(path: Path, *statements: str) -> None:
    """Change a store behind Strata's back."""
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "store.db"
    with strata.open(made) as db:
        db.kv.put("인사", "안녕")
    return made


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("read_only", [False, True])
def test_what_strata_did_not_define_is_refused_and_named(
    path: Path, kind: str, *, read_only: bool
) -> None:
    altered(path, FOREIGN[kind])
    with pytest.raises(strata.Unusable, match=f"{kind} 'spy'"):
        strata.open(path, read_only=read_only)
    altered(path, f"DROP {kind} spy")
    with strata.open(path, read_only=read_only) as db:
        found = db.kv.get("인사")
        assert found is not None
        assert found.value == "안녕"


def test_of_a_store_of_another_version_nothing_is_to_be_removed(path: Path) -> None:
    altered(path, "ALTER TABLE keyspaces RENAME TO shelves")
    before = path.read_bytes()
    with pytest.raises(strata.Unusable, match="'shelves', and not 'keyspaces'") as refused:
        strata.open(path)
    assert "DROP" not in (refused.value.hint or "")
    assert path.read_bytes() == before


def test_a_trigger_of_ours_that_says_something_else_is_refused(path: Path) -> None:
    altered(
        path,
        "DROP TRIGGER publication_added",
        "CREATE TRIGGER publication_added AFTER INSERT ON publications BEGIN"
        " DELETE FROM audit; END",
    )
    with pytest.raises(strata.Unusable, match="publication_added"):
        strata.open(path)


def test_a_trigger_cannot_hide_behind_a_name_of_sqlites_own(path: Path) -> None:
    altered(
        path,
        FOREIGN["trigger"],
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET name = 'sqlite_spy' WHERE name = 'spy'",
    )
    with pytest.raises((strata.Unusable, strata.DamagedStore), match="sqlite_spy"):
        strata.open(path)


def test_what_sqlite_itself_adds_is_no_reason_to_refuse(path: Path) -> None:
    altered(path, "ANALYZE")
    strata.open(path).close()


@pytest.mark.parametrize("number", range(1, migrate.format_number() + 1))
def test_the_known_objects_of_every_format_are_those_that_its_migrations_make(number: int) -> None:
    connection = apsw.Connection(":memory:")
    for step in migrate.steps()[:number]:
        connection.execute(step)
    made = {
        (kind, name)
        for kind, name in connection.execute("SELECT type, name FROM sqlite_schema")
        if not name.startswith("sqlite_")
    }
    assert migrate._known_objects(number)[0] == made


def test_a_foreign_view_in_an_empty_file_is_refused_before_it_becomes_a_store(
    path: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.db"
    reader = apsw.Connection(str(path))
    application = reader.pragma("application_id")
    reader.close()
    altered(empty, "CREATE VIEW spy AS SELECT 1", f"PRAGMA application_id = {application}")
    with pytest.raises(strata.Unusable, match="spy"):
        strata.open(empty)
