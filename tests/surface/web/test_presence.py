"""Who is at a document, across processes: agents on a pipe, agents over HTTP, and people."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import strata
from strata.base import limits
from strata.tools import Session, StoreHost, call_tool, expose, registry
from tests.surface.mcp.wire import call as calling
from tests.surface.mcp.wire import request
from tests.surface.web.conftest import Office

DOCUMENTS = "core,collaboration,comments"
Answer = dict[str, Any]


class Piped:
    """An agent that talks to a server of its own over a pipe."""

    def __init__(self, path: Path, name: str, user: str) -> None:
        words = ["mcp", "--db", str(path), "--groups", DOCUMENTS, "--user", user, "--no-auto-embed"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "strata", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        client = {"name": name, "version": "1"}
        self.ask(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": client,
            },
        )

    def ask(self, method: str, params: Answer) -> Answer:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request(1, method, params)) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ok(self, name: str, /, **arguments: Any) -> Answer:
        result = self.ask("tools/call", calling(name, **arguments))["result"]
        assert not result["isError"], result
        return result["structuredContent"]

    def end(self) -> None:
        self.process.communicate(timeout=30)


@contextmanager
def piped(office: Office, name: str, user: str = "editor") -> Iterator[Piped]:
    agent = Piped(office.path, name, office.people[user])
    try:
        yield agent
    finally:
        agent.end()


def made(office: Office, text: str) -> str:
    """Make a document of the team without any agent."""
    with strata.open(office.path, durability="standard", auto_embed=False) as db:
        return db.documents.create("계획", text, folder=office.folder).document


def eventually(look: Callable[[], Any], wanted: Callable[[Any], bool], seconds: float = 60) -> Any:
    """Look again until something is as it should be; notes are written in the background."""
    deadline = time.monotonic() + seconds
    while not wanted(found := look()):
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


def seen_by(agent: Any, document: str) -> list[Answer]:
    headers = {"X-Strata-Tool-Groups": DOCUMENTS}
    if isinstance(agent, Piped):
        return agent.ok("get_presence", documentId=document)["collaborators"]
    params = calling("get_presence", documentId=document)
    return agent.ask("tools/call", params, **headers)["result"]["structuredContent"][
        "collaborators"
    ]


def test_an_agent_on_a_pipe_and_one_over_http_see_each_other(office: Office) -> None:
    document = made(office, "# Goals\n\nShip in May.\n\n## 일정\n\n봄에 시작한다.\n")
    with piped(office, "codex") as codex:
        codex.ok("read_document", documentId=document, sections=["일정"])
        (found,) = eventually(lambda: seen_by(office.viewer, document), lambda seen: len(seen) == 1)
        assert (found["entityType"], found["displayName"], found["via"]) == (
            "agent",
            "editor",
            "codex",
        )
        assert (found["status"], found["activeSection"]) == ("viewing", "Goals > 일정")
        assert found["userId"] == office.people["editor"]
        codex.ok(
            "edit_document", action="edit", documentId=document, oldString="May", newString="June"
        )
        found = eventually(
            lambda: seen_by(office.viewer, document)[0], lambda one: one["status"] == "editing"
        )
        assert found["activeSection"] == "Goals"
        office.editor.ok("read_document", documentId=document)
        others = eventually(lambda: seen_by(codex, document), lambda seen: len(seen) == 2)
        # Over HTTP an agent is called what its token is, whatever its client calls itself.
        assert {(one["displayName"], one["via"]) for one in others} == {
            ("viewer", "viewer"),
            ("editor", "editor"),
        }


@pytest.mark.slow
def test_two_agents_of_one_person_are_two(office: Office) -> None:
    document = made(office, "# 목표\n")
    with piped(office, "codex") as codex, piped(office, "claude") as claude:
        codex.ok("read_document", documentId=document)
        claude.ok("read_document", documentId=document)
        seen = eventually(lambda: seen_by(office.viewer, document), lambda seen: len(seen) == 2)
        assert {one["via"] for one in seen} == {"codex", "claude"}
        assert [one["via"] for one in seen_by(codex, document)].count("codex") == 0


def test_a_process_that_ends_at_once_is_still_noted(office: Office) -> None:
    document = made(office, "# 목표\n")
    with piped(office, "brief") as agent:
        agent.ok("read_document", documentId=document)
    assert [one["via"] for one in seen_by(office.viewer, document)] == ["brief"]


def test_who_may_not_read_is_told_nothing(office: Office) -> None:
    document = made(office, "# 목표\n")
    office.editor.ok("read_document", documentId=document)
    eventually(lambda: seen_by(office.viewer, document), lambda seen: len(seen) == 1)
    missing = "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"
    answers: list[str] = []
    for asked in (document, missing):
        params = calling("get_presence", documentId=asked)
        headers = {"X-Strata-Tool-Groups": DOCUMENTS}
        answer = office.outsider.ask("tools/call", params, **headers)
        assert answer["result"]["isError"]
        answers.append(json.dumps(answer).replace(asked, "#"))
    assert answers[0] == answers[1]
    # Nor does asking note the one who asked.
    time.sleep(0.3)
    assert {one["displayName"] for one in seen_by(office.viewer, document)} == {"editor"}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[tuple[strata.Workspace, Session]]:
    """A session of an agent in this process."""
    db = strata.open(tmp_path / "store.db", durability="standard", auto_embed=False)
    host = StoreHost(lambda: db, auto_embed=False)
    session = Session(host, caller="owner", exposure=expose(DOCUMENTS))
    session.client = "codex"
    yield db, session
    host.close()


def use(session: Session, tool: str, **arguments: Any) -> Answer:
    found = registry().find(tool)
    assert found is not None
    outcome = call_tool(session, found, arguments)
    assert not outcome.is_error, outcome.value
    return outcome.value


def at(db: strata.Workspace, document: str) -> list[tuple[str | None, str, str | None]]:
    return [(one.via, one.status, one.section) for one in db.presence.list(document)]


def test_where_an_agent_is_follows_from_what_it_calls(
    here: tuple[strata.Workspace, Session],
) -> None:
    db, session = here
    text = "# Goals\n\nShip in May.\n\n## 일정\n\n봄에 시작한다.\n"
    document = use(session, "edit_document", action="create", title="계획", content=text)[
        "documentId"
    ]
    eventually(lambda: at(db, document), lambda seen: seen == [("codex", "editing", None)])
    pieces = db.documents.pieces(document)
    use(session, "app_get_section_content", documentId=document, chunkId=pieces[-1].id)
    place = "Goals > 일정"
    eventually(lambda: at(db, document), lambda seen: seen == [("codex", "editing", place)])
    use(session, "read_document", documentId=document)  # of all of it: still there
    use(session, "edit_document", action="write", documentId=document, newContent=text + "끝\n")
    time.sleep(0.2)
    assert at(db, document) == [("codex", "editing", place)]
    use(session, "find", intent="list")  # names no document
    assert at(db, document) == [("codex", "editing", place)]


def test_people_who_type_calls_are_not_noted(here: tuple[strata.Workspace, Session]) -> None:
    db, session = here
    document = db.documents.create("계획", "x").document
    session.creator = "user"
    use(session, "read_document", documentId=document)
    place = db.info().path
    session.host.close()
    with strata.open(place, auto_embed=False) as again:
        assert at(again, document) == []


def test_a_call_does_not_wait_until_it_is_noted(
    here: tuple[strata.Workspace, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Waiting for the lock would take until this test is given up.
    monkeypatch.setattr(limits, "LOCK_WAIT_S", 3600.0)
    db, session = here
    document = db.documents.create("계획", "x").document
    use(session, "read_document", documentId=document, maxTokens=99)
    eventually(lambda: at(db, document), lambda seen: len(seen) == 1)
    other = db.documents.create("다른", "x").document
    with db._store.writing():  # whoever else writes, for as long as it takes
        use(session, "read_document", documentId=other)
    eventually(lambda: at(db, other), lambda seen: len(seen) == 1)


def test_repeated_calls_write_little(here: tuple[strata.Workspace, Session]) -> None:
    db, session = here
    document = db.documents.create("계획", "x").document
    use(session, "read_document", documentId=document)
    eventually(lambda: at(db, document), lambda seen: len(seen) == 1)
    before = db._store.database.counters()[0]
    for _ in range(50):
        use(session, "read_document", documentId=document)
    time.sleep(0.2)
    assert db._store.database.counters()[0] - before <= 1


def test_what_goes_wrong_with_a_note_does_not_fail_the_call(
    here: tuple[strata.Workspace, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    db, session = here
    document = db.documents.create("계획", "본문").document

    def broken(*_given: Any, **_more: Any) -> None:
        raise strata.Unavailable("no disk")

    monkeypatch.setattr("strata.presence.Presences.touch", broken)
    assert use(session, "read_document", documentId=document)["content"] == "본문"
    monkeypatch.setattr("strata.tools.presence.note_call", broken)
    assert use(session, "read_document", documentId=document)["content"] == "본문"


def test_a_store_that_is_only_read_is_read_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path, durability="standard", auto_embed=False) as db:
        document = db.documents.create("계획", "본문").document
    reader = strata.open(path, read_only=True)
    host = StoreHost(lambda: reader, auto_embed=False)
    session = Session(host, caller="owner", exposure=expose(DOCUMENTS, read_only=True))
    session.client = "codex"
    assert use(session, "read_document", documentId=document)["content"] == "본문"
    assert use(session, "get_presence", documentId=document)["collaborators"] == []
    host.close()


def test_the_command_shows_who_is_there(here: tuple[strata.Workspace, Session]) -> None:
    db, session = here
    document = db.documents.create("계획", "# 목표\n").document
    use(session, "read_document", documentId=document, sections=["목표"])
    eventually(lambda: at(db, document), lambda seen: len(seen) == 1)
    words = [sys.executable, "-m", "strata", "doc", "who", "계획", "--db", str(db.info().path)]
    told = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    for word in ("owner", "codex", "viewing", "목표"):
        assert word in told
    as_json = subprocess.run([*words, "--json"], capture_output=True, check=True, timeout=60)
    (one,) = json.loads(as_json.stdout)["people"]
    assert (one["via"], one["entity_type"], one["section"]) == ("codex", "agent", "목표")


def test_an_agent_is_gone_half_a_minute_after_its_last_call(
    here: tuple[strata.Workspace, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    db, session = here
    monkeypatch.setattr(limits, "PRESENCE_S", 0.5)
    document = db.documents.create("계획", "x").document
    use(session, "read_document", documentId=document)
    eventually(lambda: at(db, document), lambda seen: len(seen) == 1)
    eventually(lambda: at(db, document), lambda seen: seen == [])
