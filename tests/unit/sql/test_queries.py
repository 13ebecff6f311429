"""Named statements: every name declared, every declaration found, each once."""

import shutil
from pathlib import Path

import pytest

from strata.sql import load, queries
from strata.sql.queries import Queries, statements


def test_a_file_is_split_into_its_named_statements() -> None:
    text = (
        "-- About the file.\n\n"
        "-- name: one\nSELECT 1,\n    2;\n\n"
        "-- Why two is so.\n-- name: two\n-- A remark.\nSELECT '가';\n"
    )
    assert statements(text) == {"one": "SELECT 1, 2", "two": "SELECT '가'"}


def test_a_name_given_twice_in_a_file_is_refused() -> None:
    with pytest.raises(LookupError, match="twice"):
        statements("-- name: one\nSELECT 1;\n-- name: one\nSELECT 2;\n")


FOLDER = Path(queries.__file__).parent / "statements"
# Files that only one database has: what they do is its own.
OWN_FILES = {
    "sqlite": {"copying", "earlier", "exchange", "integrity"},
    "postgres": {"administration", "commit_requests", "copying", "exchange", "workspace"},
}
# Statements that only one database runs, beside those of its own files.
OWN = {
    "sqlite": {"insert_lone_version"},
    "postgres": {
        "append_branch",
        "append_version",
        "copy_versions",
        "database_time",
        "send_hint",
        "state",
    },
}


def names(part: str, *, but: set[str] | None = None) -> set[str]:
    """Return the names of the statements of a folder, without those of some files."""
    files = [path for path in (FOLDER / part).glob("*.sql") if path.stem not in (but or set())]
    return {name for path in files for name in statements(path.read_text(encoding="utf-8"))}


def test_the_declared_names_are_those_of_the_files() -> None:
    found = names("common") | names("sqlite") | names("postgres")
    assert found == set(Queries.__annotations__)


def test_a_statement_is_common_or_written_for_each_database() -> None:
    common = names("common")
    ours = {part: names(part, but=OWN_FILES[part]) - OWN[part] for part in ("sqlite", "postgres")}
    assert ours["sqlite"] == ours["postgres"]
    assert not common & ours["sqlite"]


def test_every_statement_begins_with_what_it_does() -> None:
    verbs = {
        "SELECT",
        "INSERT",
        "UPDATE",
        "DELETE",
        "WITH",
        "ATTACH",
        "DETACH",
        "COPY",
        "GRANT",
        "ALTER",
        "DROP",
        "LISTEN",
    }
    for dialect in ("sqlite", "postgres"):
        for name in names("common") | names(dialect):
            assert getattr(load(dialect), name).split(" ")[0] in verbs, name


def test_sqlite_runs_no_statement_with_a_workspace() -> None:
    for name in names("common"):
        assert "ws" not in getattr(load("sqlite"), name).replace("(", " ").split(), name
        assert ":ws" not in getattr(load("sqlite"), name), name


def test_postgres_gets_the_workspace_as_the_last_parameter() -> None:
    assert queries.postgres_form("SELECT a FROM t WHERE ws = :ws AND b = ? AND c = ?") == (
        "SELECT a FROM t WHERE ws = $3 AND b = $1 AND c = $2"
    )
    assert queries.postgres_form("UPDATE t SET a = ?2 WHERE ws = :ws AND b = ?1") == (
        "UPDATE t SET a = $2 WHERE ws = $3 AND b = $1"
    )


def test_an_unknown_name_is_no_statement() -> None:
    with pytest.raises(AttributeError, match="version_off"):
        getattr(load(), "version_off")  # noqa: B009  (the type checker knows that it is not there)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the statements that a test may spoil, loaded instead of the real ones."""
    source = Path(queries.__file__).parent / "statements"
    shutil.copytree(source, tmp_path / "statements")
    monkeypatch.setattr(queries, "__file__", str(tmp_path / "queries.py"))
    return tmp_path / "statements" / "common"


def test_a_name_in_two_common_files_is_refused(copied: Path) -> None:
    (copied / "again.sql").write_text("-- name: store_id\nSELECT 1;\n", encoding="utf-8")
    with pytest.raises(LookupError, match="store_id"):
        load.__wrapped__()


def test_a_dialect_may_write_a_statement_its_own_way(copied: Path) -> None:
    dialect = copied.parent / "sqlite" / "own.sql"
    dialect.write_text("-- name: store_id\nSELECT 'mine';\n", encoding="utf-8")
    assert load.__wrapped__().store_id == "SELECT 'mine'"
