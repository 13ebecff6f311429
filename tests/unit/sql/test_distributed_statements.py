"""A database that spreads workspaces over nodes with Citus: the statements that it would get.

No server with the extension runs here. What it refuses is looked for in the statements themselves,
and `./dev test --database distributed` runs their forms on a plain server.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psycopg
import pytest
import sqlglot
from sqlglot import exp

import strata
from strata.base import ids, limits
from strata.base.errors import Unavailable
from strata.sql import load, prepare_database
from strata.sql.postgres import administration
from strata.sql.postgres.distributed import named_steps, steps
from strata.sql.queries import postgres_form
from tests.databases import server_address
from tests.unit.sql.test_postgres_statements import (
    FOLDER,
    SHARED,
    every_statement,
    tables_without_workspace,
)

# Functions whose answer differs from call to call; Citus refuses them where rows are changed.
VOLATILE = {"random", "clock_timestamp", "timeofday", "nextval", "gen_random_uuid", "now"}

# What is not run there: a fork takes the lock instead.
UNUSED = {"append_branch"}


def forms() -> Iterator[tuple[str, str]]:
    """Yield every statement of a cluster by its name, as it is written."""
    divided = {
        name: texts
        for path in sorted((FOLDER / "distributed").glob("*.sql"))
        for name, texts in named_steps(path.read_text(encoding="utf-8")).items()
    }
    for name, text in every_statement():
        if name not in UNUSED:
            yield from ((name, one) for one in divided.get(name, [text]))
    yield from (("seed_workspace", one) for one in divided["seed_workspace"])


def refused(text: str) -> list[str]:
    """Say what of a statement Citus would refuse, or run on all nodes."""
    if text.startswith("COPY"):
        return []
    tree = sqlglot.parse_one(postgres_form(text), read="postgres")
    found: list[str] = []
    for part in tree.find_all(exp.CTE):
        if isinstance(part.this, (exp.Insert, exp.Delete)):
            found.append("a part of it inserts or deletes")
        if isinstance(part.this, exp.Update) and not isinstance(tree, exp.Update):
            found.append("a part of it updates, and the whole does something else")
        if part.this.find(exp.Lock):
            found.append("a part of it locks rows")
    if any(values.find(exp.Select) for values in tree.find_all(exp.Values)):
        found.append("a value is a question")
    if isinstance(tree, (exp.Update, exp.Delete, exp.Insert)):
        names = {one.name.lower() for one in tree.find_all(exp.Anonymous, exp.Func) if one.name}
        words = names | set(re.findall(r"\b(\w+)\(", text.lower()))
        found += [f"{word} is volatile" for word in sorted(words & VOLATILE)]
        returning = tree.args.get("returning")
        if returning is not None and returning.find(exp.Select):
            found.append("what it returns is a question")
    return found


def test_no_statement_of_a_cluster_is_one_that_citus_refuses() -> None:
    wrong = [(name, found) for name, text in forms() if (found := refused(text))]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "WITH a AS (INSERT INTO words (ws, word) VALUES (:ws, ?)) UPDATE access SET mark = 1",
        "INSERT INTO words (ws, word) VALUES (:ws, (SELECT max(w.word) FROM words AS w))",
        "UPDATE leases SET expires = clock_timestamp() WHERE ws = :ws",
        "INSERT INTO words (ws, word) VALUES (:ws, ?) RETURNING (SELECT 1)",
    ],
)
def test_what_citus_refuses_would_be_noticed(text: str) -> None:
    assert refused(text)


def test_every_form_of_a_cluster_names_the_workspace_of_every_table() -> None:
    with psycopg.connect(prepared(), options="-c search_path=strata") as session:
        rows = session.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'strata'::regnamespace"
            " AND relkind IN ('r', 'v')"
        ).fetchall()
    tables = {str(name) for (name,) in rows} - SHARED
    wrong = {
        name: found
        for name, text in forms()
        if not text.startswith("COPY") and (found := tables_without_workspace(text, tables))
    }
    assert wrong == {}


def test_a_form_takes_the_place_of_a_statement_with_the_same_parameters() -> None:
    for statement, parts in steps().items():
        most = max(int(number) for number in re.findall(r"\$(\d+)", statement)) - 1
        taken = {at for step in parts for at in step.takes}
        assert taken == set(range(1, most + 1)), statement


def test_no_index_or_table_keeps_citus_from_dividing_the_tables() -> None:
    with psycopg.connect(prepared(), options="-c search_path=strata") as session:
        unique = session.execute(
            "SELECT i.indrelid::regclass::text, a.attname FROM pg_index AS i"
            " JOIN pg_class AS c ON c.oid = i.indrelid"
            " JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
            " WHERE i.indisunique AND c.relnamespace = 'strata'::regnamespace"
        ).fetchall()
        triggers = session.execute(
            "SELECT tgname FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid"
            " WHERE c.relnamespace = 'strata'::regnamespace"
        ).fetchall()
        references = session.execute(
            "SELECT conname FROM pg_constraint"
            " WHERE contype = 'f' AND connamespace = 'strata'::regnamespace"
        ).fetchall()
    assert {table for table, first in unique if first != "ws"} <= SHARED
    assert (triggers, references) == ([], [])


def prepared() -> str:
    prepare_database(server_address())
    return server_address()


def test_a_server_without_citus_is_refused_and_left_as_it_is() -> None:
    name = f"plain_{ids.token().lower()}"
    with psycopg.connect(server_address(), autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}"'.encode())
    address = server_address().replace("/strata?", f"/{name}?")
    with pytest.raises(Unavailable, match="has no extension citus") as refusal:
        prepare_database(address, distributed=True)
    assert "CREATE EXTENSION citus" in str(refusal.value.hint)
    with psycopg.connect(address) as session:
        found = session.execute("SELECT to_regnamespace('strata') IS NULL").fetchone()
    assert found == (True,)


# What stands for the extension: its functions, which note how they were called.
_PRETENDED = """
CREATE SCHEMA pretended;
CREATE TABLE pretended.calls (number BIGSERIAL, call TEXT);
CREATE TABLE pretended.pg_dist_partition (logicalrelid OID);
CREATE FUNCTION pretended.create_reference_table(name TEXT) RETURNS void LANGUAGE sql AS $$
    INSERT INTO pretended.calls (call) VALUES ('reference ' || name);
    INSERT INTO pretended.pg_dist_partition VALUES (name::regclass::oid);
