"""Outcomes and replacements, and what branches do with them."""

from collections.abc import Callable

import pytest

import strata
from tests.surface.decisions.conftest import Call

Decide = Callable[..., str]


@pytest.mark.parametrize(
    ("given", "kept"),
    [("SUCCESS", "SUCCESS"), ("success", "SUCCESS"), ("Partial", "PARTIAL"), ("성공", "SUCCESS")],
)
def test_an_outcome_is_a_new_version_of_the_decision_and_an_insight(
    call: Call, decide: Decide, db: strata.Workspace, given: str, kept: str
) -> None:
    id_ = decide("배포", "파란 클러스터")
    before = db.decisions.require(id_).version
    found = call("evolve_outcome", topic="배포", outcome=given, limitation="작은 부하에서만")
    assert (found["id"], found["outcome"], found["topic"]) == (id_, kept, "배포")
    assert found["version"] > before
    memory = db.decisions.require(id_)
    assert (memory.outcome, memory.metadata["limitation"]) == (kept, "작은 부하에서만")
    insight = db.decisions.require(found["insight"])
    assert insight.metadata["category"] == "outcome"
    assert [link.relationship for link in db.decisions.links(insight.id)] == ["outcome_of"]
    assert len(db.log()) == 2, "one call is one commit"


def test_the_reason_of_a_failure_can_be_searched(call: Call, decide: Decide) -> None:
    id_ = decide("cache", "Cache for an hour")
    verdict = call("evolve_outcome", id=id_, outcome="FAILED", reason="Customers saw stale prices")
    assert "evolve_supersede" in verdict["hint"]
    results = call("search_by_context", query="stale prices customers")["results"]
    assert verdict["insight"] in {one["id"] for one in results}
    assert id_ in {one["id"] for one in results}


def test_a_failure_needs_its_reason(call: Call, fail: Call, decide: Decide) -> None:
    id_ = decide("auth", "Tokens")
    for more in ({}, {"reason": "  "}, {"limitation": "mobile only"}):
        error = fail("evolve_outcome", id=id_, outcome="FAILED", **more)
        assert error["parameter"] == "reason"
        assert error["example"]["arguments"]["reason"]
    assert "outcome" not in call("load_context", id=id_)["memory"]


def test_an_outcome_can_be_corrected(call: Call, decide: Decide) -> None:
    id_ = decide("auth", "Tokens")
    call("evolve_outcome", id=id_, outcome="SUCCESS")
    call("evolve_outcome", id=id_, outcome="FAILED", reason="도난")
    found = call("load_context", id=id_)["memory"]
    assert (found["outcome"], found["outcome_reason"]) == ("FAILED", "도난")


def test_a_replacement_keeps_the_topic_and_the_chain(call: Call, decide: Decide) -> None:
    ids = [decide("auth", "Sessions")]
    for number in range(7):
        saved = call(
            "evolve_supersede", id=ids[-1], decision=f"Next {number}", reasoning="Learned",
            confidence=0.9,
        )  # fmt: skip
        assert saved["superseded"] == [ids[-1]]
        assert saved["topic"] == "auth"
        ids.append(saved["id"])
    chain = call("search_by_topic", topic="auth")["chain"]
    assert [one["id"] for one in chain] == ids
    assert chain[-1]["confidence"] == 0.9


def test_replacing_what_was_already_replaced_is_flagged(call: Call, decide: Decide) -> None:
    first = decide("auth", "Sessions")
    second = decide("auth", "Tokens")
    third = call("evolve_supersede", id=first, decision="Passkeys", reasoning="Safer")
    assert sorted(third["conflict"]) == sorted([second, third["id"]])


def test_what_cannot_be_meant_is_refused(call: Call, fail: Call, decide: Decide) -> None:
    lesson = call("save_insight", insight="no decision")["id"]
    wrong = {"decision": "d", "reasoning": "r"}
    assert fail("evolve_supersede", **wrong)["parameter"] == "id"
    assert fail("evolve_supersede", **wrong, id=lesson)["parameter"] == "id"
    missing = fail("evolve_supersede", **wrong, topic="nobody")
    assert missing["code"] == "not_found"
    assert fail("evolve_outcome", outcome="SUCCESS", id="decision_0")["code"] == "not_found"
    assert fail("evolve_outcome", outcome="great", topic="x")["parameter"] == "outcome"
    first = decide("auth", "Tokens")
    second = decide("auth", "Passkeys", supersedes="none")
    split = fail("evolve_outcome", outcome="SUCCESS", topic="auth")
    assert split["code"] == "conflict"
    assert sorted(split["ids"]) == sorted([first, second])
    long = fail("evolve_outcome", outcome="FAILED", id=first, reason="r" * 5001)
    assert (long["code"], long["parameter"]) == ("limit_exceeded", "reason")


# ---------------------------------------------------------------- branches


def test_a_decision_on_a_branch_is_seen_there_until_it_is_merged(
    call: Call, decide: Decide, db: strata.Workspace
) -> None:
    first = decide("auth", "Sessions")
    db.branches.fork("try")
    second = call(
        "save_decision", topic="auth", decision="Tokens", reasoning="Mobile", branch="try"
    )
    assert second["branch"] == "try"
    assert second["superseded"] == [first]
    assert call("search_by_topic", topic="auth")["current"] == [first]
    assert call("search_by_topic", topic="auth", branch="try")["current"] == [second["id"]]
    assert call("search_by_context", query="Tokens", types=["decision"])["results"] == []
    db.branches.merge("try")
    merged = call("search_by_topic", topic="auth")
    assert [one["id"] for one in merged["chain"]] == [first, second["id"]]
    assert merged["current"] == [second["id"]]


def test_branches_that_decided_differently_leave_two_current_decisions(
    call: Call, decide: Decide, db: strata.Workspace
) -> None:
    decide("auth", "Sessions")
    db.branches.fork("시험")
    there = decide("auth", "패스키", branch="시험")
    here = decide("auth", "Tokens")
    db.branches.merge("시험")
    found = call("search_by_topic", topic="auth")
    assert found["conflict"] is True
    assert sorted(found["current"]) == sorted([there, here])
    settled = call("save_decision", topic="auth", decision="Both", reasoning="Merged")
    assert sorted(settled["superseded"]) == sorted([there, here])
    assert call("search_by_topic", topic="auth")["current"] == [settled["id"]]


def test_an_outcome_on_a_branch_stays_there(
    call: Call, decide: Decide, db: strata.Workspace
) -> None:
    id_ = decide("auth", "Tokens")
    db.branches.fork("try")
    call("evolve_outcome", id=id_, outcome="SUCCESS", branch="try")
    assert "outcome" not in call("load_context", id=id_)["memory"]
    assert call("load_context", id=id_, branch="try")["memory"]["outcome"] == "SUCCESS"
