"""The core alone: handshakes, the era that stands alone, lists, and what is refused."""

import json
from typing import Any

import pytest

from strata.base import limits
from strata.base.version import __version__
from strata.mcp import protocol
from strata.tools import INSTRUCTIONS, PROMPTS, Session, StoreHost, expose
from tests.surface.mcp.wire import Talk, call, hello, modern, notification, request

EIGHT = "store recall search forget log branch history status".split()


def error_of(answer: dict[str, Any]) -> tuple[int, str]:
    assert "result" not in answer
    return answer["error"]["code"], answer["error"]["message"]


# The handshake.


@pytest.mark.parametrize("revision", protocol.HANDSHAKE_REVISIONS)
def test_every_older_revision_is_agreed_to(talk: Talk, revision: str) -> None:
    (answer,) = talk.tell(hello(revision=revision))
    assert answer["id"] == 0
    assert answer["jsonrpc"] == "2.0"
    assert answer["result"]["protocolVersion"] == revision


@pytest.mark.parametrize("revision", ["2099-01-01", "1.0", "", protocol.MODERN_REVISION])
def test_a_revision_without_a_handshake_is_answered_with_the_newest_that_has_one(
    talk: Talk, revision: str
) -> None:
    (answer,) = talk.tell(hello(revision=revision))
    assert answer["result"]["protocolVersion"] == protocol.HANDSHAKE_REVISIONS[0]


def test_the_handshake_tells_who_serves_and_how_to_use_it(talk: Talk) -> None:
    (answer,) = talk.tell(hello())
    result = answer["result"]
    assert result["serverInfo"] == {"name": "strata", "title": "Strata", "version": __version__}
    assert result["instructions"] == INSTRUCTIONS
    assert len(INSTRUCTIONS) <= 600
    assert result["capabilities"].keys() == {"tools", "prompts"}


@pytest.mark.parametrize(
    "changes",
    [
        {"protocolVersion": None},
        {"protocolVersion": 20251125},
        {"capabilities": None},
        {"capabilities": []},
    ],
)
def test_a_handshake_that_lacks_what_it_must_say_is_refused(
    talk: Talk, changes: dict[str, object]
) -> None:
    (answer,) = talk.tell(hello(**changes))
    assert error_of(answer)[0] == protocol.INVALID_PARAMS
    (again,) = talk.tell(hello(1))
    assert again["result"]["protocolVersion"] == protocol.HANDSHAKE_REVISIONS[0]


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "prompts/list", "prompts/get"])
def test_nothing_but_a_ping_is_served_before_the_handshake(talk: Talk, method: str) -> None:
    assert talk.ask("ping")["result"] == {}
    code, message = error_of(talk.ask(method, {"name": "strata_status"}))
    assert code == protocol.INVALID_PARAMS
    assert "initialize" in message
    talk.tell(hello())
    assert "result" in talk.ask("tools/list")


def test_a_second_handshake_on_one_connection_is_answered(talk: Talk) -> None:
    talk.tell(hello(1, "2025-11-25"))
    (answer,) = talk.tell(hello(2, "2024-11-05"))
    assert answer["result"]["protocolVersion"] == "2024-11-05"


def test_a_connection_that_began_with_a_handshake_takes_no_request_that_stands_alone(
    talk: Talk,
) -> None:
    talk.tell(hello())
    code, message = error_of(talk.ask("tools/list", modern()))
    assert code == protocol.INVALID_REQUEST
    assert "handshake" in message
    assert error_of(talk.ask("server/discover", {}))[0] == protocol.METHOD_NOT_FOUND
    assert error_of(talk.ask("subscriptions/listen", {}))[0] == protocol.METHOD_NOT_FOUND


# Requests that stand alone.


def test_a_first_request_that_stands_alone_needs_no_handshake(talk: Talk) -> None:
    result = talk.ask("tools/list", modern())["result"]
    assert len(result["tools"]) == 8
    assert result["resultType"] == "complete"
    assert result["cacheScope"] == "private"
    assert result["ttlMs"] == protocol.LIST_TTL_MS
    assert result["_meta"][protocol.SERVER_KEY]["name"] == "strata"


