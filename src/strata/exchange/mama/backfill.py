"""Links for what MAMA never linked: topics that went on, things done together, alike texts.

| | standard | seed |
|---|---|---|
| evolution | consecutive decisions of a topic | the same |
| temporal | within 15 minutes, same topic or session | within an hour, nearest three, 0.3 |
| association | near each other against all pairs; suggested | cosine 0.75, best five, 0.4 |
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from typing import Any, Literal, TypeAlias, get_args

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.decisions import Link, Memory, NearPair, near_pairs, new_link, seed_pairs, topic_key
from strata.exchange.mama.vectors import MamaVectors

Backfill: TypeAlias = Literal["standard", "seed", "none"]
BACKFILLS: tuple[Backfill, ...] = get_args(Backfill)

_TOGETHER_MS = 15 * 60 * 1000
_CONTINUES = "continues"
_ASSOCIATION = 0.4
_SEED_TEMPORAL = 0.3
# Another word than that of links by our own models, which may come to be surer of a pair.
_ALIKE = "resembles"
# Letters from here on are of other scripts than Latin.
_OTHER_SCRIPTS = "\u0250"


def check_backfill(backfill: object) -> Backfill:
    """Return a way to backfill, or raise InvalidArgument."""
    for known in BACKFILLS:
        if backfill == known:
            return known
    raise InvalidArgument(
        f"{backfill!r} is no backfill.", hint=f"Use {', '.join(BACKFILLS)}.", parameter="backfill"
    )


class Backfiller:
    """Makes links between memories; pairs that are linked already are left alone."""

    def __init__(
        self, memories: Collection[Memory], links: Collection[Link], *, now_ms: int
    ) -> None:
        self._memories = sorted(memories, key=lambda memory: (memory.created_at, memory.id))
        self._by_id = {memory.id: memory for memory in memories}
        self._now_ms = now_ms
        self._joined: dict[frozenset[str], set[str]] = defaultdict(set)
        self._replaced = {link.to_id for link in links if link.supersedes}
        for link in links:
            self._note(link)

    def _note(self, link: Link) -> None:
        type_ = f"suggested {link.link_type}" if link.is_suggestion else link.link_type
        self._joined[frozenset((link.from_id, link.to_id))].add(type_)

    def links(self, vectors: MamaVectors, how: Backfill) -> list[Link]:
        """Return the links that are missing."""
        if how == "none":
            return []
        made: list[Link] = []
        found = (
            (self._evolution(), self._temporal_seed(), self._association_seed(vectors))
            if how == "seed"
            else (self._evolution(), self._temporal(), self._association(vectors))
        )
        for part in found:
            for link in part:
                self._note(link)
                made.append(link)
        return made

    def _is_joined(self, a: str, b: str, *types: str) -> bool:
        known = self._joined.get(frozenset((a, b)), ())
        return any(type_ in known for type_ in types) if types else bool(known)

    def _link(self, newer: str, older: str, type_: Any, **rest: Any) -> Link:
        # A link is as old as its making: counted from its memories, it would have faded already.
        return new_link(
            newer, older, type_, created_by="system", created_at=self._now_ms, backfill=True, **rest
        )

    def _ordered(self, a: str, b: str) -> tuple[str, str]:
        """Return the newer one first."""
        ages = {id_: (self._by_id[id_].created_at, id_) for id_ in (a, b)}
        return (a, b) if ages[a] > ages[b] else (b, a)

    # Evolution.

    def _evolution(self) -> Iterator[Link]:
        """Join consecutive decisions of a topic; neither replaces the other by that."""
        for chain in self._topics().values():
            for older, newer in pairwise(chain):
                if not self._is_joined(older.id, newer.id, "evolution"):
                    yield self._link(
                        newer.id, older.id, "evolution", confidence=1.0, relationship=_CONTINUES
                    )

    def _topics(self) -> dict[str, list[Memory]]:
        """Return the decisions of each topic as it is spelled; spellings are not merged."""
        topics: dict[str, list[Memory]] = defaultdict(list)
        for memory in self._memories:
            if memory.type == "decision" and memory.topic:
                topics[memory.topic].append(memory)
        return topics

    # Temporal.

    def _temporal(self) -> Iterator[Link]:
        """Join what was decided within minutes about one topic, or in one session."""
        groups: dict[tuple[str, object], list[Memory]] = defaultdict(list)
        for memory in self._memories:
            for name, value in (("t", memory.topic), ("s", memory.metadata.get("session_id"))):
                if isinstance(value, str) and value:
                    groups[name, value].append(memory)
        for group in groups.values():
            yield from self._close(group, _TOGETHER_MS, lambda age: round(0.3 + 0.2 * (1 - age), 4))

    def _temporal_seed(self) -> Iterator[Link]:
        yield from self._close(
            self._memories, limits.TEMPORAL_WINDOW_MS, lambda _age: _SEED_TEMPORAL
        )

    def _close(
        self, group: list[Memory], window_ms: int, sure: Callable[[float], float]
    ) -> Iterator[Link]:
        """Join each memory to the nearest ones before it."""
        for at, newer in enumerate(group):
            for older in reversed(group[max(0, at - limits.BACKFILL_TEMPORAL_LINKS_MAX) : at]):
                apart = newer.created_at - older.created_at
                if apart > window_ms:
                    break
                if not self._is_joined(newer.id, older.id, "temporal"):
                    yield self._link(
                        newer.id, older.id, "temporal", confidence=sure(apart / window_ms)
                    )

    # Association.

    def _association(self, vectors: MamaVectors) -> Iterator[Link]:
        """Suggest pairs of current decisions that are near each other.

        Which model made the vectors is not known, nor which languages it reads. Read by hand,
        what an English one found nearest were Korean texts that have nothing in common: so
        languages are kept apart, and what would be certain by a known model is suggested.
        """
        for part in self._languages(vectors):
            for older, newer, near in self._pairs(part, near_pairs):
                if near.is_certain and not self._is_joined(older, newer):
                    yield self._alike(newer, older, near, is_suggestion=True)

    def _association_seed(self, vectors: MamaVectors) -> Iterator[Link]:
        """Join each memory to the five most alike over a fixed line, as the first design said."""
        for older, newer, near in self._pairs(vectors, seed_pairs):
            if not self._is_joined(older, newer, "association"):
                yield self._alike(newer, older, near)

    def _alike(self, newer: str, older: str, near: NearPair, **rest: Any) -> Link:
        return self._link(
            newer,
            older,
            "association",
            confidence=_ASSOCIATION,
            relationship=_ALIKE,
            similarity=round(near.cosine, 4),
            **rest,
        )

    def _languages(self, vectors: MamaVectors) -> Iterator[MamaVectors]:
        """Yield the vectors of what still holds: of texts in Latin letters, and of others."""
        current = [at for at, id_ in enumerate(vectors.ids) if id_ not in self._replaced]
        for is_latin in (True, False):
            kept = [at for at in current if _is_latin(self._by_id[vectors.ids[at]]) == is_latin]
            if kept:
                yield MamaVectors(tuple(vectors.ids[at] for at in kept), vectors.matrix[kept])

    def _pairs(
        self, vectors: MamaVectors, find: Callable[..., list[NearPair]]
    ) -> Iterator[tuple[str, str, NearPair]]:
        """Yield pairs that are alike, the older one first; those of one topic are no news."""
        if not vectors.ids:
            return
        import numpy as np

        names: dict[str, int] = {}
        topics = [topic_key(self._by_id[id_].topic or id_) for id_ in vectors.ids]
        groups = np.array([names.setdefault(topic, len(names)) for topic in topics])
        for near in find(vectors.matrix, groups, np.arange(len(vectors.ids))):
            newer, older = self._ordered(vectors.ids[near.one], vectors.ids[near.other])
            yield older, newer, near


def _is_latin(memory: Memory) -> bool:
    """Whether most of what a memory says is in Latin letters."""
    letters = [letter for letter in f"{memory.content}{memory.reasoning}" if letter.isalpha()]
    return 2 * sum(letter >= _OTHER_SCRIPTS for letter in letters) <= len(letters)
