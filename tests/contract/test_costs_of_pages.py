"""A question of one size costs the same in a large store as in a small one.

The cost is what SQLite does: instructions of its machine, which no other program on the machine
can change. What a process remembers is made by a first question, and left out.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import strata
from strata.base import limits
from strata.tools import Session, StoreHost, call_tool, registry
from tests.databases import address_of

SMALL, LARGE = 1000, 10_000
# A tree of keys is a level deeper in the large store, and a jump may end further behind a key
# that is remembered; ten times as many keys must not cost more than this.
GROWTH = 2.5


def work(db: strata.Workspace, call: Callable[[], object]) -> int:
    """Return how many instructions SQLite runs for a call, once everything is remembered."""
    call()
    connection: Any = db.serving.store.connection()
    steps: list[int] = []

    def note(event: dict[str, Any]) -> None:
        steps.append(event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"])

    raw: apsw.Connection = connection._connection
    raw.trace_v2(apsw.SQLITE_TRACE_PROFILE, note)
    try:
        call()
    finally:
        raw.trace_v2(0, None)
    return sum(steps)


def test_the_steps_of_sqlite_are_counted(tmp_path: Path) -> None:
    db = facts(tmp_path, SMALL)
    with db:
        few = work(db, lambda: db.kv.list(limit=10))
        many = work(db, lambda: db.kv.list(limit=290))
    assert 0 < few * 1.5 < many


def facts(tmp_path: Path, count: int) -> strata.Workspace:
    db = strata.open(tmp_path / f"{count}.db", durability="standard", auto_embed=False)
    db.kv.put_many({f"many/{number:05}": number for number in range(count)} | {"one": 1})
    return db


def events(tmp_path: Path, count: int) -> strata.Workspace:
    db = strata.open(tmp_path / f"{count}.db", durability="standard", auto_embed=False)
    types = ("deploy", "build", "test")
    db.events.append_many([(types[number % 3], {"n": number}) for number in range(count)])
    return db


def decisions(tmp_path: Path, count: int) -> strata.Workspace:
    db = strata.open(tmp_path / f"{count}.db", durability="standard", auto_embed=False)
    decide(db, count)
    return db


def decide(db: strata.Workspace, count: int) -> None:
    with db.transaction() as transaction:
        for number in range(count):
            transaction.decisions.save(f"topic {number:05}", f"Do {number}", "Because")


def asked(db: strata.Workspace, tool: str, **arguments: Any) -> dict[str, Any]:
    session = Session(StoreHost(lambda: db), caller="owner")
    found = next(one for one in registry().tools("page") if one.name == tool)
    outcome = call_tool(session, found, arguments)
    assert not outcome.is_error, outcome
    return outcome.value


def compared(
    tmp_path: Path,
    make: Callable[[Path, int], strata.Workspace],
    call: Callable[[strata.Workspace], object],
    sizes: tuple[int, int] = (SMALL, LARGE),
) -> None:
    """Ask one question in two stores, and compare what it costs."""
    costs: list[int] = []
    for size in sizes:
        with make(tmp_path, size) as db:
            costs.append(work(db, lambda db=db: call(db)))
    small, large = costs
    assert 0 < large < small * GROWTH, (small, large)


def middle(db: strata.Workspace) -> int:
    return db.facts.count("many/") // 2


FACT_QUESTIONS: dict[str, Callable[[strata.Workspace], object]] = {
    "a jump into the middle": lambda db: db.facts.items("many/", offset=middle(db), limit=20),
    "the count of a folder": lambda db: db.facts.count("many/"),
    "a level of the tree": lambda db: db.facts.places(),
    "the page": lambda db: asked(db, "page_memory", prefix="many/", limit=20),
}


@pytest.mark.parametrize("question", FACT_QUESTIONS)
def test_a_table_of_many_facts_costs_what_a_short_one_costs(tmp_path: Path, question: str) -> None:
    compared(tmp_path, facts, FACT_QUESTIONS[question])


def test_a_filter_looks_at_a_bounded_number_of_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "NAMES_LOOKED_AT", 200)
    compared(tmp_path, facts, lambda db: asked(db, "page_memory", query="00", limit=20))
    with strata.open(tmp_path / f"{LARGE}.db") as db:
        found = asked(db, "page_memory", query="00", limit=20)
    assert found["isCut"]
    assert found["total"] == 200


EVENT_QUESTIONS: dict[str, Callable[[strata.Workspace], object]] = {
    "the newest of a type": lambda db: db.events.newest("deploy", limit=10),
    "those before one": lambda db: db.events.newest("deploy", before=150, limit=10),
    "the first of a type": lambda db: db.events.list("deploy", after=30, limit=10),
    "the types": lambda db: db.events.types(days=7),
}


@pytest.mark.parametrize("question", EVENT_QUESTIONS)
def test_a_long_log_of_events_costs_what_a_short_one_costs(
    tmp_path: Path, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EVENTS_COUNTED", 200)
    compared(tmp_path, events, EVENT_QUESTIONS[question])


def test_types_say_that_older_events_were_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EVENTS_COUNTED", 30)
    with events(tmp_path, 90) as db:
        db.events.append_many([("new", {})] * 30)
        found = {one.type: one for one in db.events.types(days=2)}
    assert (found["new"].count, found["new"].more, sum(found["new"].days)) == (30, False, 30)
    assert (found["deploy"].count, found["deploy"].more) == (0, True)


DECISION_QUESTIONS: dict[str, dict[str, Any]] = {
    "the newest topics": {"limit": 20},
    "topics by name": {"query": "topic 0001", "limit": 10},
    "topics with a status": {"status": "disputed", "limit": 20},
}


@pytest.mark.parametrize("question", DECISION_QUESTIONS)
def test_many_decisions_cost_what_a_few_cost(
    tmp_path: Path, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOPIC_MEMORIES_LOOKED_AT", 100)
    monkeypatch.setattr(limits, "TOPIC_NAMES_LOOKED_AT", 100)
    given = DECISION_QUESTIONS[question]
    compared(tmp_path, decisions, lambda db: asked(db, "page_topics", **given), (200, 1000))


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_pages_of_topics_leave_none_out(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOPIC_MEMORIES_LOOKED_AT", 7)
    monkeypatch.setattr(limits, "TOPIC_NAMES_LOOKED_AT", 7)
    place = address_of(None) if database == "postgres" else tmp_path / "store.db"
    with strata.open(place, durability="standard", auto_embed=False) as db:
        decide(db, 40)
        for number in range(0, 40, 4):
            db.decisions.save(f"topic {number:05}", "Again", "Better")
        whole = [topic.name for topic in db.decisions.topics(limit=11).all()]
        few = [topic.name for topic in db.decisions.topics(limit=2).all()]
        named = [topic.name for topic in db.decisions.topics("TOPIC-0002", limit=3).all()]
        stats = db.decisions.stats().topics
    assert whole == few == [topic.name for topic in stats]
    assert sorted(named) == [f"topic {number:05}" for number in range(20, 30)]


def test_counting_a_prefix_does_not_know_how_often_its_keys_were_written(tmp_path: Path) -> None:
    steps: list[int] = []
    for times in (5_000, 15_000):
        path = tmp_path / f"{times}.db"
        with strata.open(path, durability="cache", auto_embed=False, text_index=False) as db:
            db.kv.put_many({"깊이/둘": 1, "깊이/지움": 1, "넓이": 1})
            db.kv.delete("깊이/지움")
            for number in range(times):
                db.kv.put("깊이/하나", number)
            assert db.kv.count("깊이/") == 2
            before = db.kv.history("깊이/하나", limit=2)[-1].version
            assert db.at(before).kv.count("깊이/") == 2
            steps.append(work(db, lambda: db.kv.count("깊이/")))
    assert steps[1] < steps[0] * 1.2