def test_discovery_names_the_revision_and_the_instructions(talk: Talk) -> None:
    result = talk.ask("server/discover", modern())["result"]
    assert result["supportedVersions"] == [protocol.MODERN_REVISION]
    assert result["instructions"] == INSTRUCTIONS
    assert result["resultType"] == "complete"
    assert result["capabilities"].keys() == {"tools", "prompts"}


@pytest.mark.parametrize("missing", [protocol.REVISION_KEY, protocol.CAPABILITIES_KEY])
def test_a_request_that_does_not_say_what_it_must_about_itself_is_refused(
    talk: Talk, missing: str
) -> None:
    talk.ask("server/discover", modern())
    params = modern()
    del params["_meta"][missing]
    code, message = error_of(talk.ask("tools/list", params))
    assert code == protocol.INVALID_PARAMS
    assert missing in message


@pytest.mark.parametrize("key", [protocol.CAPABILITIES_KEY, protocol.CLIENT_KEY])
def test_an_envelope_whose_parts_are_no_objects_is_refused(talk: Talk, key: str) -> None:
    assert error_of(talk.ask("tools/list", modern({}, {key: "x"})))[0] == protocol.INVALID_PARAMS


@pytest.mark.parametrize("meta", [None, [], "x", 7])
def test_an_envelope_that_is_no_object_is_refused(talk: Talk, meta: object) -> None:
    talk.ask("server/discover", modern())
    assert error_of(talk.ask("tools/list", {"_meta": meta}))[0] == protocol.INVALID_PARAMS


@pytest.mark.parametrize("revision", ["2099-01-01", "2025-11-25", ""])
def test_an_unsupported_revision_is_refused_with_those_there_are(talk: Talk, revision: str) -> None:
    answer = talk.ask("tools/list", modern({}, {protocol.REVISION_KEY: revision}))
    assert error_of(answer)[0] == protocol.UNSUPPORTED_REVISION
    assert answer["error"]["data"]["supported"] == [protocol.MODERN_REVISION]
    assert answer["error"]["data"]["requested"] == revision


@pytest.mark.parametrize("revision", [7, None, ["2026-07-28"], {}])
def test_a_revision_that_is_no_text_is_refused(talk: Talk, revision: object) -> None:
    answer = talk.ask("tools/list", modern({}, {protocol.REVISION_KEY: revision}))
    assert error_of(answer)[0] == protocol.INVALID_PARAMS


def test_a_handshake_after_a_request_that_stood_alone_is_refused(talk: Talk) -> None:
    talk.ask("tools/list", modern())
    (answer,) = talk.tell(hello(9))
    assert error_of(answer)[0] == protocol.UNSUPPORTED_REVISION
    assert answer["error"]["data"]["supported"] == [protocol.MODERN_REVISION]
    assert "result" in talk.ask("tools/list", modern())


def test_there_is_no_ping_among_requests_that_stand_alone(talk: Talk) -> None:
    talk.ask("server/discover", modern())
    assert error_of(talk.ask("ping", modern()))[0] == protocol.METHOD_NOT_FOUND


# What is no request.


@pytest.mark.parametrize("message", [None, 3, "text", [], [request(1, "ping")], True, 1.5])
def test_what_is_no_object_is_refused(talk: Talk, message: object) -> None:
    (answer,) = talk.tell(message)
    assert answer["id"] is None
    assert error_of(answer)[0] == protocol.INVALID_REQUEST


@pytest.mark.parametrize("method", [None, 7, ["ping"], {}])
def test_a_message_without_a_method_is_refused_under_its_id(talk: Talk, method: object) -> None:
    (answer,) = talk.tell({"jsonrpc": "2.0", "id": 5, "method": method})
    assert answer["id"] == 5
    assert error_of(answer)[0] == protocol.INVALID_REQUEST


