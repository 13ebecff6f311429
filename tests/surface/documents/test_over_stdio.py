"""`strata mcp --groups core` as a client meets it: every action through a pipe."""

import base64
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

import strata
from strata.tools import SECTION_VIEW
from tests.surface.mcp.wire import Message, Server, call, modern, sdk_mcp, strata_mcp

TEXT = "# 목표 🎯\n\nShip in May. cafe\u0301 שלום\n\n## 日程\n\n五月\n"


class Desk:
    """A server of documents, and a client that calls its tools."""

    def __init__(
        self,
        path: Path,
        *options: str,
        command: Callable[..., list[str]] = strata_mcp,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.server = Server(
            *command(path, "--groups", "core", "--no-auto-embed", *options),
            env={**os.environ, **(environment or {})},
        )
        self.greeted = self.server.greet()

    def result(self, name: str, /, **arguments: Any) -> Message:
        return self.server.ask("tools/call", call(name, **arguments))["result"]

    def edit(self, action: str, **arguments: Any) -> Message:
        return self.server.call("edit_document", action=action, **arguments)

    def fails(self, name: str, /, **arguments: Any) -> Message:
        result = self.result(name, **arguments)
        assert result["isError"], result
        assert "structuredContent" not in result
        return json.loads(result["content"][0]["text"])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with some people in it."""
    found = tmp_path_factory.mktemp("stdio") / "문서.db"
    with strata.open(found, durability="standard", auto_embed=False) as db:
        ann = db.users.add("ann@example.com", "Ann")
        team = db.teams.add("디자인")
        db.teams.set_member(team.id, ann.id, "viewer")
        db.folders.add("Briefs", team=team.id)
        db.folders.add("Templates", team=db.teams.root().id, templates=True)
    return found


@pytest.fixture(scope="module")
def editing(path: Path) -> Iterator[Desk]:
    made = Desk(path)
    yield made
    made.server.end()


def test_a_document_lives_through_every_action(editing: Desk) -> None:
    made = editing.edit("create", title="계획", content=TEXT)
    document = made["documentId"]
    read = editing.server.call("read_document", documentId=document)
    assert (read["content"], read["version"]) == (TEXT, made["version"])
    edited = editing.edit(
        "edit",
        documentId=document,
        oldString="May",
        newString="六月 🌸",
        baseVersion=read["version"],
        idempotencyKey="하나",
    )
    assert (edited["status"], edited["matches"]) == ("applied", 1)
    assert editing.edit("write", documentId=document, newContent="# 새 글\n")["status"] == "applied"
    folders = editing.server.call("find", intent="list", scope={"type": "folders"})["items"]
    briefs = next(one for one in folders if one["title"] == "Briefs")
    moved = editing.edit("move", documentId=document, folderId=briefs["id"])
    assert moved["effectiveAudience"]["folderName"] == "Briefs"
    shared = editing.edit("share", documentId=document, email="eve@example.com", role="editor")
    assert shared["pending"] is True
    invited = [{"email": "eve@example.com", "role": "editor"}]
    assert shared["effectiveAudience"]["invited"] == invited
    gone = editing.edit("unshare", documentId=document, targetUserId="eve@example.com")
    assert "invited" not in gone["effectiveAudience"]
    found = editing.server.call("find", intent="search", query="새 글")
    assert [one["id"] for one in found["items"]][:1] == [document]
    graph = editing.server.call("get_document_graph", documentId=document)
    assert [node["id"] for node in graph["nodes"]] == [document]


def test_a_template_is_filled_in(editing: Desk) -> None:
    folders = editing.server.call("find", intent="list", scope={"type": "folders"})["items"]
    home = next(one["id"] for one in folders if one["title"] == "Templates")
    text = "---\nvariables: [이름]\n---\n안녕, {{이름}}!\n"
    template = editing.edit("create", title="인사", content=text, folderId=home)["documentId"]
    given = {"title": "인사 🙌", "variables": {"이름": "소연"}}
    made = editing.edit("createFromTemplate", templateDocumentId=template, **given)
    read = editing.server.call("read_document", documentId=made["documentId"])
    assert read["content"] == "안녕, 소연!\n"


def test_a_file_is_sent_to_the_process_itself(editing: Desk) -> None:
    data = TEXT.encode()
    asked = editing.edit("presignUpload", contentLength=len(data), title="올린 것")
    assert asked["uploadUrl"].startswith("http://127.0.0.1:")
    sent = httpx2.put(asked["uploadUrl"], content=data, headers=asked["requiredHeaders"])
    assert sent.status_code == 200, sent.text
    done = editing.server.call(asked["next"]["tool"], **asked["next"]["arguments"])
    assert (done["created"], done["bytes"]) == (True, len(data))
    assert editing.server.call("read_document", documentId=done["documentId"])["content"] == TEXT


def test_an_image_is_attached_and_comes_back_as_image_content(editing: Desk) -> None:
    document = editing.edit("create", title="그림", content="# 그림\n")["documentId"]
    data = picture()
    asked = editing.edit(
        "presignUpload",
        contentLength=len(data),
        documentId=document,
        contentType="image/png",
        title="빨강",
    )
    assert httpx2.put(asked["uploadUrl"], content=data, headers=asked["requiredHeaders"]).is_success
    done = editing.edit("finalizeUpload", uploadId=asked["uploadId"])
    assert done["markdown"] == f"![빨강](image:{done['imageId']})"
    editing.edit("write", documentId=document, newContent=f"# 그림\n\n{done['markdown']}\n")
    read = editing.server.call("read_document", documentId=document)
    assert read["images"] == [{"imageId": done["imageId"], "alt": "빨강"}]
    result = editing.result("get_image", documentId=document, imageId=done["imageId"], maxWidth=8)
    assert "structuredContent" not in result
    shown, told = result["content"]
    assert (shown["type"], shown["mimeType"]) == ("image", "image/png")
    assert base64.b64decode(shown["data"]).startswith(b"\x89PNG")
    about = json.loads(told["text"])
    assert (about["imageId"], about["width"]) == (done["imageId"], 8)
    listed = editing.server.ask("tools/list")["result"]["tools"]
    (entry,) = [tool for tool in listed if tool["name"] == "get_image"]
    assert "outputSchema" not in entry


def picture() -> bytes:
    from io import BytesIO

    from PIL import Image

    out = BytesIO()
    Image.new("RGB", (32, 16), (200, 30, 60)).save(out, "PNG")
    return out.getvalue()


def test_the_page_of_a_section_is_the_only_resource(editing: Desk) -> None:
    assert editing.greeted["capabilities"]["resources"] == {
        "listChanged": False,
        "subscribe": False,
    }
    (page,) = editing.server.ask("resources/list", {})["result"]["resources"]
    assert page["uri"] == SECTION_VIEW
    (read,) = editing.server.ask("resources/read", {"uri": SECTION_VIEW})["result"]["contents"]
    assert (read["uri"], read["mimeType"]) == (SECTION_VIEW, page["mimeType"])
    assert "<script src" not in read["text"]
    for uri, code in (("ui://strata/x", -32002), (7, -32602)):
        assert editing.server.ask("resources/read", {"uri": uri})["error"]["code"] == code


def test_requests_that_stand_alone_say_how_long_the_page_may_be_kept(path: Path) -> None:
    server = Server(*strata_mcp(path, "--groups", "core"))
    try:
        read = server.ask("resources/read", modern({"uri": SECTION_VIEW}))["result"]
        assert read["ttlMs"] > 0
        missing = server.ask("resources/read", modern({"uri": "ui://x"}))["error"]
        assert missing["code"] == -32602
    finally:
        server.end()


def test_instructions_and_prompts_name_no_tool_that_is_not_there(editing: Desk) -> None:
    assert "edit_document" in editing.greeted["instructions"]
    assert "strata_" not in editing.greeted["instructions"]
    assert editing.server.ask("prompts/list", {})["result"]["prompts"] == []
    refused = editing.server.ask("prompts/get", {"name": "resume"})["error"]
    assert "There are none" in refused["message"]


def test_a_server_acts_for_the_user_it_was_started_for(path: Path, editing: Desk) -> None:
    mine = editing.edit("create", title="내 것", content="비밀")["documentId"]
    for options, environment in (
        (("--user", "ann@example.com"), {}),
        ((), {"STRATA_USER": "ANN@example.com"}),
    ):
        other = Desk(path, *options, environment=environment)
        try:
            assert other.fails("read_document", documentId=mine)["code"] == "not_found"
            made = other.edit("create", title="Ann's", content="x")["documentId"]
            assert other.server.call("read_document", documentId=made)["role"] == "owner"
            assert editing.fails("read_document", documentId=made)["code"] == "not_found"
        finally:
            other.server.end()


def test_an_unknown_user_is_named_at_the_first_call(path: Path) -> None:
    nobody = Desk(path, "--user", "nobody@example.com")
    try:
        error = nobody.fails("find", intent="list")
        assert error["code"] == "not_found"
        assert "nobody@example.com" in error["message"]
        assert "strata user add" in error["hint"]
    finally:
        nobody.server.end()


@pytest.mark.slow
def test_the_sdk_serves_the_same_over_a_pipe(path: Path, editing: Desk) -> None:
    document = editing.edit("create", title="둘", content=TEXT)["documentId"]
    other = Desk(path, command=sdk_mcp)
    try:
        for name, arguments in (
            ("read_document", {"documentId": document}),
            ("read_document", {"documentId": document, "maxTokens": 0}),
            ("find", {"intent": "list", "filters": {"owner": "me"}}),
            ("edit_document", {"action": "edit", "documentId": document}),
            ("get_image", {"documentId": document, "imageId": "0"}),
        ):
            assert other.result(name, **arguments) == editing.result(name, **arguments)
        for method, params in (
            ("resources/list", {}),
            ("resources/read", {"uri": SECTION_VIEW}),
            ("resources/read", {"uri": "ui://x"}),
            ("tools/list", {}),
            ("prompts/list", {}),
            ("prompts/get", {"name": "resume"}),
        ):
            theirs, ours = other.server.ask(method, params), editing.server.ask(method, params)
            assert theirs | {"id": ""} == ours | {"id": ""}
    finally:
        other.server.end()


def test_where_there_is_no_store_yet_nothing_is_found_and_a_document_makes_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "새것.db"
    fresh = Desk(path)
    try:
        assert fresh.server.call("find", intent="list")["items"] == []
        assert fresh.fails("read_document", documentId="doc_x")["code"] == "not_found"
        assert not path.exists()
        made = fresh.edit("create", title="첫 글", content="하나")["documentId"]
        assert fresh.server.call("read_document", documentId=made)["content"] == "하나"
    finally:
        fresh.server.end()
    reader = Desk(path, "--read-only")
    try:
        assert reader.server.call("read_document", documentId=made)["content"] == "하나"
        refused = reader.server.ask("tools/call", call("edit_document", action="create"))
        assert "error" in refused
    finally:
        reader.server.end()
