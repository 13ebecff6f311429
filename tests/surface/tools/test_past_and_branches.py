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
    assert {"value", "score", "timestamp"} <= korean.keys()
    assert "snippet" not in korean, "the value is there as a whole"
    assert call("search", query="cached", tags=["perf"])["results"][0]["key"] == "cache/prices"
    assert call("search", query="cached", kinds=["event"])["results"][0]["kind"] == "event"
    assert call("search", query="cached", kinds=["event"])["results"][0]["event"] == "deploy"
    assert call("search", query="cached", namespace="team")["results"] == []


def test_what_carries_the_tags_is_found_even_if_no_word_matches(call: Call) -> None:
    call("store", key="notes/cache", value="Prices are cached", tags=["perf", "성능"])
    call("store", key="other", value="nothing", tags=["perf"])
    answer = call("search", query="속도", tags=["perf", "성능"])
    assert [hit["key"] for hit in answer["results"]] == ["notes/cache"]
    assert "carries the tags" in answer["notes"][-1]
    assert answer["known"] is False, "the tags do not tell whether they answer"
    answer = call("search", query="속도", tags=["nobody"])
    assert (answer["results"], answer["known"]) == ([], False)
    assert "ask in other words" in answer["notes"][-1]


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
    assert "cache" in answer["results"][0]["snippet"]
    assert "value" not in answer["results"][0], "strata_recall gives the whole of it"


def test_every_result_of_a_search_is_reached_by_following_next(
    call: Call, db: strata.Workspace
) -> None:
    db.kv.put_many(
        {f"note/{n:02}": f"lorem ipsum {n} " + "dolor sit amet " * 90 for n in range(60)}
    )
    seen: list[str] = []
    answer = call("search", query="lorem ipsum", k=50)
    while True:
        seen += [hit["key"] for hit in answer["results"]]
        if not answer.get("truncated"):
            break
        answer = call("search", **answer["next"]["arguments"])
    assert sorted(seen) == [f"note/{n:02}" for n in range(60)]


def test_a_search_marks_kinds_and_shows_a_decision_without_internal_fields(call: Call) -> None:
    call("store", key="배포/요일", value="배포는 금요일에 하지 않는다")
    call("log", event="deploy", data={"note": "배포 금요일 실패"})
    call(
        "save_decision", topic="배포 요일", decision="배포는 화요일", reasoning="금요일은 위험하다"
    )
    found = call("search", query="금요일 배포")["results"]
    assert {hit["kind"] for hit in found} == {"kv", "event", "memory"}
    decided = next(hit for hit in found if hit["kind"] == "memory")
    assert decided["value"] == "배포는 화요일"
    assert decided["topic"] == "배포 요일"
    only = call("search", query="금요일 배포", kinds=["memory"])["results"]
    assert [hit["kind"] for hit in only] == ["memory"]


def test_the_key_of_an_event_or_a_decision_comes_with_the_call_that_reads_it(call: Call) -> None:
    call("log", event="deploy", data={"to": "파랑"})
    made = call("save_decision", topic="auth", decision="Use JWT", reasoning="stateless")
    event = call("recall", key="1")
    assert (event["found"], event["kind"]) == (False, "event")
    assert event["next"]["tool"] == "strata_history"
    assert call("history", **event["next"]["arguments"])["events"][0]["data"] == {"to": "파랑"}
    memory = call("recall", key=made["id"])
    assert (memory["found"], memory["next"]["tool"]) == (False, "load_context")
    assert call("load_context", **memory["next"]["arguments"])["memory"]["content"] == "Use JWT"


def test_history_after_a_version_is_of_the_key_or_namespace_that_was_named(
    call: Call, fail: Call
) -> None:
    first = call("store", key="k", value="첫째")["version"]
    second = call("store", key="k", value="둘째")["version"]
    call("store", key="k", value="other", namespace="팀")
    versions = call("history", key="k", after=first)["versions"]
    assert [held["version"] for held in versions] == [second]
    changes = call("history", after=0, namespace="팀")["changes"]
    assert [change["value"] for change in changes] == ["other"]
    assert call("history", after=0, as_of=first)["changes"][-1]["value"] == "첫째"
    assert fail("history", namespace="팀")["parameter"] == "namespace"
    assert fail("history", as_of="1h ago")["parameter"] == "as_of"


def test_changes_of_one_namespace_are_all_listed_beside_many_others(
    call: Call, db: strata.Workspace
) -> None:
    for number in range(30):
        db.kv.put(f"loud/{number}", number)
        if number % 10 == 0:
            db.space("조용").kv.put(f"rare/{number}", number)
    answer = call("history", after=0, namespace="조용", limit=2)
    seen = [change["key"] for change in answer["changes"]]
    while answer.get("truncated"):
        answer = call("history", **answer["next"]["arguments"])
        seen += [change["key"] for change in answer["changes"]]
    assert seen == ["rare/0", "rare/10", "rare/20"]


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


