"""The same lines to our core and to the official SDK's server over the same tools: what differs.

Every difference is listed below with its reason; any other one is a failure.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from strata.mcp import protocol
from tests.surface.mcp.wire import (
    Message,
    Server,
    call,
    hello,
    modern,
    notification,
    request,
    sdk_mcp,
    strata_mcp,
)

pytestmark = pytest.mark.slow

# Parts of an answer that tell when and where, not what.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")

HANDSHAKE = [hello(0), notification("notifications/initialized")]
ALONE = [request(0, "server/discover", modern())]

CALLS: list[Message] = [
    call("strata_status"),
    call(
        "strata_store", key="배포/대상", value={"색": "파랑", "수": [1, 2.5, None]}, tags=["운영"]
    ),
    call("strata_store", key="배포/대상", value="초록", if_version=99),
    call("strata_store", items=[{"key": "a", "value": 1}, {"key": "b", "value": "둘"}]),
    call("strata_store", kee="k", value=1),
    call("strata_store", key="k"),
    call("strata_store", key=["k"], value=1),
    call("strata_store", key="k", value=1, if_version="7"),
    call("strata_recall", key="배포/대상"),
    call("strata_recall", key="배포대상"),
    call("strata_recall", prefix=""),
    call("strata_recall", keys=["a", "없다"]),
    call("strata_search", query="파랑"),
    call("strata_log", event="deploy", data={"결과": "성공"}),
    call("strata_history", key="배포/대상"),
    call("strata_history", event="*"),
    call("strata_branch", action="fork", name="시험"),
    call("strata_branch", action="diff", compare="시험"),
    call("strata_branch", action="없는 것"),
    call("strata_branch", action="log"),
    call("strata_branch", action="merge", source="없다"),
    call("strata_forget", key="a"),
    call("strata_forget", key="a"),
    {"name": "strata_status"},
    {"name": "strata_status", "arguments": None},
    {"name": "strata_status", "arguments": []},
    {"name": "strata_status", "arguments": "x"},
    {"arguments": {}},
    {"name": 7},
    {},
    call("strata_kv_put", key="k", value=1),
    call("strata_recal", key="k"),
    call("아무것도 아닌 것"),
]
PROMPTS: list[Message] = [
    {"name": "resume"},
    {"name": "resume", "arguments": {"topic": "배포"}},
    {"name": "resume", "arguments": {"없는 것": "x"}},
    {"name": "없다"},
    {"name": 3},
    {},
    {"name": "resume", "arguments": {"topic": 3}},
    {"name": "resume", "arguments": []},
]
METHODS = [
    "ping",
    "tools/list",
    "prompts/list",
    "server/discover",
    "resources/list",
    "tools/LIST",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
    "tasks/get",
    "initialize",
    "없는/것",
    "",
]


def requests(method: str, params: Sequence[Message]) -> list[Message]:
    return [request(f"{method} {n}", method, one) for n, one in enumerate(params)]


OLDER = [
    *requests("tools/call", CALLS),
    *requests("prompts/get", PROMPTS),
    *(request(f"m {method}", method, {}) for method in METHODS),
    *(request(f"bare {method}", method) for method in METHODS),
    *(request(f"odd {n}", "tools/list", one) for n, one in enumerate([[], "x", 3, True])),
    request("page", "tools/list", {"cursor": "x"}),
    request("modern", "tools/list", modern()),
    request("again", "initialize", hello(revision="2024-11-05")["params"]),
    request("future", "initialize", hello(revision="2099-01-01")["params"]),
    notification("notifications/cancelled", {"requestId": "nobody"}),
    notification("notifications/없는것"),
    {"jsonrpc": "2.0", "id": "answer", "result": {}},
]
NEWER = [
    *requests("tools/call", [modern(one) for one in CALLS]),
    *requests("prompts/get", [modern(one) for one in PROMPTS]),
    *(request(f"m {method}", method, modern()) for method in METHODS if "listen" not in method),
    *(request(f"bare {method}", method) for method in METHODS),
    *(
        request(f"listen {n}", "subscriptions/listen", modern({"notifications": one}))
        for n, one in enumerate(["x", {"toolsListChanged": "x"}, {"resourceSubscriptions": "x"}])
    ),
    request("hello", "initialize", hello()["params"]),
    request("old", "tools/list", modern({}, {protocol.REVISION_KEY: "2025-11-25"})),
    request("future", "tools/list", modern({}, {protocol.REVISION_KEY: "2099-01-01"})),
    request("number", "tools/list", modern({}, {protocol.REVISION_KEY: 7})),
    request("caps", "tools/list", modern({}, {protocol.CAPABILITIES_KEY: "x"})),
    request("client", "tools/list", modern({}, {protocol.CLIENT_KEY: "x"})),
    request("empty", "tools/list", {"_meta": {}}),
]

# Why answers may differ.
WORDING = "the same code and data; our message is worded by us"
ABSENT = (
    "a method that we do not have is not found, whatever its parameters; the SDK reads them first"
)
SILENCE = "the SDK drops a request whose parameters are no object; we say so"
CHANGES = (
    "our lists of tools change with the context and prompts never do; the SDK announces others"
)

OLDER_DIFFERS = {
    CHANGES: ["0", "again", "future"],
    ABSENT: [
        f"{how} {what}"
        for how in ("m", "bare")
        for what in ("completion/complete", "logging/setLevel")
    ],
    SILENCE: ["odd 0", "odd 1", "odd 2", "odd 3"],
    WORDING: ["modern"],
}
NEWER_DIFFERS = {
    CHANGES: ["0", "m server/discover"],
    ABSENT: ["m completion/complete"],
    WORDING: [
        "m initialize",
        "hello",
        "number",
        "empty",
        *(f"bare {method}" for method in METHODS),
    ],
}


def reason_of(ours: Any, theirs: Any) -> str | None:
    """Return why two answers may differ; None for a difference that nobody has explained."""
    if theirs is None:
        return SILENCE if ours["error"]["code"] == protocol.INVALID_REQUEST else None
    if "error" in ours and "error" in theirs:
        if ours["error"] | {"message": ""} == theirs["error"] | {"message": ""}:
            return WORDING
        codes = (ours["error"]["code"], theirs["error"]["code"])
        return ABSENT if codes == (protocol.METHOD_NOT_FOUND, protocol.INVALID_PARAMS) else None
    for answer in (ours, theirs):
        for feature in answer.get("result", {}).get("capabilities", {}).values():
            feature.pop("listChanged", None)
    return CHANGES if ours == theirs else None


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """Our core and the SDK, each on a store of its own under the same name."""
    servers = []
    for name, command in (("core", strata_mcp), ("sdk", sdk_mcp)):
        folder = tmp_path / name
        folder.mkdir()
        servers.append(Server(*command(Path("store.db"), "--no-auto-embed"), folder=folder))
    yield servers[0], servers[1]
    for server in servers:
        server.end()


def answered(server: Server, message: Message) -> Message | None:
    """Send a message and return its answer; None for what is not answered at all."""
    server.send(message)
    if "id" not in message or "method" not in message:
        return None
    if isinstance(message.get("params", {}), dict):
        return server.answer_to(message["id"])
    # Perhaps there is none: what is asked next is answered later.
    server.ask("ping")
    return next((other for other in server.others if other.get("id") == message["id"]), None)


def plain(message: Any) -> Any:
    """Take out what differs between two runs of one server: moments, folders, texts of JSON."""
    text = json.dumps(message, ensure_ascii=False, sort_keys=True)
    text = re.sub(r'[^"\\]*/(core|sdk)/store\.db', "store.db", text)
    return json.loads(_MOMENT.sub("then", text))


def differences(
    pair: tuple[Server, Server], opening: Sequence[Message], messages: Sequence[Message]
) -> dict[str, tuple[Any, Any]]:
    found: dict[str, tuple[Any, Any]] = {}
    for message in [*opening, *messages]:
        ours, theirs = (plain(answered(server, message)) for server in pair)
        if ours != theirs:
            found[str(message.get("id"))] = (ours, theirs)
    return found


@pytest.mark.parametrize(
    ("opening", "messages", "expected"),
    [(HANDSHAKE, OLDER, OLDER_DIFFERS), (ALONE, NEWER, NEWER_DIFFERS)],
    ids=["older", "newer"],
)
def test_the_sdk_answers_the_same_but_for_what_is_listed(
    pair: tuple[Server, Server],
    opening: list[Message],
    messages: list[Message],
    expected: dict[str, list[str]],
) -> None:
    found = differences(pair, opening, messages)
    reasons = {name: reason_of(*both) for name, both in found.items()}
    assert {name: found[name] for name, reason in reasons.items() if reason is None} == {}
    assert reasons == {name: reason for reason, names in expected.items() for name in names}


def test_a_difference_that_nobody_explained_is_noticed() -> None:
    one, other = {"result": {"a": 1}}, {"result": {"a": 2}}
    assert reason_of(one, other) is None
    assert reason_of({"error": {"code": 1, "message": "x"}}, one) is None
    assert reason_of({"error": {"code": 1, "message": "x"}}, {"error": {"code": 2}}) is None


@pytest.mark.parametrize(
    "wanted",
    [
        {"toolsListChanged": True, "promptsListChanged": True, "resourcesListChanged": True},
        {"toolsListChanged": False},
        {"resourceSubscriptions": ["test://x"]},
        {"없는것": 1},
        {},
    ],
)
def test_the_sdk_acknowledges_the_same_wishes(
    pair: tuple[Server, Server], wanted: dict[str, object]
) -> None:
    told: list[Message] = []
    for server in pair:
        server.send(request("귀", "subscriptions/listen", modern({"notifications": wanted})))
        told.append(server.next())
    assert told[0] == told[1]
