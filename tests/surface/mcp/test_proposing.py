"""A client of `strata mcp --propose` writes to its branch of proposals, and nowhere else."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import Implementation, TextContent

import strata
from strata.tools import GROUPS, registry
from strata.tools.proposable import _WAYS
from tests.surface.mcp.wire import ROOT, strata_mcp

pytestmark = pytest.mark.slow

# What would write elsewhere, however a client spells it.
ELSEWHERE: list[tuple[str, dict[str, Any]]] = [
    ("strata_branch", {"action": "merge", "source": "proposals/claude-code"}),
    ("strata_branch", {"action": "MERGE", "source": "proposals/claude-code"}),
    ("strata_branch", {"action": "fork", "name": "mine"}),
    ("strata_branch", {"action": "create", "name": "mine"}),
    ("strata_branch", {"action": "delete", "name": "proposals/claude-code"}),
    ("strata_branch", {"action": "restore", "name": "proposals/claude-code"}),
    ("strata_branch", {"action": "revert", "version": 1}),
    ("strata_branch_merge", {"source": "proposals/claude-code"}),
    ("strata_branch_fork", {"destination": "mine"}),
    ("strata_branch_create", {"branch_id": "mine"}),
    ("strata_branch_delete", {"branch": "proposals/claude-code"}),
    ("strata_txn_begin", {}),
    ("strata_txn_commit", {}),
    ("strata_space_delete", {"space": "default", "force": True}),
    ("strata_space_create", {"space": "mine"}),
    ("strata_retention_apply", {}),
    ("strata_db_compact", {}),
    ("strata_bundle_export", {"branch": "default", "path": "out.bundle"}),
    ("strata_bundle_import", {"path": "in.bundle"}),
    ("strata_configure_model", {"endpoint": "http://localhost:1/v1", "model": "m"}),
    ("strata_vector_create_collection", {"collection": "c", "dimension": 3}),
    ("strata_tools_call", {"name": "strata_branch_merge", "arguments": {"source": "x"}}),
    ("strata_tools_call", {"name": "strata_txn_begin", "arguments": {}}),
    ("edit_document", {"action": "presignUpload", "contentLength": 5, "title": "Mine"}),
    ("invoke_agent", {"agentName": "curator"}),
    ("publish_document", {"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"}),
    ("strata_store", {"key": "k", "value": 1, "branch": "proposals/somebody"}),
]


def talk(path: Path, work: Any) -> None:
    """Start the server as a process and let a client of the SDK talk to it."""
    command = strata_mcp(path, "--propose", "--groups", "all,developer,developer_compact")
    server = StdioServerParameters(
        command=command[0], args=command[1:], cwd=str(ROOT), env=dict(os.environ)
    )

    async def connected() -> None:
        info = Implementation(name="claude-code", version="1")
        async with Client(server, client_info=info, read_timeout_seconds=60) as client:
            await work(client)

    asyncio.run(connected())


async def call(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    value = json.loads(content.text)
    return {**value, "is_error": bool(result.is_error)}


def state_of(path: Path) -> dict[str, Any]:
    """Everything that a proposing client must leave as it is."""
    with strata.open(path, auto_embed=False) as db:
        return {
            "version": db.branches.get("default").version,  # pyright: ignore[reportOptionalMemberAccess]
            "branches": [one.name for one in db.branches.list()],
            "settings": db.settings.list(),
            "documents": len(db.rights.visible()),
        }


def test_a_client_proposes_facts_and_decisions(path: Path) -> None:
    with strata.open(path, auto_embed=False) as db:
        db.kv.put("배포/대상", "green")

    async def work(client: Client) -> None:
        stored = await call(client, "strata_store", key="배포/대상", value="blue")
        assert stored["branch"] == "proposals/claude-code"
        assert "waits" in stored["proposed"]
        read = await call(client, "strata_recall", key="배포/대상")
        assert read["value"] == "green"
        assert "waits for a user" in read["hint"]
        decision = {"topic": "auth", "decision": "토큰", "reasoning": "모바일"}
        assert "proposed" in await call(client, "save_decision", **decision)
        assert "proposed" in await call(client, "evolve_outcome", topic="auth", outcome="success")
        assert "proposed" in await call(client, "strata_log", event="deploy", data={"n": 1})
        assert "proposed" in await call(client, "strata_kv_put", key="dev", value=1)
        found = await call(client, "strata_search", query="blue")
        # By meaning, what is there already may be found.
        assert {one["key"] for one in found["results"]} <= {"배포/대상"}
        assert "blue" not in json.dumps(found["results"])

    talk(path, work)
    with strata.open(path, auto_embed=False) as db:
        waiting = {one.title: one for one in db.proposals.list()}
        assert set(waiting) == {"배포/대상", "auth", "deploy #1", "dev"}
        assert waiting["auth"].proposed_by == "claude-code for owner"
        assert db.kv["배포/대상"] == "green"


def test_a_client_that_tries_to_write_elsewhere_changes_nothing(path: Path) -> None:
    with strata.open(path, auto_embed=False) as db:
        db.kv.put("k", 0)
        db.as_actor("somebody").proposing().kv.put("theirs", 1)
        made = db.documents.create("Plan", "Ship in May").document
    before = state_of(path)

    async def work(client: Client) -> None:
        for name, arguments in ELSEWHERE:
            try:
                answer = await call(client, name, **arguments)
            except MCPError:
                continue  # it is not listed, so it is unknown
            assert answer["is_error"], (name, arguments, answer)
        upload = {"action": "presignUpload", "contentLength": 5, "title": "Mine"}
        refused = await call(client, "edit_document", **upload)
        assert "documents with edit_document" in refused["hint"]
        edit = {"documentId": made, "oldString": "May", "newString": "June"}
        assert (await call(client, "edit_document", action="edit", **edit))["status"] == "suggested"
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert "strata_txn_begin" not in listed
        assert {"strata_store", "strata_branch", "save_decision"} <= listed

    talk(path, work)
    with strata.open(path, auto_embed=False) as db:
        assert db.documents.text(made) == "Ship in May"
        assert db.kv["k"] == 0
        assert [one.key for one in db.proposals.list()] == ["theirs"]
    after = state_of(path)
    assert after["branches"] == before["branches"]
    assert after["documents"] == before["documents"]
    assert after["settings"] == before["settings"]


def test_new_documents_wait_for_a_user(path: Path) -> None:
    with strata.open(path, auto_embed=False) as db:
        home = db.folders.add("Templates", templates=True)
        template = db.documents.create(
            "Kickoff", "---\nvariables: [project]\n---\n# {{project}}\n", folder=home.id
        ).document

    async def work(client: Client) -> None:
        new = await call(
            client, "edit_document", action="create", title="Plan", content="# zebrafisch\n"
        )
        assert new["status"] == "proposed"
        assert "documentId" not in new
        assert "waits for a user" in new["hint"]
        filled = {"templateDocumentId": template, "variables": {"project": "한강"}}
        made = await call(
            client, "edit_document", action="createFromTemplate", title="한강", **filled
        )
        assert made.get("status") == "proposed", made
        found = await call(client, "find", query="zebrafisch")
        assert "Plan" not in json.dumps(found)

    talk(path, work)
    with strata.open(path, auto_embed=False) as db:
        words = {one.title: one.words for one in db.proposals.list()}
        assert words == {"Plan": "# zebrafisch\n", "한강": "# 한강\n"}
        assert {one.proposed_by for one in db.proposals.list()} == {"claude-code for owner"}


def test_a_switched_branch_gets_proposals_of_its_own(path: Path) -> None:
    with strata.open(path, auto_embed=False) as db:
        db.branches.fork("try")

    async def work(client: Client) -> None:
        await call(client, "strata_branch", action="switch", name="try")
        assert "proposed" in await call(client, "strata_store", key="k", value=1)
        assert "proposed" in await call(client, "strata_store", key="d", value=1, branch="default")

    talk(path, work)
    with strata.open(path, auto_embed=False) as db:
        assert db.on("try").kv.get("k") is None
        assert [one.key for one in db.on("try").proposals.list()] == ["k"]
        assert [one.key for one in db.proposals.list()] == ["d"]


def test_every_group_is_known_to_the_list_of_what_may_be_proposed() -> None:
    known = {tool.name for group in GROUPS for tool in registry().tools(group)}
    named = {name.partition(".")[0] for name in _WAYS}
    assert named <= known
