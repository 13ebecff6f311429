"""Saving decisions, checkpoints and insights, and the links that a save makes."""

import re
from typing import Any

import pytest

import strata
from strata.base import limits
from strata.tools import Session, StoreHost, call_tool, expose, registry
from strata.workspace.meaning import Loaders, StoreMeaning
from tests.surface.decisions.conftest import Call

# What comes with the group `legacy` alone, for clients of MAMA 1.0.
VERSION_ONE = {"success", "message", "recall_command"}
ID = re.compile(r"decision_\d{13}_[0-9a-f]{8}")


@pytest.mark.parametrize(
    ("topic", "decision", "reasoning"),
    [
        ("auth_strategy", "Use JWT", "The mobile app needs tokens"),
        ("인증 방식", "토큰을 쓴다", "모바일 앱이 생겼다"),
        ("認証", "トークンを使う", "モバイルのため"),
    ],
)
def test_a_save_answers_with_everything_that_it_made(
    call: Call, db: strata.Workspace, topic: str, decision: str, reasoning: str
) -> None:
    saved = call("save_decision", topic=topic, decision=decision, reasoning=reasoning)
    assert ID.fullmatch(saved["id"])
    assert saved["branch"] == "default"
    assert set(saved) <= {"id", "topic", "version", "branch", "superseded"} | VERSION_ONE
    assert saved["superseded"] == []
    found = db.decisions.require(saved["id"])
    assert (found.topic, found.content, found.reasoning) == (topic, decision, reasoning)
    assert found.version == saved["version"]
    assert found.confidence == 0.7
    assert len(db.log()) == 1


def test_a_save_answers_with_the_fields_of_version_one_too(call: Call) -> None:
    saved = call(
        "save_decision",
        topic="인증",
        decision="토큰",
        reasoning="모바일",
        confidence=0.5,
        type="user_decision",
        outcome="pending",
    )
    assert saved["success"] is True
    assert saved["topic"] == "인증"
    assert saved["id"] in saved["message"]
    assert "인증" in saved["recall_command"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [("pending", None), ("superseded", None), ("success", "SUCCESS"), ("failure", "FAILED")],
)
def test_outcomes_of_version_one_are_understood(
    call: Call, db: strata.Workspace, given: str, kept: str | None
) -> None:
    arguments = {"topic": "t", "decision": "d", "reasoning": "r", "type": "assistant_insight"}
    saved = call("save_decision", **arguments, outcome=given)
    memory = db.decisions.require(saved["id"])
    assert memory.outcome == kept
    assert memory.metadata["decided_by"] == "assistant"


def test_the_same_topic_again_replaces_its_decision_however_it_is_spelled(
    call: Call, db: strata.Workspace
) -> None:
    first = call("save_decision", topic="Auth Strategy", decision="Sessions", reasoning="Simple")
    second = call("save_decision", topic="auth_strategy", decision="Tokens", reasoning="Mobile")
    assert second["superseded"] == [first["id"]]
    assert "links" not in second, "nothing was asked for beside it"
    (link,) = db.decisions.links(second["id"])
    assert (link.from_id, link.to_id) == (second["id"], first["id"])
    assert (link.link_type, link.relationship, link.confidence) == ("evolution", "supersedes", 1.0)
    assert "conflict" not in second
    assert len(db.log()) == 2, "one call is one commit"


def test_nothing_is_replaced_when_that_is_said(call: Call) -> None:
    first = call("save_decision", topic="cache", decision="An hour", reasoning="Speed")
    second = call(
        "save_decision", topic="cache", decision="A minute", reasoning="Prices", supersedes="none"
    )
    assert second["superseded"] == []
    assert sorted(second["conflict"]) == sorted([first["id"], second["id"]])
    assert "save_decision" in second["hint"]
    third = call("save_decision", topic="cache", decision="Ten minutes", reasoning="Peace")
    assert sorted(third["superseded"]) == sorted([first["id"], second["id"]])
    assert "conflict" not in third


def test_a_decision_may_replace_one_of_another_topic_and_carry_out_a_third(call: Call) -> None:
    old = call("save_decision", topic="login", decision="Passwords", reasoning="Known")["id"]
    goal = call("save_decision", topic="goal", decision="No secrets", reasoning="Safety")["id"]
    new = call(
        "save_decision",
        topic="auth",
        decision="Passkeys",
        reasoning="Safe",
        supersedes=old,
        implements=goal,
    )
    assert new["superseded"] == [old]
    assert [(tie["to_id"], tie["type"]) for tie in new["links"]] == [(goal, "implementation")]