def test_an_odd_id_is_not_repeated(talk: Talk) -> None:
    (answer,) = talk.tell({"jsonrpc": "2.0", "id": True})
    assert answer["id"] is None


def test_answers_to_questions_that_nobody_asked_are_dropped(talk: Talk) -> None:
    assert talk.tell({"jsonrpc": "2.0", "id": 5, "result": {}}) == []
    assert talk.tell({"jsonrpc": "2.0", "id": 5, "error": {"code": 1, "message": "x"}}) == []


@pytest.mark.parametrize("request_id", [None, True, 1.5, [], {}])
def test_an_id_that_is_neither_text_nor_a_whole_number_is_refused(
    talk: Talk, request_id: object
) -> None:
    (answer,) = talk.tell(request(request_id, "ping"))
    assert answer["id"] is None
    assert error_of(answer)[0] == protocol.INVALID_REQUEST


@pytest.mark.parametrize("request_id", [0, -7, 2**53, "", "질문", "0", "a" * 5000])
def test_any_text_and_any_whole_number_is_an_id(talk: Talk, request_id: object) -> None:
    assert talk.ask("ping", request_id=request_id) == {
        "jsonrpc": "2.0",
        "id": request_id,
        "result": {},
    }


@pytest.mark.parametrize("params", [[], [1], "x", 3, True])
def test_params_that_are_no_object_are_refused(talk: Talk, params: object) -> None:
    assert error_of(talk.ask("ping", params))[0] == protocol.INVALID_REQUEST


@pytest.mark.parametrize("method", ["tools/delete", "", "resources/list", "없는/것", "TOOLS/LIST"])
def test_an_unknown_method_is_refused_in_both_eras(host: StoreHost, method: str) -> None:
    older, newer = Talk(Session(host, caller="owner")), Talk(Session(host, caller="owner"))
    older.tell(hello())
    for answer in (older.ask(method, {}), newer.ask(method, modern())):
        assert error_of(answer)[0] == protocol.METHOD_NOT_FOUND
        assert answer["error"]["data"] == method


@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/없는것", "tools/call", "ping"]
)
def test_a_notification_is_never_answered(talk: Talk, method: str) -> None:
    talk.tell(hello())
    assert talk.tell(notification(method, call("strata_status"))) == []
    assert talk.tell(notification(method, "odd")) == []


@pytest.mark.parametrize("params", [{}, {"requestId": None}, {"requestId": []}, {"requestId": 99}])
def test_a_cancellation_of_nothing_is_dropped(talk: Talk, params: dict[str, object]) -> None:
    talk.tell(hello())
    assert talk.tell(notification("notifications/cancelled", params)) == []
    assert "result" in talk.ask("ping")


# Tools and prompts.


