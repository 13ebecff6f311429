"""What linking has to know of the memories of a branch, kept in step with the commits."""

from collections.abc import Iterable

import msgspec

from strata.base import limits
from strata.decisions.links import Link
from strata.decisions.reader import MemoryReader
from strata.decisions.records import MEMORY, SPACE, Memory, topic_key
from strata.search import foreignness
from strata.store import Commits, Derived, Snapshot, Store

# From this share of letters in another script on, a model that reads English reads too little.
_FOREIGN_SHARE = 0.2


class LinkCandidate(msgspec.Struct, frozen=True):
    """A memory that can be linked: its version has the vector, `group` are memories it is never
    linked to."""

    id: str
    version: int
    created_at: int
    group: str
    is_foreign: bool


class LinkCandidates:
    """The candidates of the branches that were lately linked. One thread at a time may use it."""

    def __init__(self, store: Store) -> None:
        self._candidates: Derived[None, dict[str, LinkCandidate]] = Derived(
            store, build=_read_all, follow=_follow, most=limits.GRAPHS_KEPT
        )

    def of(self, snapshot: Snapshot) -> dict[str, LinkCandidate]:
        """Return what a branch shows now, by id."""
        return self._candidates.of(snapshot, None)


def _read_all(snapshot: Snapshot, _key: None) -> dict[str, LinkCandidate]:
    found = (candidate_of(memory) for memory in MemoryReader(snapshot).all())
    return {candidate.id: candidate for candidate in found if candidate is not None}


def _follow(
    candidates: dict[str, LinkCandidate], commits: Commits, _key: None
) -> dict[str, LinkCandidate]:
    reader = MemoryReader(commits.snapshot)
    for id_ in commits.keys(SPACE, MEMORY):
        candidates.pop(id_, None)
        memory = reader.get(id_)
        candidate = None if memory is None else candidate_of(memory)
        if candidate is not None:
            candidates[id_] = candidate
    return candidates


def candidate_of(memory: Memory) -> LinkCandidate | None:
    """Return a memory as a candidate; None for one that only time or its decision links."""
    if memory.type == "checkpoint" or memory.metadata.get("category") == "outcome":
        return None
    is_decision = memory.type == "decision" and memory.topic is not None
    group = f"topic {topic_key(memory.topic or '')}" if is_decision else f"id {memory.id}"
    text = f"{memory.topic or ''} {memory.content} {memory.reasoning}"
    return LinkCandidate(memory.id, memory.version, memory.created_at, group, is_foreign(text))


def is_foreign(text: str) -> bool:
    """Tell whether a good part of a text is in another script than Latin."""
    letters = sum(map(str.isalpha, text))
    return letters > 0 and (letters + foreignness(text)) / (2 * letters) >= _FOREIGN_SHARE


class Ties:
    """What the links of a branch say about pairs."""

    def __init__(self, links: Iterable[Link]) -> None:
        self.ids: set[str] = set()
        self.replaced: set[str] = set()
        self._named: set[frozenset[str]] = set()
        self._automatic: dict[str, int] = {}
        self._semantic: dict[str, int] = {}
        for link in links:
            self.ids.add(link.id)
            self._add(link)

    def _add(self, link: Link) -> None:
        # Most links are temporal and of the system, and there may be many.
        type_, is_ours = link.link_type, link.created_by == "system"
        if is_ours:
            self.count(link)
        if type_ == "temporal":
            return
        if type_ == "evolution" and link.supersedes:
            self.replaced.add(link.to_id)
        # An import may have found the same likeness under another word.
        is_said = type_ == "association" or not link.is_suggestion
        if is_said or not is_ours:
            self._named.add(frozenset((link.from_id, link.to_id)))

    def count(self, link: Link) -> None:
        """Count an automatic link."""
        start = link.from_id
        self._automatic[start] = self._automatic.get(start, 0) + 1
        if link.link_type == "association":
            self._semantic[start] = self._semantic.get(start, 0) + 1

    def are_named(self, one: str, other: str) -> bool:
        """Tell whether two memories are tied together already, by whatever word."""
        return frozenset((one, other)) in self._named

    def has_room(self, id_: str) -> bool:
        """Tell whether a memory may get another link by meaning."""
        return (
            self._semantic.get(id_, 0) < limits.SEMANTIC_LINKS_MAX
            and self._automatic.get(id_, 0) < limits.AUTOMATIC_LINKS_MAX
        )
