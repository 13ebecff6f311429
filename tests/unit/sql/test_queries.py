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


def test_the_declared_names_are_those_of_the_files() -> None:
    folder = Path(queries.__file__).parent / "statements"
    found = [
        name
        for part in ("common", "sqlite")
        for path in sorted((folder / part).glob("*.sql"))
        for name in statements(path.read_text(encoding="utf-8"))
    ]
    assert sorted(set(found)) == sorted(Queries.__annotations__)


def test_every_statement_begins_with_what_it_does() -> None:
    verbs = {"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "ATTACH", "DETACH"}
    for name in Queries.__annotations__:
        assert getattr(load(), name).split(" ")[0] in verbs, name


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
    (copied / "again.sql").write_text("-- name: version_at\nSELECT 1;\n", encoding="utf-8")
    with pytest.raises(LookupError, match="version_at"):
        load.__wrapped__()


def test_a_dialect_may_write_a_statement_its_own_way(copied: Path) -> None:
    dialect = copied.parent / "sqlite" / "own.sql"
    dialect.write_text("-- name: version_at\nSELECT 'mine';\n", encoding="utf-8")
    assert load.__wrapped__().version_at == "SELECT 'mine'"
