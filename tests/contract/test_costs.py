"""What the commonest calls cost, in numbers that no other program on the machine can change.

Times belong to the benchmarks. These bounds are close to what was measured, so that a layer or
a statement that is added to a hot path is a decision and not an accident.
"""

import tracemalloc
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

import strata
from strata.tools import Session, StoreHost, call_tool, registry
from tests.counting import counted

TIMES = 9
MEMORY_TIMES = 3
RECORD = {"id": 7, "owner": "지훈", "state": "open", "score": 0.125, "note": "배포 일정 검토"}


class Cost(NamedTuple):
    """The cheapest of several repetitions: the others also do what is done now and then."""

    calls: int
    statements: int
    kib: int


@pytest.fixture(name="db")
def fixture_db(tmp_path: Path) -> Iterator[strata.Workspace]:
    with strata.open(tmp_path / "store.db", durability="standard", auto_embed=False) as db:
        db.kv.put_many({f"team/{number:04}": {**RECORD, "id": number} for number in range(500)})
        yield db


def test_a_get_runs_one_statement(db: strata.Workspace) -> None:
    check(cost(lambda: db.kv.get("team/0007")), Cost(5, 1, 1))


def test_a_get_from_the_past_costs_no_more_than_one_of_the_present(db: strata.Workspace) -> None:
    past = db.at(db.kv.put("other", 1).version - 1)
    check(cost(lambda: past.kv.get("team/0007")), Cost(5, 1, 1))


def test_a_put_runs_one_statement(db: strata.Workspace) -> None:
    check(cost(lambda: db.kv.put("team/0007", RECORD)), Cost(73, 1, 4))


def test_a_batch_of_a_thousand_records_runs_three_statements(db: strata.Workspace) -> None:
    items = {f"team/{number:04}": {**RECORD, "id": number} for number in range(1000)}
    found = cost(lambda: db.kv.put_many(items), times=3)
    check(found, Cost(43_200, 3, 1100))


def test_a_log_of_single_writes_runs_as_many_statements_for_fifty_as_for_one(
    db: strata.Workspace,
) -> None:
    for number in range(50):
        db.kv.put(f"team/{number:04}", RECORD)
    check(cost(lambda: db.log(limit=50)), Cost(418, 2, 36))


def test_a_search_by_words_runs_few_statements(db: strata.Workspace) -> None:
    # One of the statements asks what replaces the hits, and one for the tokens of Korean texts.
    # Ten of the calls weigh how common the words are, and leave out weak hits, and six ask what
    # each of both models that read Korean has read.
    check(cost(lambda: db.search("배포 일정", limit=5)), Cost(610, 14, 80))


def test_an_edit_of_a_document_runs_few_statements(db: strata.Workspace) -> None:
    text = "\n\n".join(f"# Part {number}\n\nText {number} of it." for number in range(50))

    def edit_of_a_new_document() -> Cost:
        made = db.documents.create("계획", text)
        known = ["Text 7 of it."]

        def edit() -> None:
            known.append(f"Word {len(known)}.")
            db.documents.edit(made.document, known[-2], known[-1])

        return cost(edit)

    # Two calls more where the id of a document looks like a secret at the first glance, which
    # one id in seven does; the cheapest of several documents has none of it.
    check(min(edit_of_a_new_document() for _document in range(5)), Cost(512, 12, 30))


def test_a_store_by_a_tool_runs_few_statements(db: strata.Workspace) -> None:
    session, tool = Session(StoreHost(lambda: db), caller="owner"), registry().find("strata_store")
    assert tool is not None
    session.client = "claude-code"
    values = count()

    def store() -> None:
        outcome = call_tool(session, tool, {"key": "team/0007", "value": {"배포": next(values)}})
        assert not outcome.is_error

    # One of the statements asks for the setting `actor`, whose change counts at the next call. The
    # answer names facts that say nearly the same: twelve calls, where the value is no text.
    check(cost(store), Cost(191, 5, 6))


def check(found: Cost, bound: Cost) -> None:
    """Compare each number with its bound; a tuple would be compared by its first one alone."""
    over = {
        name: (number, most)
        for name, number, most in zip(Cost._fields, found, bound, strict=True)
        if number > most
    }
    assert over == {}, f"{found} costs more than {bound}"


def cost(call: Callable[[], object], *, times: int = TIMES) -> Cost:
    """Return what a call costs once everything is loaded and remembered."""
    call()
    counts = [counted(call) for _repetition in range(times)]
    return Cost(
        min(calls for calls, _statements in counts),
        min(statements for _calls, statements in counts),
        # A collection of garbage in between makes one of them take more.
        min(kib_of(call) for _repetition in range(MEMORY_TIMES)),
    )


def kib_of(call: Callable[[], object]) -> int:
    """Return how far a call raises the memory in use, in KiB, at most."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        call()
        return (tracemalloc.get_traced_memory()[1] - before) // 1024
    finally:
        tracemalloc.stop()
