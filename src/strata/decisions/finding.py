"""Finding memories: by topic, by what they are about, by time; and what is like another."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Protocol

import msgspec

from strata.base import limits
from strata.base.results import Result
from strata.base.succession import after_successors
from strata.decisions.graph import WalkStep, evolution
from strata.decisions.reader import MemoryReader
from strata.decisions.records import Memory, Type, topic_key

# What an outcome and a newer decision make of a hit's score: what failed, or is no longer so,
# should still be found, below what holds.
_OUTCOMES = {"SUCCESS": 1.1, "PARTIAL": 0.95, "FAILED": 0.7}
_SUPERSEDED = 0.5
# How much a memory gains by being linked to a hit, for each step away.
_CONNECTED = 0.3


class MemoryHit(Protocol):
    """What search gives: a memory's id and how well it fits."""

    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def score(self) -> float: ...  # noqa: D102


class Find(Protocol):
    """Searches memories; one that does not wait goes by words while a model is loading.

    A strict search finds nothing where nothing is relevant.
    """

    def __call__(  # noqa: D102
        self, query: str, k: int, *, waits: bool = True, strict: bool = False
    ) -> Sequence[MemoryHit]: ...


class RankedMemory(Result, frozen=True, kw_only=True):
    """A memory in an answer: its score, whether it still holds, and how it was found."""

    memory: Memory
    score: float
    is_current: bool = True
    via: str | None = None


class TopicHistory(Result, frozen=True, kw_only=True):
    """A topic's whole evolution; more than one head means that branches disagreed."""

    topic: str
    chain: tuple[Memory, ...]
    heads: tuple[str, ...]
    related: tuple[RankedMemory, ...] = ()
    near_topics: tuple[str, ...] = ()

    @property
    def has_conflict(self) -> bool:
        """Whether two decisions both claim to be the present one."""
        return len(self.heads) > 1


def history_of(reader: MemoryReader, topic: str) -> TopicHistory:
    """Return everything that was decided on a topic, oldest first."""
    own = reader.of_topic(topic)
    chain = {memory.id: memory for memory in own}
    # An evolution goes from one decision of the topic to the next.
    with reader.links_ahead(("from", chain), ("to", chain)):
        current = reader.heads(topic)
        for head in current:
            chain |= {memory.id: memory for memory in evolution(reader, head)}
    ordered = sorted(chain.values(), key=lambda memory: (memory.created_at, memory.version))
    heads = tuple(memory.id for memory in current)
    return TopicHistory(topic=topic, chain=tuple(ordered[-limits.CHAIN_MAX :]), heads=heads)


def ranked(
    reader: MemoryReader, hits: Iterable[MemoryHit], *, types: Sequence[Type] = ()
) -> list[RankedMemory]:
    """Return hits as memories, what holds above what no longer does."""
    scores = {hit.key: hit.score for hit in hits}
    with reader.ahead(scores):
        known = [
            (memory, score)
            for id_, score in scores.items()
            if (memory := reader.get(id_)) is not None and (not types or memory.type in types)
        ]
    replaced = reader.replaced(memory for memory, _score in known)
    found: list[RankedMemory] = []
    for memory, score in known:
        is_current = memory.id not in replaced
        factor = _OUTCOMES.get(memory.outcome or "", 1.0) * (1.0 if is_current else _SUPERSEDED)
        found.append(RankedMemory(memory=memory, score=score * factor, is_current=is_current))
    return sorted(found, key=lambda one: (-one.score, one.memory.id))


def expanded(
    reader: MemoryReader,
    found: Sequence[RankedMemory],
    walks: Callable[[Sequence[str]], dict[str, list[WalkStep]]],
    *,
    most: int,
) -> list[RankedMemory]:
    """Raise what is linked to a hit, and add what only a link leads to."""
    scores = {one.memory.id: one for one in found}
    gained: dict[str, tuple[float, str]] = {}
    near = walks([one.memory.id for one in found[:most]])
    for id_, steps in near.items():
        for step in steps:
            gain = scores[id_].score * step.strength * _CONNECTED / step.depth
            if gain > gained.get(step.id, (0.0, ""))[0]:
                gained[step.id] = (gain, id_)
    scores |= {
        id_: msgspec.structs.replace(scores[id_], score=scores[id_].score + gain)
        for id_, (gain, _via) in gained.items()
        if id_ in scores
    }
    fitting = [(one.score, id_) for id_, one in scores.items()]
    fitting += [(gain, id_) for id_, (gain, _via) in gained.items() if id_ not in scores]
    best = [id_ for _score, id_ in sorted(fitting, key=lambda one: (-one[0], one[1]))]
    # Most of what links lead to is not among the best, and is never read.
    shown = (
        scores.get(id_) or _linked(reader, id_, gained[id_])
        for id_ in after_successors(best, reader.superseding)
        if id_ in scores or id_ in gained
    )
    with reader.ahead(best[:most]), reader.superseding_ahead(best[:most]):
        return list(islice((one for one in shown if one is not None), most))


def _linked(reader: MemoryReader, id_: str, gained: tuple[float, str]) -> RankedMemory | None:
    """Return what only a link leads to."""
    memory = reader.get(id_)
    if memory is None:
        return None
    gain, via = gained
    is_current = not reader.superseded_by(memory)
    return RankedMemory(memory=memory, score=gain, is_current=is_current, via=via)


def spelled_like(reader: MemoryReader, topic: str) -> list[str]:
    """Return topics of late whose names are nearly this one, or a part of it."""
    from difflib import get_close_matches  # noqa: PLC0415  (needed for what is missing only)

    late = islice(reader.newest(), limits.TOPICS_LOOKED_AT)
    names = {topic_key(memory.topic): memory.topic for memory in late if memory.topic}
    wanted = topic_key(topic)
    parts = [key for key in names if key in wanted or wanted in key or _share_a_stem(key, wanted)]
    close = get_close_matches(wanted, names, n=limits.SIMILAR_MAX, cutoff=0.7)
    return [names[key] for key in dict.fromkeys([*close, *parts])]


def _share_a_stem(one: str, other: str) -> bool:
    """Tell whether a word of one topic begins a word of the other: auth, authentication."""
    pairs = ((a, b) for a in one.split("_") for b in other.split("_"))
    return any(min(len(a), len(b)) >= 4 and (a.startswith(b) or b.startswith(a)) for a, b in pairs)


def similar(reader: MemoryReader, find: Find, memory: Memory) -> list[RankedMemory]:
    """Return what is like a memory and still holds, leaving out the memory itself."""
    query = f"{memory.topic or ''} {memory.content}"[: limits.QUERY_BYTES_MAX // 4]
    most = 4 * limits.SIMILAR_MAX
    hits = [hit for hit in find(query, most, waits=False) if hit.key != memory.id]
    found = [one for one in ranked(reader, hits) if one.is_current and one.memory.id != memory.id]
    return found[: limits.SIMILAR_MAX]