def test_deleting_the_branch_of_the_session_goes_back_to_its_parent(
    call: Call, session: Session
) -> None:
    call("store", key="k", value="밑")
    call("branch", action="fork", name="n1")
    call("branch", action="switch", name="n1")
    call("branch", action="fork", name="n2")
    call("branch", action="switch", name="n2")
    gone = call("branch", action="delete", name="n2")
    assert (gone["deleted"], gone["current"]) == (True, "n1")
    assert "'n1'" in gone["hint"]
    assert call("status")["branch"] == session.branch == "n1"
    assert call("recall", key="k")["value"] == "밑"
    call("branch", action="delete", name="n1")
    assert call("status")["branch"] == "default"


def test_a_session_whose_branch_somebody_else_deleted_can_go_on(
    call: Call, fail: Call, db: strata.Workspace
) -> None:
    call("branch", action="fork", name="work")
    call("branch", action="switch", name="work")
    call("store", key="k", value="일")
    db.branches.delete("work", force=True)
    assert "switch" in fail("recall", key="k")["hint"]
    assert "'work' was deleted" in call("status")["warnings"][0]
    assert [one["name"] for one in call("branch", action="list")["branches"]] == ["default"]
    call("branch", action="switch", name="default")
    assert call("recall", key="k")["found"] is False


def test_a_deleted_branch_is_listed_and_restored(call: Call, fail: Call) -> None:
    call("branch", action="fork", name="실험")
    call("store", key="k", value=1, branch="실험")
    call("branch", action="delete", name="실험", force=True)
    listed = call("branch", action="list", deleted=True)["branches"]
    assert [one["name"] for one in listed] == ["실험"]
    assert call("branch", action="restore", name="실험")["branch"] == "실험"
    assert call("recall", key="k", branch="실험")["value"] == 1
    assert "deleted true" in fail("branch", action="restore", name="nobody")["hint"]


def test_all_branches_are_reached_by_following_next(call: Call, db: strata.Workspace) -> None:
    for number in range(7):
        db.branches.fork(f"b{number}")
    answer, names = call("branch", action="list", limit=3), list[str]()
    while True:
        names += [one["name"] for one in answer["branches"]]
        if "next" not in answer:
            break
        answer = call("branch", **answer["next"]["arguments"])
    assert names == [*(f"b{number}" for number in range(7)), "default"]


def test_a_diff_of_one_namespace_shows_that_one_only(call: Call) -> None:
    call("branch", action="fork", name="try")
    call("store", key="k", value=1, branch="try")
    call("store", key="k", value="둘", namespace="팀", branch="try")
    changes = call("branch", action="diff", compare="try", namespace="팀")["changes"]
    assert [(change["namespace"], change["after"]) for change in changes] == [("팀", "둘")]


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


def test_each_conflict_can_be_decided_by_a_choice(call: Call, fail: Call) -> None:
    call("store", key="k", value={"이름": "처음", "수": 1})
    call("branch", action="fork", name="try")
    call("store", key="k", value={"이름": "저쪽", "수": 2}, branch="try")
    call("store", key="k", value={"이름": "우리", "수": 3})
    preview = call("branch", action="merge", source="try", preview=True)
    number, name = sorted(preview["conflicts"], key=lambda one: str(one["path"]))
    missing = fail("branch", action="merge", source="try", choices={number["id"]: "theirs"})
    assert [one["path"] for one in missing["conflicts"]] == ["$.이름"]
    assert "choices" in missing["hint"]
    choices = {number["id"]: "theirs", name["id"]: {"value": "모두"}}
    unknown = fail("branch", action="merge", source="try", choices=choices | {"없음": "ours"})
    assert (unknown["code"], unknown["parameter"]) == ("invalid_input", "choices")
    merged = call("branch", action="merge", source="try", choices=choices)
    assert {one["path"]: one["choice"] for one in merged["resolved"]} == {
        "$.수": "theirs",
        "$.이름": "edited",
    }
    assert call("recall", key="k")["value"] == {"이름": "모두", "수": 2}


def test_several_commits_are_taken_back_as_one_after_a_preview(call: Call, fail: Call) -> None:
    call("store", key="k", value="처음")
    run = [call("store", key=key, value="도우미")["version"] for key in ("k", "새", "k")]
    call("store", key="새", value="나중")
    preview = call("branch", action="revert", versions=run, preview=True)
    assert [change["key"] for change in preview["changes"]] == ["k"]
    assert [(kept["key"], kept["kind"]) for kept in preview["kept"]] == [("새", "kv")]
    assert fail("branch", action="revert", versions=run)["code"] == "merge_conflict"
    done = call("branch", action="revert", versions=run, strategy="target_wins")
    assert done["kept"] == preview["kept"]
    assert call("recall", key="k")["value"] == "처음"
    assert call("recall", key="새")["value"] == "나중"
    assert fail("branch", action="revert")["parameter"] == "version"


