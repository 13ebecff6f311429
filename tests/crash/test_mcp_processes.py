"""Eight servers on one store, each with a client that writes, and many of them are killed."""

import queue
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import strata
from tests.crash.length import rounds
from tests.surface.mcp.wire import Server, call, hello, modern, request, strata_mcp

pytestmark = [pytest.mark.crash, pytest.mark.slow]
SERVERS = 8
WRITES = rounds(40, 400)
KILL_EVERY = 20  # acknowledged writes


class Gone(Exception):
    """The server was killed before it answered."""


class Client:
    """Writes through one server after another, and takes down what was acknowledged."""

    def __init__(self, path: Path, number: int) -> None:
        self.path, self.number = path, number
        # Every second client makes requests that stand alone.
        self.is_modern = number % 2 == 1
        self.acknowledged: dict[int, dict[str, Any]] = {}
        self.unheard: list[int] = []
        self.refused: list[Any] = []
        self.started = 0
        self.server = self._start()

    def _start(self) -> Server:
        self.started += 1
        server = Server(*strata_mcp(self.path, "--no-auto-embed"))
        if not self.is_modern:
            server.send(hello("hello"))
        return server

    def work(self) -> None:
        """Write until everything is acknowledged; what was not heard of is written again."""
        for number in range(WRITES):
            while number not in self.acknowledged:
                try:
                    self._write(number)
                except (Gone, BrokenPipeError):
                    self.unheard.append(number)
                    self.server.wait()
                    self.server = self._start()
        self.server.close()

    def _write(self, number: int) -> None:
        name, arguments = self.write_of(number)
        params = call(name, **arguments)
        wrapped = modern(params) if self.is_modern else params
        self.server.send(request(number, "tools/call", wrapped))
        answer = self._answer_to(number)
        if "result" not in answer or answer["result"]["isError"]:
            self.refused.append(answer)
        self.acknowledged[number] = answer.get("result", {}).get("structuredContent", {})

    def _answer_to(self, number: int) -> dict[str, Any]:
        while True:
            try:
                message = self.server.lines.get(timeout=0.05)
            except queue.Empty:
                if self.server.process.poll() is not None and self.server.lines.empty():
                    raise Gone from None
                continue
            if message.get("id") == number:
                return message

    def write_of(self, number: int) -> tuple[str, dict[str, Any]]:
        """Return the call of a turn: a fact, an event, or several facts at once."""
        label = f"{self.number}/{number}"
        if number % 4 == 1:
            return "strata_log", {"event": "turn", "data": {"누구": label}}
        if number % 4 == 3:
            items = [{"key": f"여럿/{label}/{part}", "value": [label, part]} for part in "abc"]
            return "strata_store", {"items": items}
        return "strata_store", {
            "key": f"사실/{label}",
            "value": {"누구": label, "글": "기억 " * 20},
        }

    def missing(self, db: strata.Workspace, events: dict[int, Any]) -> list[str]:
        """Return what was acknowledged and is not in the store."""
        lost: list[str] = []
        for number, told in self.acknowledged.items():
            name, arguments = self.write_of(number)
            if name == "strata_log":
                found = [arguments["data"]] == [events.get(told["sequence"])]
            else:
                facts = arguments.get("items") or [arguments]
                found = all(_value(db, fact["key"]) == fact["value"] for fact in facts)
            if not found:
                lost.append(f"{self.number}/{number}: {told}")
        return lost


def _value(db: strata.Workspace, key: str) -> Any:
    held = db.kv.get(key)
    return None if held is None else held.value


def _events(db: strata.Workspace) -> dict[int, Any]:
    found: dict[int, Any] = {}
    while page := db.events.list(after=len(found), limit=500):
        found |= {event.sequence: event.payload for event in page}
    return found


def test_killed_servers_lose_nothing_that_they_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    clients = [Client(path, number) for number in range(SERVERS)]
    threads = [threading.Thread(target=client.work, daemon=True) for client in clients]
    dice, kills, began = random.Random(), 0, time.monotonic()
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.01)
        if sum(len(one.acknowledged) for one in clients) < KILL_EVERY * (kills + 1):
            continue
        busy = [one for one, thread in zip(clients, threads, strict=True) if thread.is_alive()]
        if busy:
            dice.choice(busy).server.process.kill()
            kills += 1
    took = time.monotonic() - began
    with strata.open(path) as db:
        events = _events(db)
        lost = [line for client in clients for line in client.missing(db, events)]
        assert lost == []
        assert db.verify().problems == ()
    unheard = sum(len(client.unheard) for client in clients)
    print(f"\n{SERVERS * WRITES} writes in {took:.1f} s, {kills} kills, {unheard} not heard of")
    assert [refused for client in clients for refused in client.refused] == []
    turns = sum(number % 4 == 1 for number in range(WRITES)) * SERVERS
    assert turns <= len(events) <= turns + unheard
    assert kills > SERVERS
    assert sum(client.started for client in clients) == SERVERS + unheard
