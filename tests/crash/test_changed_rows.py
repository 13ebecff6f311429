"""One column of one row is changed behind Strata's back, in every table: verify says so."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

import strata
from strata.sql.integrity import UNCOVERED
from tests.crash.conftest import furnish

pytestmark = [pytest.mark.crash]

# What is lost with these can be made again, or counts for seconds: see docs/explain/durability.md.
REBUILT = {
    "models",
    "embeddings",
    "embedding_tokens",
    "embedding_frequencies",
    "embedding_codes",
    "embedded",
    "segments",
    "segment_parts",
    "text_counts",
    "leases",
    "presence",
}
# Compared with what they are made of: rows that follow from nothing would be found.
DERIVED = {"embedding_codes", "segments", "segment_parts", "text_counts"}


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with at least one row in every table."""
    path = tmp_path_factory.mktemp("full") / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        furnish(db)
        db.users.add("soyeon@example.com", name="소연")
        plan = db.documents.create("계획", "# 계획\n\n둘째 줄 [[다른 글]]\n")
        db.publishing.publish(plan.document)
        db.tokens.create("노트북")
        db.kv.put("표", "꼬리표가 있는 값", tags=["표"])
        _fill_empty_tables(db)
        assert db.verify(full=True).ok
    return path


def _fill_empty_tables(db: strata.Workspace) -> None:
    with db._store.writing() as connection:
        for table in sorted(set(tables(connection)) - DERIVED):
            if connection.row(f'SELECT 1 FROM "{table}"') is None:
                columns = connection.rows(f"SELECT name, type FROM pragma_table_info('{table}')")
                values = [
                    {"INTEGER": 1, "REAL": 0.5, "BLOB": b"\1\2"}.get(type_, "가")
                    for _, type_ in columns
                ]
                marks = ", ".join("?" for _ in values)
                connection.run(f'INSERT INTO "{table}" VALUES ({marks})', _checked(table, values))


def _checked(table: str, values: list[Any]) -> list[Any]:
    """Return values that the table's own rules let in."""
    if table == "document_spaces":  # of a user or of a team, never both
        return [*values[:3], None, *values[4:]]
    if table == "share_links":  # of a document or of a team, never both
        return [*values[:2], "open", values[3], None, 1, 1, *values[7:]]
    if table == "models":  # without codes
        values = [*values[:-1], 0]
    return ["active" if table == "models" and value == "가" else value for value in values]


def tables(connection: Any) -> list[str]:
    rows = connection.rows(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    )
    return sorted(row[0] for row in rows if not row[0].startswith("sqlite_"))


def names_of_tables() -> list[str]:
    with strata.open(durability="cache") as db:
        return tables(db._store.connection())


COVERED = sorted(set(names_of_tables()) - REBUILT)


def test_what_is_not_covered_is_what_the_documentation_says() -> None:
    assert set(UNCOVERED) >= REBUILT
    page = Path("docs/explain/durability.md").read_text(encoding="utf-8")
    assert all(f"`{table}`" in page for table in REBUILT)


@pytest.mark.parametrize("table", COVERED)
def test_verify_names_the_table_in_which_a_column_was_changed(
    full: Path, tmp_path: Path, table: str
) -> None:
    path = tmp_path / "store.db"
    shutil.copy(full, path)
    with Raw(path) as raw, strata.open(path, read_only=True) as db:
        for column in raw.columns(table):
            with raw.changed(table, column):
                found = db.verify(full=True).problems
            said = " ".join(f"{one.kind} {one.message}" for one in found)
            assert said, f"{table}.{column} was changed, and verify says ok"
            assert table in said or table in {"versions", "digests"}, f"{table}.{column}: {said}"
        assert db.verify(full=True).ok, "everything is as it was again"


@pytest.mark.parametrize("table", sorted(set(COVERED) - {"versions", "words", "digests"}))
def test_verify_names_the_table_of_which_a_row_was_removed(
    full: Path, tmp_path: Path, table: str
) -> None:
    path = tmp_path / "store.db"
    shutil.copy(full, path)
    with Raw(path) as raw, strata.open(path, read_only=True) as db:
        raw.run(f'DELETE FROM "{table}" WHERE {raw.key_of(table)}')
        problems = db.verify(full=True).problems if table != "catalog" else ()
        assert table == "catalog" or any(table in one.message for one in problems), problems


class Raw:
    """The file as a SQL shell sees it."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        self._connection.pragma("ignore_check_constraints", 1)  # a disk does not keep them either
        for (name,) in self._connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall():
            self._connection.execute(f'DROP TRIGGER "{name}"')

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def run(self, statement: str, *values: Any) -> None:
        self._connection.execute(statement, values)

    def columns(self, table: str) -> list[str]:
        return [row[0] for row in self._info(table)]

    def _info(self, table: str) -> list[tuple[Any, ...]]:
        statement = f"SELECT name, pk FROM pragma_table_info('{table}')"
        return self._connection.execute(statement).fetchall()

    def key_of(self, table: str) -> str:
        """Return a condition that one row fits: the last, which no other row builds on."""
        key = [name for name, pk in self._info(table) if pk]
        row = self._connection.execute(
            f'SELECT {", ".join(f"quote({name})" for name in key)} FROM "{table}" '
            f"ORDER BY {', '.join(f'{name} DESC' for name in key)} LIMIT 1"
        ).fetchone()
        assert row is not None, f"{table} is empty: the fixture has to fill it"
        return " AND ".join(f"{name} IS {value}" for name, value in zip(key, row, strict=True))

    def changed(self, table: str, column: str) -> "Changed":
        return Changed(self._connection, table, column, self.key_of(table))


class Changed:
    """A column of a row, with another value for the length of a `with` block."""

    def __init__(self, connection: apsw.Connection, table: str, column: str, where: str) -> None:
        self._connection = connection
        self._table, self._column, self._where = table, column, where

    def __enter__(self) -> None:
        select = f'SELECT "{self._column}" FROM "{self._table}" WHERE {self._where}'
        (self._before,) = self._connection.execute(select).fetchone() or (None,)
        for value in _others(self._before):
            try:
                self._connection.execute(
                    f'UPDATE "{self._table}" SET "{self._column}" = ? WHERE {self._where}', (value,)
                )
            except apsw.ConstraintError:
                continue
            break
        else:
            raise AssertionError(f"{self._table}.{self._column} takes no other value")
        self._value = value

    def __exit__(self, *_error: object) -> None:
        # Its key may be what was changed, so the row is looked for by what it is now.
        parts = self._where.split(" AND ")
        own = f"{self._column} IS "
        where = " AND ".join(f"{own}?1" if part.startswith(own) else part for part in parts)
        statement = f'UPDATE "{self._table}" SET "{self._column}" = ?2 WHERE {where} AND ?1 IS ?1'
        self._connection.execute(statement, (self._value, self._before))


def _others(value: Any) -> Iterator[Any]:
    """Give values that differ from one, and that a table's rules may let in."""
    if isinstance(value, int):
        yield from (value - 1, value + 1, value + 1_000)
    elif isinstance(value, float):
        yield value + 0.25
    elif isinstance(value, str):
        yield f"{value}x"
    elif isinstance(value, bytes):
        yield bytes([value[0] ^ 1, *value[1:]]) if value else b"\1"
    else:
        yield from (1, "x")