def test_the_log_of_commits_and_taking_one_back(call: Call) -> None:
    call("store", key="k", value=1)
    wrong = call("store", key="k", value=2)["version"]
    part = call("branch", action="log", limit=1)
    assert part["commits"][0]["version"] == wrong
    assert part["commits"][0]["keys"] == ["k"]
    rest = call("branch", **part["next"]["arguments"])
    assert len(rest["commits"]) == 1
    call("branch", action="revert", version=wrong)
    assert call("recall", key="k")["value"] == 1
    logged = call("log", event="e", data={})["version"]
    assert "events stay" in call("branch", action="revert", version=logged)["hint"]


def test_the_log_names_the_first_keys_of_a_commit_and_counts_the_rest(
    call: Call, db: strata.Workspace
) -> None:
    db.kv.put_many({f"키/{number:02}": number for number in range(25)})
    call("log", event="deploy", data={})
    newest, many = call("branch", action="log")["commits"]
    assert newest["keys"] == ["1"]
    assert many["keys"] == [f"키/{number:02}" for number in range(10)]
    assert many["changes"] == 25
    assert "message" not in many


def test_hints_name_tools_and_not_commands_or_calls_of_the_sdk(call: Call, fail: Call) -> None:
    call("store", key="k", value=1)
    told = [
        fail("branch", action="revert", version=10_000)["hint"],
        fail("recall", key="k", as_of="tag:없다")["hint"],
        fail("recall", key="k", branch="없다")["hint"],
        fail("vector_stats", collection="없다")["hint"],
        fail("space_delete", space="없다")["hint"],
    ]
    assert not [hint for hint in told if "`strata " in hint or "()" in hint or "db." in hint]
    assert "strata_branch" in told[0]


def test_actions_say_what_they_need_and_refuse_the_rest(call: Call, fail: Call) -> None:
    assert "must be given" in fail("branch")["message"]
    assert "create, fork" in fail("branch", action="destroy")["hint"]
    assert "needs name" in fail("branch", action="switch")["message"]
    assert "takes no name" in fail("branch", action="log", name="y")["message"]
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


def test_a_diff_seen_from_the_branch_that_changed_says_how_to_see_it(call: Call) -> None:
    call("strata_branch", action="fork", name="초록")
    call("strata_store", key="배포", value="초록", branch="초록")
    empty = call("strata_branch", action="diff", compare="default", branch="초록")
    assert empty["changes"] == []
    assert "'초록' has 1 change: diff with branch 'default' and compare '초록'" in empty["hint"]


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


def test_an_event_is_logged_with_the_time_at_which_it_happened(call: Call, fail: Call) -> None:
    made = call("log", event="정전", data={"방": 3}, time="2026-01-02T09:00:00Z")
    assert made["timestamp"] == "2026-01-02T09:00:00.000000Z"
    assert made["recorded"] > made["timestamp"]
    plain = call("log", event="deploy", data={})
    assert "recorded" not in plain
    told, second = call("history", event="*")["events"]
    assert (told["timestamp"], told["recorded"]) == (made["timestamp"], made["recorded"])
    assert "recorded" not in second
    assert fail("log", event="x", data={}, time="someday")["code"] == "invalid_time"


def test_a_merged_event_is_shown_with_both_its_times(call: Call) -> None:
    call("branch", action="fork", name="t")
    made = call("log", event="배포", data={}, branch="t")
    call("branch", action="merge", source="t")
    merged = call("history", event="*")["events"][0]
    assert merged["timestamp"] == made["timestamp"] < merged["recorded"]


def test_a_merge_after_an_undone_merge_says_what_it_leaves_out(
    call: Call, db: strata.Workspace
) -> None:
    call("store", key="k", value="먼저")
    call("branch", action="fork", name="t")
    call("store", key="k", value="나중", branch="t")
    call("branch", action="merge", source="t")
    undone = db.undo().commit
    again = call("branch", action="merge", source="t")
    assert again["applied"] == 0
    assert f"revert version {undone}" in again["hint"]
    call("branch", action="revert", version=undone)
    assert call("recall", key="k")["value"] == "나중"


def test_history_says_where_something_comes_from(call: Call) -> None:
    call("strata_store", key="deploy/port", value="8080")
    call("strata_store", key="deploy/port", value="8443", tags=["source:docs/ports.md"])
    found = call("strata_history", key="deploy/port", why=True)
    origin = found["origin"]
    assert (origin["value"], origin["branch"]) == ("8443", "default")
    assert origin["sources"] == [{"source": "docs/ports.md", "kind": "text"}]
    assert [one["value"] for one in origin["earlier"]] == ["8080"]
    assert "versions" not in found
