"""Search, log, history, branch and status through the tools of an agent."""

import strata
from strata.base import limits
from strata.tools import Session, tokens
from tests.surface.tools.conftest import Call


def test_search_finds_facts_and_events_with_where_they_are(call: Call) -> None:
    call("store", key="cache/prices", value="Prices are cached for sixty seconds", tags=["perf"])
    call("store", key="rules", value="배포는 금요일에 하지 않는다", namespace="team")
    call("log", event="deploy", data={"note": "cached prices were stale"})
    found = call("search", query="cached prices")["results"]
    assert {(hit["key"], hit["kind"]) for hit in found} == {("cache/prices", "kv"), ("1", "event")}
    korean = call("search", query="금요일 배포")["results"][0]
    assert (korean["key"], korean["namespace"]) == ("rules", "team")
    assert {"value", "score", "snippet", "timestamp"} <= korean.keys()
    assert call("search", query="cached", tags=["perf"])["results"][0]["key"] == "cache/prices"
    assert call("search", query="cached", kinds=["event"])["results"][0]["kind"] == "event"
    assert call("search", query="cached", kinds=["event"])["results"][0]["event"] == "deploy"
    assert call("search", query="cached", namespace="team")["results"] == []


def test_what_carries_the_tags_is_found_even_if_no_word_matches(call: Call) -> None:
    call("store", key="notes/cache", value="Prices are cached", tags=["perf", "성능"])
    call("store", key="other", value="nothing", tags=["perf"])
    answer = call("search", query="속도", tags=["perf", "성능"])
    assert [hit["key"] for hit in answer["results"]] == ["notes/cache"]
    assert "carry the tags" in answer["notes"][0]
    assert call("search", query="속도", tags=["nobody"])["results"] == []


def test_search_looks_into_the_past_and_at_other_branches(call: Call) -> None:
    first = call("store", key="k", value="blue cluster")
    call("store", key="k", value="green cluster")
    assert call("search", query="blue cluster", as_of=first["version"])["results"][0]["value"]
    call("branch", action="fork", name="try")
    call("store", key="only", value="violet experiment", branch="try")
    assert call("search", query="violet")["results"] == []
    assert call("search", query="violet", branch="try")["results"][0]["key"] == "only"
    assert call("search", query="cluster", until="2020-01-01")["results"] == []
    assert call("search", query="cluster", since="1h ago")["results"]


def test_an_answer_of_long_values_stays_within_its_budget(call: Call, db: strata.Workspace) -> None:
    db.kv.put_many({f"long/{n}": f"cache {n} " + "가나다라 " * 2000 for n in range(60)})
    answer = call("search", query="cache", k=50)
    assert tokens(answer) <= limits.ANSWER_TOKENS_MAX * 1.05
    assert answer["results"][0]["value_truncated"] is True


def test_search_refuses_what_it_cannot_do(fail: Call) -> None:
    assert "must be given" in fail("search")["message"]
    assert "from 1 to 50" in fail("search", query="x", k=500)["message"]
    assert fail("search", query="x", kinds=["book"])["parameter"] == "kinds"
    assert fail("search", query="x", as_of="someday")["code"] == "invalid_time"


def test_events_are_logged_in_order_and_read_back(call: Call) -> None:
    for number in range(3):
        made = call("log", event="deploy", data={"번호": number})
        assert made["sequence"] == number + 1
    call("log", event="note", data="just text")
    events = call("history", event="deploy", after=1)["events"]
    assert [event["data"]["번호"] for event in events] == [1, 2]
    assert len(call("history", event="*")["events"]) == 4
    part = call("history", event="*", limit=2)
    assert part["next"]["arguments"] == {"event": "*", "limit": 2, "after": 2}
    rest = call("history", **part["next"]["arguments"])
    assert [event["sequence"] for event in rest["events"]] == [3, 4]
    assert "truncated" not in rest


def test_history_of_a_key_goes_on_where_it_was_cut(call: Call) -> None:
    for number in range(7):
        call("store", key="k", value=number)
    seen: list[int] = []
    answer = call("history", key="k", limit=3)
    while True:
        seen += [held["value"] for held in answer["versions"]]
        if "next" not in answer:
            break
        answer = call("history", **answer["next"]["arguments"])
    assert seen == [6, 5, 4, 3, 2, 1, 0]


def test_history_alone_tells_the_time_range_and_after_tells_changes(call: Call) -> None:
    assert call("history") == {"oldest": None, "latest": None, "branch": "default"}
    first = call("store", key="a", value=1)
    call("store", key="b", value=2)
    assert call("history")["oldest"] == first["timestamp"]
    changes = call("history", after=first["version"])["changes"]
    assert [(change["key"], change["action"]) for change in changes] == [("b", "added")]


def test_a_branch_is_tried_compared_and_merged(call: Call, session: Session) -> None:
    call("store", key="k", value="blue")
    made = call("branch", action="fork", name="try")
    assert (made["branch"], made["parent"], made["switched"]) == ("try", "default", False)
    assert session.branch == "default"
    call("branch", action="switch", name="try")
    call("store", key="k", value="초록")
    assert call("status")["branch"] == "try"
    call("branch", action="switch", name="default")
    assert call("recall", key="k")["value"] == "blue"
    shown = call("branch", action="diff", compare="try")
    assert shown["summary"] == {"added": 0, "removed": 0, "modified": 1}
    assert shown["changes"][0]["after"] == "초록"
    preview = call("branch", action="merge", source="try", preview=True)
    assert preview["preview"] is True
    assert call("recall", key="k")["value"] == "blue"
    merged = call("branch", action="merge", source="try")
    assert merged["applied"] == 1
    assert call("recall", key="k")["value"] == "초록"
    assert call("branch", action="delete", name="try")["deleted"] is True


