"""A real server whose list of tools follows the prompts that a real hook has seen."""

import json
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.hooks.contexts import Contexts
from strata.hooks.detection import ALWAYS, TOOLS, Name
from tests.surface.decisions.test_the_wire import TEN
from tests.surface.mcp.wire import Message, Server, modern, strata_mcp

CHANGED = "notifications/tools/list_changed"
# A client that is never told: longer than it would take on the slowest machine.
NEVER_S = 1.5

Serve = Callable[..., Server]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "결정.db"
    with strata.open(path, auto_embed=False) as db:
        db.decisions.save("auth", "Use tokens", "The mobile app needs them")
    return path


@pytest.fixture
def serve(store: Path) -> Iterator[Serve]:
    """Start a server of the ten tools that has been asked for its list once."""
    servers: list[Server] = []

    def start(mode: str = "force_dynamic", groups: str = "decisions") -> Server:
        options = ("--groups", groups, "--dynamic-tools", mode)
        server = Server(*strata_mcp(store, *options))
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.end()


def greeted(server: Server) -> Server:
    server.greet()
    assert tuple(listed(server)) == TEN
    # The first call finds the store open, and so does whoever looks for contexts.
    server.call("search_recent")
    time.sleep(limits.CONTEXT_LOOK_S * 4)
    return server


def listed(server: Server) -> list[str]:
    return [tool["name"] for tool in server.ask("tools/list")["result"]["tools"]]


def hook(store: Path, prompt: str) -> None:
    """Call the hook as a client does."""
    sent = json.dumps({"session_id": "s-1", "prompt": prompt}).encode()
    command = [sys.executable, "-m", "strata", "hook", "prompt", "--db", str(store)]
    subprocess.run(command, input=sent, check=True, capture_output=True, timeout=60)


def told(server: Server, seconds: float = 30.0) -> Message | None:
    try:
        return server.next(seconds=seconds)
    except queue.Empty:
        return None


def narrowed(context: Name) -> list[str]:
    return list(dict.fromkeys((*TOOLS[context], *ALWAYS)))


PROMPTS: tuple[tuple[str, Name], ...] = (
    ("Where were we? Let's pick up where we left off", "resuming"),
    ("어제 하던 작업 이어서 하자", "resuming"),
    ("Let's decide which database to use", "deciding"),
    ("어떤 방식으로 할지 결정하자", "deciding"),
    ("What did we decide about authentication?", "searching"),
    ("예전에 인증을 어떻게 하기로 했는지 찾아줘", "searching"),
    ("That decision turned out to be wrong, mark it as failed", "tracking"),
    ("패스키 배포 실패", "tracking"),
)


def test_a_prompt_narrows_and_orders_the_list(serve: Serve, store: Path) -> None:
    server = greeted(serve())
    for prompt, context in PROMPTS:
        hook(store, prompt)
        message = told(server)
        assert message is not None, prompt
        assert message["method"] == CHANGED
        names = listed(server)
        assert names == narrowed(context), prompt
        assert names[0] == TOOLS[context][0]
        # Whatever is not listed can be called all the same.
        assert server.call("save_insight", insight=f"숨어 있어도 된다: {prompt}")["id"]
        hook(store, "Rename this variable to total_count")
        assert told(server) is not None, prompt
        assert tuple(listed(server)) == TEN, "an ordinary prompt shows everything again"


def test_a_client_is_told_of_every_change_at_the_next_look(serve: Serve, store: Path) -> None:
    assert limits.CONTEXT_LOOK_S <= 0.05, "a person has not begun to read the answer"
    server = greeted(serve())
    with strata.open(store, auto_embed=False) as db:
        for turn in range(6):
            context = ("resuming", "tracking")[turn % 2]
            Contexts(db.serving.store).leave("s-1", context, confidence=0.9)
            assert told(server) is not None
            assert listed(server) == narrowed(context)


def test_a_client_that_does_not_ask_again_keeps_its_list(serve: Serve, store: Path) -> None:
    server = greeted(serve("auto"))
    hook(store, "어제 하던 작업 이어서 하자")
    assert told(server) is not None
    time.sleep(limits.RELIST_S + 1)
    assert tuple(listed(server)) == TEN, "it asked too late"
    hook(store, "What did we decide about authentication?")
    assert told(server, NEVER_S) is None, "static for the rest of the session"
    server.close()
    again = greeted(serve("auto"))
    hook(store, "Where were we?")
    assert told(again, NEVER_S) is None, "and in the next one"


def test_the_stateless_revision_never_changes_its_list(serve: Serve, store: Path) -> None:
    server = serve()
    ask = modern()
    first = server.ask("tools/list", ask)["result"]["tools"]
    assert tuple(tool["name"] for tool in first) == TEN
    time.sleep(limits.CONTEXT_LOOK_S * 4)
    hook(store, "어제 하던 작업 이어서 하자")
    assert told(server, NEVER_S) is None
    assert server.ask("tools/list", ask)["result"]["tools"] == first


def test_the_list_stays_as_it_is_unless_somebody_asked_for_more(serve: Serve, store: Path) -> None:
    server = greeted(serve("force_static"))
    hook(store, "어제 하던 작업 이어서 하자")
    assert told(server, NEVER_S) is None
    assert tuple(listed(server)) == TEN


def test_tools_of_other_groups_are_never_hidden(serve: Serve, store: Path) -> None:
    server = serve(groups="memory,decisions")
    server.greet()
    whole = listed(server)
    server.call("search_recent")
    time.sleep(limits.CONTEXT_LOOK_S * 4)
    hook(store, "Where were we?")
    assert told(server) is not None
    names = listed(server)
    assert names[: len(narrowed("resuming"))] == narrowed("resuming")
    assert {name for name in whole if name.startswith("strata_")} <= set(names)
