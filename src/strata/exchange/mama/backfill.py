"""Links for what MAMA never linked: topics that went on, things done together, alike texts.

| | standard | seed |
|---|---|---|
| evolution | consecutive decisions of a topic | the same |
| temporal | within 15 minutes, same topic or session | within an hour, nearest three, 0.3 |
| association | mutual nearest, among the most alike; suggested | cosine over 0.75, best five, 0.4 |
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, Literal, TypeAlias, get_args

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.decisions import Link, Memory, new_link
from strata.exchange.mama.vectors import Vectors

Backfill: TypeAlias = Literal["standard", "seed", "none"]
BACKFILLS = get_args(Backfill)

_TOGETHER_MS = 15 * 60 * 1000
_CONTINUES = "continues"
_ASSOCIATION = 0.4
_SEED_COSINE, _SEED_TEMPORAL = 0.75, 0.3
# Pairs as alike as the best of so many are worth a suggestion, whatever the model's scale is.
_BEST_SHARE = 0.01
_ROWS_AT_ONCE = 1024


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
        for link in links:
            self._note(link)

    def _note(self, link: Link) -> None:
        self._joined[frozenset((link.from_id, link.to_id))].add(link.link_type)

    def links(self, vectors: Vectors, how: Backfill) -> list[Link]:
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
        # A link is as old as its making; what links decades ago would have faded before it began.
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
            for older, newer in zip(chain, chain[1:], strict=False):
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

    def _close(self, group: list[Memory], window_ms: int, sure: Any) -> Iterator[Link]:
        """Join each memory to the nearest ones before it."""
        for at, newer in enumerate(group):
            for older in reversed(group[max(0, at - limits.TEMPORAL_LINKS_MAX) : at]):
                apart = newer.created_at - older.created_at
                if apart > window_ms:
                    break
                if not self._is_joined(newer.id, older.id, "temporal"):
                    yield self._link(
                        newer.id, older.id, "temporal", confidence=sure(apart / window_ms)
                    )

    # Association.

    def _association(self, vectors: Vectors) -> Iterator[Link]:
        """Suggest pairs that are each other's nearest, if hardly any other pair is as near."""
        best = _nearest(vectors, 1)
        tops = sorted((pairs[0][1] for pairs in best.values() if pairs), reverse=True)
        if not tops:
            return
        line = self._line(vectors)
        for id_, pairs in best.items():
            for other, cosine in pairs:
                mutual = best.get(other, [("", 0.0)])[0][0] == id_
                if mutual and id_ < other and cosine >= line and not self._is_joined(id_, other):
                    newer, older = self._ordered(id_, other)
                    yield self._link(
                        newer, older, "association", confidence=_ASSOCIATION,
                        is_suggestion=True, similarity=round(cosine, 4),
                    )  # fmt: skip

    def _line(self, vectors: Vectors) -> float:
        """Return the cosine that one pair in a hundred reaches: each model has its own scale."""
        import numpy as np

        some = vectors.matrix[:: max(1, len(vectors.ids) // _ROWS_AT_ONCE)]
        cosines = (some @ some.T)[np.triu_indices(len(some), 1)]
        return float(np.quantile(cosines, 1 - _BEST_SHARE)) if len(cosines) else 1.0

    def _association_seed(self, vectors: Vectors) -> Iterator[Link]:
        """Join each memory to the five most alike over a fixed line, as the first design said."""
        for id_, pairs in _nearest(vectors, limits.SEMANTIC_LINKS_MAX).items():
            for other, cosine in pairs:
                if cosine > _SEED_COSINE and not self._is_joined(id_, other, "association"):
                    newer, older = self._ordered(id_, other)
                    yield self._link(
                        newer, older, "association", confidence=_ASSOCIATION,
                        similarity=round(cosine, 4),
                    )  # fmt: skip


def _nearest(vectors: Vectors, most: int) -> dict[str, list[tuple[str, float]]]:
    """Return the nearest others of each vector, best first."""
    if len(vectors.ids) < 2:
        return {}
    import numpy as np

    found: dict[str, list[tuple[str, float]]] = {}
    ids, matrix = vectors.ids, vectors.matrix
    most = min(most, len(ids) - 1)
    for start in range(0, len(ids), _ROWS_AT_ONCE):
        cosines = matrix[start : start + _ROWS_AT_ONCE] @ matrix.T
        rows = np.arange(len(cosines))
        cosines[rows, rows + start] = -2.0
        best = np.argpartition(-cosines, most - 1, axis=1)[:, :most]
        for row, columns in enumerate(best):
            pairs = [(ids[int(at)], float(cosines[row, at])) for at in columns]
            found[ids[start + row]] = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    return found