$$;
CREATE FUNCTION pretended.create_distributed_table(
    name TEXT, by TEXT, colocate_with TEXT DEFAULT 'default', shard_count BIGINT DEFAULT NULL
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO pretended.calls (call)
    VALUES (concat_ws(' ', name, by, colocate_with, shard_count));
    INSERT INTO pretended.pg_dist_partition VALUES (name::regclass::oid);
$$;
CREATE FUNCTION pretended.run_command_on_workers(command TEXT) RETURNS void LANGUAGE sql AS $$
    INSERT INTO pretended.calls (call) VALUES (command);
$$;
"""


@pytest.fixture(name="cluster")
def fixture_cluster(monkeypatch: pytest.MonkeyPatch) -> str:
    """Make a database that believes it is a cluster; return its address."""
    name = f"cluster_{ids.token().lower()}"
    with psycopg.connect(server_address(), autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}"'.encode())
        session.execute(f'ALTER DATABASE "{name}" RESET ALL'.encode())
    address = server_address().replace("/strata?", f"/{name}?")
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(_PRETENDED.encode())
    monkeypatch.setattr(administration, "_require_citus", lambda _cursor: None)
    settings = {**administration.SETTINGS, "search_path": "strata,pretended"}
    monkeypatch.setattr("strata.sql.postgres.workspaces.SETTINGS", settings)
    return address


def calls(address: str) -> list[str]:
    with psycopg.connect(address) as session:
        rows = session.execute("SELECT call FROM pretended.calls ORDER BY number").fetchall()
    return [str(call) for (call,) in rows]


def test_all_tables_are_divided_alike_and_a_second_call_goes_on(cluster: str) -> None:
    done = prepare_database(cluster, distributed=True)
    assert done.is_distributed
    noted = calls(cluster)
    assert noted[0] == "strata.catalog ws default 32"
    assert {one for one in noted if one.startswith("reference ")} == {
        "reference strata.formats",
        "reference strata.workspaces",
    }
    assert "strata.versions ws strata.catalog" in noted
    divided = [one for one in noted if " ws " in one]
    assert len(divided) == len(set(divided)) > 50
    assert any("SET \"enable_seqscan\" = 'off'" in one for one in noted)
    prepare_database(cluster, distributed=True)
    again = calls(cluster)[len(noted) :]
    assert [one for one in again if " ws " in one or one.startswith("reference ")] == []


def test_a_cluster_is_used_with_the_forms_for_it(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare_database(cluster, distributed=True)
    sent: list[str] = []
    from strata.sql.postgres.connection import PostgresConnection as Used

    before = Used._parts

    def parts(self: Any, statement: str, values: Any) -> Any:
        found = before(self, statement, values)
        sent.extend(text for text, _values in found)
        return found

    monkeypatch.setattr(Used, "_parts", parts)
    with strata.open(f"{cluster}&workspace=연구") as db:
        db.kv.put("서울", {"n": 1})
        db.kv.put("서울", {"n": 2})
        db.branches.fork("가지")
        db.on("가지").kv.put("부산", 1)
        db.branches.merge("가지")
        assert [one.version for one in db.kv.history("서울")] == [2, 1]
        assert db.verify().ok
    plain = load("postgres")
    assert not {plain.append_version, plain.append_branch, plain.insert_version} & set(sent)
    assert any(text.startswith("INSERT INTO versions") for text in sent)


def test_row_level_security_is_gone_from_a_cluster(cluster: str) -> None:
    prepare_database(cluster, distributed=True)
    with psycopg.connect(cluster) as session:
        left = session.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'strata'::regnamespace"
            " AND relrowsecurity"
        ).fetchall()
    assert left == []


# Fails some times, as if the node of a workspace were lost, or moved, and then lets writers pass.
_FAILING = """
CREATE SEQUENCE pretended.failures;
CREATE FUNCTION pretended.fail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('pretended.failures') <= 3 THEN
        RAISE EXCEPTION 'the node is gone' USING ERRCODE = '{state}';
    END IF;
    RETURN NEW;
END;
$$;
CREATE TRIGGER fail BEFORE INSERT ON strata.versions
    FOR EACH ROW EXECUTE FUNCTION pretended.fail();
"""


@pytest.mark.parametrize("state", ["08006", "57P01", "40P01", "40001"])
def test_a_put_outlasts_a_node_that_is_lost_or_a_workspace_that_moves(
    cluster: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RECONNECT_PAUSE_S", 0.05)
    prepare_database(cluster, distributed=True)
    with strata.open(cluster, auto_embed=False) as db:
        db.kv.put("앞", 1)
        with psycopg.connect(cluster, autocommit=True) as session:
            session.execute(_FAILING.format(state=state).encode())
        made = db.kv.put("뒤", 2)
        assert [one.version for one in db.kv.history("뒤")] == [made.version]
        assert made.version == 2
        assert db.verify().ok


def test_a_transaction_that_loses_its_node_says_that_nothing_was_changed(cluster: str) -> None:
    prepare_database(cluster, distributed=True)
    with strata.open(cluster, auto_embed=False) as db:
        db.kv.put("앞", 1)
        with psycopg.connect(cluster, autocommit=True) as session:
            session.execute(_FAILING.format(state="08006").encode())
        with pytest.raises(Unavailable, match="Nothing was changed"):
            db.kv.put_many({"하나": 1, "둘": 2})
        for _time in range(5):
            with suppress(Unavailable):
                db.kv.put_many({"하나": 1, "둘": 2})
        assert db.kv.get("하나") is not None
        assert db.verify().ok
