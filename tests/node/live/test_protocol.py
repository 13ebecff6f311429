"""Our messages and those of y-protocols are the same bytes, and mean the same."""

import base64
import json
import random
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from strata.documents.text import Replica, Splice
from strata.web.live import wire
from strata.web.live.awareness import Awareness
from tests.node.packages import HERE, install, node

USER = {"name": "소연"}


class Peers:
    """A process that speaks y-protocols."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [str(node()), str(HERE / "live" / "protocol.mjs"), str(install("live"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def ask(self, verb: str, **rest: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"verb": verb, **rest}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def bytes(self, verb: str, **rest: Any) -> bytes:
        return base64.b64decode(self.ask(verb, **rest))

    def close(self) -> None:
        with self.process:
            self.process.terminate()


@pytest.fixture(scope="module")
def peers() -> Iterator[Peers]:
    running = Peers()
    yield running
    running.close()


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_numbers_are_the_same_bytes(peers: Peers) -> None:
    chance = random.Random(1)
    values = [0, 1, 127, 128, 16_383, 16_384, 2**31, 2**32 - 1, 2**53 - 1]
    values += [chance.randrange(2 ** chance.randint(1, 53)) for _ in range(100)]
    for value in values:
        data = peers.bytes("number", value=value)
        assert wire.number(value) == data
        assert wire.WireReader(data).number() == value


def test_a_sync_goes_both_ways(peers: Peers) -> None:
    ours = Replica(client=77)
    ours.splice([Splice(0, 0, "서버의 글 😀")])
    message = wire.read_message(peers.bytes("update", name="sync", text="페이지의 글 "))
    assert (message.kind, message.step) == (wire.SYNC, wire.UPDATE)
    ours.apply(message.body)
    asked = wire.read_message(peers.bytes("step1", name="sync"))
    assert (asked.kind, asked.step) == (wire.SYNC, wire.STEP_1)
    assert set(wire.read_vector(asked.body)) == {peers.ask("client", name="sync")}
    answer = wire.sync(wire.STEP_2, ours.since(asked.body))
    assert peers.ask("read", name="sync", data=encoded(answer))["text"] == ours.text
    question = wire.sync(wire.STEP_1, Replica().vector())
    theirs = peers.ask("read", name="sync", data=encoded(question))["answer"]
    found = wire.read_message(base64.b64decode(theirs))
    assert (found.kind, found.step) == (wire.SYNC, wire.STEP_2)
    assert Replica([found.body]).text == ours.text


def test_a_message_is_written_as_they_write_it(peers: Peers) -> None:
    for verb in ("step1", "step2"):
        data = peers.bytes(verb, name="written")
        message = wire.read_message(data)
        assert wire.sync(message.step, message.body) == data
    data = peers.bytes("say", name="written", state={"cursor": {"at": 1}, "이름": "소연"})
    states = wire.read_states(wire.read_message(data).body)
    assert states[0].value == {"cursor": {"at": 1}, "이름": "소연"}
    assert wire.awareness(wire.write_states(states)) == data


def heard(room: Awareness, data: bytes, speaker: object) -> list[wire.AwarenessState]:
    found: list[wire.AwarenessState] = []
    for state in wire.read_states(wire.read_message(data).body):
        news, again = room.hear(state, speaker, USER)
        found += [*news, *again]
    return found


def test_states_and_their_counts_agree_after_any_conversation(peers: Peers) -> None:
    chance = random.Random(5)
    room, names = Awareness(), ["왼쪽", "오른쪽", "witness"]
    for name in names:
        peers.ask("client", name=name)
    for turn in range(200):
        name = chance.choice(names[:2])
        verb = chance.choice(["say", "say", "again", "gone"])
        if verb == "gone":
            news = room.gone(name)
        else:
            state = None if chance.random() < 0.1 else {"turn": turn}
            data = peers.bytes("say", name=name, state=state) if verb == "say" else None
            news = heard(room, data or peers.bytes("said", name=name), name)
        if news:
            message = encoded(wire.awareness(wire.write_states(news)))
            for other in names:
                peers.ask("hear", name=other, data=message)
        theirs = {
            client: state
            for client, _clock, state in peers.ask("known", name="witness")
            if state is not None and client != peers.ask("client", name="witness")
        }
        assert {one.client: one.value for one in room.present()} == theirs


def test_who_was_taken_for_gone_is_back_after_one_message(peers: Peers) -> None:
    room = Awareness()
    said = [peers.bytes("say", name="back", state={"n": turn}) for turn in range(3)]
    client = peers.ask("client", name="back")
    heard(room, said[-1], "old socket")
    room.gone("old socket")
    assert room.present() == []
    again = heard(room, peers.bytes("said", name="back"), "new socket")
    assert [(one.client, one.value) for one in again] == [(client, None)]
    told = encoded(wire.awareness(wire.write_states(again)))
    peers.ask("hear", name="back", data=told)
    heard(room, peers.bytes("said", name="back"), "new socket")
    assert [one.client for one in room.present()] == [client]
