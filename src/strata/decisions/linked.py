"""The links between the memories of a branch, and walking along them."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from strata.base import limits
from strata.base.checks import check_number
from strata.decisions.counting import Counted
from strata.decisions.graph import Direction, Graphs, Walk, WalkStep
from strata.decisions.linking import (
    Linked,
    Linker,
    LinkingStatus,
    Pruned,
    Rule,
    check_rule,
    prune,
)
from strata.decisions.links import LinkType
from strata.store import View
from strata.upkeep import Progress

# Gives what links by a rule, or by the store's own one.
LinkerOf: TypeAlias = Callable[[Rule | None], Linker]


class WithLinks(Counted):
    """What can be asked of links. A part of `db.decisions`."""

    def __init__(self, view: View, graphs: Graphs, linker: LinkerOf) -> None:
        super().__init__(view)
        self._graphs = graphs
        self._linker = linker

    def walk(
        self,
        id: str,
        *,
        depth: int = 2,
        types: Sequence[LinkType] = (),
        least: float = 0.0,
        direction: Direction = "both",
        suggestions: bool = False,
    ) -> list[WalkStep]:
        """Return what links lead to from a memory, nearest first, at most five steps away.

        Links that were made because of the time of a save are followed if `types` has "temporal".

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> _ = db.decisions.link(b, a, "supports")
        >>> a in {step.id for step in db.decisions.walk(b)}
        True
        """
        check_number(depth, name="depth", most=limits.PAGE_ITEMS_MAX)
        start = self._shelf.require(id).id
        walk = Walk(
            depth=min(depth, limits.GRAPH_DEPTH_MAX), types=tuple(types), least=least,
            direction=direction, with_suggestions=suggestions,
        )  # fmt: skip
        return self._graphs.walk(self._view.snapshot, start, walk, now_ms=self._now_ms)

    # Automatic links.

    def linking(self) -> LinkingStatus:
        """Return by which rule memories are linked by meaning, and how many wait for it.

        >>> db.decisions.linking()
        LinkingStatus(rule='signal', pending=0)
        """
        return self._linker(None).status()

    def relink(self, *, rule: Rule | None = None, progress: Progress | None = None) -> Linked:
        """Link the memories of this branch by meaning now, as far as their vectors are made.

        It is done in the background anyway, for what is new. What was linked or removed before
        stays as it is. `rule` is signal, seed or off, and else as the setting `linking` says;
        `progress` is called with "linking", the number of memories done and the number of all.

        >>> _ = db.decisions.insight("Caches hide slow queries")
        >>> db.decisions.relink().links
        0
        """
        self._view.check_writable()
        chosen = None if rule is None else check_rule(rule)
        return self._linker(chosen).relink(self._view.branch, progress)

    def prune(self, *, preview: bool = False) -> Pruned:
        """Remove automatic links that have faded, in one commit of the actor `system`.

        With `preview` they are only told. What a user or a model named stays.
        `db.undo(actor="system")` brings them back.

        >>> db.decisions.prune(preview=True).count
        0
        """
        return prune(self._view, now_ms=self._now_ms, preview=preview)
