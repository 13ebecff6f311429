"""A day of an agent and a person at one project, for caches to be measured with.

Six spells of work with an hour and more between them; in a spell an agent calls every three to
sixty seconds. A spell is about one area: it begins by loading the last checkpoint and its
surroundings, and ends by saving one. In between a fifth of the calls save a decision, some an
insight; the rest read: the topic at hand, where the same question comes back as the work goes
round in it, the surroundings of the decision at hand, a question to all memories.
"""

import random
from collections.abc import Iterator

import msgspec

from deciding.world import World

STEPS = 200
_SPELLS = 6


class Step(msgspec.Struct, frozen=True):
    """One call: when, what is done, about which topic, in which words."""

    at_s: float
    call: str
    topic: str
    text: str = ""


def day(found: World, *, seed: int = 21) -> Iterator[Step]:
    """Yield the steps of a day, the same ones at every run."""
    rng = random.Random(seed)
    topics = found.topics
    length, now = STEPS // _SPELLS, 0.0
    for _ in range(_SPELLS):
        now += rng.uniform(3600, 7200)
        # What was worked on lately is worked on again.
        place = len(topics) - 1 - int(rng.expovariate(1 / 40)) % len(topics)
        area = topics[place].split("_")[1]
        near = [topic for topic in topics if topic.split("_")[1] == area]
        asked = _asked(found, near, rng)
        yield Step(now, "load", near[-1])
        for number in range(length - 2):
            now += rng.uniform(3, 60)
            topic = near[-1 - number // 8 % len(near)]
            yield Step(now, _call(rng), topic, rng.choice(asked))
        now += rng.uniform(3, 60)
        yield Step(now, "checkpoint", near[-1], f"Worked on {near[-1]}, 다음은 {near[0]}")


def _asked(found: World, near: list[str], rng: random.Random) -> list[str]:
    """Return the few questions of a spell."""
    fitting = [memory for memory in found.memories if memory.topic in near]
    texts = [rng.choice(fitting).content.split() for _ in range(3)]
    return [" ".join(words[: rng.randint(4, 7)]) for words in texts]


def _call(rng: random.Random) -> str:
    calls = {"save": 18, "insight": 8, "topic": 27, "context": 22, "search": 18, "recent": 7}
    return rng.choices(list(calls), list(calls.values()))[0]
