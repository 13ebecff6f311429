"""Walking along links: neighbours, neighbourhoods, and how a decision came to be.

The links of a branch are held in memory as lists of neighbours, made at the first walk and kept in
step with the commits; a walk of five steps over fifty thousand links would otherwise be as many
questions to the database.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec

from strata.base import limits
from strata.decisions.links import LINK, Link, LinkType
from strata.decisions.records import MEMORY, SPACE, Memory
from strata.decisions.shelf import Shelf
from strata.store import Snapshot

Direction: TypeAlias = Literal["both", "from", "to"]


class Found(msgspec.Struct, frozen=True):
    """A memory that a walk came to: how far away, over which link, and how sure the way is."""

    id: str
    depth: int
    link: Link
    strength: float


class Walk(msgspec.Struct, frozen=True):
    """What a walk may use; `least` is the confidence that a link must still have."""

    depth: int = 2
    types: tuple[LinkType, ...] = ()
    least: float = 0.0
    direction: Direction = "both"
    with_suggestions: bool = False


class Graph:
    """The links of one branch, by their ends."""

    def __init__(self, links: Iterable[Link]) -> None:
        self._links: dict[str, Link] = {}
        self._leaving: dict[str, dict[str, Link]] = {}
        self._arriving: dict[str, dict[str, Link]] = {}
        for link in links:
            self.take(link.id, link)

    def take(self, id_: str, link: Link | None) -> None:
        """Take in how a link is now; None means that it is gone."""
        before = self._links.pop(id_, None)
        if before is not None:
            del self._leaving[before.from_id][id_]
            del self._arriving[before.to_id][id_]
        if link is not None:
            self._links[id_] = link
            self._leaving.setdefault(link.from_id, {})[id_] = link
            self._arriving.setdefault(link.to_id, {})[id_] = link

    def links(self) -> list[Link]:
        """Return all links."""
        return list(self._links.values())

    def around(self, id_: str, direction: Direction) -> Iterator[tuple[str, Link]]:
        """Yield the neighbours of a memory, each with its link."""
        if direction != "to":
            for link in self._leaving.get(id_, {}).values():
                yield link.to_id, link
        if direction != "from":
            for link in self._arriving.get(id_, {}).values():
                yield link.from_id, link

    def walk(self, start: str, walk: Walk, *, now_ms: int) -> list[Found]:
        """Return what is reached, nearest first and then surest first.

        Breadth first, so a memory is found by its shortest way; cycles end by themselves.
        """
        found: dict[str, Found] = {}
        edge = {start: 1.0}
        for depth in range(1, min(walk.depth, limits.GRAPH_DEPTH_MAX) + 1):
            reached: dict[str, Found] = {}
            for step in self._steps(edge, walk, depth=depth, now_ms=now_ms):
                known = found.get(step.id) or reached.get(step.id)
                if step.id != start and (known is None or _is_better(step, known)):
                    reached[step.id] = step
            if not reached:
                break
            found |= reached
            edge = {step.id: step.strength for step in reached.values()}
        nearest = sorted(found.values(), key=lambda step: (step.depth, -step.strength, step.id))
        return nearest[: limits.GRAPH_MEMORIES_MAX]

    def _steps(
        self, edge: dict[str, float], walk: Walk, *, depth: int, now_ms: int
    ) -> Iterator[Found]:
        """Yield every step that may be taken from the edge of what is reached."""
        for id_, strength in edge.items():
            for other, link in self.around(id_, walk.direction):
                if not _may_follow(link, walk):
                    continue
                sure = link.faded(now_ms)
                if sure >= walk.least:
                    yield Found(other, depth, link, strength * sure)


def _is_better(step: Found, known: Found) -> bool:
    """Tell whether a way of the same length is surer."""
    return step.depth == known.depth and step.strength > known.strength


def _may_follow(link: Link, walk: Walk) -> bool:
    if link.is_suggestion and not walk.with_suggestions:
        return False
    return not walk.types or link.link_type in walk.types


class Followed(msgspec.Struct):
    """A branch's graph, up to which version it is known, and when a link or memory last changed."""

    graph: Graph
    seen: int
    changed: int


class Graphs:
    """The graphs of the branches that were lately walked on, and the walks. Safe from threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._followed: OrderedDict[tuple[int, int], Followed] = OrderedDict()
        self._walks: OrderedDict[tuple[object, ...], tuple[float, list[Found]]] = OrderedDict()
        self.hits = self.misses = 0

    def walk(self, snapshot: Snapshot, start: str, walk: Walk, *, now_ms: int) -> list[Found]:
        """Return a walk, remembered for a few minutes as long as no link has changed there."""
        with self._lock:
            followed = self.follow(snapshot)
            key = (snapshot.branch_id, snapshot.bound, followed.changed, start, walk)
            known = self._walks.get(key)
            if known is not None and self._clock() - known[0] < limits.GRAPH_CACHE_S:
                self.hits += 1
                self._walks.move_to_end(key)
                return known[1]
            self.misses += 1
            found = followed.graph.walk(start, walk, now_ms=now_ms)
            self._walks[key] = (self._clock(), found)
            while len(self._walks) > limits.GRAPH_CACHE_ITEMS:
                self._walks.popitem(last=False)
        return found

    def links(self, snapshot: Snapshot) -> list[Link]:
        """Return the links that a snapshot shows, in no order."""
        with self._lock:
            return self.follow(snapshot).graph.links()

    def follow(self, snapshot: Snapshot) -> Followed:
        """Return the graph that a snapshot shows, brought up to date."""
        key, newest = (snapshot.current_branch(), snapshot.bound), snapshot.newest()
        followed = self._followed.get(key)
        if followed is None:
            graph = Graph(Shelf(snapshot).all_links())
            followed = self._followed[key] = Followed(graph, newest, newest)
            while len(self._followed) > limits.GRAPHS_KEPT:
                self._followed.popitem(last=False)
        elif followed.seen < newest:
            self._catch_up(snapshot, followed, newest)
        self._followed.move_to_end(key)
        return followed

    def _catch_up(self, snapshot: Snapshot, followed: Followed, newest: int) -> None:
        shelf, span = Shelf(snapshot), {"after": followed.seen, "upto": newest}
        moved = snapshot.written_between(SPACE, LINK, **span)
        for id_ in moved:
            followed.graph.take(id_, shelf.link(id_))
        if moved or snapshot.written_between(SPACE, MEMORY, **span):
            followed.changed = newest
        followed.seen = newest


def evolution(shelf: Shelf, memory: Memory) -> list[Memory]:
    """Return a decision's whole evolution, oldest first: what it grew from and what came after."""
    found = {memory.id: memory}
    edge = [memory.id]
    while edge and len(found) < limits.CHAIN_MAX:
        following = {other for id_ in edge for other in _evolved(shelf, id_)} - found.keys()
        known = {other: shelf.get(other) for other in sorted(following)}
        found |= {other: memory for other, memory in known.items() if memory is not None}
        edge = list(following & found.keys())
    chain = sorted(found.values(), key=lambda step: (step.created_at, step.version))
    return chain[-limits.CHAIN_MAX :]


def _evolved(shelf: Shelf, id_: str) -> Iterator[str]:
    """Yield what a memory directly grew from, and what directly grew from it."""
    for link in shelf.links_of(id_, end="from"):
        if link.link_type == "evolution" and not link.is_suggestion:
            yield link.to_id
    for link in shelf.links_of(id_, end="to"):
        if link.link_type == "evolution" and not link.is_suggestion:
            yield link.from_id
