"""The links between the memories of a branch, and walking along them."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from strata.base import limits
from strata.base.checks import check_number
from strata.base.errors import InvalidArgument, NotFound
from strata.decisions import saving
from strata.decisions.counting import Counted
from strata.decisions.graph import Direction, Found, Graphs, Walk
from strata.decisions.linking import (
    Linked,
    Linker,
    LinkingStatus,
    Pruned,
    Rule,
    check_rule,
    prune,
)
from strata.decisions.links import LINK_TYPES, Creator, Link, LinkType
from strata.decisions.links import change_of as change_of_link
from strata.decisions.saving import WantedLink
from strata.decisions.shelf import Shelf, stage_removal
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

    @property
    def _shelf(self) -> Shelf:
        return Shelf(self._view.snapshot)

    @property
    def _now_ms(self) -> int:
        """The time of the view: decay and age count from there."""
        instant = self._view.instant
        return (self._view.store.clock() if instant is None else instant.timestamp) // 1000

    def link(
        self,
        from_id: str,
        to_id: str,
        relationship: str,
        *,
        link_type: LinkType | None = None,
        reason: str | None = None,
        by: Creator = "user",
    ) -> Link:
        """Tie two memories together by a word such as "motivated_by".

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> db.decisions.link(b, a, "영감을 받은").link_type
        'association'
        """
        if link_type is not None and link_type not in LINK_TYPES:
            raise InvalidArgument(
                f"{link_type!r} is no type of link.", hint=f"Use {', '.join(LINK_TYPES)}.",
                parameter="link_type",
            )  # fmt: skip
        wanted = WantedLink(to_id, relationship, link_type, reason)
        with self._view.writing("link") as transaction:
            shelf = Shelf(transaction)
            ends = shelf.require(from_id).id, shelf.require(to_id).id
            made = saving.worded_link(*ends, wanted, now_ms=self._now_ms, by=by, may_replace=True)
            transaction.stage(change_of_link(made))
        return made

    def links(self, id: str | None = None, *, suggestions: bool = True) -> list[Link]:
        """Return the links of a memory, or all of them, the newest first.

        >>> a = db.decisions.insight("a").memory.id
        >>> db.decisions.links(a)
        []
        """
        shelf = self._shelf
        if id is None:
            found = list(shelf.all_links())
        else:
            here = shelf.require(id).id
            found = [*shelf.links_of(here, end="from"), *shelf.links_of(here, end="to")]
        kept = [link for link in found if suggestions or not link.is_suggestion]
        return sorted(kept, key=lambda link: (-link.created_at, link.id))

    def faded(self, link: Link) -> float:
        """Return how sure a link is by now, or was at the time of this view.

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> round(db.decisions.faded(db.decisions.link(b, a, "supports")), 2)
        0.8
        """
        return link.faded(self._now_ms)

    def confirm(self, link_id: str, *, by: Creator = "user") -> Link:
        """Take a suggested link for true.

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> link = db.decisions.link(b, a, "supports")
        >>> db.decisions.confirm(link.id).confidence
        1.0
        """
        with self._view.writing("confirm") as transaction:
            link = _required(Shelf(transaction), link_id)
            sure = msgspec.structs.replace(
                link, is_suggestion=False, confidence=1.0, created_by=by,
                metadata={**link.metadata, "confirmed_at": self._now_ms},
            )  # fmt: skip
            transaction.stage(change_of_link(sure))
        return sure

    def unlink(self, link_id: str) -> Link:
        """Remove a link; history keeps it.

        >>> a = db.decisions.insight("a").memory.id; b = db.decisions.insight("b").memory.id
        >>> _ = db.decisions.unlink(db.decisions.link(b, a, "supports").id)
        """
        with self._view.writing("unlink") as transaction:
            link = _required(Shelf(transaction), link_id)
            stage_removal(transaction, link)
        return link

    def walk(
        self,
        id: str,
        *,
        depth: int = 2,
        types: Sequence[LinkType] = (),
        least: float = 0.0,
        direction: Direction = "both",
        suggestions: bool = False,
    ) -> list[Found]:
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

    # Links that nobody named.

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
        `progress` is told "linking" and how many memories of how many are done.

        >>> _ = db.decisions.insight("Caches hide slow queries")
        >>> db.decisions.relink().links
        0
        """
        self._view.check_writable()
        chosen = None if rule is None else check_rule(rule)
        return self._linker(chosen).relink(self._view.branch, progress)

    def prune(self, *, preview: bool = False) -> Pruned:
        """Remove automatic links that have faded, in one commit of the actor `system`.

        With `preview` they are only told. What a person or a model named stays.
        `db.undo(actor="system")` brings them back.

        >>> db.decisions.prune(preview=True).count
        0
        """
        return prune(self._view, now_ms=self._now_ms, preview=preview)


def _required(shelf: Shelf, link_id: str) -> Link:
    found = shelf.link(link_id)
    if found is None:
        raise NotFound(
            f"There is no link {link_id!r} on this branch.",
            hint="`db.decisions.links()` shows them.",
        )
    return found
