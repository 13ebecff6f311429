"""Finding memories: by topic, by what they are about, by time."""

from collections.abc import Callable

import pytest

import strata
from strata.base import limits
from strata.tools import tokens
from tests.surface.decisions.conftest import Call

Decide = Callable[..., str]


def test_a_chain_of_eight_comes_oldest_first_with_outcomes(call: Call, decide: Decide) -> None:
    ids: list[str] = []
    for number in range(8):
        ids.append(decide("배포 방식", f"{number}번째 방법", f"이유 {number}"))
        if number in (0, 3):
            call("evolve_outcome", id=ids[-1], outcome="FAILED", reason=f"문제 {number}")
    found = call("search_by_topic", topic="배포_방식")
    assert [one["id"] for one in found["chain"]] == ids
    assert [one["content"] for one in found["chain"]][7] == "7번째 방법"
    assert [number for number, one in enumerate(found["chain"]) if "outcome" in one] == [0, 3]
    assert found["chain"][3]["outcome_reason"] == "문제 3"
    assert found["current"] == [ids[-1]]
    assert [one.get("superseded_by", []) for one in found["chain"]] == [*([i] for i in ids[1:]), []]
    assert "conflict" not in found


@pytest.mark.slow
def test_the_longest_chain_and_the_longest_texts_fit_an_answer(
    call: Call, db: strata.Workspace
) -> None:
    for number in range(60):
        db.decisions.save("t", f"{number:02d} " + "가" * 1900, "나" * 4900)
    found = call("search_by_topic", topic="t")
    assert len(found["chain"]) == limits.CHAIN_MAX
    assert found["chain"][-1]["content"].startswith("59 ")
    assert found["chain"][-1]["text_truncated"] is True
    assert tokens(found) <= limits.ANSWER_TOKENS_MAX * 1.25


def test_what_links_lead_to_is_related(call: Call, decide: Decide) -> None:
    lesson = call("save_insight", insight="Tokens leak into logs")["id"]
    auth = decide("auth", "Tokens", links=[{"to_id": lesson, "relationship": "despite"}])
    rotation = decide("rotation", "Rotate weekly", implements=auth)
    related = {one["id"]: one for one in call("search_by_topic", topic="auth")["related"]}
    assert {lesson, rotation} <= related.keys()
    assert related[rotation]["relationship"] == "implements"


def test_two_current_decisions_are_flagged(call: Call, decide: Decide) -> None:
    first = decide("auth", "Tokens")
    second = decide("auth", "Passkeys", supersedes="none")
    found = call("search_by_topic", topic="auth")
    assert found["conflict"] is True
    assert sorted(found["current"]) == sorted([first, second])
    assert "save_decision" in found["hint"]


@pytest.mark.parametrize("asked", ["authentication", "auth_strategie", "인증 전략", "session"])
def test_a_topic_without_decisions_names_near_ones(call: Call, decide: Decide, asked: str) -> None:
    decide("auth_strategy", "Use sessions")
    decide("auth", "Use tokens")
    decide("인증", "토큰")
    decide("billing", "Monthly")
    found = call("search_by_topic", topic=asked)
    assert found["chain"] == []
    assert found["near_topics"]
    assert "billing" not in found["near_topics"]
    assert "near_topics" in found["hint"]


def test_a_topic_that_nothing_is_near_to_has_no_near_ones(call: Call, decide: Decide) -> None:
    decide("auth", "Use tokens")
    assert "near_topics" not in call("search_by_topic", topic="물류 창고")


@pytest.mark.parametrize(
    ("query", "topic"),
    [("how long are prices cached?", "cache"), ("금요일에 배포해도 되나", "배포")],
)
def test_a_question_finds_the_decision_about_it(
    call: Call, decide: Decide, query: str, topic: str
) -> None:
    decide("cache", "Prices are cached for a minute", "The supplier limits us")
    decide("배포", "금요일에는 배포하지 않는다", "주말에 사람이 없다")
    decide("auth", "Use tokens", "Mobile")
    results = call("search_by_context", query=query)["results"]
    assert results[0]["topic"] == topic
    assert results[0]["score"] > 0


def test_what_holds_is_above_what_was_replaced_or_failed(call: Call, decide: Decide) -> None:
    old = decide("cache", "Cache prices for an hour")
    call("evolve_outcome", id=old, outcome="FAILED", reason="Wrong prices were shown")
    new = decide("cache", "Cache prices for a minute")
    results = call("search_by_context", query="cache prices", types=["decision"])["results"]
    assert [one["id"] for one in results] == [new, old]
    assert results[1]["superseded_by"] == [new]
    assert results[1]["outcome"] == "FAILED"


def test_a_linked_memory_is_found_though_no_word_of_it_was_asked_for(
    call: Call, decide: Decide
) -> None:
    base = decide("database", "PostgreSQL", "Proven")
    linked = decide("tuning", "shared_buffers 4 GB", "Memory", implements=base)
    results = call("search_by_context", query="PostgreSQL")["results"]
    found = next(one for one in results if one["id"] == linked)
    assert found["via"] == base


