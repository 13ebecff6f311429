"""A real server and several people: every action of review, as every one of them."""

import json
from typing import Any

import pytest

from tests.surface.documents.conftest import Agent, Office
from tests.surface.review.conftest import TEXT

ON = {"X-Strata-Tool-Groups": "core,comments"}
NEVER = "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"
MEMBERS = ("owner", "editor", "commenter", "viewer", "suggester")
WRITERS = {"owner", "editor", "commenter", "suggester"}
EDITORS = {"owner", "editor"}

# Every action, what it is given, and who may.
ACTIONS: list[tuple[str, str, dict[str, Any], set[str]]] = [
    ("manage_comments", "create", {"body": "왜?", "quotedText": "다섯째"}, WRITERS),
    ("manage_comments", "reply", {"body": "네", "parentCommentId": "cmt"}, WRITERS),
    ("manage_comments", "resolve", {"commentId": "cmt"}, WRITERS),
    ("manage_comments", "reopen", {"commentId": "cmt"}, WRITERS),
    ("manage_comments", "list", {}, set(MEMBERS)),
    (
        "manage_suggestions",
        "propose",
        {"originalText": "다섯째", "replacementText": "여섯째"},
        WRITERS,
    ),
    ("manage_suggestions", "accept", {"suggestionId": "sug"}, EDITORS),
    ("manage_suggestions", "reject", {"suggestionId": "sug"}, EDITORS),
    ("manage_suggestions", "list", {}, set(MEMBERS)),
]


def asked(agent: Agent, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return agent.ask("tools/call", params, **ON)["result"]


def ok(agent: Agent, tool: str, **arguments: Any) -> dict[str, Any]:
    result = asked(agent, tool, arguments)
    assert not result["isError"], result
    return result["structuredContent"]


def error_of(result: dict[str, Any]) -> dict[str, Any]:
    assert result["isError"], result
    return json.loads(result["content"][0]["text"])


def test_the_tools_are_there_for_who_asks_for_their_group(office: Office) -> None:
    def names(**headers: str) -> set[str]:
        return {
            tool["name"]
            for tool in office.viewer.ask("tools/list", None, **headers)["result"]["tools"]
        }

    assert {"manage_comments", "manage_suggestions"} <= names(**ON)
    assert "manage_comments" not in names(**{"X-Strata-Tool-Groups": "core"})


@pytest.mark.parametrize("name", MEMBERS)
@pytest.mark.parametrize(
    ("tool", "action", "arguments", "allowed"), ACTIONS, ids=[f"{a[0]}-{a[1]}" for a in ACTIONS]
)
def test_every_action_as_every_role(
    office: Office, name: str, tool: str, action: str, arguments: dict[str, Any], allowed: set[str]
) -> None:
    made = office.make(TEXT)
    said = ok(office.commenter, "manage_comments", action="create", documentId=made, body="?")
    kept = ok(
        office.commenter,
        "manage_suggestions",
        action="propose",
        documentId=made,
        originalText="Ship in May. 다섯째",
        replacementText="X",
    )
    ids = {"cmt": said["commentId"], "sug": kept["suggestionId"]}
    given = {key: ids.get(value, value) for key, value in arguments.items()}
    agent: Agent = getattr(office, name)
    result = asked(agent, tool, {"action": action, "documentId": made, **given})
    if name in allowed:
        assert not result["isError"], result
        return
    error = error_of(result)
    need = "editor" if allowed == EDITORS else "commenter"
    assert (error["code"], error["need"]) == ("not_allowed", need)
    text = office.viewer.ok("read_document", documentId=made)["content"]
    assert text == TEXT


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("commenter", True),
        ("editor", False),
        ("owner", False),
        ("suggester", False),
        ("viewer", False),
    ],
)
def test_only_whoever_proposed_withdraws(office: Office, name: str, *, may: bool) -> None:
    made = office.make(TEXT)
    kept = ok(
        office.commenter,
        "manage_suggestions",
        action="propose",
        documentId=made,
        originalText="다섯째",
        replacementText="여섯째",
    )
    result = asked(
        getattr(office, name),
        "manage_suggestions",
        {"action": "withdraw", "documentId": made, "suggestionId": kept["suggestionId"]},
    )
    assert result["isError"] is not may


def test_somebody_withdraws_what_their_suggesting_agent_proposed(office: Office) -> None:
    made = office.make(TEXT)
    edit = {"action": "edit", "documentId": made, "oldString": "다섯째", "newString": "여섯째"}
    kept = office.suggester.ok("edit_document", **edit)
    assert kept["status"] == "suggested"
    (found,) = ok(office.viewer, "manage_suggestions", action="list", documentId=made)[
        "suggestions"
    ]
    assert (found["suggestionId"], found["author"]) == (kept["suggestionId"], "editor")
    done = ok(
        office.editor,
        "manage_suggestions",
        action="withdraw",
        documentId=made,
        suggestionId=kept["suggestionId"],
    )
    assert done["status"] == "withdrawn"


@pytest.mark.parametrize(
    ("tool", "action", "arguments"), [one[:3] for one in ACTIONS], ids=lambda one: str(one)[:20]
)
def test_for_outsiders_it_is_byte_for_byte_as_if_it_never_existed(
    office: Office, tool: str, action: str, arguments: dict[str, Any]
) -> None:
    hidden = office.make(TEXT)
    there = asked(office.outsider, tool, {"action": action, "documentId": hidden, **arguments})
    never = asked(office.outsider, tool, {"action": action, "documentId": NEVER, **arguments})
    assert there["isError"]
    assert json.dumps(there).replace(hidden, NEVER) == json.dumps(never)


def test_a_token_that_only_reads_has_no_action_that_writes_and_reads_comments(
    office: Office,
) -> None:
    made = office.make(TEXT)
    ok(office.editor, "manage_comments", action="create", documentId=made, body="왜 그럴까?")
    listed = office.reader.ask("tools/list", None, **ON)["result"]["tools"]
    actions = [
        tool["inputSchema"]["properties"]["action"]["enum"]
        for tool in listed
        if tool["name"].startswith("manage_")
    ]
    assert actions == [["list"], ["list"]]
    found = ok(office.reader, "manage_comments", action="list", documentId=made)
    assert found["comments"][0]["body"] == "왜 그럴까?"
    read = office.reader.ok("read_document", documentId=made, includeComments=True)
    assert "왜 그럴까?" in read["content"]


def test_what_the_editor_accepts_is_there_for_all(office: Office) -> None:
    made = office.make(TEXT)
    kept = ok(
        office.suggester,
        "manage_suggestions",
        action="propose",
        documentId=made,
        originalText="다섯째 달",
        replacementText="여섯째 달 🎉",
        rationale="늦다",
    )
    ok(
        office.editor,
        "manage_suggestions",
        action="accept",
        documentId=made,
        suggestionId=kept["suggestionId"],
    )
    for name in MEMBERS:
        read = getattr(office, name).ok("read_document", documentId=made)
        assert read["content"] == TEXT.replace("다섯째 달", "여섯째 달 🎉")