@pytest.mark.parametrize("link_type", ["evolution", "implementation", "association", "temporal"])
def test_a_link_keeps_the_word_and_the_type_that_it_was_given(
    call: Call, db: strata.Workspace, link_type: str
) -> None:
    target = call("save_insight", insight="사용자는 비밀번호를 잊는다")["id"]
    wish = {"to_id": target, "relationship": "영감을 줌", "link_type": link_type, "reason": "회의"}
    saved = call("save_decision", topic="auth", decision="Passkeys", reasoning="r", links=[wish])
    tie = {"to_id": target, "relationship": "영감을 줌", "type": link_type}
    assert saved["links"] == [tie]
    link = next(link for link in db.decisions.links() if link.relationship == "영감을 줌")
    assert (link.link_type, link.confidence, link.created_by) == (link_type, 0.8, "llm")
    assert link.metadata["reason"] == "회의"


HARMLESS = """
    part_of_migration rollback_plan_for restores_from legacy_support_for depends_on_version
    uses_port_of moves_data_to shares_version_with removes_need_for drop_in_for same_edition_as
    migration_path_for version_of_api switch_dependency 버전_관련 삭제_정책 supersedes_partly
    replaces_in_tests will_replace not_superseded_yet update upgrades rewrites instead_of deprecates
    reverts rollback refactors retires switched_from overrides evolves newer_version_of 대체_후보
    교체_비용 폐기_절차 업데이트_주기 되돌릴_때_참고 이관_계획 최신_버전_문서
    superseded_by replaced_by
""".split()


@pytest.mark.parametrize("word", HARMLESS)
def test_the_word_of_a_link_retires_no_decision(
    call: Call, db: strata.Workspace, word: str
) -> None:
    old = call("save_decision", topic="t", decision="Postgres 14", reasoning="Known")["id"]
    for topic, more in (("다른 주제", {}), ("t", {"supersedes": "none"})):
        wish = [{"to_id": old, "relationship": word}]
        saved = call("save_decision", topic=topic, decision="d", reasoning="r", links=wish, **more)
        assert saved["superseded"] == []
        assert old in {one.id for one in db.decisions.heads("t")}
        assert saved["id"] in {one.id for one in db.decisions.heads(topic)}


@pytest.mark.parametrize("word", ["supersedes", "replaces", "Replaces", "supersede"])
def test_a_link_that_says_replaces_retires_a_decision_of_the_same_topic_and_names_it(
    call: Call, word: str
) -> None:
    old = call("save_decision", topic="배포 전략", decision="카나리", reasoning="안전")["id"]
    wish = [{"to_id": old, "relationship": word}]
    base = {"decision": "Blue and green", "reasoning": "r", "links": wish, "supersedes": "none"}
    elsewhere = call("save_decision", topic="other", **base)
    assert elsewhere["superseded"] == []
    same = call("save_decision", topic="배포_전략", **base)
    assert same["superseded"] == [old]
    assert call("search_by_topic", topic="배포 전략")["current"] == [same["id"]]


def test_a_save_makes_one_link_in_time_at_most(call: Call, db: strata.Workspace) -> None:
    for number in range(5):
        call("save_insight", insight=f"교훈 {number}")
    made = [link for link in db.decisions.links() if link.link_type == "temporal"]
    assert len(made) == 4
    assert len({link.from_id for link in made}) == 4


def creators(db: strata.Workspace, saved: dict[str, Any]) -> set[str]:
    links = db.decisions.links(saved["id"])
    return {link.created_by for link in links if link.from_id == saved["id"]}


def test_links_tell_who_made_them(call: Call, session: Session, db: strata.Workspace) -> None:
    first = call("save_insight", insight="one")["id"]
    wish = [{"to_id": first, "relationship": "supports"}]
    by_model = call("save_insight", insight="two", links=wish)
    assert creators(db, by_model) == {"llm"}
    third = call("save_insight", insight="three")
    assert creators(db, third) == {"system"}, "saved shortly after the others"
    assert "links" not in third, "nobody asked for it"
    session.creator = "user"
    by_person = call("save_insight", insight="four", links=wish)
    assert creators(db, by_person) == {"user", "system"}
    assert {link.created_by for link in db.decisions.links()} == {"llm", "system", "user"}


