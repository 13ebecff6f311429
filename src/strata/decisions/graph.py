"""Walking along links: neighbours, neighbourhoods, and how a decision came to be.

The links of the memories that walks have passed are held in memory and kept in step with the
commits; a walk asks the database only where none has been before.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, TypeAlias

import msgspec

from strata.base import limits
from strata.base.results import Result
from strata.decisions.links import LINK, Link, LinkType
from strata.decisions.reader import MemoryReader
from strata.decisions.records import MEMORY, SPACE, Memory
from strata.store import Commits, Derived, Snapshot, Store

Direction: TypeAlias = Literal["both", "from", "to"]
End: TypeAlias = Literal["from", "to"]
ENDS: tuple[End, ...] = ("from", "to")


class WalkStep(Result, frozen=True, gc=False):
    """A memory that a walk came to: how far away, over which link, and how sure the way is."""

    id: str
    depth: int
    link: Link
    strength: float


class Walk(msgspec.Struct, frozen=True):
    """What a walk may use; `least` is the confidence that a link must still have.

    Without `types` it takes every link but those that only say what was saved when.
    """

    depth: int = 2
    types: tuple[LinkType, ...] = ()
    least: float = 0.0
    direction: Direction = "both"
    with_suggestions: bool = False


class LinkGraph:
    """The links of one branch, by their ends: of the memories that were passed, or all of them."""

    def __init__(self) -> None:
        self._links: dict[str, Link] = {}
        self._ends: dict[End, dict[str, dict[str, Link]]] = {"from": {}, "to": {}}
        self.is_whole = False

    def fill(self, links: Iterable[Link]) -> None:
        """Take in all links that there are."""
        self.is_whole = True
        for link in links:
            self._add(link)

    def _add(self, link: Link) -> None:
        """Note a link at those of its ends that are known."""
        places = (self._ends["from"], link.from_id), (self._ends["to"], link.to_id)
        for ends, id_ in places:
            known = ends.setdefault(id_, {}) if self.is_whole else ends.get(id_)
            if known is not None:
                known[link.id] = self._links[link.id] = link

    def replace_link(self, id_: str, link: Link | None) -> set[str]:
        """Note how a link is now, None if it is gone; return the memories at its ends."""
        before = self._links.pop(id_, None)
        if before is not None:
            self._ends["from"].get(before.from_id, {}).pop(id_, None)
            self._ends["to"].get(before.to_id, {}).pop(id_, None)
        if link is not None:
            self._add(link)
        ends = (one for one in (before, link) if one is not None)
        return {id_ for one in ends for id_ in (one.from_id, one.to_id)}

    def links(self) -> list[Link]:
        """Return all links that are known."""
        return list(self._links.values())

    @property
    def is_too_large(self) -> bool:
        """Whether walks have passed more memories than should be held."""
        places = len(self._ends["from"]) + len(self._ends["to"])
        return not self.is_whole and places > limits.GRAPH_PLACES_MAX

    def unknown(self, ids: Iterable[str], direction: Direction) -> dict[End, list[str]]:
        """Return the memories that a walk goes on from and whose links are not known, by end."""
        if self.is_whole:
            return {}
        wanted = list(ids)
        return {
            end: [id_ for id_ in wanted if id_ not in self._ends[end]]
            for end in ENDS
            if direction in (end, "both")
        }

    def learn(self, end: End, id_: str, links: Iterable[Link]) -> None:
        """Take in all links with a memory at one end."""
        # The same link may be known from its other end.
        found = (self._links.setdefault(link.id, link) for link in links)
        self._ends[end][id_] = {link.id: link for link in found}

    def around(self, id_: str, direction: Direction) -> Iterator[tuple[str, Link]]:
        """Yield the neighbours of a memory, each with its link, as far as they are known."""
        if direction != "to":
            for link in self._ends["from"].get(id_, {}).values():
                yield link.to_id, link
        if direction != "from":
            for link in self._ends["to"].get(id_, {}).values():
                yield link.from_id, link


class WalkFront:
    """A walk on its way: what it has reached, and from where it goes on.

    Breadth first, so a memory is found by its shortest way; cycles end by themselves. It goes
    no farther once there are more than an answer holds.
    """

    def __init__(self, start: str, walk: Walk, *, now_ms: int) -> None:
        self._walk = walk
        self._now_ms = now_ms
        self._found: dict[str, WalkStep] = {}
        # How sure the ways are to the memories that it goes on from.
        self.edge = {start: 1.0}
        # The memories whose links it has looked at.
        self.passed = {start}

    def step(self, graph: LinkGraph, depth: int) -> None:
        """Go one step farther by the links that are known."""
        self.passed |= self.edge.keys()
        reached = _surest(self._ways(graph), self.passed, self._walk.least, now_ms=self._now_ms)
        self.edge = {id_: strength for id_, (strength, _link) in reached.items()}
        self._found |= {
            id_: WalkStep(id_, depth, link, strength) for id_, (strength, link) in reached.items()
        }
        if len(self._found) >= limits.GRAPH_MEMORIES_MAX:
            self.edge = {}

    def _ways(self, graph: LinkGraph) -> Iterator[tuple[str, Link, float]]:
        """Yield where links lead from the edge of what is reached, and how sure one is there."""
        for id_, strength in self.edge.items():
            for other, link in graph.around(id_, self._walk.direction):
                if _may_follow(link, self._walk):
                    yield other, link, strength

    def steps(self) -> list[WalkStep]:
        """Return what was reached, nearest first and then surest first."""
        return sorted(self._found.values(), key=lambda one: (one.depth, -one.strength, one.id))


def _surest(
    ways: Iterable[tuple[str, Link, float]], passed: set[str], least: float, *, now_ms: int
) -> dict[str, tuple[float, Link]]:
    """Return what is one step farther, each by its surest way."""
    reached: dict[str, tuple[float, Link]] = {}
    for other, link, strength in ways:
        if other in passed:
            continue
        sure = link.faded(now_ms)
        before = reached.get(other)
        if sure >= least and (before is None or strength * sure > before[0]):
            reached[other] = (strength * sure, link)
    return reached


def _may_follow(link: Link, walk: Walk) -> bool:
    if link.is_suggestion and not walk.with_suggestions:
        return False
    return link.link_type in walk.types if walk.types else not link.is_only_in_time


class RememberedWalk(msgspec.Struct, frozen=True):
    """A walk, when it was made, how deep, and the memories whose links it looked at."""

    at: float
    depth: int
    steps: list[WalkStep]
    passed: set[str]


class BranchGraph:
    """What is known of a branch: links, which memories are there, and walks."""

    def __init__(self) -> None:
        self.graph = LinkGraph()
        self.alive: dict[str, bool] = {}
        self.walks: OrderedDict[tuple[str, Walk], RememberedWalk] = OrderedDict()

    def shrink(self) -> None:
        """Begin anew once walks have passed more memories than should be held."""
        if self.graph.is_too_large:
            self.graph = LinkGraph()
            self.alive.clear()
            self.walks.clear()

    def follow(self, commits: Commits) -> None:
        """Take in what commits say, and forget the walks that they may have led another way."""
        reader = MemoryReader(commits.snapshot)
        moved: set[str] = set()
        with commits.ahead((SPACE, LINK), (SPACE, MEMORY)):
            links, memories = (commits.keys(SPACE, kind) for kind in (LINK, MEMORY))
        with reader.ahead_of_links(links):
            for id_ in links:
                moved |= self.graph.replace_link(id_, reader.link(id_))
        for id_ in memories:
            self.alive.pop(id_, None)
        for key, known in list(self.walks.items()):
            if not known.passed.isdisjoint(moved):
                del self.walks[key]


class Graphs:
    """The graphs of the branches that were lately walked on, and the walks. Safe from threads."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._graphs: Derived[None, BranchGraph] = Derived(
            store,
            build=lambda _snapshot, _key: BranchGraph(),
            follow=_followed,
            most=limits.GRAPHS_KEPT,
        )
        self.hits = self.misses = 0

    def walks(
        self, snapshot: Snapshot, starts: Sequence[str], walk: Walk, *, now_ms: int
    ) -> dict[str, list[WalkStep]]:
        """Return the live memories that walks from some memories come to.

        A walk is remembered for a few minutes, until a link changes at a memory that it passed: a
        change elsewhere cannot lead it another way.
        """
        with self._graphs.using(snapshot, None) as followed:
            followed.shrink()
            reader = MemoryReader(snapshot)
            known = self._known(followed, starts, walk)
            self.hits += len(known)
            self.misses += len(starts) - len(known)
            others = [start for start in starts if start not in known]
            known |= self._walk(followed, reader, others, walk=walk, now_ms=now_ms)
            near = {
                start: [step for step in known[start].steps if step.depth <= walk.depth]
                for start in starts
            }
            with reader.ahead(_unseen(followed, near.values())):
                return {
                    start: list(islice(_living(followed, reader, steps), limits.GRAPH_MEMORIES_MAX))
                    for start, steps in near.items()
                }

    def _known(
        self, followed: BranchGraph, starts: Iterable[str], walk: Walk
    ) -> dict[str, RememberedWalk]:
        """Return the walks that are remembered."""
        known: dict[str, RememberedWalk] = {}
        for start in starts:
            place = _place(start, walk)
            found = followed.walks.get(place)
            if found is not None and self._is_fit(found, walk.depth):
                followed.walks.move_to_end(place)
                known[start] = found
        return known

    def _is_fit(self, known: RememberedWalk, depth: int) -> bool:
        """Whether a remembered walk is fresh and went as far as is asked now."""
        return known.depth >= depth and self._clock() - known.at < limits.GRAPH_CACHE_S

    def _walk(
        self,
        followed: BranchGraph,
        reader: MemoryReader,
        starts: Sequence[str],
        *,
        walk: Walk,
        now_ms: int,
    ) -> dict[str, RememberedWalk]:
        """Walk, and as far as the next question about the same memories is likely to ask.

        All walks go step by step side by side, so that they wait for the links of a step once.
        """
        depth = max(walk.depth, limits.GRAPH_DEPTH_KEPT)
        fronts = {start: WalkFront(start, walk, now_ms=now_ms) for start in starts}
        for step in range(1, min(depth, limits.GRAPH_DEPTH_MAX) + 1):
            edge = dict.fromkeys(id_ for front in fronts.values() for id_ in front.edge)
            _learn(followed.graph, reader, followed.graph.unknown(edge, walk.direction))
            for front in fronts.values():
                front.step(followed.graph, step)
        known = {
            start: RememberedWalk(self._clock(), depth, front.steps(), front.passed)
            for start, front in fronts.items()
        }
        followed.walks |= {_place(start, walk): one for start, one in known.items()}
        while len(followed.walks) > limits.GRAPH_CACHE_ITEMS:
            followed.walks.popitem(last=False)
        return known

    def links(self, snapshot: Snapshot) -> list[Link]:
        """Return the links that a snapshot shows, in no order."""
        with self._graphs.using(snapshot, None) as followed:
            graph = followed.graph
            if not graph.is_whole:
                graph.fill(MemoryReader(snapshot).all_links())
            return graph.links()


