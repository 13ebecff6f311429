"""A real server and several people: what each may do, and what is not there for them."""

import json
from collections.abc import Sequence
from typing import Any

import httpx2
import pytest

import strata
from strata.mcp.encode import tool_entries
from strata.tools import SECTION_VIEW, expose
from tests.surface.documents.conftest import Agent, Office

TEXT = "# 목표 🎯\n\nShip in May. cafe\u0301 שלום\n\n## 日程\n\n五月\n"
NEVER = "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"

# A call of every tool and action that names a document.
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("read_document", {}),
    ("read_document", {"maxTokens": 0}),
    ("read_document", {"sections": ["목표 🎯"], "includeSuggestions": True}),
    ("app_get_section_content", {"chunkId": "chunk_01JABCDEFGHJKMNPQRSTVWXYZ0"}),
    ("get_document_graph", {}),
    ("get_image", {"imageId": "0" * 64}),
    ("find", {"intent": "info", "scope": {"type": "document"}}),
    ("find", {"intent": "related", "scope": {"type": "document"}}),
    ("find", {"intent": "search", "query": "May", "scope": {"type": "document"}}),
    ("edit_document", {"action": "edit", "oldString": "May", "newString": "June"}),
    ("edit_document", {"action": "edit", "oldString": "x", "newString": "y", "baseVersion": 3}),
    ("edit_document", {"action": "write", "newContent": "새 글"}),
    ("edit_document", {"action": "move", "folderId": "folder_x"}),
    ("edit_document", {"action": "share", "email": "eve@example.com", "role": "viewer"}),
    ("edit_document", {"action": "unshare", "targetUserId": "user_x"}),
    ("edit_document", {"action": "presignUpload", "contentLength": 3}),
    ("edit_document", {"action": "createFromTemplate", "title": "x"}),
]


