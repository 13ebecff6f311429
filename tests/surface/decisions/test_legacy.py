"""The tools of MAMA 1.0 under their old names: they answer as they did, and say what to use."""

import logging
from collections.abc import Callable, Iterator

import pytest

import strata
from strata.base import limits
from strata.tools import Session, expose, registry, tokens
from strata.tools.call import _warn_of
from tests.surface.conftest import Run
from tests.surface.decisions.conftest import Call

Decide = Callable[..., str]


@pytest.fixture(autouse=True)
def forget_warnings() -> Iterator[None]:
    _warn_of.cache_clear()
    yield
    _warn_of.cache_clear()


def test_recall_decision_shows_the_history_with_ids(call: Call, decide: Decide) -> None:
    first = decide("인증", "세션을 쓴다", "단순하다")
    call("evolve_outcome", id=first, outcome="FAILED", reason="모바일이 안 된다")
    second = decide("인증", "토큰을 쓴다", "모바일")
    found = call("recall_decision", topic="인증")
    assert set(found) == {"success", "history", "message", "deprecated"}
    assert found["success"] is True
    history = found["history"]
    assert history.index(second) < history.index(first), "newest first"
    for part in ("토큰을 쓴다", "모바일이 안 된다", "FAILED", "superseded", "current"):
        assert part in history
    none = call("recall_decision", topic="인증 방식")
    assert none["history"] == ""
    assert "인증" in none["message"]


def test_suggest_decision_answers_a_question(call: Call, decide: Decide) -> None:
    decide("cache", "Prices are cached for a minute")
    decide("auth", "Use tokens")
    found = call("suggest_decision", userQuestion="how long are prices cached?")
    assert set(found) == {"success", "suggestions", "message", "deprecated"}
    assert "for a minute" in found["suggestions"]
    nothing = call("suggest_decision", userQuestion="창고는 어디에 있나")
    assert nothing["success"] is True
    assert "suggestions" not in nothing


def test_recency_weighs_as_much_as_is_asked_for(
    call: Call, decide: Decide, db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = db.decisions._view.store
    start = store.clock()
    old = decide("cache", "Cache the prices of the shop, prices first")
    monkeypatch.setattr(store, "clock", lambda: start + 90 * 86_400_000_000)
    new = decide("stock", "The shop shows stock and its prices too")
    question = {"userQuestion": "cache prices shop"}

    def order(**more: object) -> bool:
        text = call("suggest_decision", **question, **more)["suggestions"]
        return text.index(old) < text.index(new)

    assert order(recencyWeight=0), "the better match"
    assert order(disableRecency=True, recencyWeight=1)
    assert not order(recencyWeight=1), "the newer one"
    assert not order(recency_weight=1, recency_scale=7, recency_decay=0.5)


def test_list_decisions_lists_the_newest_within_its_limit(call: Call, decide: Decide) -> None:
    ids = [decide(f"topic {number}", f"결정 {number}") for number in range(25)]
    call("save_insight", insight="no decision")
    found = call("list_decisions")
    assert set(found) == {"success", "list", "message", "deprecated"}
    assert sum(id_ in found["list"] for id_ in ids) == 20
    assert "no decision" not in found["list"]
    assert call("list_decisions", limit=1)["list"].count("###") == 1


def test_a_hundred_long_decisions_fit_an_answer(call: Call, db: strata.Workspace) -> None:
    for number in range(100):
        db.decisions.save(f"t{number}", "결정 " * 500, "이유 " * 1000)
    found = call("list_decisions", limit=100)
    assert found["list"].count("###") == 100
    assert tokens(found) <= limits.ANSWER_TOKENS_MAX * 1.5


@pytest.mark.parametrize("name", ["decisionId", "decision_id", "topic"])
@pytest.mark.parametrize("reason", ["failure_reason", "failureReason"])
def test_update_outcome_takes_its_arguments_in_either_letter_case(
    call: Call, decide: Decide, db: strata.Workspace, name: str, reason: str
) -> None:
    id_ = decide("auth", "Tokens")
    given = {name: "auth" if name == "topic" else id_, reason: "새어 나갔다"}
    found = call("update_outcome", outcome="failed", **given)
    assert set(found) == {"success", "decision_id", "outcome", "message", "deprecated"}
    assert (found["success"], found["decision_id"], found["outcome"]) == (True, id_, "FAILED")
    assert db.decisions.require(id_).metadata["failure_reason"] == "새어 나갔다"


def test_an_unknown_id_is_an_error_and_no_success(fail: Call) -> None:
    error = fail("update_outcome", decisionId="decision_nobody_1_abcd", outcome="SUCCESS")
    assert error["code"] == "not_found"
    assert "evolve_outcome" in error["deprecated"]
    assert fail("update_outcome", topic="x", outcome="FAILED")["code"] == "not_found"
    assert fail("list_decisions", limit=101)["parameter"] == "limit"


def test_a_failure_needs_its_reason_under_the_old_name_too(fail: Call, decide: Decide) -> None:
    id_ = decide("auth", "Tokens")
    assert fail("update_outcome", decisionId=id_, outcome="FAILED")["parameter"] == "reason"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("recall_decision", "search_by_topic"),
        ("suggest_decision", "search_by_context"),
        ("list_decisions", "search_recent"),
        ("update_outcome", "evolve_outcome"),
    ],
)
def test_an_old_name_says_the_new_one_and_warns_once(
    session: Session,
    call: Call,
    decide: Decide,
    caplog: pytest.LogCaptureFixture,
    old: str,
    new: str,
) -> None:
    decide("auth", "Tokens")
    arguments = {
        "recall_decision": {"topic": "auth"},
        "suggest_decision": {"userQuestion": "tokens"},
        "update_outcome": {"topic": "auth", "outcome": "SUCCESS"},
    }.get(old, {})
    with caplog.at_level(logging.WARNING):
        for _time in range(2):
            assert new in call(old, **arguments)["deprecated"]
    assert [record.message for record in caplog.records] == [f"{old} is an old name: use {new}"]
    tool = registry().find(old)
    assert tool is not None
    assert "deprecated" in tool.output_schema["properties"]
    assert registry().find(new) is not None


