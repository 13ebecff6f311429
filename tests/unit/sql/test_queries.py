"""Named statements: every name declared, every declaration found, each once."""

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


def test_all_statements_are_there_and_not_empty() -> None:
    found = load()
    for name in Queries.__struct_fields__:
        assert getattr(found, name).split(" ")[0] in {
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "WITH",
            "ATTACH",
            "DETACH",
        }, name


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the statements that a test may spoil, loaded instead of the real ones."""
    import shutil

    source = Path(queries.__file__).parent / "statements"
    shutil.copytree(source, tmp_path / "statements")
    monkeypatch.setattr(queries, "__file__", str(tmp_path / "queries.py"))
    return tmp_path / "statements" / "common"


def test_the_copy_loads_as_the_original_does(copied: Path) -> None:
    assert copied.is_dir()
    assert load.__wrapped__("sqlite") == load()


def test_a_missing_statement_is_named(copied: Path) -> None:
    path = copied / "version.sql"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("-- name: version_at\n", "-- name: version_of\n"), encoding="utf-8"
    )
    with pytest.raises(LookupError, match="version_at, version_of"):
        load.__wrapped__("sqlite")


def test_an_undeclared_statement_is_named(copied: Path) -> None:
    (copied / "extra.sql").write_text("-- name: surplus\nSELECT 1;\n", encoding="utf-8")
    with pytest.raises(LookupError, match="surplus"):
        load.__wrapped__("sqlite")


def test_a_name_in_two_common_files_is_refused(copied: Path) -> None:
    (copied / "again.sql").write_text("-- name: version_at\nSELECT 1;\n", encoding="utf-8")
    with pytest.raises(LookupError, match="version_at"):
        load.__wrapped__("sqlite")


def test_a_dialect_may_write_a_statement_its_own_way(copied: Path) -> None:
    dialect = copied.parent / "sqlite" / "own.sql"
    dialect.write_text("-- name: version_at\nSELECT 'mine';\n", encoding="utf-8")
    assert load.__wrapped__("sqlite").version_at == "SELECT 'mine'"