def test_links_may_come_as_text_as_models_send_them(call: Call) -> None:
    target = call("save_insight", insight="lesson")["id"]
    saved = call(
        "save_insight",
        insight="another",
        links=f'[{{"toId": "{target}", "relationship": "builds_on"}}]',
    )
    assert saved["links"][0]["to_id"] == target


def test_a_checkpoint_and_an_insight_are_kept_with_all_their_parts(
    call: Call, db: strata.Workspace
) -> None:
    point = call(
        "save_checkpoint",
        summary="검색을 마쳤다",
        open_files=["src/a.py", "문서.md"],
        next_steps="Write the tests",
        status="archived",
    )
    assert point["success"] is True
    assert point["id"] in point["message"]
    kept = db.decisions.require(point["id"]).metadata
    assert (kept["open_files"], kept["status"]) == (["src/a.py", "문서.md"], "archived")
    lesson = call(
        "save_insight",
        insight="캐시가 느린 질의를 감췄다",
        category="performance",
        tags=["캐시", "db"],
        source="incident 12",
        topic="cache",
    )
    found = db.decisions.require(lesson["id"])
    assert found.topic == "cache"
    assert found.metadata["tags"] == ["캐시", "db"]
    assert lesson["superseded"] == [], "an insight replaces nothing"


def test_at_most_three_similar_memories_are_named_and_none_that_was_replaced(call: Call) -> None:
    old = call("save_decision", topic="prices", decision="Cache prices one hour", reasoning="x")
    for number in range(5):
        call("save_insight", insight=f"Prices in the cache were stale, case {number}")
    saved = call("save_decision", topic="prices", decision="Cache prices a minute", reasoning="x")
    assert len(saved["similar"]) == limits.SIMILAR_MAX
    assert old["id"] not in {one["id"] for one in saved["similar"]}
    assert all(set(one) <= {"id", "topic"} for one in saved["similar"])


def test_a_save_never_waits_for_a_model(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def prepare(_self: StoreMeaning, question: str, **_more: bool) -> None:
        asked.append(question)

    monkeypatch.setattr(StoreMeaning, "prepare", prepare)
    monkeypatch.setattr(Loaders, "are_ready", lambda _self: False)
    call("save_insight", insight="The cache was wrong")
    assert len(call("save_insight", insight="The cache was wrong again")["similar"]) == 1
    assert asked == []
    call("search_by_context", query="cache")
    assert asked == ["cache"]
    monkeypatch.setattr(Loaders, "are_ready", lambda _self: True)
    call("save_insight", insight="캐시")
    assert asked[1:] == [" 캐시"]


# ---------------------------------------------------------------- what is refused


def nothing_saved(db: strata.Workspace) -> bool:
    return db.log() == [] and db.decisions.recent() == []


def test_an_unknown_target_saves_nothing_and_the_error_says_what_to_do(
    fail: Call, db: strata.Workspace
) -> None:
    base = {"topic": "t", "decision": "d", "reasoning": "r"}
    nobody = "decision_1700000000000_00000000"
    for more in (
        {"links": [{"to_id": nobody, "relationship": "x"}]},
        {"supersedes": nobody},
        {"implements": nobody},
    ):
        error = fail("save_decision", **base, **more)
        assert error["code"] == "not_found"
        assert nobody in error["message"]
        assert "search" in error["hint"]
    assert nothing_saved(db)


def test_a_target_on_another_branch_is_refused_and_its_branch_named(
    call: Call, fail: Call, db: strata.Workspace
) -> None:
    db.branches.fork("시험")
    there = call("save_insight", insight="only there", branch="시험")["id"]
    error = fail("save_insight", insight="x", links=[{"to_id": there, "relationship": "y"}])
    assert error["code"] == "not_found"
    assert error["on_branch"] == "시험"
    assert "시험" in error["hint"]
    assert db.decisions.recent() == []
    db.branches.merge("시험")
    assert call("save_insight", insight="x", links=[{"to_id": there, "relationship": "y"}])


def test_more_links_than_a_save_may_name_are_refused(
    call: Call, fail: Call, db: strata.Workspace
) -> None:
    ids = [call("save_insight", insight=f"lesson {n}")["id"] for n in range(21)]
    wishes = [{"to_id": id_, "relationship": "sums_up"} for id_ in ids]
    commits = len(db.log(limit=100))
    error = fail("save_insight", insight="all of it", links=wishes)
    assert (error["code"], error["limit"], error["size"]) == ("limit_exceeded", 20, 21)
    assert len(db.log(limit=100)) == commits
    assert len(call("save_insight", insight="all of it", links=wishes[:20])["links"]) >= 20


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("save_decision", {"topic": "가" * 201, "decision": "d", "reasoning": "r"}, "topic"),
        ("save_decision", {"topic": "t", "decision": "d" * 2001, "reasoning": "r"}, "decision"),
        ("save_decision", {"topic": "t", "decision": "d", "reasoning": "이" * 5001}, "reasoning"),
        ("save_checkpoint", {"summary": "s" * 10_001}, "summary"),
        ("save_checkpoint", {"summary": "s", "next_steps": "n" * 10_001}, "next_steps"),
        ("save_insight", {"insight": "i" * 10_001}, "insight"),
    ],
)
def test_a_field_that_is_too_long_is_named_with_its_limit(
    fail: Call, db: strata.Workspace, tool: str, arguments: dict[str, Any], field: str
) -> None:
    error = fail(tool, **arguments)
    assert (error["code"], error["parameter"]) == ("limit_exceeded", field)
    assert error["size"] == error["limit"] + 1
    assert nothing_saved(db)


