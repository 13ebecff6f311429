"""The linker: ties new memories to what is near them in meaning, when their vectors are there.

One process at a time does it, a batch and a commit of the actor `system` at once. A batch that was
cut off is done again: the same pair always makes the same link, and one that was there before,
even if it was removed since, is not made again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from strata.base import limits
from strata.base.results import Result
from strata.decisions.graph import Graphs
from strata.decisions.linking.candidates import LinkCandidate, LinkCandidates, Ties
from strata.decisions.linking.nearness import NearPair, near_pairs, seed_pairs
from strata.decisions.linking.progress import LINKED, mark, remember
from strata.decisions.linking.rules import SYSTEM, Rule
from strata.decisions.links import LINK, Link, change_of, new_link
from strata.decisions.records import MEMORY, SPACE, UNTENDED
from strata.search import Turn
from strata.store import GONE, Snapshot, Store, Transaction, View
from strata.upkeep import Progress

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# The word on links that were found by meaning.
SIMILAR = "similar_to"
# How many versions without a memory may pass before the mark is moved over them.
_SKIP = 10_000


class Meanings(Protocol):
    """The vectors behind search, as far as they are made."""

    def followed(self) -> int:
        """Return the version up to which every text has its vectors; 0 without a model."""
        ...

    def matrices(self, versions: "Array") -> "Sequence[Array]":
        """Return unit vectors by the main model and by one for all languages, if there is one.

        One row a version; NaN where it has none.
        """
        ...


class LinkingResult(Result, frozen=True, kw_only=True):
    """What linking has done: memories looked at, links and suggestions made.

    `waiting` memories have no vector yet, and are linked when they have.
    """

    memories: int = 0
    links: int = 0
    suggestions: int = 0
    waiting: int = 0

    def __add__(self, other: "LinkingResult") -> "LinkingResult":
        return LinkingResult(
            memories=self.memories + other.memories,
            links=self.links + other.links,
            suggestions=self.suggestions + other.suggestions,
            waiting=self.waiting + other.waiting,
        )


class LinkingStatus(Result, frozen=True):
    """By which rule memories are linked, and how many wait for that."""

    rule: Rule
    pending: int


class Linker:
    """Links memories, in small steps. One thread at a time may use it."""

    def __init__(
        self,
        store: Store,
        meanings: Meanings,
        *,
        rule: Callable[[], Rule],
        graphs: Graphs,
        candidates: LinkCandidates,
        turn: Turn,
    ) -> None:
        self.turn = turn
        self._store = store
        self._meanings = meanings
        self._rule = rule
        self._graphs = graphs
        self._candidates = candidates
        # Up to which version there is known to be nothing to do.
        self._clear = 0

    def status(self) -> LinkingStatus:
        """Return how many versions of memories were not looked at yet."""
        rule = self._rule()
        return LinkingStatus(rule, 0 if rule == "off" else self._pending())

    def _pending(self) -> int:
        start, end = self._position(), self._store.last_version()
        statement = self._store.queries.count_keyspace_versions_between
        row = self._store.connection().row(statement, (start, end, self._keyspace()))
        return row[0] if row else 0

    def step(self, _is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Link a batch if there is one and it is this process's turn; tell whether there was."""
        end = self._meanings.followed()
        if end <= self._clear or self._rule() == "off":
            return False
        if not self._after(self._position(), end):
            self._skip(end)
            return False
        if not self.turn.take():
            return False
        # Another process may have done it before the turn was ours.
        rows = self._after(self._position(), end)
        for branch in dict.fromkeys(row[1] for row in rows):
            self._link_branch(branch, [row[2] for row in rows if row[1] == branch])
        if rows:
            remember(self._store, LINKED, rows[-1][0])
        self.turn.release()
        return bool(rows)

    def _position(self) -> int:
        return max(mark(self._store, LINKED) or 0, self._clear)

    def _keyspace(self) -> int:
        store = self._store
        return store.catalog.keyspace(SPACE, MEMORY, store.connection()) or 0

    def _after(self, start: int, end: int) -> "Sequence[tuple[int, int, str]]":
        values = (start, end, self._keyspace(), limits.LINKING_BATCH_ITEMS)
        statement = self._store.queries.keyspace_versions_between
        rows = self._store.connection().rows(statement, values)
        return cast("Sequence[tuple[int, int, str]]", rows)

    def _skip(self, end: int) -> None:
        """Note that there is nothing up to a version; for others only once in a long while."""
        self._clear = end
        if end - (mark(self._store, LINKED) or 0) > _SKIP and self.turn.take():
            remember(self._store, LINKED, end)
            self.turn.release()

    def _link_branch(self, branch: int, ids: Sequence[str]) -> None:
        row = self._store.catalog.by_id(branch)
        if row.deleted is None and not row.name.startswith(UNTENDED):
            view = View(self._store, branch=row.name, space=SPACE, actor=SYSTEM)
            self._link(view, ids)

    # Linking some memories of one branch.

    def relink(self, branch: str, told: Progress | None = None) -> LinkingResult:
        """Look at every memory of a branch again; what is linked already stays as it is."""
        rule = self._rule()
        view = View(self._store, branch=branch, space=SPACE, actor=SYSTEM)
        view.check_writable()
        ids = sorted(self._candidates.of(view.snapshot)) if rule != "off" else []
        done = LinkingResult()
        for start in range(0, len(ids), limits.LINKING_BATCH_ITEMS):
            done += self._link(view, ids[start : start + limits.LINKING_BATCH_ITEMS])
            if told is not None:
                told("linking", done.memories, len(ids))
        return done

    def _link(self, view: View, ids: Iterable[str]) -> LinkingResult:
        snapshot, rule = view.snapshot, self._rule()
        ties = Ties(self._graphs.links(snapshot))
        candidates = list(self._candidates.of(snapshot).values())
        new = {one.id for one in candidates} & set(ids)
        least = limits.LINKING_MEMORIES_MIN
        if rule == "signal" and len(candidates) >= least > len(candidates) - len(new):
            # Now there are enough of them to tell what is unusual: also about the first ones.
            new = {one.id for one in candidates}
        if rule == "signal":
            candidates = [one for one in candidates if one.id not in ties.replaced]
        wanted, waiting = self._wanted(candidates, new, rule)
        made = self._written(view, ties, wanted)
        suggestions = sum(link.is_suggestion for link in made)
        return LinkingResult(
            memories=len(new),
            links=len(made) - suggestions,
            suggestions=suggestions,
            waiting=waiting,
        )

    def _wanted(
        self, candidates: Sequence[LinkCandidate], new: set[str], rule: Rule
    ) -> tuple[list[tuple[LinkCandidate, LinkCandidate, NearPair]], int]:
        """Return the pairs that are near, surest first, and how many memories have no vector."""
        import numpy

        candidates = sorted(candidates, key=lambda one: (one.created_at, one.id))
        matrices = self._meanings.matrices(numpy.array([one.version for one in candidates], int))
        found: list[tuple[LinkCandidate, LinkCandidate, NearPair]] = []
        seen: set[str] = set()
        for index, matrix in enumerate(matrices):
            known = (
                ~numpy.isnan(matrix[:, 0])
                if matrix.shape[1]
                else numpy.zeros(len(candidates), bool)
            )
            # What the main model cannot read is compared, with everything, by the other one.
            fits = [
                bool(known[at]) and (index > 0 or not one.is_foreign or rule == "seed")
                for at, one in enumerate(candidates)
            ]
            chosen = [one for one, is_fit in zip(candidates, fits, strict=True) if is_fit]
            seen.update(one.id for one in chosen)
            pairs = _pairs(chosen, matrix[numpy.array(fits, bool)], new=new, rule=rule)
            found += [
                (one, other, near)
                for one, other, near in pairs
                if index == 0 or one.is_foreign or other.is_foreign
            ]
            if rule == "seed":
                break
        found.sort(key=lambda pair: (not pair[2].is_certain, -pair[2].confidence))
        return found, len([one for one in candidates if one.id in new and one.id not in seen])

    def _written(
        self,
        view: View,
        ties: Ties,
        wanted: Iterable[tuple[LinkCandidate, LinkCandidate, NearPair]],
    ) -> list[Link]:
        """Commit the links that are not there, and never were; no commit without any."""
        now_ms = self._store.clock() // 1000
        links = list(_fitting(view.snapshot, ties, wanted, now_ms=now_ms))
        if not links:
            return []
        with view.writing("link") as transaction:
            made = [link for link in links if _may_stage(transaction, link)]
            for link in made:
                transaction.stage(change_of(link))
        return made


