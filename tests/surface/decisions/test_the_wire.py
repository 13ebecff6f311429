"""The ten tools over the protocol: listed, called by each of their names, in both eras."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

import strata
from strata.mcp.encode import tool_entries
from strata.tools import Exposure, Session, StoreHost, expose, registry
from tests.surface.mcp.wire import Server, Talk, call, hello, modern, notification, strata_mcp

TEN = (
    "save_decision",
    "save_checkpoint",
    "save_insight",
    "load_checkpoint",
    "load_context",
    "search_by_topic",
    "search_by_context",
    "search_recent",
    "evolve_outcome",
    "evolve_supersede",
)
LIST_CHARACTERS_MAX = 11_000


@pytest.fixture
def talk() -> Iterator[Callable[[Exposure], Talk]]:
    """Connect to the tools of a choice, on a store of their own."""
    with strata.open(durability="cache", auto_embed=False) as db:

        def connect(exposure: Exposure) -> Talk:
            made = Talk(
                Session(StoreHost(lambda: db, auto_embed=False), caller="owner", exposure=exposure)
            )
            made.tell(hello())
            made.tell(notification("notifications/initialized"))
            return made

        yield connect


def answered(talk: Talk, name: str, /, **arguments: Any) -> dict[str, Any]:
    result = talk.ask("tools/call", call(name, **arguments))["result"]
    assert result["isError"] is False, result
    (content,) = result["content"]
    found = result["structuredContent"]
    text = msgspec.json.decode(content["text"])
    assert text == msgspec.json.decode(msgspec.json.encode(found))
    tool = registry().find(name)
    assert tool is not None
    for schema in (tool.listed_output, tool.output_schema):
        jsonschema.validate(text, schema)
    return text


def test_the_ten_tools_are_listed_in_order_and_shortly() -> None:
    entries = tool_entries(expose("decisions"))
    assert tuple(entry["name"] for entry in entries) == TEN
    assert len(msgspec.json.encode({"tools": entries})) <= LIST_CHARACTERS_MAX
    writing = [e["name"] for e in entries if not e["annotations"]["readOnlyHint"]]
    assert writing == [name for name in TEN if name.startswith(("save", "evolve"))]
    assert not any(entry["annotations"].get("destructiveHint") for entry in entries)


@pytest.mark.parametrize("names", ["slash", "dot", "underscore"])
def test_names_are_listed_as_wanted_and_all_of_them_answer(
    talk: Callable[[Exposure], Talk], names: Any
) -> None:
    sign = {"slash": "/", "dot": ".", "underscore": "_"}[names]
    connected = talk(expose("decisions,memory", names=names))
    listed = [tool["name"] for tool in connected.ask("tools/list")["result"]["tools"]]
    expected = [sign.join(name.split("_", 1)) for name in TEN]
    assert [name for name in listed if not name.startswith("strata_")] == expected
    assert "strata_store" in listed
    for spelled in ("save/insight", "save.insight", "save_insight"):
        answered(connected, spelled, insight=f"배운 것: {spelled}")
    assert len(answered(connected, f"search{sign}recent")["results"]) == 3


@pytest.mark.parametrize(
    ("topic", "first", "second"),
    [("auth", "Use sessions", "Use tokens"), ("인증 방식", "세션을 쓴다", "토큰을 쓴다")],
)
def test_every_tool_answers_over_the_wire(
    talk: Callable[[Exposure], Talk], topic: str, first: str, second: str
) -> None:
    wire = talk(expose("decisions"))
    one = answered(wire, "save_decision", topic=topic, decision=first, reasoning="이유")
    answered(wire, "save_checkpoint", summary="중간", next_steps="다음")
    lesson = answered(wire, "save_insight", insight="교훈", topic=topic)
    two = answered(wire, "evolve_supersede", topic=topic, decision=second, reasoning="더 낫다")
    assert two["superseded"] == [one["id"]]
    verdict = answered(wire, "evolve_outcome", id=two["id"], outcome="partial")
    assert verdict["outcome"] == "PARTIAL"
    resumed = answered(wire, "load_checkpoint")
    assert (resumed["next_steps"], resumed["since"]["decisions"]) == ("다음", 1)
    assert answered(wire, "load_context", id=lesson["id"])["memory"]["content"] == "교훈"
    chain = answered(wire, "search_by_topic", topic=topic)["chain"]
    assert [memory["content"] for memory in chain] == [first, second]
    assert answered(wire, "search_by_context", query=second)["results"]
    assert len(answered(wire, "search_recent", limit=50)["results"]) == 5


def test_an_answer_holds_nothing_that_its_schema_does_not_name(
    talk: Callable[[Exposure], Talk],
) -> None:
    wire = talk(expose("decisions,legacy"))
    first = answered(wire, "save_decision", topic="t", decision="d", reasoning="r")
    answered(wire, "save_decision", topic="t", decision="e", reasoning="r", supersedes="none")
    answered(wire, "save_checkpoint", summary="s")
    about = {
        "load_context": {"topic": "t"},
        "search_by_topic": {"topic": "t"},
        "evolve_outcome": {"id": first["id"], "outcome": "FAILED", "reason": "r"},
        "evolve_supersede": {"id": first["id"], "decision": "f", "reasoning": "r"},
        "update_outcome": {"decisionId": first["id"], "outcome": "PARTIAL"},
    }
    for tool in expose("decisions,legacy").tools:
        found = answered(wire, tool.name, **about.get(tool.name, tool.example))
        known = tool.output_schema["properties"].keys() | {"truncated", "next"}
        assert found.keys() <= known, tool.name


def test_the_stateless_revision_calls_them_too(talk: Callable[[Exposure], Talk]) -> None:
    with strata.open(durability="cache", auto_embed=False) as db:
        wire = Talk(
            Session(
                StoreHost(lambda: db),
                caller="owner",
                keeps_state=False,
                exposure=expose("decisions"),
            )
        )
        sent = modern(call("save/decision", topic="인증", decision="토큰", reasoning="앱"))
        result = wire.ask("tools/call", sent)["result"]
        assert result["structuredContent"]["branch"] == "default"


def test_a_name_of_another_group_is_refused_with_the_groups_name(
    talk: Callable[[Exposure], Talk],
) -> None:
    error = talk(expose("memory")).ask("tools/call", call("save/decision"))["error"]
    assert "'decisions'" in error["message"]


def test_a_real_process_serves_them(tmp_path: Path) -> None:
    server = Server(*strata_mcp(tmp_path / "기억.db", "--groups", "decisions,legacy"))
    try:
        server.greet()
        names = [tool["name"] for tool in server.ask("tools/list")["result"]["tools"]]
        assert tuple(names[:10]) == TEN
        assert len(names) == 14
        saved = server.call("save.decision", topic="인증", decision="토큰", reasoning="앱")
        assert saved["branch"] == "default"
        assert saved["id"] in server.call("recall_decision", topic="인증")["history"]
        assert server.close() == 0
        assert server.odd == []
        assert server.complaint.splitlines() == [
            "recall_decision is an old name: use search_by_topic"
        ]
    finally:
        server.end()
