"""Real Yjs pages on a real server: bad connections, every script, and an agent among them.

LIVE_CLIENTS and LIVE_SECONDS ask for more than the daily run has.
"""

import base64
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

import strata
from strata.documents.log import load
from strata.documents.text import resolve
from tests.node.packages import HERE, install, node
from tests.surface.documents.conftest import Agent

CLIENTS = int(os.environ.get("LIVE_CLIENTS", "12"))
SECONDS = float(os.environ.get("LIVE_SECONDS", "4"))
PEOPLE = 4
MARK = re.compile("⟦[^⟧]*⟧")
# Beside this the agent writes; nobody deletes it.
NEST = "⟦둥지⟧"


class Server:
    """`strata serve` in a process of its own."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "strata", "serve", "--port", "0", "--json", "--db", str(path)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        text = ""
        for line in self.process.stdout:
            text += line
            if line == "}\n":
                break
        self.url: str = json.loads(text)["url"].removesuffix("/mcp")

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)


class World:
    """A store with people who share documents, and a server of it."""

    def __init__(self, path: Path, documents: int) -> None:
        self.path = path
        with strata.open(path, durability="standard", auto_embed=False) as db:
            made = [db.documents.create(f"문서 {n}", f"시작 {NEST} ") for n in range(documents)]
            self.rooms = [one.document for one in made]
            self.tokens = [db.tokens.create("owner").secret]
            for number in range(PEOPLE - 1):
                person = db.users.add(f"p{number}@example.com", f"사람 {number}")
                for room in self.rooms:
                    db.shares.share(room, person.email, "editor")
                self.tokens.append(db.tokens.create(f"t{number}", user=person.id).secret)
            self.agent = db.tokens.create("agent", groups=["core"]).secret
        self.server = Server(path)

    def swarm(self, **more: Any) -> "subprocess.Popen[str]":
        seats = [{"room": room, "token": token} for token in self.tokens for room in self.rooms]
        task = {
            "url": self.server.url.replace("http", "ws"),
            "seats": seats,
            "clients": CLIENTS,
            "seconds": SECONDS,
            "delay": 60,
            "pause": 60,
            "steps": 60,
            "seed": 7,
            **more,
        }
        return subprocess.Popen(
            [str(node()), str(HERE / "live" / "swarm.mjs"), str(install("live")), json.dumps(task)],
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    made = World(tmp_path / "함께.db", request.param)
    yield made
    made.server.end()


class Colleague(threading.Thread):
    """An agent that writes into the documents through the tools, until told to stop."""

    def __init__(self, world: World) -> None:
        super().__init__(daemon=True)
        self.world = world
        self.enough = threading.Event()
        self.wrote: dict[str, list[str]] = {room: [] for room in world.rooms}
        self.failed: list[Any] = []

    def run(self) -> None:
        chance = random.Random(3)
        with httpx2.Client() as http:
            agent = Agent(f"{self.world.server.url}/mcp", self.world.agent, http)
            while not self.enough.wait(0.05):
                room = chance.choice(self.world.rooms)
                mark = f"⟦agent.{len(self.wrote[room])} 에이전트⟧"
                result = agent.answer(
                    "edit_document",
                    action="edit",
                    documentId=room,
                    oldString=NEST,
                    newString=f"{NEST} {mark}",
                )
                if result["isError"]:
                    self.failed.append(result)
                else:
                    self.wrote[room].append(mark)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("world", [1, 3], indirect=True, ids=["one document", "three documents"])
def test_pages_and_an_agent_end_with_the_same_text(world: World) -> None:
    colleague = Colleague(world)
    colleague.start()
    swarm = world.swarm()
    threading.Timer(SECONDS, colleague.enough.set).start()
    found = json.loads(swarm.communicate(timeout=SECONDS + 120)[0])
    colleague.join(30)
    assert not colleague.failed
    assert {one["room"] for one in found} == set(world.rooms)
    for one in found:
        check(world, one, colleague.wrote[one["room"]])


def check(world: World, found: dict[str, Any], by_agent: list[str]) -> None:
    """Compare what the pages of a room hold with the store, and with what they wrote."""
    assert found["closed"] == []
    assert found["settled"], (found["apart"], found["away"], len(found["texts"]))
    (text,) = found["texts"]
    with strata.open(world.path, auto_embed=False) as db:
        assert db.documents.text(found["room"]) == text
        replica = load(db._view.snapshot, found["room"])
        assert not db.verify().problems
    assert replica.text == text
    marks = MARK.findall(text)
    wrote = [NEST, *found["wrote"], *by_agent]
    assert len(set(wrote)) == len(wrote) > 20
    assert len(marks) == len(set(marks)), "something is there twice"
    assert set(marks) == set(wrote) - set(found["deleted"])
    check_anchors(replica, found["anchors"], text)
    names = {"owner", *(f"사람 {number}" for number in range(PEOPLE - 1))}
    assert set(found["users"]) <= names, "somebody has another's name"


def check_anchors(replica: Any, anchors: list[tuple[str, int]], text: str) -> None:
    """Resolve what Yjs has anchored; a place inside a pair of units goes to one of its ends."""
    assert len(anchors) > 3
    at = {0: 0}
    unit = 0
    for place, letter in enumerate(text, 1):
        unit += 2 if letter > "\uffff" else 1
        at[unit] = place
    resolved = resolve(replica, [base64.b64decode(anchor) for anchor, _index in anchors])
    for place, (_anchor, index) in zip(resolved, anchors, strict=True):
        assert place in ({at[index]} if index in at else {at[index - 1], at[index + 1]})
