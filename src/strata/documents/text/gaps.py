"""What an update builds on: everything it names has to be here, or to come with it.

Yjs keeps what comes too early until the rest arrives; pycrdt shows it at once. The two then hold
different texts for good, so an update that leaves a gap is refused as a whole.
"""

from collections.abc import Mapping

from strata.base.errors import UpdateGap
from strata.documents.text.updates import SKIP, Update, UpdateStruct


def reached(update: Update, known: Mapping[int, int]) -> dict[int, int]:
    """Return the clocks that its clients will have reached; raise UpdateGap if one cannot."""
    waiting: dict[int, list[UpdateStruct]] = {}
    for item in reversed(update.items):
        if item.kind != SKIP:
            waiting.setdefault(item.client, []).append(item)
    order = _Order(known, waiting)
    for client in waiting:
        order.settle(client)
    for gone in update.deletions:
        if gone.clock + gone.length > order.at(gone.client):
            raise gap()
    return order.clocks


def gap() -> UpdateGap:
    """Say that an update builds on something that is not here."""
    return UpdateGap(
        "This edit of a document builds on an edit that is not here.",
        hint="Send everything that this side does not know yet, by its state vector.",
    )


class _Order:
    """Takes the structs of an update in an order in which each finds its neighbours."""

    def __init__(self, known: Mapping[int, int], waiting: dict[int, list[UpdateStruct]]) -> None:
        self.known = known
        self.waiting = waiting
        self.clocks: dict[int, int] = {}

    def at(self, client: int) -> int:
        return self.clocks.get(client) or self.known.get(client, 0)

    def settle(self, client: int) -> None:
        """Take all structs of a client, and of others before them where they are needed."""
        # A dictionary, as an ordered set: a client that is asked for twice waits for itself.
        stack = {client: None}
        while stack:
            top = next(reversed(stack))
            items = self.waiting.get(top)
            if not items:
                del stack[top]
                continue
            missing = self.missing(items[-1])
            if missing is None:
                self.integrate(items.pop())
                if top != client:
                    del stack[top]
            elif missing in stack or not self.waiting.get(missing):
                raise gap()
            else:
                stack[missing] = None

    def missing(self, item: UpdateStruct) -> int | None:
        """Return a client of which something is needed before this struct can be taken."""
        at = self.at(item.client)
        if item.clock + item.length <= at:
            return None
        if item.clock > at:
            return item.client
        beside = (near for near in (item.origin, item.right) if near is not None)
        return next((client for client, clock in beside if clock >= self.at(client)), None)

    def integrate(self, item: UpdateStruct) -> None:
        self.clocks[item.client] = max(self.at(item.client), item.clock + item.length)
