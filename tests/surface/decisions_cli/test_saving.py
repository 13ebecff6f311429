"""Saving decisions, checkpoints and insights on the command line."""

import pytest

import strata
from tests.surface.conftest import Run
from tests.surface.decisions_cli.conftest import Id


def test_a_decision_replaces_the_one_before_it_and_says_so(ok: Run, save: Id) -> None:
    first = save("auth", "Use sessions")
    answer = ok("decisions", "save", "Auth", "토큰을 쓴다", "--because", "앱", "--json").json
    assert answer["superseded"] == [first]
    assert answer["is_current"]
    assert answer["branch"] == "default"
    listed = ok("decisions", "list", "--json").json["memories"]
    assert [(one["content"], one["is_current"]) for one in listed] == [
        ("토큰을 쓴다", True),
        ("Use sessions", False),
    ]
    assert listed[1]["replaced_by"] == [answer["id"]]


def test_times_in_json_are_milliseconds_with_a_readable_twin(ok: Run, save: Id) -> None:
    save("auth", "Use sessions")
    (found,) = ok("decisions", "--json").json["memories"]
    assert found["created_time"].startswith("20")
    assert 1_700_000_000_000 < found["created_at"] < 10_000_000_000_000


def test_what_is_similar_is_told_at_once(ok: Run, save: Id) -> None:
    save("cache", "Cache prices for a minute")
    told = ok("decisions", "save", "speed", "Cache prices longer", "--because", "x").out
    assert "similar: decision_" in told
    assert "(cache) Cache prices for a minute" in told


def test_links_are_typed_as_a_word_and_an_id(ok: Run, run: Run, save: Id) -> None:
    other = save("security", "비밀은 짧게 산다")
    mine = save("auth", "Use tokens", "--link", f"motivated_by:{other}", "--supersedes", "none")
    (link,) = [
        one
        for one in ok("decisions", "link", "list", mine, "--json").json["links"]
        if one["type"] != "temporal"
    ]
    assert (link["relationship"], link["to_id"]) == ("motivated_by", other)
    assert link["created_by"] == "user"
    for wrong in (other, f":{other}", "motivated_by:"):
        answer = run("decisions", "save", "auth", "x", "--because", "y", "--link", wrong)
        assert answer.code == 2
        assert "WORD:ID" in answer.err


def test_an_unknown_target_saves_nothing_and_makes_no_store(ok: Run, run: Run) -> None:
    words = ("decisions", "save", "auth", "x", "--because", "y", "--implements", "decision_nobody")
    assert run(*words).code == 1
    assert "no store" in run("decisions").err


def test_a_decision_needs_a_reason(run: Run) -> None:
    answer = run("decisions", "save", "auth", "Use tokens")
    assert answer.code == 2
    assert "--because" in answer.err


def test_an_outcome_is_told_in_any_letter_case_and_a_failure_needs_its_reason(
    ok: Run, run: Run, save: Id
) -> None:
    id_ = save("cache", "Cache for an hour")
    refused = run("decisions", "outcome", "cache", "FAILED")
    assert refused.code == 2
    assert "why it failed" in refused.err
    assert run("decisions", "outcome", "cache", "perhaps").code == 2
    told = ok("decisions", "outcome", "cache", "Failed", "--reason", "가격이 틀렸다", "--json").json
    assert (told["id"], told["outcome"]) == (id_, "FAILED")
    assert told["insight"]["metadata"]["category"] == "outcome"
    assert "가격이 틀렸다" in ok("decisions", "search", "가격이 왜 틀렸나").out


def test_supersede_takes_an_id_or_a_topic_and_refuses_what_is_not_there(
    ok: Run, run: Run, save: Id
) -> None:
    first = save("cache", "Cache for an hour")
    second = ok("decisions", "supersede", "cache", "A minute", "--because", "x", "--json").json
    assert second["superseded"] == [first]
    third = ok("decisions", "supersede", second["id"], "Never", "--because", "x", "--json").json
    assert third["superseded"] == [second["id"]]
    refused = run("decisions", "supersede", "prices", "x", "--because", "y", "--json")
    assert refused.code == 1
    assert refused.error["code"] == "not_found"


def test_a_topic_with_two_heads_is_to_be_named_by_id(
    run: Run, ok: Run, forked: dict[str, str]
) -> None:
    answer = run("decisions", "supersede", "auth", "Both", "--because", "x")
    assert answer.code == 1
    assert forked["ours"] in answer.err
    assert forked["theirs"] in answer.err
    ok("decisions", "supersede", forked["ours"], "Both", "--because", "x")


def test_who_saved_it_is_in_the_log(ok: Run, save: Id) -> None:
    save("auth", "Use tokens", "--actor", "민수")
    assert ok("log", "--json").json["commits"][0]["actor"] == "민수"


def test_a_checkpoint_is_resumed_with_what_changed_since(ok: Run, run: Run, save: Id) -> None:
    assert "no checkpoint" in (ok("init"), run("decisions", "resume"))[1].err
    ok("decisions", "checkpoint", "검색을 마쳤다", "--next", "Write tests", "--file", "src/검색.py")
    ok("decisions", "checkpoint", "Only a note", "--archived")
    save("cache", "Cache prices")
    ok("put", "배포", "blue")
    text = ok("decisions", "resume").out
    assert "검색을 마쳤다" in text
    assert "src/검색.py" in text
    assert "1 decision, 1 key" in text
    found = ok("decisions", "resume", "--json").json
    assert found["metadata"]["next_steps"] == "Write tests"
    since = found["since"]
    assert since["decisions"] == 1
    assert [(one["key"], one["value"]) for one in since["keys"]] == [("배포", "blue")]


def test_what_is_no_checkpoint_cannot_be_resumed(run: Run, save: Id) -> None:
    save("auth", "Use tokens")
    answer = run("decisions", "resume", "auth")
    assert answer.code == 2
    assert "no checkpoint but a decision" in answer.err


def test_an_insight_keeps_its_category_and_tags(ok: Run) -> None:
    words = ("decisions", "insight", "캐시는 느린 질의를 숨긴다", "--tag", "성능", "--tag", "db")
    id_ = ok(*words, "--category", "performance", "--json").json["id"]
    text = ok("decisions", "show", id_).out
    assert "성능, db" in text
    assert "performance" in text


@pytest.mark.parametrize("type_", ["decision", "insight"])
def test_lists_are_narrowed_by_type_topic_and_time(ok: Run, save: Id, type_: str) -> None:
    save("auth", "Use tokens")
    ok("decisions", "insight", "토큰은 짧게", "--topic", "AUTH")
    ok("decisions", "insight", "something else")
    found = ok("decisions", "list", "--topic", "auth", "--type", type_, "--json").json["memories"]
    assert [one["type"] for one in found] == [type_]
    assert ok("decisions", "list", "--since", "1h ago", "-n", "2").out.count("\n") == 4
    assert ok("decisions", "list", "--since", "now", "--json").json["memories"] == []


def test_the_past_is_shown_as_it_was(ok: Run, save: Id) -> None:
    save("auth", "Use sessions")
    with strata.open(".strata/store.db", auto_embed=False) as db:
        then = db.resolve("now").version
    save("auth", "Use tokens")
    (found,) = ok("decisions", "list", "--at", then, "--json").json["memories"]
    assert found["is_current"]
    assert ok("decisions", "show", "auth", "--at", then, "--json").json["content"] == "Use sessions"
