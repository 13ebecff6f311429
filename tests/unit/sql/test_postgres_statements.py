"""Every statement of PostgreSQL names the workspace of every table it reads, and reads by index."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlglot
from sqlglot import exp

import strata
from strata.sql import load, queries
from strata.sql.postgres import prepare_database
from strata.sql.queries import statements
from tests.databases import address_of, server_address

FOLDER = Path(queries.__file__).parent / "statements"
# What is no question to the rows of a workspace.
BEYOND = {"workspace", "administration", "copying"}
# Tables that hold what belongs to no workspace.
SHARED = {"formats", "workspaces"}
# Tables that grow with what users write.
GROWING = {
    "versions",
    "commit_requests",
    "attributes",
    "links",
    "item_tags",
    "words",
    "embeddings",
    "embedding_tokens",
    "embedded",
    "segments",
    "segment_parts",
    "tasks",
    "task_steps",
    "audit",
    "memories",
    "memory_links",
    "placements",
    "shares",
    "requests",
    "uploads",
}


def every_statement() -> Iterator[tuple[str, str]]:
    for part in ("common", "postgres"):
        for path in sorted((FOLDER / part).glob("*.sql")):
            if path.stem not in BEYOND:
                yield from statements(path.read_text(encoding="utf-8")).items()


def tables_without_workspace(text: str, tables: set[str]) -> list[str]:
    """Return the tables of a statement that are not limited to the workspace by themselves."""
    formed = queries.postgres_form(text)
    parameter = formed.count("$") and max(
        int(found) for found in queries.re.findall(r"\$(\d+)", formed)
    )
    tree = sqlglot.parse_one(formed, read="postgres")
    named = {found.alias for found in tree.find_all(exp.CTE)}
    missing = [
        table.alias_or_name
        for table in tree.find_all(exp.Table)
        if table.name in tables
        and table.name not in named
        and not isinstance(table.parent, (exp.Schema, exp.Insert))
        and not is_limited(table, f"${parameter}")
    ]
    inserts = [
        found.this.this.name
        for found in tree.find_all(exp.Insert)
        if isinstance(found.this, exp.Schema)
        and found.this.this.name in tables
        and found.this.expressions[0].name != "ws"
    ]
    return missing + inserts


def is_limited(table: exp.Table, parameter: str) -> bool:
    """Whether the query that reads a table asks for the workspace of just this one."""
    query = enclosing(table)
    return any(
        isinstance(one.this, exp.Column)
        and one.this.name == "ws"
        and one.this.table in (table.alias_or_name, "")
        and one.expression.sql(dialect="postgres") == parameter
        and enclosing(one) is query
        for one in query.find_all(exp.EQ)
    )


def enclosing(node: Any) -> Any:
    found = node.find_ancestor(exp.Select, exp.Update, exp.Delete)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def session() -> Iterator["psycopg.Connection[Any]"]:
    prepare_database(server_address())
    with psycopg.connect(
        server_address(), autocommit=True, options="-c search_path=strata -c enable_seqscan=off"
    ) as session:
        yield session


@pytest.fixture(scope="module")
def tables(session: "psycopg.Connection[Any]") -> set[str]:
    rows = session.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'strata'::regnamespace"
        " AND relkind IN ('r', 'v')"
    )
    return {name for (name,) in rows} - SHARED


def test_every_table_that_a_statement_reads_is_limited_to_the_workspace(tables: set[str]) -> None:
    wrong = {
        name: found
        for name, text in every_statement()
        if not text.startswith("COPY") and (found := tables_without_workspace(text, tables))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a FROM versions",
        "SELECT a FROM versions AS v JOIN links AS l ON l.version = v.version WHERE v.ws = :ws",
        "SELECT (SELECT max(p.version) FROM versions AS p) FROM links AS l WHERE l.ws = :ws",
        "INSERT INTO links (version, type) VALUES (?, ?)",
    ],
)
def test_a_table_without_a_workspace_would_be_noticed(text: str, tables: set[str]) -> None:
    assert tables_without_workspace(text, tables)


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def scans(plan: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield kind, table and condition of each read of a table that grows."""
    for node in nodes(plan):
        table, kind = node.get("Relation Name"), node["Node Type"]
        if table in GROWING and "Scan" in kind and kind != "Bitmap Heap Scan":
            yield kind, table, node.get("Index Cond", "")


def test_no_table_that_grows_is_read_from_end_to_end(session: "psycopg.Connection[Any]") -> None:
    wrong: list[str] = []
    for name, text in every_statement():
        if text.startswith("COPY"):
            continue
        statement = f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {getattr(load('postgres'), name)}"
        found = session.execute(statement.encode()).fetchone()
        assert found is not None
        wrong += [
            f"{name}: {kind} of {table}, {condition or 'no condition'}"
            for kind, table, condition in scans(found[0][0]["Plan"])
            if not condition.lstrip("(").startswith("ws = ")
        ]
    assert wrong == []


@pytest.mark.parametrize("name", ["versions_by_number", "keys_by_number", "cards_and_notes"])
def test_versions_are_looked_up_by_their_numbers(
    name: str, session: "psycopg.Connection[Any]"
) -> None:
    """Another index begins with the workspace too, and would be read from end to end.

    In an empty table both would cost the same.
    """
    with strata.open(address_of(None), durability="standard", auto_embed=False) as db:
        db.kv.put_many({f"팀/{n:04}": n for n in range(2_000)})
    statement = f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {getattr(load('postgres'), name)}"
    found = session.execute(statement.encode()).fetchone()
    assert found is not None
    used = [node.get("Index Name") for node in nodes(found[0][0]["Plan"]) if "Index Name" in node]
    assert used == ["versions_pkey"]


@pytest.mark.parametrize("name", ["declared_by_number", "tags_among"])
def test_what_a_list_names_is_looked_up_one_by_one(
    name: str, session: "psycopg.Connection[Any]"
) -> None:
    """Also where the server takes a table for so small that it might read all of a workspace."""
    statement = f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {getattr(load('postgres'), name)}"
    found = session.execute(statement.encode()).fetchone()
    assert found is not None
    read = list(scans(found[0][0]["Plan"]))
    assert read
    assert [condition for _kind, _table, condition in read if " AND " not in condition] == []