def _followed(state: BranchGraph, commits: Commits, _key: None) -> BranchGraph:
    state.follow(commits)
    return state


def _place(start: str, walk: Walk) -> tuple[str, Walk]:
    """Return under what a walk is remembered, however far it went."""
    return start, msgspec.structs.replace(walk, depth=0)


def _learn(graph: LinkGraph, reader: MemoryReader, wanted: dict[End, list[str]]) -> None:
    """Read the links of memories that a walk goes on from."""
    with reader.links_ahead(*wanted.items()):
        for end, ids in wanted.items():
            for id_ in ids:
                graph.learn(end, id_, reader.links_of(id_, end=end))


def _unseen(followed: BranchGraph, walks: Iterable[list[WalkStep]]) -> Iterator[str]:
    """Yield the memories of walks of which is not known whether a branch shows them."""
    for steps in walks:
        near = steps[: limits.GRAPH_MEMORIES_MAX]
        yield from (step.id for step in near if step.id not in followed.alive)


def _living(
    followed: BranchGraph, reader: MemoryReader, steps: Iterable[WalkStep]
) -> Iterator[WalkStep]:
    """Yield the steps to memories that a branch shows, asking once for each."""
    for step in steps:
        known = followed.alive.get(step.id)
        if known is None:
            known = followed.alive[step.id] = reader.has(step.id)
        if known:
            yield step


def evolution(reader: MemoryReader, memory: Memory) -> list[Memory]:
    """Return a decision's whole evolution, oldest first: what it grew from and what came after."""
    found = {memory.id: memory}
    edge = [memory.id]
    while edge and len(found) < limits.CHAIN_MAX:
        with reader.links_ahead(("from", edge), ("to", edge)):
            following = {other for id_ in edge for other in _evolved(reader, id_)} - found.keys()
        with reader.ahead(following):
            known = {other: reader.get(other) for other in sorted(following)}
        found |= {other: memory for other, memory in known.items() if memory is not None}
        edge = list(following & found.keys())
    chain = sorted(found.values(), key=lambda step: (step.created_at, step.version))
    return chain[-limits.CHAIN_MAX :]


def _evolved(reader: MemoryReader, id_: str) -> Iterator[str]:
    """Yield what a memory directly grew from, and what directly grew from it."""
    for link in reader.links_of(id_, end="from"):
        if link.link_type == "evolution" and not link.is_suggestion:
            yield link.to_id
    for link in reader.links_of(id_, end="to"):
        if link.link_type == "evolution" and not link.is_suggestion:
            yield link.from_id