def test_the_warning_is_one_line_on_stderr(process: Run) -> None:
    process("call", "save_decision", "--topic", "인증", "--decision", "토큰", "--reasoning", "앱")
    done = process("call", "recall_decision", "--topic", "인증")
    assert done.code == 0
    assert "토큰" in done.json["history"]
    assert done.err.splitlines() == ["recall_decision is an old name: use search_by_topic"]


@pytest.mark.slow
def test_what_a_person_types_is_saved_as_a_person(process: Run) -> None:
    first = process("call", "save_insight", "--insight", "하나").json
    links = f'[{{"to_id": "{first["id"]}", "relationship": "supports"}}]'
    second = process("call", "save/insight", "--insight", "둘", "--links", links).json
    assert [tie["relationship"] for tie in second["links"]] == ["supports"]
    links = process("decisions", "show", second["id"], "--json").json["links"]
    assert [link["created_by"] for link in links if link["relationship"] == "supports"] == ["user"]


def test_old_names_are_listed_only_when_they_are_asked_for() -> None:
    old = {"recall_decision", "suggest_decision", "list_decisions", "update_outcome"}
    today = {"save_decision", "save_checkpoint", "load_checkpoint"}
    assert {tool.name for tool in expose("legacy").tools} == old | today, "all seven of 1.0"
    for groups in (None, "decisions", "all"):
        assert not old & {tool.name for tool in expose(groups).tools}


@pytest.mark.parametrize("word", ["pending", "superseded", "PENDING"])
def test_words_of_version_one_that_name_no_outcome_leave_the_decision_as_it_is(
    call: Call, decide: Decide, db: strata.Workspace, word: str
) -> None:
    id_ = decide("인증", "토큰")
    assert call("update_outcome", decisionId=id_, outcome=word)["outcome"] == "pending"
    call("evolve_outcome", id=id_, outcome="SUCCESS")
    commits = len(db.log(limit=100))
    answer = call("update_outcome", topic="인증", outcome=word)
    assert (answer["success"], answer["outcome"]) == (True, "SUCCESS")
    assert "stays SUCCESS" in answer["message"]
    assert len(db.log(limit=100)) == commits