def _pairs(
    candidates: Sequence[LinkCandidate], matrix: "Array", *, new: set[str], rule: Rule
) -> Iterator[tuple[LinkCandidate, LinkCandidate, NearPair]]:
    """Yield the near pairs of which one end is new, the older end first."""
    import numpy

    # By the seed's rule decisions on one topic may be linked; by ours their chain says it all.
    names = [one.id if rule == "seed" else one.group for one in candidates]
    groups = numpy.unique(numpy.array(names), return_inverse=True)[1]
    rows = numpy.array([at for at, one in enumerate(candidates) if one.id in new], int)
    if len(rows):
        find = seed_pairs if rule == "seed" else near_pairs
        for near in find(matrix, groups, rows):
            yield candidates[near.one], candidates[near.other], near


def _fitting(
    snapshot: Snapshot,
    ties: Ties,
    wanted: Iterable[tuple[LinkCandidate, LinkCandidate, NearPair]],
    *,
    now_ms: int,
) -> Iterator[Link]:
    for older, newer, near in wanted:
        if ties.are_named(older.id, newer.id) or not ties.has_room(newer.id):
            continue
        link = new_link(
            newer.id,
            older.id,
            "association",
            confidence=near.confidence,
            created_by="system",
            created_at=now_ms,
            relationship=SIMILAR,
            is_suggestion=not near.is_certain,
            similarity=round(near.cosine, 4),
        )
        if link.id not in ties.ids and snapshot.get(SPACE, LINK, link.id) is None:
            ties.count(link)
            yield link


def _may_stage(transaction: Transaction, link: Link) -> bool:
    """Tell whether both ends are still there and the link is not, now that no other process
    writes."""
    ends = (transaction.get(SPACE, MEMORY, id_) for id_ in (link.from_id, link.to_id))
    are_there = all(record is not None and not record[2] & GONE for record in ends)
    return are_there and transaction.get(SPACE, LINK, link.id) is None
