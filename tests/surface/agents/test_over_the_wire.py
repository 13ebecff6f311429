"""The two tools over a pipe and over HTTP, for people of every role, and through restarts."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import strata
from tests.surface.documents.conftest import Agent, Office, office
from tests.surface.mcp.wire import call as calling

__all__ = ["office"]
GROUPS = {"X-Strata-Tool-Groups": "core,comments,agents"}


def ask(agent: Agent, name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool over HTTP; return its answer, or its error."""
    result = agent.ask("tools/call", calling(name, **arguments), **GROUPS)
    if "error" in result:
        return result["error"]
    found = result["result"]
    return (
        json.loads(found["content"][0]["text"]) if found["isError"] else found["structuredContent"]
    )


def ended(agent: Agent, task: str) -> dict[str, Any]:
    """Poll until a task has ended, as a client would."""
    end = time.monotonic() + 30
    while True:
        found = ask(agent, "get_agent_status", taskId=task)
        if found["status"] not in ("pending", "running"):
            return found
        assert time.monotonic() < end, found
        time.sleep(0.05)


def test_a_client_asks_at_once_and_polls_until_it_is_done(office: Office) -> None:
    office.make("nothing", title="Budget Review")
    page = office.make("As the Budget Review says.\n", title="Agenda")
    asked = ask(office.editor, "invoke_agent", agentName="linker", documentId=page)
    assert asked["status"] == "pending"
    assert asked["taskId"].startswith("task_")
    done = ended(office.editor, asked["taskId"])
    assert (done["status"], done["documentId"]) == ("completed", page)
    assert done["toolCallCount"] > 3
    assert "Agenda: [[Budget Review]]" in done["output"]
    listed = ask(office.editor, "manage_suggestions", action="list", documentId=page)
    assert [one["via"] for one in listed["suggestions"]] == ["linker"]


def test_snake_case_is_taken_too(office: Office) -> None:
    asked = ask(office.editor, "invoke_agent", agent_name="digest", idempotency_key="snake")
    again = ask(office.editor, "invoke_agent", agentName="digest", idempotencyKey="snake")
    assert asked["taskId"] == again["taskId"]
    conflict = ask(office.editor, "invoke_agent", agentName="linker", idempotencyKey="snake")
    assert conflict["code"] == "conflict"


def test_an_agent_is_named_by_one_of_the_two(office: Office) -> None:
    both = ask(office.editor, "invoke_agent", agentName="linker", agentId="agent_linker")
    assert (both["code"], both["message"]) == (
        "invalid_input",
        "Give agentId or agentName, not both.",
    )
    neither = ask(office.editor, "invoke_agent")
    assert neither["message"] == "Name the agent: by agentId or by agentName."
    assert "linker" in neither["hint"]
    wrong = ask(office.editor, "invoke_agent", agentName="agent_linker")
    assert (wrong["code"], wrong["parameter"]) == ("not_found", "agentName")
    right = ask(office.editor, "invoke_agent", agentId="agent_linker")
    assert right["status"] == "pending"


def test_tasks_are_seen_by_who_asked_and_nobody_else(office: Office) -> None:
    asked = ask(office.editor, "invoke_agent", agentName="digest")
    ended(office.editor, asked["taskId"])
    never = ask(office.viewer, "get_agent_status", taskId="task_00000000000000000000000000")
    for other in (office.owner, office.viewer, office.commenter, office.outsider):
        found = ask(other, "get_agent_status", taskId=asked["taskId"])
        assert found["code"] == "not_found"
        assert found["message"].replace(asked["taskId"], "T") == never["message"].replace(
            "task_00000000000000000000000000", "T"
        )
    # The same user by another token.
    assert ask(office.suggester, "get_agent_status", taskId=asked["taskId"])["status"]


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("owner", "proposed"),
        ("editor", "proposed"),
        ("commenter", "proposed"),
        ("suggester", "proposed"),
        ("viewer", "told"),
        ("outsider", "missing"),
    ],
)
def test_each_role_gets_of_an_agent_what_the_role_may(
    office: Office, who: str, expected: str
) -> None:
    folder = office.folder
    title = f"Handbook of {who}"
    office.editor.edit("create", title=title, content="nothing", folderId=folder)
    page = office.make(f"As the {title} says.\n", title=f"Page of {who}")
    agent = getattr(office, who)
    asked = ask(agent, "invoke_agent", agentName="linker", documentId=page)
    if expected == "missing":
        assert asked["code"] == "not_found"
        return
    done = ended(agent, asked["taskId"])
    assert f"[[{title}]]" in done["output"], done
    with strata.open(office.path, auto_embed=False) as db:
        left = db.as_user(office.people["editor"]).documents.suggestions(page)
        assert len(left) == (expected == "proposed")


def test_a_read_only_token_cannot_ask(office: Office) -> None:
    found = ask(office.reader, "invoke_agent", agentName="linker")
    assert "writes" in found["message"]


def test_a_task_waits_for_a_server_that_comes_later(tmp_path: Path) -> None:
    path = tmp_path / "나중.db"
    with strata.open(path, auto_embed=False) as db:
        db.documents.create("Budget Review", "nothing")
        db.documents.create("Agenda", "As the Budget Review says.\n")
        task = db.agents.invoke("linker").id
    command = [sys.executable, "-m", "strata", "mcp", "--db", str(path), "--groups", "agents"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": _CLIENT}
    say(process, 1, "initialize", client)
    listed = say(process, 2, "tools/list", {})
    names = [tool["name"] for tool in listed["result"]["tools"]]
    assert names == ["invoke_agent", "get_agent_status"]
    end = time.monotonic() + 30
    number = 3
    while True:
        given = {"name": "get_agent_status", "arguments": {"taskId": task}}
        found = say(process, number, "tools/call", given)["result"]["structuredContent"]
        if found["status"] == "completed":
            break
        assert time.monotonic() < end, found
        number += 1
        time.sleep(0.05)
    _out, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (0, "")


_CLIENT = {"name": "test", "version": "1"}


def say(process: "subprocess.Popen[str]", number: int, method: str, params: Any) -> dict[str, Any]:
    """Send one request over a pipe and return its answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()
    while True:
        answer = json.loads(process.stdout.readline())
        if answer.get("id") == number:
            return answer


def test_nothing_of_agents_is_loaded_before_somebody_asks(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    strata.open(path, auto_embed=False).close()
    program = (
        "import sys, strata\n"
        "from strata.mcp.start import agents_in\n"
        "from strata.tools import Session, StoreHost, expose, call_tool, registry\n"
        f"db = strata.open({str(path)!r}, auto_embed=False)\n"
        "host = StoreHost(lambda: db); host.start_agents = agents_in(host)\n"
        "session = Session(host, caller='owner', exposure=expose('memory'))\n"
        "call_tool(session, registry().find('strata_store'), {'key': 'a', 'value': 1})\n"
        "loaded = [name for name in sys.modules if name.startswith(('strata.agents',\n"
        "    'strata.tasks', 'strata.tools.agents', 'pydantic_ai'))]\n"
        "import threading\n"
        "print(loaded, [one.name for one in threading.enumerate() if 'agent' in one.name])\n"
        "host.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[] []"