def about(document: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments that name a document, wherever the tool takes it."""
    if "scope" in arguments:
        return arguments | {"scope": {**arguments["scope"], "id": document}}
    is_template = arguments.get("action") == "createFromTemplate"
    return arguments | {"templateDocumentId" if is_template else "documentId": document}


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=str)
def test_what_one_may_not_read_is_byte_for_byte_what_never_existed(
    office: Office, tool: str, arguments: dict[str, Any]
) -> None:
    hidden = office.make(TEXT)
    for agent in (office.outsider, office.owner._replace(token=office.outsider.token)):
        there = agent.answer(tool, **about(hidden, arguments))
        never = agent.answer(tool, **about(NEVER, arguments))
        assert there["isError"]
        assert json.dumps(there).replace(hidden, NEVER) == json.dumps(never)


def test_every_member_reads_and_only_the_editor_edits(office: Office) -> None:
    made = office.make(TEXT)
    for agent, role in (
        (office.editor, "editor"),
        (office.commenter, "commenter"),
        (office.viewer, "viewer"),
        (office.owner, "admin"),
        (office.reader, "viewer"),
        (office.suggester, "commenter"),
    ):
        read = agent.ok("read_document", documentId=made)
        assert (read["content"], read["role"], read["audience"]) == (TEXT, role, "team")
        assert read["folderId"] == office.folder
    edits: list[tuple[str, dict[str, object]]] = [
        ("edit", {"oldString": "May", "newString": "June"}),
        ("write", {"newContent": "x"}),
        ("presignUpload", {"contentLength": 1}),
    ]
    for action, more in edits:
        error = office.viewer.cannot(action, documentId=made, **more)
        assert (error["code"], error["role"], error["need"]) == ("not_allowed", "viewer", "editor")
    assert office.commenter.cannot("presignUpload", documentId=made, contentLength=1)["need"] == (
        "editor"
    )
    for action, more in edits[:2]:
        done = office.commenter.edit(action, documentId=made, **more)
        assert done["status"] == "suggested"
        assert "suggest" in done["hint"]
    done = office.editor.edit("edit", documentId=made, oldString="May", newString="六月 🌸")
    assert (done["status"], done["matches"]) == ("applied", 1)
    assert "六月 🌸" in office.viewer.ok("read_document", documentId=made)["content"]


def test_managing_is_for_its_maker_its_owner_and_admins(office: Office) -> None:
    made = office.owner.edit("create", title="Own", folderId=office.folder)["documentId"]
    sharing = {"email": "eve@example.com", "role": "viewer"}
    for agent in (office.editor, office.commenter, office.viewer):
        error = agent.cannot("share", documentId=made, **sharing)
        assert (error["code"], error["need"]) == ("not_allowed", "admin")
    assert office.owner.edit("share", documentId=made, **sharing)["pending"] is True
    mine = office.make("x")
    assert office.editor.edit("share", documentId=mine, **sharing)["pending"] is True


def test_sharing_and_unsharing_answer_with_who_sees_it(office: Office) -> None:
    made = office.editor.edit("create", title="비밀", content=TEXT)["documentId"]
    assert office.viewer.fails("read_document", documentId=made)["code"] == "not_found"
    shared = office.editor.edit(
        "share", documentId=made, email="OUTSIDER@example.com", role="commenter"
    )
    assert shared["pending"] is False
    people = {one["email"]: one for one in shared["effectiveAudience"]["people"]}
    assert people["outsider@example.com"]["role"] == "commenter"
    assert people["outsider@example.com"]["through"] == "share"
    assert people["editor@example.com"]["role"] == "owner"
    read = office.outsider.ok("read_document", documentId=made)
    assert (read["role"], read["audience"]) == ("commenter", "personal")
    assert "folderId" not in read, "they do not see the folder"
    gone = office.editor.edit("unshare", documentId=made, targetUserId=office.people["outsider"])
    assert [one["email"] for one in gone["effectiveAudience"]["people"]] == ["editor@example.com"]
    assert office.outsider.fails("read_document", documentId=made)["code"] == "not_found"
    again = office.editor.cannot("unshare", documentId=made, targetUserId="outsider@example.com")
    assert again["code"] == "not_found"
    wrong = office.editor.cannot("share", documentId=made, email="nobody", role="viewer")
    assert (wrong["code"], wrong["parameter"]) == ("invalid_input", "email")


def test_moving_changes_who_sees_a_document_at_once(office: Office) -> None:
    made = office.editor.edit("create", title="초안", content=TEXT)["documentId"]
    moved = office.editor.edit("move", documentId=made, folderId=office.folder)
    audience = moved["effectiveAudience"]
    assert (audience["kind"], audience["folderId"]) == ("team", office.folder)
    assert {"viewer@example.com", "commenter@example.com"} < {
        one["email"] for one in audience["people"]
    }
    assert office.viewer.ok("read_document", documentId=made)["content"] == TEXT
    hidden = office.editor.cannot("move", documentId=made, folderId=office.other_folder)
    never = office.editor.cannot("move", documentId=made, folderId="folder_x")
    assert hidden["code"] == never["code"] == "not_found"
    assert json.dumps(hidden).replace(office.other_folder, "folder_x") == json.dumps(never)
    assert '"type":"folders"' in never["hint"]


def test_a_token_for_reading_sees_no_tool_that_writes(office: Office) -> None:
    listed = office.reader.ask("tools/list", {})["result"]["tools"]
    assert [tool["name"] for tool in listed] == [
        "find",
        "read_document",
        "get_document_graph",
        "get_image",
        "app_get_section_content",
    ]
    made = office.make(TEXT)
    params = {"name": "edit_document", "arguments": {"action": "write", "documentId": made}}
    assert "for reading only" in office.reader.ask("tools/call", params)["error"]["message"]


def test_edits_of_a_token_that_may_only_suggest_are_kept_as_suggestions(office: Office) -> None:
    made = office.make(TEXT)
    done = office.suggester.edit("edit", documentId=made, oldString="May", newString="６月")
    assert done["status"] == "suggested"
    assert done["suggestionId"].startswith("sug_")
    whole = office.suggester.edit("write", documentId=made, newContent=TEXT + "\n끝.\n")
    assert whole["status"] == "suggested"
    read = office.viewer.ok("read_document", documentId=made, includeSuggestions=True)
    assert read["content"] == TEXT, "nothing was changed"
    first, second = read["suggestions"]
    assert (first["suggestionId"], first["originalText"], first["replacementText"]) == (
        done["suggestionId"],
        "May",
        "６月",
    )
    assert (first["author"], first["reason"]) == ("editor", "proposed")
    assert "끝." in second["replacementText"]
    for action, more in (
        ("create", {"title": "x"}),
        ("move", {"documentId": made, "folderId": office.folder}),
        ("share", {"documentId": made, "email": "e@example.com", "role": "viewer"}),
    ):
        error = office.suggester.cannot(action, **more)
        assert error["code"] == "not_allowed"
        assert "suggest" in error["message"] + error["hint"]


def test_finding_shows_each_one_what_they_see_and_counts_nothing_else(office: Office) -> None:
    word = "zyzzyva🐞"
    shared = office.make(f"# {word}\n", title="모두")
    own = office.editor.edit("create", title="나만", content=f"{word}\n")["documentId"]
    for agent, expected in (
        (office.editor, {shared, own}),
        (office.viewer, {shared}),
        (office.reader, {shared, own}),
        (office.owner, {shared}),
        (office.outsider, set[str]()),
    ):
        found = agent.ok("find", intent="search", query=word, limit=50)
        assert {one["id"] for one in found["items"]} & {shared, own} == expected
        listed = agent.ok("find", intent="list", limit=50)
        assert expected <= {one["id"] for one in listed["items"]}
        assert agent.ok("find", intent="info")["info"]["documents"] == listed["total"]
    empty = office.outsider.ok("find", intent="search", query=word)
    assert empty["hints"]
    folders = office.viewer.ok("find", intent="list", scope={"type": "folders"})["items"]
    assert {one["title"] for one in folders} >= {"Briefs", "Personal"}
    assert "Ledgers" not in {one["title"] for one in folders}


def test_a_graph_leads_to_nothing_that_is_hidden(office: Office) -> None:
    secret = office.editor.edit("create", title="Secret ledger", content="x")["documentId"]
    made = office.make("See [[Secret ledger]] and [[없는 것]].\n")
    assert secret in {
        node["id"] for node in office.editor.ok("get_document_graph", documentId=made)["nodes"]
    }
    seen = office.viewer.ok("get_document_graph", documentId=made)
    assert [node["id"] for node in seen["nodes"]] == [made]
    assert seen["unresolvedLinks"] == 2


def test_a_template_of_the_team_makes_documents(office: Office) -> None:
    declared = "name: Brief\nvariables: [project, {name: 기한, default: soon}]\n"
    text = f"---\n{declared}---\n# {{{{project}}}} {{{{기한}}}}\n"
    template = office.owner.edit("create", title="Brief", content=text, folderId=office.templates)[
        "documentId"
    ]
    listed = office.editor.ok("find", intent="list", filters={"status": "template"})["items"]
    assert [one["id"] for one in listed] == [template]
    error = office.editor.cannot(
        "createFromTemplate", templateDocumentId=template, title="x", variables={"projekt": "1"}
    )
    assert (error["missing"], error["unknown"]) == (["project"], ["projekt"])
    assert error["example"]["arguments"]["action"] == "createFromTemplate"
    made = office.editor.edit(
        "createFromTemplate",
        templateDocumentId=template,
        title="한강",
        variables={"project": "Han 🌊"},
        folderId=office.folder,
    )
    assert made["created"] is True
    read = office.viewer.ok("read_document", documentId=made["documentId"])
    assert read["content"] == "# Han 🌊 soon\n"


def test_a_file_becomes_a_document_and_then_its_new_text(office: Office) -> None:
    data = TEXT.encode()
    asked = office.editor.edit(
        "presignUpload", contentLength=len(data), title="올린 것", folderId=office.folder
    )
    early = office.editor.cannot("finalizeUpload", uploadId=asked["uploadId"])
    assert early["code"] == "unavailable"
    sent = httpx2.put(asked["uploadUrl"], content=data, headers=asked["requiredHeaders"])
    assert sent.status_code == 200
    foreign = office.viewer.cannot("finalizeUpload", uploadId=asked["uploadId"])
    never = office.viewer.cannot("finalizeUpload", uploadId="upload_x")
    assert json.dumps(foreign).replace(asked["uploadId"], "upload_x") == json.dumps(never)
    done = office.editor.ok(asked["next"]["tool"], **asked["next"]["arguments"])
    assert (done["bytes"], done["created"]) == (len(data), True)
    assert office.editor.edit("finalizeUpload", uploadId=asked["uploadId"]) == done
    assert office.viewer.ok("read_document", documentId=done["documentId"])["content"] == TEXT
    again = office.editor.edit("presignUpload", contentLength=6, documentId=done["documentId"])
    httpx2.put(again["uploadUrl"], content="새글".encode(), headers=again["requiredHeaders"])
    assert office.editor.edit("finalizeUpload", uploadId=again["uploadId"])["created"] is False
    assert office.viewer.ok("read_document", documentId=done["documentId"])["content"] == "새글"


def test_a_file_of_a_token_that_may_only_suggest_waits_as_suggestions(office: Office) -> None:
    made = office.make(TEXT)
    data = TEXT.replace("May", "七月").encode()
    asked = office.suggester.edit("presignUpload", contentLength=len(data), documentId=made)
    httpx2.put(asked["uploadUrl"], content=data, headers=asked["requiredHeaders"])
    done = office.suggester.edit("finalizeUpload", uploadId=asked["uploadId"])
    assert (done["status"], done["created"]) == ("suggested", False)
    assert office.viewer.ok("read_document", documentId=made)["content"] == TEXT
    image = {"contentLength": 9, "documentId": made, "contentType": "image/png"}
    assert office.suggester.cannot("presignUpload", **image)["code"] == "not_allowed"


@pytest.mark.parametrize(
    ("wrong", "parameter"),
    [
        ({"contentLength": 1}, "documentId"),
        ({"title": "x"}, "contentLength"),
        ({"contentLength": 10**12, "title": "x"}, "contentLength"),
        ({"contentLength": 1, "title": "x", "contentType": "application/zip"}, "contentType"),
        ({"contentLength": 9, "title": "x", "contentType": "image/png"}, "documentId"),
    ],
)
def test_an_upload_that_cannot_work_is_refused_before_anything_is_sent(
    office: Office, wrong: dict[str, Any], parameter: str
) -> None:
    error = office.editor.cannot("presignUpload", **wrong)
    assert error.get("parameter", "contentLength") == parameter
    assert error["code"] in ("invalid_input", "limit_exceeded")


def test_the_lists_are_the_registrys_and_the_page_of_a_section_can_be_read(office: Office) -> None:
    listed = office.editor.ask("tools/list", {})["result"]["tools"]
    assert listed == json.loads(json.dumps(tool_entries(expose("core"))))
    linked = {tool["name"]: tool["_meta"] for tool in listed if "_meta" in tool}
    assert linked == {"app_get_section_content": {"ui": {"resourceUri": SECTION_VIEW}}}
    pages = office.editor.ask("resources/list", {})["result"]["resources"]
    assert [page["uri"] for page in pages] == [SECTION_VIEW]
    read = office.editor.ask("resources/read", {"uri": SECTION_VIEW})["result"]["contents"][0]
    assert read["mimeType"] == "text/html;profile=mcp-app"
    assert "src=" not in read["text"]
    assert "http" not in read["text"]
    unknown = office.editor.ask("resources/read", {"uri": "ui://strata/other"})["error"]
    assert unknown["code"] == -32602


def test_whoever_chose_other_tools_gets_no_pages(office: Office) -> None:
    chosen = {"X-Strata-Tool-Groups": "memory"}
    editor = with_memory(office, office.editor, "editor")
    assert editor.ask("resources/list", {}, **chosen)["result"]["resources"] == []
    refused = editor.ask("resources/read", {"uri": SECTION_VIEW}, **chosen)
    assert refused["error"]["code"] == -32602


def with_memory(
    office: Office, agent: Agent, name: str, *, groups: Sequence[str] = ("core", "memory")
) -> Agent:
    """Return somebody whose token is for the tools of memory too."""
    with strata.open(office.path, auto_embed=False) as db:
        made = db.tokens.create(user=office.people[name], groups=[*groups])
    return agent._replace(token=made.secret)


def test_the_search_of_memory_finds_documents_that_the_user_may_read(office: Office) -> None:
    made = office.editor.edit("create", title="비밀", content="quokka quokka quokka\n")
    params = {"name": "strata_search", "arguments": {"query": "quokka"}}
    chosen = {"X-Strata-Tool-Groups": "memory"}

    def found(agent: Agent) -> list[str]:
        answer = agent.ask("tools/call", params, **chosen)["result"]["structuredContent"]
        return [one["key"] for one in answer["results"] if "quokka" in str(one)]

    for name in ("outsider", "viewer"):
        assert found(with_memory(office, office.viewer, name)) == []
    assert found(with_memory(office, office.editor, "editor")) == [made["documentId"]]
    # A token that is for memory alone reads no documents, whatever its user may read.
    alone = with_memory(office, office.editor, "editor", groups=["memory"])
    assert found(alone) == []
    params["arguments"]["kinds"] = ["document"]
    refused = alone.ask("tools/call", params, **chosen)["result"]
    assert refused["isError"]
    assert "not for documents" in str(refused)


def test_a_users_token_is_for_documents_unless_told_otherwise(office: Office) -> None:
    with strata.open(office.path, auto_embed=False) as db:
        plain = db.tokens.create("plain", user=office.people["viewer"])
    assert plain.token.groups[0] == "core"
    with httpx2.Client() as http:
        agent = Agent(office.url, plain.secret, http)
        assert "find" in {tool["name"] for tool in agent.ask("tools/list", {})["result"]["tools"]}
        refused = agent.ask("tools/list", {}, **{"X-Strata-Tool-Groups": "memory,developer"})
    assert refused["error"] == "insufficient_scope"
