"""Three tools that stand for seventy-four."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import strata
from strata.tools import CallOutcome, Session, StoreHost, call_tool, expose, registry
from tests.surface.developer.loopback import Wire

Ask = Callable[..., CallOutcome]


@pytest.fixture
def session(db: strata.Workspace) -> Session:
    return Session(StoreHost(lambda: db), caller="owner", exposure=expose("developer_compact"))


@pytest.fixture
def ask(session: Session) -> Ask:
    tools = {tool.name: tool for tool in registry().tools("developer_compact")}

    def ask(tool: str, /, **given: Any) -> CallOutcome:
        return call_tool(session, tools[f"strata_tools_{tool}"], given)

    return ask


def test_only_three_are_listed_and_all_can_be_called(wire: Wire) -> None:
    listed = [tool["name"] for tool in wire.request("tools/list")["tools"]]
    assert listed == ["strata_tools_search", "strata_tools_describe", "strata_tools_call"]
    called = wire.call(
        "strata_tools_call",
        {
            "name": "strata_kv_put",
            "arguments": {"key": "인사", "value": "안녕"},
        },
    )
    assert called["structuredContent"]["result"]["version"] == 1
    direct = wire.call("strata_kv_get", {"key": "인사"})
    assert direct["structuredContent"]["value"] == "안녕"


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("compare two branches", "strata_branch_diff"),
        ("브랜치를 비교", "strata_branch_diff"),
        ("write many keys atomically", "strata_kv_put_many"),
        ("여러 키를 저장", "strata_kv_put_many"),
        ("find similar vectors", "strata_vector_search"),
        ("undo the transaction", "strata_txn_rollback"),
        ("read a document", "strata_json_get"),
        ("이벤트 목록", "strata_event_list"),
        ("export a branch to a file", "strata_bundle_export"),
        ("strata_kv_get", "strata_kv_get"),
    ],
)
def test_a_wish_finds_its_tool_among_the_first_three(ask: Ask, query: str, name: str) -> None:
    found = ask("search", query=query, limit=3).value["results"]
    assert name in [one["name"] for one in found]


def test_a_category_shows_all_of_its_tools(ask: Ask) -> None:
    found = ask("search", category="txn").value["results"]
    assert [one["name"].removeprefix("strata_txn_") for one in found] == [
        "begin",
        "commit",
        "rollback",
        "info",
        "active",
    ]
    assert found[0]["parameters"] == "[read_only], [branch]"
    assert found[0]["summary"] == "Begin a transaction for this session."
    assert ask("search", category="nothing").value["code"] == "not_found"
    assert ask("search", query="zzzz").value == {"results": []}


def test_a_description_tells_everything_of_a_tool(ask: Ask) -> None:
    for tool in registry().tools("developer"):
        told = ask("describe", name=tool.name).value
        assert told["input_schema"] == tool.input_schema
        assert told["output_schema"] == tool.output_schema
        assert told["description"] == tool.description
        assert told["example"] == tool.example


def test_errors_of_the_called_tool_are_its_own(ask: Ask) -> None:
    wrong = ask("call", name="strata_vector_stats", arguments={"collection": "없다"})
    assert wrong.is_error
    assert wrong.value["code"] == "not_found"
    missing = ask("call", name="strata_kv_get", arguments={})
    assert missing.value["example"]["tool"] == "strata_kv_get"
    assert missing.value["parameter"] == "key"
    unknown = ask("call", name="strata_kv_gett")
    assert unknown.value["hint"] == "Did you mean strata_kv_get?"


def test_a_transaction_spans_calls_through_it(ask: Ask, db: strata.Workspace) -> None:
    ask("call", name="strata_txn_begin")
    ask("call", name="strata_kv_put", arguments={"key": "k", "value": 1})
    assert db.kv.get("k") is None
    done: dict[str, Any] = ask("call", name="strata_txn_commit").value["result"]
    assert done["status"] == "committed"
    assert db.kv.exists("k")


def test_the_declarations_are_light_to_load() -> None:
    command = (
        "import strata.tools.developer, strata.tools.developer.compact, sys; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = set(done.stdout.split())
    assert "strata.tools.developer.kv" in loaded
    assert not {"numpy", "strata.workspace", "strata.store", "apsw", "asyncio"} & loaded


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("compare and set a cell", "strata_state_cas"),
        ("compare two branches", "strata_branch_diff"),
        ("write a cell only if nobody else did", "strata_state_cas"),
        ("write several keys at once", "strata_kv_put_many"),
        ("셀 목록", "strata_state_list"),
    ],
)
def test_a_wish_in_several_words_finds_its_tool(query: str, wanted: str, session: Session) -> None:
    tool = next(one for one in registry().tools("developer_compact") if one.name.endswith("search"))
    found = call_tool(session, tool, {"query": query, "limit": 3}).value["results"]
    assert wanted in [one["name"] for one in found]


def test_a_name_that_is_like_none_is_not_taken_for_one(session: Session) -> None:
    tools = {tool.name: tool for tool in registry().tools("developer_compact")}
    describe = tools["strata_tools_describe"]
    assert "Did you mean" not in call_tool(session, describe, {"name": "strata_nope"}).value["hint"]
    near = call_tool(session, describe, {"name": "strata_kv_putt"}).value["hint"]
    assert "strata_kv_put" in near
