"""Real Yjs on the other side: the same texts, state vectors and anchors, byte for byte.

YJS_ANCHORS asks for more anchors than the daily run compares.
"""

import base64
import json
import os
import random
import subprocess
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from strata.documents.text import Replica, Splice, anchors, resolve
from strata.documents.text.updates import read_vector
from tests.node.packages import HERE, install, node

ANCHORS = int(os.environ.get("YJS_ANCHORS", "1500"))
LETTERS = [
    *"ab \n",
    "é",
    "한",
    "글",
    "ㄱ",
    "😀",
    "👩‍👩‍👧",
    "🇰🇷",
    "e\u0301",
    "ש",
    "ל",
    "ع",
    "𝒳",
    "中",
]


class Yjs:
    """A process with Yjs documents in it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [str(node()), str(HERE / "yjs" / "peer.mjs"), str(install("yjs"))],
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

    def close(self) -> None:
        with self.process:
            self.process.terminate()


@pytest.fixture(scope="module")
def yjs() -> Iterator[Yjs]:
    running = Yjs()
    yield running
    running.close()


class YjsPeer:
    """A document of Yjs, which counts UTF-16 units and may cut characters in two."""

    def __init__(self, yjs: Yjs, name: str, chance: random.Random) -> None:
        self.yjs, self.name, self.chance = yjs, name, chance
        yjs.ask("open", peer=name, client=chance.randrange(1, 2**32), gc=chance.random() < 0.7)

    @property
    def text(self) -> str:
        return self.yjs.ask("text", peer=self.name)

    def apply(self, *updates: bytes) -> None:
        self.yjs.ask("apply", peer=self.name, updates=[encoded(each) for each in updates])

    def state(self) -> bytes:
        return decoded(self.yjs.ask("state", peer=self.name))

    def vector(self) -> dict[int, int]:
        found = self.yjs.ask("vector", peer=self.name)
        return {int(client): clock for client, clock in found.items()}

    def change(self) -> list[bytes]:
        """Undo, redo or edit at random, and return the updates."""
        verb = self.chance.choices(["undo", "redo", "edit"], [1, 1, 8])[0]
        edits = [self.edit()] if verb == "edit" else []
        return [decoded(each) for each in self.yjs.ask(verb, peer=self.name, edits=edits)]

    def edit(self) -> tuple[int, int, str]:
        places = units(self.text)
        size = places[-1]
        if self.chance.random() < 0.7:
            start = self.chance.choice(places)
            end = self.chance.choice([each for each in places if start <= each <= start + 8])
        else:
            start = self.chance.randint(0, size)
            end = self.chance.randint(start, min(start + 5, size))
        gone = end - start if self.chance.random() < 0.5 else 0
        return start, gone, words(self.chance)


class OurPeer:
    """A replica of ours, edited at random."""

    def __init__(self, chance: random.Random) -> None:
        self.replica, self.chance = Replica(client=chance.randrange(1, 2**32)), chance

    @property
    def text(self) -> str:
        return self.replica.text

    def apply(self, *updates: bytes) -> None:
        for update in updates:
            self.replica.apply(update)

    def state(self) -> bytes:
        return self.replica.state()

    def vector(self) -> dict[int, int]:
        assert read_vector(self.replica.vector()) == self.replica.known
        return self.replica.known

    def change(self) -> list[bytes]:
        start = self.chance.randint(0, len(self.text))
        end = self.chance.randint(start, min(start + 5, len(self.text)))
        end = end if self.chance.random() < 0.5 else start
        update = self.replica.splice([Splice(start, end, words(self.chance))])
        return [update] if update else []


Peer = YjsPeer | OurPeer


@pytest.mark.parametrize("seed", range(40))
def test_everybody_ends_with_the_same_text(yjs: Yjs, seed: int) -> None:
    chance = random.Random(seed)
    peers: list[Peer] = [YjsPeer(yjs, f"{seed} {name}", chance) for name in "abc"]
    peers += [OurPeer(chance), OurPeer(chance)]
    log: list[bytes] = []
    seen: list[set[int]] = [set() for _ in peers]
    for _ in range(100):
        who = chance.randrange(len(peers))
        if chance.random() < 0.6:
            made = peers[who].change()
            seen[who] |= set(range(len(log), len(log) + len(made)))
            log += made
        else:
            missing = [at for at in range(len(log)) if at not in seen[who]]
            some = missing[: chance.randint(0, len(missing))]
            deliver(yjs, peers[who], [log[at] for at in some], is_merged=chance.random() < 0.3)
            seen[who] |= set(some)
    for who, peer in enumerate(peers):
        peer.apply(*[update for at, update in enumerate(log) if at not in seen[who]])
    assert len(log) > 30
    assert len({peer.text for peer in peers}) == 1
    assert all(peer.vector() == peers[0].vector() for peer in peers)
    opened = [Replica([peer.state()]).text for peer in peers] + [Replica(log).text]
    assert set(opened) == {peers[0].text}


def deliver(yjs: Yjs, peer: Peer, updates: list[bytes], *, is_merged: bool) -> None:
    """Hand updates over one by one, or as the one that Yjs makes of them."""
    if is_merged and updates:
        whole = yjs.ask("merge", updates=[encoded(each) for each in updates])
        peer.apply(decoded(whole))
    else:
        peer.apply(*updates)


def test_anchors_are_the_same_bytes_and_the_same_places(yjs: Yjs) -> None:
    count: Counter[str] = Counter()
    seed = 0
    while count["made"] < ANCHORS or count["resolved"] < ANCHORS:
        compare_anchors(yjs, random.Random(seed), count)
        seed += 1
    print(dict(count))
    assert count["inside a pair"] > ANCHORS // 100
    assert (count["made wrong"], count["resolved wrong"]) == (0, 0)


def compare_anchors(yjs: Yjs, chance: random.Random, count: Counter[str]) -> None:
    """Let four write; now and then, compare anchors that we make, and those of all times."""
    writers = [YjsPeer(yjs, name, chance) for name in "ab"]
    reader, ours = YjsPeer(yjs, "reader", chance), OurPeer(chance)
    kept: list[str] = []
    for _ in range(25):
        for peer in (*writers, ours):
            for _ in range(chance.randint(0, 2)):
                peer.change()
        meet(ours, [*writers, reader])
        kept += compare_made(yjs, ours, chance, count)
        places = [[chance.randint(0, units(ours.text)[-1]), -chance.randint(0, 1)] for _ in "12"]
        kept += yjs.ask("anchor", peer=chance.choice(["a", "b", "reader"]), places=places)
        kept = chance.sample(kept, min(len(kept), 24))
        compare_resolved(yjs, ours, kept, count)


def meet(ours: OurPeer, others: list[YjsPeer]) -> None:
    """Bring everybody to the same text."""
    for other in others:
        ours.apply(other.state())
    for other in others:
        other.apply(ours.state())
        assert other.text == ours.text


def compare_made(yjs: Yjs, ours: OurPeer, chance: random.Random, count: Counter[str]) -> list[str]:
    """Anchor some ranges on both sides, and return the anchors."""
    at = units(ours.text)
    ends = [sorted(chance.choices(range(len(at)), k=2)) for _ in range(4)]
    made = anchors(ours.replica, [(start, end) for start, end in ends])
    flat = [encoded(each) for pair in made for each in pair]
    places = [place for start, end in ends for place in ((at[start], 0), (at[end], -1))]
    theirs = yjs.ask("anchor", peer="reader", places=places)
    count["made"] += len(flat)
    count["made wrong"] += sum(one != other for one, other in zip(flat, theirs, strict=True))
    return flat


def compare_resolved(yjs: Yjs, ours: OurPeer, kept: list[str], count: Counter[str]) -> None:
    """Resolve on both sides; a place inside a pair of units is moved to the anchored side."""
    at = {unit: place for place, unit in enumerate(units(ours.text))}
    theirs = yjs.ask("resolve", peer="reader", anchors=kept)
    found = resolve(ours.replica, [decoded(each) for each in kept])
    for anchor, place, unit in zip(kept, found, theirs, strict=True):
        expected = at.get(unit)
        if expected is None:
            count["inside a pair"] += 1
            expected = at[unit + 1] if decoded(anchor).endswith(b"\x41") else at[unit - 1]
        count["resolved"] += 1
        count["resolved wrong"] += place != expected


def units(text: str) -> list[int]:
    """Return the offset in UTF-16 units of every character, and of the end."""
    found = [0]
    for letter in text:
        found.append(found[-1] + (2 if letter > "\uffff" else 1))
    return found


def words(chance: random.Random) -> str:
    return "".join(chance.choices(LETTERS, k=chance.randint(0, 6)))


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def decoded(text: str) -> bytes:
    return base64.b64decode(text)
