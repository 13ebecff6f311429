"""Decisions in what other tools tell: diff, merge, history, status, and the digest."""

from collections.abc import Callable

import strata
from strata.hooks import digest_lines
from strata.tools import Session, tokens
from tests.surface.decisions.conftest import Call
from tests.surface.mcp.wire import Talk, hello

Decide = Callable[..., str]


def test_links_are_no_changes_and_no_keys(call: Call, decide: Decide) -> None:
    first = decide("auth", "Sessions")
    call("strata_store", key="target", value="blue")
    after = call("strata_status")
    assert after["keys"] == 1
    call("strata_branch", action="fork", name="시험")
    start = call("strata_store", key="mark", value=1)["version"]
    second = decide("auth", "토큰", branch="시험")
    lesson = call(
        "save_insight",
        insight="Tokens expire",
        branch="시험",
        links=[{"to_id": first, "relationship": "about"}],
    )["id"]
    diff = call("strata_branch", action="diff", compare="시험")
    assert {change["key"] for change in diff["changes"]} == {second, lesson}
    assert diff["summary"] == {"added": 2, "removed": 0, "modified": 0}
    merged = call("strata_branch", action="merge", source="시험")
    assert merged["applied"] == 2
    assert {change["key"] for change in merged["changes"]} == {second, lesson}
    changes = call("strata_history", after=start)["changes"]
    assert {change["key"] for change in changes} == {second, lesson}
    value = next(change["value"] for change in changes if change["key"] == second)
    assert value.keys() == {"type", "topic", "content", "reasoning", "confidence", "timestamp"}
    assert call("search_by_topic", topic="auth")["current"] == [second], "the links were merged"


def test_a_page_of_changes_is_full_though_links_are_left_out(call: Call) -> None:
    start = call("strata_store", key="mark", value=1)["version"]
    ids = [call("save_insight", insight=f"교훈 {number}")["id"] for number in range(6)]
    page = call("strata_history", after=start, limit=4)
    assert [change["key"] for change in page["changes"]] == ids[:4]
    rest = call("strata_history", **page["next"]["arguments"])
    assert [change["key"] for change in rest["changes"]] == ids[4:]


def test_a_conflict_about_an_outcome_lists_the_decision_once_and_what_differs(
    call: Call, fail: Call, decide: Decide
) -> None:
    id_ = decide("auth", "Tokens")
    call("strata_branch", action="fork", name="try")
    call("evolve_outcome", id=id_, outcome="FAILED", reason="도난", branch="try")
    call("evolve_outcome", id=id_, outcome="SUCCESS")
    refused = fail("strata_branch", action="merge", source="try")
    assert refused["code"] == "merge_conflict"
    merged = call("strata_branch", action="merge", source="try", strategy="target_wins")
    (conflict,) = merged["resolved"]
    assert conflict["key"] == id_
    assert conflict["source"] == {"outcome": "FAILED", "failure_reason": "도난"}
    assert conflict["target"] == {"outcome": "SUCCESS"}


def test_the_digest_is_one_text_for_the_hook_and_the_prompt(
    call: Call, decide: Decide, session: Session, db: strata.Workspace
) -> None:
    decide("auth", "Tokens")
    decide("auth", "패스키", supersedes="none")
    call("save_checkpoint", summary="가격 캐시를 고쳤다", next_steps="Tests", open_files=["a.py"])
    call("strata_store", key="배포/대상", value="green")
    decide("cache", "Cache prices for a minute")
    call("evolve_outcome", topic="cache", outcome="FAILED", reason="Too long")
    lines = digest_lines(db.decisions)
    assert lines[1].endswith("가격 캐시를 고쳤다")
    assert lines[2:4] == ["- next steps: Tests", "- open files: a.py"]
    text = "\n".join(lines)
    assert "cache: Cache prices for a minute (FAILED: Too long)" in text
    assert "배포/대상 (version " in text
    assert "green" in text
    assert "without an outcome: 2 decisions (auth)" in text
    assert "conflict: auth has 2 current decisions" in text
    assert " 0 " not in text
    assert tokens(text) <= 300
    talk = Talk(session)
    talk.tell(hello())
    got = talk.ask("prompts/get", {"name": "resume"})["result"]
    assert got["messages"][0]["content"]["text"].startswith(text)


def test_a_digest_of_a_busy_week_stays_short(call: Call, db: strata.Workspace) -> None:
    call(
        "save_checkpoint",
        summary="긴 요약입니다. " * 300,
        next_steps="step; " * 300,
        open_files=[f"src/file_{number}.py" for number in range(90)],
    )
    for number in range(30):
        db.decisions.save(f"topic {number}", "결정은 길다 " * 100, "r")
        db.kv.put(f"key/{number}", "a long value " * 100)
    assert tokens("\n".join(digest_lines(db.decisions))) <= 650
