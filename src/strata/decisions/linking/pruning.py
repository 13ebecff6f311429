"""Taking away what has faded: automatic links that say next to nothing any more.

What a person or a model named is never taken away by age. Links end as any record does: history
keeps them, and undoing the commit brings them back.
"""

from collections.abc import Callable, Iterable

from strata.base import limits
from strata.base.results import Result
from strata.decisions.linking.progress import PRUNED, mark, remember
from strata.decisions.linking.rules import SYSTEM
from strata.decisions.links import LINK, Link
from strata.decisions.reader import MemoryReader, stage_removal
from strata.decisions.records import SPACE, UNTENDED
from strata.search import Turn
from strata.store import Store, View, branches_with

# How often the time of the last run is looked up.
_LOOK_MS = 60_000


class PrunedLinks(Result, frozen=True):
    """The links that were pruned, or would be, by id."""

    links: tuple[Link, ...]

    @property
    def count(self) -> int:
        """How many they are."""
        return len(self.links)


def withered(links: Iterable[Link], *, now_ms: int) -> list[Link]:
    """Return the automatic links that have faded, by id."""
    found = (link for link in links if link.created_by == "system" and _is_faded(link, now_ms))
    return sorted(found, key=lambda link: link.id)


def _is_faded(link: Link, now_ms: int) -> bool:
    age_ms = now_ms - link.created_at
    if link.link_type == "temporal" and age_ms > limits.TEMPORAL_LINK_DAYS * limits.DAY_MS:
        return True
    return link.faded(now_ms) < limits.LINK_CONFIDENCE_MIN


def prune(view: View, *, now_ms: int, preview: bool = False) -> PrunedLinks:
    """Remove withered links in one commit of the actor `system`, or only tell which."""
    if preview:
        return PrunedLinks(tuple(withered(MemoryReader(view.snapshot).all_links(), now_ms=now_ms)))
    view.check_writable()
    own = View(view.store, branch=view.branch, space=SPACE, actor=SYSTEM)
    with own.writing("prune") as transaction:
        found = withered(MemoryReader(transaction).all_links(), now_ms=now_ms)
        for link in found:
            stage_removal(transaction, link)
    return PrunedLinks(tuple(found))


class Pruner:
    """Prunes every branch once a week, in whatever process is there. For one thread at a time."""

    def __init__(self, store: Store, *, turn: Turn) -> None:
        self.turn = turn
        self._store = store
        # Before this it need not be looked at again.
        self._next_ms = 0

    def step(self, _is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Prune if it is time to; tell whether it was."""
        now_ms = self._store.clock() // 1000
        if now_ms < self._next_ms:
            return False
        self._next_ms = now_ms + _LOOK_MS
        if not self._is_due(now_ms) or not self.turn.take():
            return False
        # Another process may have done it before the turn was ours.
        is_due = self._is_due(now_ms)
        if is_due:
            for branch in self._branches():
                view = View(self._store, branch=branch, space=SPACE, actor=SYSTEM)
                if withered(MemoryReader(view.snapshot).all_links(), now_ms=now_ms):
                    prune(view, now_ms=now_ms)
            remember(self._store, PRUNED, now_ms)
        self.turn.release()
        return is_due

    def _is_due(self, now_ms: int) -> bool:
        last = mark(self._store, PRUNED)
        if last is not None:
            return now_ms - last >= limits.PRUNING_INTERVAL_MS
        return self._keyspace() is not None

    def _keyspace(self) -> int | None:
        return self._store.catalog.keyspace(SPACE, LINK, self._store.connection())

    def _branches(self) -> list[str]:
        """Return the branches that have links of their own."""
        store = self._store
        found = map(store.catalog.by_id, branches_with(store, self._keyspace()))
        return [
            row.name for row in found if row.deleted is None and not row.name.startswith(UNTENDED)
        ]
