"""Rights are asked for at every read, so they must cost next to nothing in a large workspace.

Counted and not timed: how long it takes is up to the machine.
"""

from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from strata.access import FULL, Permissions
from strata.base.ids import new_id
from strata.sql import SqliteConnection
from tests.counting import counted
from tests.unit.conftest import Bench

DOCUMENTS, PEOPLE, TEAMS, FOLDERS = 20_000, 200, 30, 1_000


@pytest.fixture
def crowd(bench: Bench) -> tuple[Bench, list[str]]:
    """A workspace in which one of the users sees every document."""
    chance, queries, db = Random(7), bench.store.queries, bench.db
    with bench.store.writing() as connection:
        people = [db.users.add(f"user{n}@example.com").id for n in range(PEOPLE - 1)]
        teams = [db.teams.root().id]
        for number in range(TEAMS - 1):
            teams.append(db.teams.add(f"팀 {number}", chance.choice(teams)).id)
        for user in people:
            db.teams.set_member(chance.choice(teams[1:]), user, "editor")
        db.teams.set_member(teams[0], people[0], "viewer")
        folders = [new_id("folder") for _ in range(FOLDERS - PEOPLE)]
        rows = ((one, one, None, chance.choice(teams), None, 0, 1) for one in folders)
        connection.run_many(queries.insert_folder, rows)
        documents = [new_id("doc") for _ in range(DOCUMENTS)]
        places = ((one, chance.choice(folders), chance.choice(people)) for one in documents)
        connection.run_many(queries.upsert_placement, places)
        shares = {(chance.choice(documents), chance.choice(people)) for _ in range(2_000)}
        connection.run_many(queries.upsert_share, ((*pair, 2, 1) for pair in sorted(shares)))
    return bench, documents


def hundreds(bench: Bench, work: Callable[[], object]) -> int:
    """Return how many hundred instructions SQLite's machine runs for a call."""
    found: list[None] = []
    # It is our connection's own; nothing but a test counts instructions.
    connection = bench.store.connection()
    assert isinstance(connection, SqliteConnection)
    inner = connection._connection
    inner.set_progress_handler(lambda: bool(found.append(None)), 100)
    try:
        work()
    finally:
        inner.set_progress_handler(None)
    return len(found)


def test_rights_of_a_large_workspace_cost_little(crowd: tuple[Bench, list[str]]) -> None:
    bench, documents = crowd
    user = bench.db.users.require("user0@example.com")
    rights = Permissions(bench.store, user, FULL)
    marks = count(1)

    def look_again() -> None:
        with bench.store.writing() as connection:
            connection.run(bench.store.queries.change_access_mark, (next(marks),))
        assert len(rights.visible()) == DOCUMENTS

    def roles() -> None:
        assert {rights.role(one) for one in some} <= {"viewer", "commenter", "editor"}

    some = documents[::200]
    look_again()
    roles()
    for work, calls, statements, instructions in (
        (look_again, 70, 9, 16 * DOCUMENTS),
        (rights.visible, 7, 1, 100),
        (roles, 9 * len(some) + 2, len(some), 200 * len(some)),
    ):
        found = (*counted(work), 100 * hundreds(bench, work))
        bounds = (calls, statements, instructions)
        assert all(one <= most for one, most in zip(found, bounds, strict=True)), (found, bounds)