def test_results_are_chosen_by_type_and_confidence(call: Call, decide: Decide) -> None:
    decide("cache", "Cache the prices", confidence=0.3)
    sure = decide("cache two", "Cache the prices twice", confidence=0.9)
    lesson = call("save_insight", insight="Cached prices go stale")["id"]
    only = call("search_by_context", query="cache prices", types=["insight"])["results"]
    assert [one["id"] for one in only] == [lesson]
    certain = call(
        "search_by_context", query="cache prices", types=["decision"], min_confidence=0.8
    )["results"]
    assert [one["id"] for one in certain] == [sure]


def test_what_is_recent_can_be_continued_where_it_stopped(call: Call) -> None:
    saved = [call("save_insight", insight=f"The cache was wrong, case {n}")["id"] for n in range(7)]
    found = call("search_recent", limit=3)
    assert found["truncated"] is True
    ids = [one["id"] for one in found["results"]]
    for _page in range(2):
        following = found["next"]
        assert following["tool"] == "search_recent"
        found = call("search_recent", **following["arguments"])
        ids += [one["id"] for one in found["results"]]
    assert "next" not in found
    assert ids == saved[::-1]
    assert len(call("search_by_context", query="cache wrong", limit=4)["results"]) == 4


def test_the_newest_come_first_and_only_since_a_time(
    call: Call, db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = db.decisions._view.store
    start = store.clock()
    for days, text in ((0, "first"), (2, "둘째"), (4, "third")):
        monkeypatch.setattr(store, "clock", lambda days=days: start + days * 86_400_000_000)
        call("save_insight", insight=text)
    call("save_checkpoint", summary="where we are")
    found = call("search_recent", types=["insight"])["results"]
    assert [one["content"] for one in found] == ["third", "둘째", "first"]
    late = call("search_recent", since="3 days ago", types=["insight"])["results"]
    assert [one["content"] for one in late] == ["third", "둘째"]
    assert len(call("search_recent", limit=1)["results"]) == 1


def test_fifty_long_memories_fit_an_answer(call: Call, db: strata.Workspace) -> None:
    for number in range(50):
        db.decisions.save(f"topic {number}", "결정 " * 500, "이유 " * 1200)
    found = call("search_recent", limit=50)
    assert len(found["results"]) == 50
    assert tokens(found) <= limits.ANSWER_TOKENS_MAX * 1.25


def test_the_past_is_searched_as_it_was(call: Call, decide: Decide, db: strata.Workspace) -> None:
    first = decide("auth", "Use sessions")
    then = str(db.resolve("now").version)
    decide("auth", "Use tokens")
    chain = call("search_by_topic", topic="auth", as_of=then)
    assert [one["id"] for one in chain["chain"]] == [first]
    assert "superseded_by" not in chain["chain"][0]
    assert chain["as_of"]
    (found,) = call("search_by_context", query="auth", as_of=then)["results"]
    assert found["id"] == first
    assert len(call("search_recent", as_of=then)["results"]) == 1
    assert call("load_context", topic="auth", as_of=then)["memory"]["id"] == first


def test_what_does_not_fit_a_search_is_refused(fail: Call) -> None:
    assert fail("search_by_topic", topic=" ")["parameter"] == "topic"
    assert fail("search_by_context", query="x", limit=0)["parameter"] == "limit"
    assert fail("search_by_context", query="x", limit=51)["parameter"] == "limit"
    assert fail("search_by_context", query="x", types=["fact"])["parameter"].startswith("types")
    assert fail("search_recent", since="sometime")["code"] == "invalid_time"
    assert fail("search_recent", branch="nowhere")["code"] == "not_found"


def test_a_search_of_everything_marks_what_no_longer_holds_and_dates_it_by_itself(
    call: Call, decide: Decide, db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = db.decisions._view.store
    now = store.clock()
    old = decide("cache", "Cache prices for an hour")
    call("evolve_outcome", id=old, outcome="FAILED", reason="가격이 틀렸다")
    new = decide("cache", "Cache prices for a minute")
    results = call("strata_search", query="cache prices", kinds=["memory"])["results"]
    found = {one["key"]: one for one in results}
    assert found[old]["caveat"] == f"replaced by {new}; FAILED: 가격이 틀렸다"
    assert "caveat" not in found[new]
    assert list(found).index(new) < list(found).index(old)
    monkeypatch.setattr(store, "clock", lambda: now + 9 * 86_400_000_000)
    call("evolve_outcome", id=new, outcome="SUCCESS")
    again = call("strata_search", query="cache prices", kinds=["memory"])["results"]
    dated = {one["key"]: one["timestamp"] for one in again}
    decided = db.decisions.require(new).iso_time
    assert dated[new][:19] == decided[:19], "when it was decided, not judged"
