"""Listings on PostgreSQL come in the order of their keys, though nothing sorts them as a whole.

A listing goes from run to run of the index and stops at its limit. ORDER BY at its end would make
the server read all runs first. That the rows come in order follows from the plan: a run is needed
to find the next one and what belongs to it, so the runs are the outer side of nested loops, and
the server has no other way to join them.
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

import strata
from strata.sql import load
from tests.databases import address_of, server_address

LISTINGS = ("keys_in_order", "items_in_order", "items_of_branch")
# What leads the planner to other plans, where it has a choice.
CHOICES = {
    "as it is": "",
    "without nested loops": "-c enable_nestloop=off",
    "without sorting": "-c enable_sort=off -c enable_incremental_sort=off",
    "without indexes": "-c enable_indexscan=off -c enable_indexonlyscan=off",
    "in parallel": (
        "-c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c min_parallel_table_scan_size=0"
        " -c min_parallel_index_scan_size=0 -c max_parallel_workers_per_gather=4"
    ),
    "by workers": "-c debug_parallel_query=on",
}
KEYS = [f"열쇠/{number:04}" for number in range(1_500)]


@pytest.fixture(scope="module")
def db() -> Iterator[strata.Workspace]:
    """A branch with some versions of each key, of which its parent has written some."""
    with strata.open(address_of(None), durability="standard", auto_embed=False) as db:
        for times in range(3):
            db.kv.put_many(dict.fromkeys(KEYS[times:], times))
        db.branches.fork("가지")
        db.on("가지").kv.put_many(dict.fromkeys(KEYS[::3], "own"))
        for number in range(300):
            db.kv.put(KEYS[700], number)
        yield db


@pytest.fixture(params=CHOICES)
def session(request: pytest.FixtureRequest) -> Iterator["psycopg.Connection[Any]"]:
    options = f"-c search_path=strata {CHOICES[request.param]}"
    with psycopg.connect(server_address(), autocommit=True, options=options) as session:
        yield session


def above_runs(plan: dict[str, Any]) -> list[str] | None:
    """Return what is between the rows and the runs that they come from; None without runs."""
    if plan.get("CTE Name") == "walk":
        return []
    for inner in plan.get("Plans", ()):
        if inner.get("Parent Relationship") != "InitPlan":
            found = above_runs(inner)
            if found is not None:
                side = inner.get("Parent Relationship")
                return [f"{plan['Node Type']}, {side}", *found]
    return None


@pytest.mark.parametrize("name", LISTINGS)
def test_the_runs_of_a_listing_are_the_outer_side_of_nested_loops(
    name: str, db: strata.Workspace, session: "psycopg.Connection[Any]"
) -> None:
    assert db.kv.count() == len(KEYS)
    statement = f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {getattr(load('postgres'), name)}"
    found = session.execute(statement.encode()).fetchone()
    assert found is not None
    above = above_runs(found[0][0]["Plan"])
    assert above
    limit = above.index("Limit, Outer")
    # A listing of one branch is joined with the one row of the catalog.
    assert set(above[:limit]) <= {"Nested Loop, Inner", "Materialize, Outer"}
    assert set(above[limit + 1 :]) == {"Nested Loop, Outer"}


@pytest.mark.parametrize("branch", ["default", "가지"])
@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_comes_in_order_whatever_the_planner_chooses(
    name: str, branch: str, db: strata.Workspace, session: "psycopg.Connection[Any]"
) -> None:
    store = db.serving.store
    connection: Any = store.connection()
    row = store.catalog.known(branch)
    keyspace = store.catalog.keyspace("default", "kv", connection)
    assert row is not None
    given = [row.id, keyspace, "", "\U0010ffff", 2**62]
    given += [1_000] if name == "keys_in_order" else [1, 1_000]
    values = [*given, connection._workspace]
    rows = psycopg.RawCursor(session).execute(getattr(load("postgres"), name), values).fetchall()
    keys = [found[1] if name == "items_of_branch" else found[0] for found in rows]
    own = KEYS if branch == "default" or name == "items_in_order" else KEYS[::3]
    assert keys == own[:1_000]
