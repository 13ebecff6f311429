"""What an update builds on: everything it names has to be here, or to come with it.

Yjs keeps what comes too early until the rest arrives; pycrdt shows it at once. The two then hold
different texts for good, so an update that leaves a gap is refused as a whole.
"""

from collections.abc import Iterable, Mapping, Sequence

from strata.base.errors import UpdateGap
from strata.documents.text.updates import SKIP, Update, UpdateStruct


def reached(update: Update, known: Mapping[int, int]) -> dict[int, int]:
    """Return the clocks that its clients will have reached; raise UpdateGap if one cannot."""
    order = _Order(known)
    # Nearly always each struct finds its neighbours in the order in which they come.
    if not order.integrate_in_order(update.items):
        order = _Order(known)
        order.settle_all(update.items)
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

    def __init__(self, known: Mapping[int, int]) -> None:
        self.known = known
        self.waiting: dict[int, list[UpdateStruct]] = {}
        self.clocks: dict[int, int] = {}

    def at(self, client: int) -> int:
        return self.clocks.get(client) or self.known.get(client, 0)

    def integrate_in_order(self, items: Iterable[UpdateStruct]) -> bool:
        """Integrate structs as they come; False where one would have to wait for another."""
        for item in items:
            if item.kind != SKIP:
                if self.missing(item) is not None:
                    return False
                self.integrate(item)
        return True

    def settle_all(self, items: Sequence[UpdateStruct]) -> None:
        """Take all structs, in whatever order they find each other."""
        for item in reversed(items):
            if item.kind != SKIP:
                self.waiting.setdefault(item.client, []).append(item)
        for client in self.waiting:
            self.settle(client)

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
        for near in (item.origin, item.right):
            if near is not None and near[1] >= self.at(near[0]):
                return near[0]
        return None

    def integrate(self, item: UpdateStruct) -> None:
        self.clocks[item.client] = max(self.at(item.client), item.clock + item.length)
