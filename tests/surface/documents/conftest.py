"""The tools of documents: on a store in memory, over a pipe, and over HTTP for several people."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest

import strata
from strata.mcp import protocol
from strata.tools import Session, StoreHost, expose
from tests.surface.calling import Call, call, db, fail
from tests.surface.mcp.wire import call as calling
from tests.surface.mcp.wire import modern, request

__all__ = ["Call", "Make", "call", "db", "fail", "make", "office", "session"]

Make = Callable[..., str]
Answer = dict[str, Any]


@pytest.fixture
def session(db: strata.Workspace) -> Iterator[Session]:
    made = Session(StoreHost(lambda: db, auto_embed=False), caller="owner", exposure=expose("core"))
    yield made
    made.close()


@pytest.fixture
def make(call: Call) -> Make:
    """Make a document and return its id."""

    def create(content: str = "", title: str = "계획", **more: Any) -> str:
        made = call("edit_document", action="create", title=title, content=content, **more)
        return made["documentId"]

    return create


class Agent(NamedTuple):
    """Somebody's program that speaks to a server over HTTP, one request after another."""

    url: str
    token: str
    http: httpx2.Client

    def ask(self, method: str, params: Answer | None = None, **headers: str) -> Answer:
        """Send a request that stands alone, and return the message that answers it."""
        named = {} if params is None or "name" not in params else {"Mcp-Name": params["name"]}
        if params is not None and "uri" in params:
            named = {"Mcp-Name": params["uri"]}
        sent = {
            "Authorization": f"Bearer {self.token}",
            "Mcp-Method": method,
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": protocol.MODERN_REVISION,
            **named,
            **headers,
        }
        body = request(1, method, modern(params))
        answer = self.http.post(self.url, json=body, headers=sent, timeout=30)
        text = answer.text
        if answer.headers["content-type"].startswith("text/event-stream"):
            (text,) = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
        return json.loads(text)

    def answer(self, name: str, /, **arguments: Any) -> Answer:
        """Call a tool and return its whole result."""
        return self.ask("tools/call", calling(name, **arguments))["result"]

    def ok(self, name: str, /, **arguments: Any) -> Answer:
        """Call a tool that must succeed."""
        result = self.answer(name, **arguments)
        assert not result["isError"], result
        return result["structuredContent"]

    def fails(self, name: str, /, **arguments: Any) -> Answer:
        """Call a tool that must fail, and return its error."""
        result = self.answer(name, **arguments)
        assert result["isError"], result
        found = json.loads(result["content"][0]["text"])
        assert found["code"] != "internal"
        return found

    def edit(self, action: str, **arguments: Any) -> Answer:
        return self.ok("edit_document", action=action, **arguments)

    def cannot(self, action: str, **arguments: Any) -> Answer:
        return self.fails("edit_document", action=action, **arguments)


class Office(NamedTuple):
    """A server, the people who use it, and where they keep documents."""

    url: str
    path: Path
    folder: str
    other_folder: str
    templates: str
    owner: Agent
    editor: Agent
    commenter: Agent
    viewer: Agent
    outsider: Agent
    reader: Agent
    suggester: Agent
    people: dict[str, str]

    def make(self, content: str = "", **more: Any) -> str:
        """Let the editor make a document that their team sees."""
        given = {"title": "계획", "folderId": self.folder} | more
        return self.editor.edit("create", content=content, **given)["documentId"]


MEMBERS = ("editor", "commenter", "viewer")


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A server of its own process, one for all the tests of a file."""
    path = tmp_path_factory.mktemp("office") / "사무실.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        team, other = db.teams.add("디자인"), db.teams.add("Finance")
        people = {
            name: db.users.add(f"{name}@example.com", name) for name in (*MEMBERS, "outsider")
        }
        for name in MEMBERS:
            db.teams.set_member(team.id, people[name].id, name)
        folder = db.folders.add("Briefs", team=team.id)
        closed = db.folders.add("Ledgers", team=other.id)
        templates = db.folders.add("Templates", team=team.id, templates=True)
        create = db.tokens.create
        secrets = {name: create(name, user=one.id).secret for name, one in people.items()}
        secrets["owner"] = create("owner").secret
        secrets["reader"] = create("r", user=people["editor"].id, read_only=True).secret
        secrets["suggester"] = create("s", user=people["editor"].id, suggest_only=True).secret
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "strata",
            "serve",
            "--port",
            "0",
            "--json",
            "--db",
            str(path),
            "--groups",
            "core",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    url = _told(process)["url"]
    with httpx2.Client() as http:
        agents = {name: Agent(url, secret, http) for name, secret in secrets.items()}
        ids = {name: one.id for name, one in people.items()}
        yield Office(url, path, folder.id, closed.id, templates.id, **agents, people=ids)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)


def _told(process: "subprocess.Popen[str]") -> Answer:
    """Return what a server says about itself once it is ready."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line == "}\n":
            break
    return json.loads(text)
