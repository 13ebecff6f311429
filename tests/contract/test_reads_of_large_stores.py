"""What calls read of PostgreSQL's pages does not grow with the store.

That no table is scanned from end to end is not enough: a scan of a whole index is as slow. So the
pages are counted that each statement of a call reads in a store of 100,000 facts.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, LiteralString

import psycopg
import pytest

import strata
from strata.sql import load
from strata.sql.postgres.types import adapt_types
from strata.sql.postgres.workspaces import SETTINGS
from tests.databases import address_of, server_address

pytestmark = pytest.mark.slow
FACTS, BATCH = 100_000, 5_000
# A get reads about ten pages; the index of the keys has over 800.
PAGES_MAX = 150


@pytest.fixture(scope="module", params=["old statistics", "new statistics"])
def db(request: pytest.FixtureRequest) -> Iterator[strata.Workspace]:
    # The server counts values by itself, from time to time. Until then its statistics are about
    # other workspaces, and a workspace that they do not know would look as if it had one row.
    for _ in range(20):
        with strata.open(address_of(None), durability="standard", auto_embed=False) as other:
            other.kv.put_many({f"다른/{n:06}": n for n in range(1000)})
    _run("ANALYZE")
    with strata.open(address_of(None), durability="standard", auto_embed=False) as db:
        for first in range(0, FACTS, BATCH):
            db.kv.put_many(
                {f"팀/{n % 1000:03}/{n:06}": {"n": n} for n in range(first, first + BATCH)}
            )
        db.branches.fork("가지")
        db.on("가지").kv.put_many({f"가지/{n}": n for n in range(100)})
        # The server does so by itself a while after rows were written; until then an index-only
        # scan reads a page of the table for every row, and counts depend on the moment.
        _run("VACUUM" if request.param == "old statistics" else "VACUUM ANALYZE")
        yield db


def _run(statement: LiteralString) -> None:
    with psycopg.connect(server_address(), autocommit=True) as session:
        session.execute(statement)


CALLS: dict[str, Callable[[strata.Workspace], object]] = {
    "get": lambda db: db.kv.get("팀/077/050077"),
    "get on a fork": lambda db: db.on("가지").kv.get("팀/077/050077"),
    "get of 100": lambda db: db.kv.get_many([f"팀/{n:03}/{n:06}" for n in range(100)]),
    "get at a version": lambda db: db.at(50_000).kv.get("팀/077/050077"),
    "list of 100": lambda db: db.kv.list("팀/5", limit=100),
    "items of 100": lambda db: db.kv.items("팀/5", limit=100),
    "items of 100 on a fork": lambda db: db.on("가지").kv.items("팀/5", limit=100),
    "history": lambda db: db.kv.history("팀/077/050077"),
    "log of 50": lambda db: db.log(limit=50),
    "count": lambda db: db.kv.count(),
    "diff": lambda db: db.branches.diff("default", "가지"),
    "put": lambda db: db.kv.put("팀/077/050077", 1),
    "events.append": lambda db: db.events.append("일", {"n": 1}),
    "fork": lambda db: db.branches.fork("다른 가지"),
}
# Writes that number what they write themselves, so that they can be made once more and undone.
REPEATABLE = (load("postgres").append_version, load("postgres").append_branch)
# Calls that read a run of keys, or what a whole branch holds, and a put, which changes a dozen
# indexes: so many pages more.
MORE = {
    "put": 100,
    "get of 100": 1000,
    "items of 100": 400,
    "items of 100 on a fork": 1000,
    "list of 100": 600,  # each key is looked up by itself, in five or six pages
    "diff": 2000,
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_reads_few_pages_of_a_large_store(
    name: str, db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    CALLS[name](db) if name != "fork" else None  # what is remembered is loaded
    sent: list[tuple[str, Sequence[Any]]] = []
    execute = psycopg.RawCursor.execute

    def noted(self: Any, query: Any, values: Sequence[Any] | None = None, **options: Any) -> Any:
        is_read = query.startswith(("SELECT", "WITH")) and "INSERT INTO" not in query
        if values and (is_read or query in REPEATABLE):
            sent.append((query, tuple(values)))
        return execute(self, query, values, **options)

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.RawCursor, "execute", noted)
        CALLS[name](db)
    assert sent
    found = {statement: pages(statement, values) for statement, values in sent}
    most = PAGES_MAX + MORE.get(name, 0)
    assert {statement: read for statement, read in found.items() if read > most} == {}


def pages(statement: str, values: Sequence[Any]) -> int:
    """Count the pages that a statement reads; what it writes is undone."""
    options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
    with (
        psycopg.connect(server_address(), options=options) as session,
        psycopg.RawCursor(session) as cursor,
    ):
        adapt_types(session)
        # A put was made already; a request is made once.
        cursor.execute("DELETE FROM commit_requests WHERE ws = $1", values[-1:])
        explained = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}"
        found = cursor.execute(explained.encode(), values).fetchone()
        session.rollback()
    assert found is not None
    plan = found[0][0]["Plan"]
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


def test_no_plan_depends_on_statistics() -> None:
    with strata.open(address_of(None), durability="standard", auto_embed=False):
        pass
    with psycopg.connect(server_address()) as session:
        found = session.execute(COLUMNS_WITH_STATISTICS).fetchall()
        count = session.execute("SELECT count(*) FROM pg_stats WHERE schemaname = 'strata'")
        assert found == []
        assert count.fetchall() == [(0,)]


COLUMNS_WITH_STATISTICS: LiteralString = """
SELECT c.relname, a.attname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = 'strata'::regnamespace AND c.relkind IN ('r', 'p')
AND a.attnum > 0 AND NOT a.attisdropped AND a.attstattarget IS DISTINCT FROM 0
"""
