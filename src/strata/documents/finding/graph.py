"""The surroundings of a document: what links lead to and from, step by step."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from strata.base import limits
from strata.base.checks import check_number
from strata.base.results import Result, TimedResult
from strata.documents.finding.links import DocumentLink, DocumentLinks
from strata.documents.finding.readable import ReadableDocuments
from strata.documents.finding.related import neighbours
from strata.documents.finding.request import Status
from strata.search import Search

EdgeType: TypeAlias = Literal["wiki", "link", "mention", "semantic"]
# Neighbours by meaning that the document itself has; those of others are a question of their own.
_NEIGHBOURS = 5


class DocumentNode(TimedResult, frozen=True):
    """A document, and how many links away it is; None for one that is only alike in meaning."""

    TIME = "updated"

    id: str
    title: str
    depth: int | None
    status: Status
    updated: int


class DocumentEdge(Result, frozen=True, omit_defaults=True):
    """A connection. `weight` counts links, or is the cosine of neighbours by meaning."""

    source: str
    target: str
    type: EdgeType
    weight: float = 1


class DocumentGraph(Result, frozen=True):
    """Documents and connections. `unresolved` counts the links of these that lead nowhere.

    `is_cut` is true if there is more than was asked for.
    """

    nodes: tuple[DocumentNode, ...]
    edges: tuple[DocumentEdge, ...]
    unresolved: int
    is_cut: bool


def graph(
    readable: ReadableDocuments,
    engine: Search,
    document: str,
    *,
    depth: int = 2,
    max_nodes: int = 50,
) -> DocumentGraph:
    """Return what is connected with a document, nearest first."""
    check_number(depth, name="depth", most=limits.DOCUMENT_GRAPH_DEPTH_MAX)
    check_number(max_nodes, name="max_nodes", most=limits.DOCUMENT_GRAPH_NODES_MAX)
    readable.require(document)
    walk = _Walk(readable, depth=depth, most=max_nodes)
    near = neighbours(readable, engine, document, most=_NEIGHBOURS)
    walk.go(document, near)
    return DocumentGraph(
        nodes=tuple(walk.nodes()),
        edges=tuple(walk.edges(document, near)),
        unresolved=len(walk.lost),
        is_cut=walk.is_cut,
    )


class _Walk:
    """A walk in breadth; what it has met, and by which links."""

    def __init__(self, readable: ReadableDocuments, *, depth: int, most: int) -> None:
        self._readable, self._links = readable, DocumentLinks(readable)
        self._depth, self._most = depth, most
        self._depths: dict[str, int | None] = {}
        self._met: dict[DocumentLink, None] = {}
        self.lost: set[tuple[str, str]] = set()
        self.is_cut = False

    def go(self, start: str, near: dict[str, float]) -> None:
        """Meet everything within reach, as far as there is room."""
        self._depths[start] = 0
        ring = [start]
        for depth in range(1, self._depth + 1):
            found = list(dict.fromkeys(other for id_ in ring for other in self._around(id_)))
            new = [id_ for id_ in found if id_ not in self._depths]
            room = self._most - len(self._depths)
            self.is_cut = self.is_cut or len(new) > room
            ring = new[:room]
            self._depths |= dict.fromkeys(ring, depth)
        for id_ in ring:  # how the last ones are connected with those met already
            around = set(self._around(id_))
            self.is_cut = self.is_cut or not around <= self._depths.keys()
        apart = [id_ for id_ in near if id_ not in self._depths]
        self._depths |= dict.fromkeys(apart[: self._most - len(self._depths)])

    def _around(self, document: str) -> Iterator[str]:
        out, lost = self._links.out(document)
        self.lost.update((document, target) for target in lost)
        for link in (*out, *self._links.into(document)):
            self._met[link] = None
            yield link.target if link.source == document else link.source

    def nodes(self) -> Iterator[DocumentNode]:
        """Yield what was met, nearest first."""
        for id_, depth in self._depths.items():
            entry = self._readable.seen.entries[id_]
            yield DocumentNode(
                id_, entry.card.title, depth, self._readable.status(entry), entry.updated
            )

    def edges(self, start: str, near: dict[str, float]) -> Iterator[DocumentEdge]:
        """Yield the connections between what was met."""
        counts: dict[tuple[str, str, EdgeType], int] = {}
        for link in self._met:
            if link.source in self._depths and link.target in self._depths:
                key = (link.source, link.target, link.type)
                counts[key] = counts.get(key, 0) + 1
        for (source, target, type_), count in sorted(counts.items()):
            yield DocumentEdge(source, target, type_, count)
        for id_, cosine in near.items():
            if id_ in self._depths:
                yield DocumentEdge(start, id_, "semantic", cosine)
