"""Walking along links: neighbours, neighbourhoods, and how a decision came to be.

The links of a branch are held in memory as lists of neighbours, made at the first walk and kept in
step with the commits; a walk of five steps over fifty thousand links would otherwise be as many
questions to the database.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Literal, TypeAlias

import msgspec

from strata.base import limits
from strata.decisions.links import LINK, Link, LinkType
from strata.decisions.records import MEMORY, SPACE, Memory
from strata.decisions.shelf import Shelf
from strata.store import Snapshot

Direction: TypeAlias = Literal["both", "from", "to"]


class Found(msgspec.Struct, frozen=True, gc=False):
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
            self._add(link)

    def _add(self, link: Link) -> None:
        self._links[link.id] = link
        self._leaving.setdefault(link.from_id, {})[link.id] = link
        self._arriving.setdefault(link.to_id, {})[link.id] = link

    def take(self, id_: str, link: Link | None) -> set[str]:
        """Take in how a link is now, None if it is gone; return the memories at its ends."""
        before = self._links.pop(id_, None)
        if before is not None:
            del self._leaving[before.from_id][id_]
            del self._arriving[before.to_id][id_]
        if link is not None:
            self._add(link)
        ends = (one for one in (before, link) if one is not None)
        return {id_ for one in ends for id_ in (one.from_id, one.to_id)}

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

    def walk(self, start: str, walk: Walk, *, now_ms: int) -> tuple[list[Found], set[str]]:
        """Return what is reached, nearest first and then surest first; and whose links led there.

        Breadth first, so a memory is found by its shortest way; cycles end by themselves. It goes
        no farther once there are more than anybody is given.
        """
        found: dict[str, Found] = {}
        edge, passed = {start: 1.0}, {start}
        for depth in range(1, min(walk.depth, limits.GRAPH_DEPTH_MAX) + 1):
            passed |= edge.keys()
            reached = self._next(edge, passed, walk, now_ms=now_ms)
            edge = {id_: strength for id_, (strength, _link) in reached.items()}
            found |= {
                id_: Found(id_, depth, link, strength) for id_, (strength, link) in reached.items()
            }
            if not edge or len(found) >= limits.GRAPH_MEMORIES_MAX:
                break
        nearest = sorted(found.values(), key=lambda step: (step.depth, -step.strength, step.id))
        return nearest, passed

    def _next(
        self, edge: dict[str, float], passed: set[str], walk: Walk, *, now_ms: int
    ) -> dict[str, tuple[float, Link]]:
        """Return what is one step farther, each by its surest link."""
        reached: dict[str, tuple[float, Link]] = {}
        for id_, strength in edge.items():
            for other, link in self.around(id_, walk.direction):
                if other in passed or not _may_follow(link, walk):
                    continue
                sure = link.faded(now_ms)
                if sure < walk.least:
                    continue
                before = reached.get(other)
                if before is None or strength * sure > before[0]:
                    reached[other] = (strength * sure, link)
        return reached


def _may_follow(link: Link, walk: Walk) -> bool:
    if link.is_suggestion and not walk.with_suggestions:
        return False
    return not walk.types or link.link_type in walk.types


class Remembered(msgspec.Struct, frozen=True):
    """A walk, when it was made, how deep, and the memories whose links it looked at."""

    at: float
    depth: int
    steps: list[Found]
    passed: set[str]


class Followed(msgspec.Struct):
    """A branch's graph and memories, up to which version they are known, and walks there."""

    graph: Graph
    alive: set[str]
    seen: int
    walks: OrderedDict[tuple[str, Walk], Remembered]


class Graphs:
    """The graphs of the branches that were lately walked on, and the walks. Safe from threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._followed: OrderedDict[tuple[int, int], Followed] = OrderedDict()
        self._removals = 0
        self.hits = self.misses = 0

    def walk(self, snapshot: Snapshot, start: str, walk: Walk, *, now_ms: int) -> list[Found]:
        """Return the live memories that a walk comes to.

        It is remembered for a few minutes, until a link changes at a memory that it passed: a
        change elsewhere cannot lead it another way.
        """
        with self._lock:
            followed = self.follow(snapshot)
            place = (start, msgspec.structs.replace(walk, depth=0))
            known = followed.walks.get(place)
            if known is not None and self._is_fit(known, walk.depth):
                self.hits += 1
                followed.walks.move_to_end(place)
            else:
                self.misses += 1
                known = self._walk(followed, start, walk, now_ms=now_ms)
                followed.walks[place] = known
                while len(followed.walks) > limits.GRAPH_CACHE_ITEMS:
                    followed.walks.popitem(last=False)
            steps = (step for step in known.steps if step.depth <= walk.depth)
            alive = (step for step in steps if step.id in followed.alive)
            return list(islice(alive, limits.GRAPH_MEMORIES_MAX))

    def _is_fit(self, known: Remembered, depth: int) -> bool:
        """Whether a remembered walk is fresh and went as far as is asked now."""
        return known.depth >= depth and self._clock() - known.at < limits.GRAPH_CACHE_S

    def _walk(self, followed: Followed, start: str, walk: Walk, *, now_ms: int) -> Remembered:
        """Walk, and as far as the next question about the same memory is likely to ask."""
        far = msgspec.structs.replace(walk, depth=max(walk.depth, limits.GRAPH_DEPTH_KEPT))
        steps, passed = followed.graph.walk(start, far, now_ms=now_ms)
        return Remembered(self._clock(), far.depth, steps, passed)

    def links(self, snapshot: Snapshot) -> list[Link]:
        """Return the links that a snapshot shows, in no order."""
        with self._lock:
            return self.follow(snapshot).graph.links()

    def follow(self, snapshot: Snapshot) -> Followed:
        """Return the graph that a snapshot shows, brought up to date."""
        key, newest = (snapshot.current_branch(), snapshot.bound), snapshot.newest()
        self._forget_erased(snapshot)
        followed = self._followed.get(key)
        if followed is None:
            shelf = Shelf(snapshot)
            graph, alive = Graph(shelf.all_links()), set(shelf.ids())
            followed = self._followed[key] = Followed(graph, alive, newest, OrderedDict())
            while len(self._followed) > limits.GRAPHS_KEPT:
                self._followed.popitem(last=False)
        elif followed.seen < newest:
            self._catch_up(snapshot, followed, newest)
        self._followed.move_to_end(key)
        return followed

    def _forget_erased(self, snapshot: Snapshot) -> None:
        """Begin anew after a purge: it writes no version that could be followed."""
        removals = snapshot.store.catalog.removals
        if removals != self._removals:
            self._followed.clear()
            self._removals = removals

    def _catch_up(self, snapshot: Snapshot, followed: Followed, newest: int) -> None:
        shelf, span = Shelf(snapshot), {"after": followed.seen, "upto": newest}
        moved: set[str] = set()
        for id_ in snapshot.written_between(SPACE, LINK, **span):
            moved |= followed.graph.take(id_, shelf.link(id_))
        for id_ in snapshot.written_between(SPACE, MEMORY, **span):
            (followed.alive.add if shelf.has(id_) else followed.alive.discard)(id_)
        for key, known in list(followed.walks.items()):
            if not known.passed.isdisjoint(moved):
                del followed.walks[key]
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