def test_create_makes_an_empty_branch_and_fork_one_from_the_past(call: Call) -> None:
    first = call("store", key="k", value=1)
    call("store", key="k", value=2)
    blank = call("branch", action="create")["branch"]
    assert call("recall", key="k", branch=blank)["found"] is False
    call("branch", action="fork", name="before", at=first["version"])
    assert call("recall", key="k", branch="before")["value"] == 1
    names = {branch["name"] for branch in call("branch", action="list")["branches"]}
    assert names == {"default", blank, "before"}


def test_a_conflict_is_listed_and_changes_nothing(call: Call, fail: Call) -> None:
    call("store", key="k", value="base")
    call("branch", action="fork", name="try")
    call("store", key="k", value="theirs", branch="try")
    call("store", key="k", value="ours")
    error = fail("branch", action="merge", source="try")
    assert error["code"] == "merge_conflict"
    assert error["conflicts"][0]["source"] == "theirs"
    assert call("recall", key="k")["value"] == "ours"
    merged = call("branch", action="merge", source="try", strategy="source_wins")
    assert merged["resolved"][0]["namespace"] == "default"
    assert "conflicts" not in merged
    assert call("recall", key="k")["value"] == "theirs"


def test_the_log_of_commits_and_taking_one_back(call: Call) -> None:
    call("store", key="k", value=1)
    wrong = call("store", key="k", value=2)["version"]
    part = call("branch", action="log", limit=1)
    assert part["commits"][0]["version"] == wrong
    rest = call("branch", **part["next"]["arguments"])
    assert len(rest["commits"]) == 1
    call("branch", action="revert", version=wrong)
    assert call("recall", key="k")["value"] == 1
    logged = call("log", event="e", data={})["version"]
    assert "events stay" in call("branch", action="revert", version=logged)["hint"]


def test_actions_say_what_they_need_and_refuse_the_rest(call: Call, fail: Call) -> None:
    assert "must be given" in fail("branch")["message"]
    assert "create, fork" in fail("branch", action="destroy")["hint"]
    assert "needs name" in fail("branch", action="switch")["message"]
    assert "takes no name" in fail("branch", action="merge", source="x", name="y")["message"]
    assert fail("branch", action="switch", name="nowhere")["code"] == "not_found"
    assert fail("branch", action="delete", name="default")["code"] == "not_allowed"
    call("branch", action="fork", name="work")
    call("store", key="k", value=1, branch="work")
    assert fail("branch", action="delete", name="work")["hint"]
    assert call("branch", action="delete", name="work", force=True)["deleted"]


def test_status_tells_where_one_stands(call: Call) -> None:
    call("store", key="k", value=1)
    call("log", event="e", data={})
    status = call("status")
    assert (status["branch"], status["namespace"]) == ("default", "default")
    assert (status["keys"], status["events"], status["branches"]) == (1, 1, 1)
    assert status["auto_embed"] is False
    assert status["tool_groups"] == ["memory", "developer"]
    assert {"version", "path", "pending_embeddings", "embedder", "warnings"} <= status.keys()


def test_the_client_is_named_on_its_commits(
    call: Call, session: Session, db: strata.Workspace
) -> None:
    session.client = "claude-code"
    call("store", key="k", value=1)
    assert db.log()[0].actor == "claude-code"
    db.settings.set("actor", "소연")
    call("store", key="k", value=2)
    assert db.log()[0].actor == "소연"


def test_a_diff_shows_what_the_compared_branch_changed_since_the_fork(call: Call) -> None:
    call("store", key="monitoring", value="mail")
    call("branch", action="fork", name="t")
    call("store", key="monitoring", value="호출기")
    call("store", key="main-only", value=1)
    call("store", key="t-only", value=1, branch="t")
    call("log", event="배포", data={"n": 1}, branch="t")
    found = call("branch", action="diff", compare="t")
    assert [(one["action"], one["key"]) for one in found["changes"]] == [
        ("added", "1"),
        ("added", "t-only"),
    ]
    assert found["changes"][0]["event"] == "배포"
    both = call("branch", action="diff", compare="t", two_sided=True)
    assert both["summary"] == {"added": 2, "removed": 1, "modified": 1}


def test_numbers_in_as_of_are_versions_or_posix_times(call: Call, fail: Call) -> None:
    first = call("store", key="k", value="먼저")
    call("store", key="k", value="나중")
    seconds = 4_000_000_000  # in the year 2096: the future is now
    for number in (seconds, seconds * 1_000, seconds * 1_000_000, seconds + 0.5, str(seconds)):
        assert call("recall", key="k", as_of=number)["value"] == "나중"
    past = call("recall", key="k", as_of=1_000_000_000)
    assert (past["found"], past["as_of"]) == (False, "2001-09-09T01:46:40.000000Z")
    assert call("recall", key="k", as_of=first["version"])["value"] == "먼저"
    refused = fail("recall", key="k", as_of=999)
    assert refused["code"] == "invalid_time"
    assert "no version 999 yet" in refused["message"]
