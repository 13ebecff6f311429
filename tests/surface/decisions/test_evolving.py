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
            "evolve_supersede",
            id=ids[-1],
            decision=f"Next {number}",
            reasoning="Learned",
            confidence=0.9,
        )
        assert saved["superseded"] == [ids[-1]]
        assert saved["topic"] == "auth"
        ids.append(saved["id"])
    chain = call("search_by_topic", topic="auth")["chain"]
    assert [one["id"] for one in chain] == ids
    assert chain[-1]["confidence"] == 0.9


def test_replacing_what_was_already_replaced_is_refused_and_the_current_one_named(
    call: Call, fail: Call, decide: Decide
) -> None:
    first = decide("auth", "Sessions")
    decide("auth", "Tokens")
    third = decide("auth", "패스키")
    arguments = {"decision": "Certificates", "reasoning": "Safer"}
    error = fail("evolve_supersede", id=first, **arguments)
    assert error["code"] == "conflict"
    assert error["current"] == [{"id": third, "topic": "auth", "decision": "패스키"}]
    assert "Nothing was changed" in error["message"]
    other = fail("save_decision", topic="login", supersedes=first, **arguments)
    assert other["ids"] == [third]
    assert call("search_by_topic", topic="auth")["current"] == [third]


def test_the_same_outcome_again_changes_nothing_and_makes_no_second_insight(
    call: Call, decide: Decide, db: strata.Workspace
) -> None:
    decide("캐시", "한 시간")
    verdict = {"topic": "캐시", "outcome": "FAILED", "reason": "가격이 틀렸다"}
    first = call("evolve_outcome", **verdict)
    again = call("evolve_outcome", **verdict)
    assert again["unchanged"] is True
    assert "unchanged" not in first
    assert (again["insight"], again["version"]) == (first["insight"], first["version"])
    assert len(db.decisions.recent(types=("insight",))) == 1
    better = call("evolve_outcome", **{**verdict, "reason": "가격이 십 분마다 바뀐다"})
    assert better["insight"] == first["insight"], "a better reason corrects the insight"
    assert "십 분마다" in db.decisions.require(first["insight"]).content


def test_another_outcome_does_not_keep_the_reason_of_the_one_before(
    call: Call, decide: Decide
) -> None:
    id_ = decide("auth", "Tokens")
    call("evolve_outcome", id=id_, outcome="FAILED", reason="They leaked")
    call("evolve_outcome", id=id_, outcome="SUCCESS")
    memory = call("load_context", id=id_)["memory"]
    assert memory["outcome"] == "SUCCESS"
    assert "outcome_reason" not in memory


def test_the_same_save_again_is_answered_as_unchanged(call: Call, db: strata.Workspace) -> None:
    lesson = {"insight": "캐시가 느린 질의를 감췄다", "tags": ["캐시"]}
    target = call("save_insight", **lesson)["id"]
    choice = {
        "topic": "cache",
        "decision": "A minute",
        "reasoning": "Prices move",
        "links": [{"to_id": target, "relationship": "motivated_by"}],
    }
    saves = [
        ("save_decision", choice),
        ("evolve_supersede", {"topic": "cache", "decision": "Ten seconds", "reasoning": "Faster"}),
        ("save_checkpoint", {"summary": "검색을 마쳤다", "open_files": ["a.py"]}),
        ("save_insight", lesson | {"insight": "Queries were slow"}),
    ]
    for tool, arguments in saves:
        first = call(tool, **arguments)
        commits = len(db.log(limit=100))
        again = call(tool, **arguments)
        assert (again["id"], again["unchanged"]) == (first["id"], True)
        assert again["superseded"] == first["superseded"]
        assert len(db.log(limit=100)) == commits, "nothing was written"


def test_the_same_decision_is_new_once_its_outcome_is_known_or_its_links_differ(
    call: Call, decide: Decide
) -> None:
    first = decide("auth", "Tokens")
    lesson = call("save_insight", insight="Tokens expire")["id"]
    linked = decide("auth", "Tokens", links=[{"to_id": lesson, "relationship": "supports"}])
    assert linked != first
    call("evolve_outcome", topic="auth", outcome="FAILED", reason="Leaked")
    assert decide("auth", "Tokens") not in (first, linked)


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


def test_a_merge_takes_the_verdict_of_one_side_as_a_whole(
    call: Call, decide: Decide, db: strata.Workspace
) -> None:
    id_ = decide("auth", "Tokens")
    db.branches.fork("시험")
    call("evolve_outcome", id=id_, outcome="FAILED", reason="leaked", branch="시험")
    call("evolve_outcome", id=id_, outcome="SUCCESS")
    preview = db.branches.merge("시험", strategy="target_wins", preview=True)
    assert [entry.key for entry in preview.conflicts] == [id_], "the decision is listed once"
    db.branches.merge("시험", strategy="target_wins")
    memory = db.decisions.require(id_)
    assert (memory.outcome, memory.outcome_reason) == ("SUCCESS", None)
    db.branches.fork("둘째")
    call("evolve_outcome", id=id_, outcome="PARTIAL", reason="only the web", branch="둘째")
    call("evolve_outcome", id=id_, outcome="FAILED", reason="도난")
    db.branches.merge("둘째", strategy="source_wins")
    memory = db.decisions.require(id_)
    assert (memory.outcome, memory.outcome_reason) == ("PARTIAL", "only the web")


def test_branches_that_came_to_the_same_verdict_do_not_conflict(
    call: Call, decide: Decide, db: strata.Workspace
) -> None:
    id_ = decide("auth", "Tokens")
    db.branches.fork("try")
    call("evolve_outcome", id=id_, outcome="SUCCESS", branch="try")
    call("evolve_outcome", id=id_, outcome="SUCCESS")
    assert db.branches.merge("try", strategy="strict").conflicts == ()


def test_the_text_for_a_topic_whose_decisions_were_all_replaced_names_what_is_current(
    call: Call, fail: Call, decide: Decide
) -> None:
    old = decide("login", "Passwords")
    new = decide("인증", "Passkeys", supersedes=old)
    for tool, more in (
        ("evolve_outcome", {"outcome": "SUCCESS"}),
        ("load_context", {}),
        ("evolve_supersede", {"decision": "d", "reasoning": "r"}),
    ):
        error = fail(tool, topic="login", **more)
        assert error["ids"] == [new]
        assert "was replaced" in error["message"]
    assert "There is no decision" in fail("load_context", topic="nobody")["message"]
    assert old in {one["id"] for one in call("search_by_topic", topic="login")["chain"]}