@pytest.mark.parametrize(
    ("tool", "arguments", "parameter"),
    [
        ("save_decision", {"topic": "t", "decision": "d"}, "reasoning"),
        ("save_decision", {"topic": " ", "decision": "d", "reasoning": "r"}, "topic"),
        ("save_decision", {"topic": "t", "decision": "", "reasoning": "r"}, "decision"),
        (
            "save_decision",
            {"topic": "t", "decision": "d", "reasoning": "r", "confidence": 1.1},
            "confidence",
        ),
        (
            "save_decision",
            {"topic": "t", "decision": "d", "reasoning": "r", "outcome": "maybe"},
            "outcome",
        ),
        (
            "save_decision",
            {"topic": "t", "decision": "d", "reasoning": "r", "links": [{"to_id": "x"}]},
            "links",
        ),
        ("save_checkpoint", {"summary": "s", "status": "done"}, "status"),
        ("save_insight", {"insight": "x", "link": []}, "link"),
    ],
)
def test_what_does_not_fit_is_answered_with_a_right_example(
    fail: Call, db: strata.Workspace, tool: str, arguments: dict[str, Any], parameter: str
) -> None:
    error = fail(tool, **arguments)
    assert error["code"] == "invalid_input"
    assert error["parameter"] == parameter
    assert error["example"]["tool"] == tool
    assert nothing_saved(db)


def test_a_link_of_a_memory_to_itself_is_refused(call: Call, db: strata.Workspace) -> None:
    one = call("save_insight", insight="one")["id"]
    with pytest.raises(strata.InvalidArgument, match="itself"):
        db.decisions.link(one, one, "supports")
    assert db.decisions.links(one) == []


def test_a_secret_is_refused_unless_it_is_allowed(
    call: Call, fail: Call, db: strata.Workspace
) -> None:
    dsn = "postgres://app:" + "tr0ub4dor" + "@db/app"
    arguments = {"topic": "db", "decision": f"Connect with {dsn}", "reasoning": "r"}
    assert fail("save_decision", **arguments)["code"] == "secret_refused"
    assert nothing_saved(db)
    assert call("save_decision", **arguments, allow_secrets=True)["version"] == 1


def test_a_server_for_reading_saves_nothing(db: strata.Workspace) -> None:
    reading = Session(
        StoreHost(lambda: db), caller="owner", exposure=expose("decisions", read_only=True)
    )
    assert {tool.name for tool in reading.exposure.tools} == {
        "load_checkpoint",
        "load_context",
        "search_by_topic",
        "search_by_context",
        "search_recent",
    }
    tool = registry().find("save_insight")
    assert tool is not None
    outcome = call_tool(reading, tool, {"insight": "x"})
    assert outcome.is_error
    assert outcome.value["code"] == "access_denied"