def test_the_eight_tools_are_listed_with_schemas_and_annotations(talk: Talk) -> None:
    talk.tell(hello())
    tools = talk.ask("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == [f"strata_{name}" for name in EIGHT]
    for tool in tools:
        assert tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object"
        assert tool["title"]
        assert tool["description"]
        assert isinstance(tool["annotations"]["readOnlyHint"], bool)


def test_the_list_of_the_eight_is_small(talk: Talk) -> None:
    talk.tell(hello())
    tools = talk.ask("tools/list")["result"]["tools"]
    text = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
    assert len(text) <= 9_000


def test_both_eras_list_the_same_tools_and_prompts(host: StoreHost) -> None:
    older, newer = Talk(Session(host, caller="owner")), Talk(Session(host, caller="owner"))
    older.tell(hello())
    for method, name in (("tools/list", "tools"), ("prompts/list", "prompts")):
        first, second = older.ask(method), newer.ask(method, modern())
        assert first["result"] == {name: second["result"][name]}


def test_a_server_for_reading_lists_nothing_that_writes(host: StoreHost) -> None:
    talk = Talk(Session(host, caller="owner", exposure=expose(read_only=True)))
    talk.tell(hello())
    tools = talk.ask("tools/list")["result"]["tools"]
    assert tools
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
    refused = talk.ask("tools/call", call("strata_store", key="k", value=1))
    assert error_of(refused)[0] == protocol.INVALID_PARAMS
    assert "for reading only" in str(refused["error"])
    listed = talk.ask("tools/call", call("strata_branch", action="list"))["result"]
    assert listed["structuredContent"]["branches"][0]["name"] == "default"
    merged = talk.ask("tools/call", call("strata_branch", action="merge", source="x"))["result"]
    assert "with action merge writes" in json.loads(merged["content"][0]["text"])["message"]


def test_unknown_groups_are_named_in_the_instructions(host: StoreHost) -> None:
    talk = Talk(Session(host, caller="owner", exposure=expose("memory,momory")))
    (told,) = talk.tell(hello())
    assert "'momory'" in told["result"]["instructions"]


def test_a_call_answers_with_structure_and_the_same_as_text(talk: Talk) -> None:
    talk.tell(hello())
    stored = talk.ask("tools/call", call("strata_store", key="키", value={"값": [1, None]}))
    assert stored["result"]["isError"] is False
    found = talk.ask("tools/call", call("strata_recall", key="키"))["result"]
    assert found["structuredContent"]["value"] == {"값": [1, None]}
    (text,) = found["content"]
    assert text["type"] == "text"
    assert json.loads(text["text"]) == found["structuredContent"]


def test_a_call_without_arguments_is_one_with_none(talk: Talk) -> None:
    talk.tell(hello())
    for params in ({"name": "strata_status"}, {"name": "strata_status", "arguments": None}):
        assert talk.ask("tools/call", params)["result"]["isError"] is False


def test_a_failure_that_can_be_expected_is_a_result_that_teaches(talk: Talk) -> None:
    talk.tell(hello())
    result = talk.ask("tools/call", call("strata_store", kee="k", value=1))["result"]
    assert result["isError"] is True
    assert "structuredContent" not in result
    told = json.loads(result["content"][0]["text"])
    assert told["code"] == "invalid_input"
    assert "'key'" in told["hint"]
    assert told["example"]["tool"] == "strata_store"


@pytest.mark.parametrize("params", [{}, {"name": 3}, {"name": "strata_status", "arguments": []}])
def test_a_call_that_names_no_tool_or_odd_arguments_is_refused(
    talk: Talk, params: dict[str, object]
) -> None:
    talk.tell(hello())
    assert error_of(talk.ask("tools/call", params))[0] == protocol.INVALID_PARAMS


def test_an_unknown_tool_is_refused_with_the_nearest_one(talk: Talk) -> None:
    talk.tell(hello())
    code, message = error_of(talk.ask("tools/call", call("strata_recal")))
    assert code == protocol.INVALID_PARAMS
    assert "strata_recall" in message


def test_a_tool_of_another_group_is_refused_by_naming_the_group(talk: Talk) -> None:
    talk.tell(hello())
    code, message = error_of(talk.ask("tools/call", call("strata_kv_put", key="a", value=1)))
    assert code == protocol.INVALID_PARAMS
    assert "'developer'" in message


def test_prompts_are_listed_and_filled(talk: Talk) -> None:
    talk.tell(hello())
    listed = talk.ask("prompts/list")["result"]["prompts"]
    assert [prompt["name"] for prompt in listed] == [prompt.name for prompt in PROMPTS]
    got = talk.ask("prompts/get", {"name": "resume", "arguments": {"topic": "배포"}})["result"]
    (message,) = got["messages"]
    assert message["role"] == "user"
    assert "배포" in message["content"]["text"]
    bare = talk.ask("prompts/get", {"name": "resume"})["result"]
    assert "{}" not in bare["messages"][0]["content"]["text"]


def test_an_unknown_prompt_is_refused_with_those_there_are(talk: Talk) -> None:
    talk.tell(hello())
    code, message = error_of(talk.ask("prompts/get", {"name": "없다"}))
    assert code == protocol.INVALID_PARAMS
    assert "resume, decide, review" in message


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 4},
        {"name": "resume", "arguments": []},
        {"name": "resume", "arguments": {"topic": 3}},
    ],
)
def test_a_prompt_takes_a_name_and_texts(talk: Talk, params: dict[str, object]) -> None:
    talk.tell(hello())
    assert error_of(talk.ask("prompts/get", params))[0] == protocol.INVALID_PARAMS


