"""What a team has decided over a year: topics with chains, sessions of work, links as they arise.

Memories lie in sessions of five to fifteen, minutes apart. A topic belongs to an area, and an area
has its own stretch of text, so that what is near in meaning shares words. A memory is tied to the
one that it replaces, to up to three of its session, to one or two of its area, seldom to anything
at all: five links a memory.
"""

import random
import time
from collections.abc import Iterator

import msgspec
from finding import korean

from strata import Workspace
from strata.decisions import (
    Link,
    LinkType,
    Memory,
    Type,
    change_of_link,
    change_of_memory,
    new_link,
)
from strata.store import Header, Snapshot, Store, Transaction

_MINUTE_MS = 60_000
_YEAR_MS = 365 * 86_400_000
_AREA_TOPICS = 12
_TOPIC_MEMORIES = 6
_KOREAN_SHARE = 0.1
_BATCH = 5_000
_THINGS = (
    "cache",
    "auth",
    "export",
    "queue",
    "schema",
    "retry",
    "layout",
    "billing",
    "search",
    "배포",
    "권한",
    "로그",
    "백업",
    "알림",
)
_WORDS = ("motivated_by", "supports", "related_to", "depends_on", "inspired_by")


class World(msgspec.Struct, frozen=True):
    """Memories, oldest first, and the links between them."""

    memories: list[Memory]
    links: list[Link]

    @property
    def topics(self) -> list[str]:
        """Every topic, the one decided last at the end."""
        found = (memory.topic for memory in reversed(self.memories) if memory.topic is not None)
        return list(reversed(dict.fromkeys(found)))


def topic_name(number: int) -> str:
    """Return the name of a topic."""
    return f"{_THINGS[number % len(_THINGS)]}_{number // _AREA_TOPICS:04d}_{number:05d}"


class Writer:
    """Words for topics: every area has sentences of its own."""

    def __init__(self, sentences: list[list[str]], rng: random.Random) -> None:
        self._sentences = sentences
        self._rng = rng

    def text(self, topic: int, words: int = 20) -> str:
        """Return something to say about a topic."""
        if self._rng.random() < _KOREAN_SHARE:
            return korean.note(self._rng)
        place = (topic // _AREA_TOPICS * 37 + self._rng.randrange(30)) % len(self._sentences)
        found = [*self._sentences[place], *self._sentences[(place + 1) % len(self._sentences)]]
        return " ".join(found[:words])


def world(sentences: list[list[str]], count: int, *, seed: int = 7) -> World:
    """Make a world of so many memories, the same one at every run, ending an hour ago."""
    return _Making(sentences, count, seed).made()


class _Making:
    def __init__(self, sentences: list[list[str]], count: int, seed: int) -> None:
        self._rng = random.Random(seed)
        self._writer = Writer(sentences, self._rng)
        self._count = count
        self._now = time.time_ns() // 1_000_000 - 60 * _MINUTE_MS - _YEAR_MS
        self._memories: list[Memory] = []
        self._links: dict[str, Link] = {}
        self._heads: dict[int, str] = {}
        self._areas: dict[int, list[str]] = {}

    def made(self) -> World:
        gap = _YEAR_MS * 10 // self._count
        while len(self._memories) < self._count:
            self._now += self._rng.randint(gap // 2, gap)
            area = self._rng.randrange(self._count // (_AREA_TOPICS * _TOPIC_MEMORIES) + 1)
            session: list[Memory] = []
            for _ in range(self._rng.randint(5, 15)):
                session.append(self._memory(area, session))
        return World(self._memories[: self._count], self._kept())

    def _kept(self) -> list[Link]:
        known = {memory.id for memory in self._memories[: self._count]}
        links = self._links.values()
        return [link for link in links if link.from_id in known and link.to_id in known]

    def _memory(self, area: int, session: list[Memory]) -> Memory:
        rng = self._rng
        self._now += rng.randint(1, 9) * _MINUTE_MS
        topic = area * _AREA_TOPICS + rng.randrange(_AREA_TOPICS)
        type_: Type = rng.choices(("decision", "insight", "checkpoint"), (7, 2, 1))[0]
        memory = Memory(
            id=f"{type_}_{self._now:013d}_{rng.getrandbits(32):08x}",
            type=type_,
            topic=None if type_ == "checkpoint" else topic_name(topic),
            content=self._writer.text(topic),
            created_at=self._now,
            updated_at=self._now,
            metadata={
                "schema_version": 1,
                "confidence": round(rng.random(), 2),
                "reasoning": self._writer.text(topic, 30),
            },
        )
        self._tie(memory, topic, session)
        self._memories.append(memory)
        return memory

    def _tie(self, memory: Memory, topic: int, session: list[Memory]) -> None:
        if memory.type == "decision":
            if topic in self._heads:
                self._link(memory, self._heads[topic], "supersedes")
            self._heads[topic] = memory.id
        for other in session[-3:]:
            self._link(memory, other.id, "temporal")
        near = self._areas.setdefault(topic // _AREA_TOPICS, [])
        for other in self._rng.sample(near, min(len(near), self._rng.choice((1, 1, 2, 2, 3)))):
            self._link(memory, other, self._rng.choice(_WORDS))
        if self._memories and self._rng.random() < 0.05:
            self._link(memory, self._rng.choice(self._memories).id, "related_to")
        near.append(memory.id)

    def _link(self, memory: Memory, other: str, word: str) -> None:
        types: dict[str, LinkType] = {
            "supersedes": "evolution",
            "temporal": "temporal",
            "depends_on": "implementation",
        }
        by = "system" if word == "temporal" else "llm"
        sure = {"supersedes": 1.0, "temporal": round(self._rng.uniform(0.3, 0.5), 2)}.get(word, 0.8)
        made = new_link(
            memory.id,
            other,
            types.get(word, "association"),
            confidence=sure,
            created_by=by,
            created_at=memory.created_at,
            relationship=word,
        )
        self._links[made.id] = made


def load(db: Workspace, found: World) -> None:
    """Write a world as an import would: some thousand records in a commit."""
    changes = [change_of_memory(memory) for memory in found.memories]
    changes += [change_of_link(link) for link in found.links]
    for start in range(0, len(changes), _BATCH):
        with _writing(db._store) as transaction:
            for change in changes[start : start + _BATCH]:
                transaction.stage(change)


def _writing(store: Store) -> Transaction:
    return Transaction(Snapshot(store, "default"), Header("import"), locked=True)


def questions(found: World, count: int, *, seed: int = 3) -> Iterator[str]:
    """Yield questions in words that some memory has."""
    rng = random.Random(seed)
    for _ in range(count):
        words = rng.choice(found.memories).content.split()
        start = rng.randrange(max(len(words) - 6, 1))
        yield " ".join(words[start : start + rng.randint(3, 6)])