def test_commits_name_the_client(host: StoreHost, talk: Talk) -> None:
    talk.tell(hello())
    talk.ask("tools/call", call("strata_store", key="k", value=1))
    assert host.db.log(limit=1)[0].actor == "시험"


# Subscriptions.


def test_listening_is_acknowledged_with_what_will_be_told(talk: Talk) -> None:
    wanted = {"toolsListChanged": True, "promptsListChanged": False, "없는것": True}
    (told,) = talk.tell(request("귀", "subscriptions/listen", modern({"notifications": wanted})))
    assert told["method"] == "notifications/subscriptions/acknowledged"
    assert told["params"]["notifications"] == {"toolsListChanged": True}
    assert told["params"]["_meta"] == {protocol.SUBSCRIPTION_KEY: "귀"}


def test_a_changed_list_is_told_to_those_who_listen_for_it(talk: Talk) -> None:
    for name, wanted in (("a", {"toolsListChanged": True}), ("b", {"promptsListChanged": True})):
        talk.tell(request(name, "subscriptions/listen", modern({"notifications": wanted})))
    talk.core.tools_changed()
    told = talk.sent.get_nowait()
    assert told["method"] == "notifications/tools/list_changed"
    assert told["params"]["_meta"] == {protocol.SUBSCRIPTION_KEY: "a"}
    assert talk.sent.empty()


def test_whoever_cancels_a_subscription_hears_nothing_more(talk: Talk) -> None:
    wanted = modern({"notifications": {"toolsListChanged": True}})
    talk.tell(request(1, "subscriptions/listen", wanted))
    assert talk.tell(notification("notifications/cancelled", {"requestId": 1})) == []
    talk.core.tools_changed()
    assert talk.sent.empty()


def test_subscriptions_end_with_the_connection(talk: Talk) -> None:
    wanted = modern({"notifications": {"toolsListChanged": True}})
    talk.tell(request(1, "subscriptions/listen", wanted))
    talk.core.close()
    last = talk.sent.get_nowait()
    assert last["id"] == 1
    assert last["result"]["resultType"] == "complete"
    assert last["result"]["_meta"][protocol.SUBSCRIPTION_KEY] == 1


@pytest.mark.parametrize(
    "wanted",
    [
        None,
        [],
        "x",
        True,
        {"toolsListChanged": "x"},
        {"resourceSubscriptions": "x"},
        {"resourceSubscriptions": [7]},
    ],
)
def test_listening_for_nothing_that_can_be_read_is_refused(talk: Talk, wanted: object) -> None:
    answer = talk.ask("subscriptions/listen", modern({"notifications": wanted}))
    assert error_of(answer)[0] == protocol.INVALID_PARAMS


def test_subscriptions_are_bounded(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SUBSCRIPTIONS_MAX", 3)
    wanted = modern({"notifications": {}})
    for number in range(3):
        (told,) = talk.tell(request(number, "subscriptions/listen", wanted))
        assert "method" in told
    assert error_of(talk.ask("subscriptions/listen", wanted))[0] == protocol.INTERNAL_ERROR


def test_older_clients_are_told_about_a_changed_list_once_greeted(talk: Talk) -> None:
    talk.core.tools_changed()
    assert talk.sent.empty()
    talk.tell(hello())
    talk.core.tools_changed()
    assert talk.sent.get_nowait() == notification("notifications/tools/list_changed")
