"""Where in the order of a space's keys each one is, without reading those before it.

A table of keys knows only what is next to a key. To jump to the fifty thousandth one, or to count
those below a prefix, every key in between would be read. `KeyOrder` remembers every so many keys
and how many live ones lie between them; the first question of a process reads all keys once.
"""

from bisect import bisect_left
from heapq import merge
from itertools import accumulate

from strata.base import limits
from strata.store.derived import Commits, Derived
from strata.store.record import GONE, NEXT_KEY, after_prefix
from strata.store.snapshot import Snapshot
from strata.store.store import Store

# A space, and the kinds whose keys are one list.
Place = tuple[str, tuple[str, ...]]


class KeyOrder:
    """Counts of live keys: part n has those behind the bound n - 1, up to the bound n."""

    def __init__(self, bounds: list[str], counts: list[int]) -> None:
        self.bounds = bounds
        self._counts = counts
        self._before = [0, *accumulate(counts)]

    def changed(self, gains: dict[int, int]) -> "KeyOrder":
        """Return the same with more or fewer keys in some parts."""
        counts = [count + gains.get(part, 0) for part, count in enumerate(self._counts)]
        return KeyOrder(self.bounds, counts)

    def part_of(self, key: str) -> int:
        """Return the part that a key belongs to."""
        return bisect_left(self.bounds, key)

    def before(self, part: int) -> int:
        """Return how many keys there are before a part."""
        return self._before[part]

    def part_at(self, offset: int) -> int:
        """Return the part in which the key of a number is, counted from 0."""
        return min(max(0, bisect_left(self._before, offset + 1) - 1), len(self.bounds))

    @property
    def is_uneven(self) -> bool:
        """Whether a part has become so long that it is worth counting anew."""
        return max(self._counts) > limits.KEY_ORDER_PART * 8


class KeyOrders:
    """The orders of keys that one process remembers, for each space that was asked about."""

    def __init__(self, store: Store) -> None:
        self._orders: Derived[Place, KeyOrder] = Derived(
            store, build=_built, follow=_followed, most=limits.KEY_ORDERS_KEPT
        )

    def count(self, snapshot: Snapshot, place: Place, prefix: str) -> int:
        """Return how many live keys begin with a prefix."""
        with self._orders.using(snapshot, place) as order:
            low, high = prefix, after_prefix(prefix)
            if order.part_of(low) == order.part_of(high):
                return _between(snapshot, place, (low, high))
            return _below(snapshot, place, order, key=high) - _below(
                snapshot, place, order, key=low
            )

    def behind(
        self, snapshot: Snapshot, place: Place, prefix: str, *, offset: int
    ) -> tuple[str, int]:
        """Return a key near the one that is `offset` keys behind the first with a prefix.

        And how many keys are to be skipped from there on; the key itself is not counted.
        """
        with self._orders.using(snapshot, place) as order:
            number = _below(snapshot, place, order, key=prefix) + offset
            part = order.part_at(number)
            if part == 0 or order.bounds[part - 1] < prefix:
                return "", offset
            return order.bounds[part - 1], number - order.before(part)


def _between(snapshot: Snapshot, place: Place, keys: tuple[str, str]) -> int:
    space, kinds = place
    return sum(snapshot.count_between(space, kind, keys) for kind in kinds)


def _below(snapshot: Snapshot, place: Place, order: KeyOrder, *, key: str) -> int:
    """Return how many live keys come before one, which need not be there."""
    part = order.part_of(key)
    low = order.bounds[part - 1] + NEXT_KEY if part else ""
    return order.before(part) + _between(snapshot, place, (low, key))


def _built(snapshot: Snapshot, place: Place) -> KeyOrder:
    space, kinds = place
    bounds: list[str] = []
    number = 0
    for number, key in enumerate(merge(*(snapshot.names(space, kind) for kind in kinds)), 1):
        if number % limits.KEY_ORDER_PART == 0:
            bounds.append(key)
    counts = [limits.KEY_ORDER_PART] * len(bounds)
    return KeyOrder(bounds, [*counts, number % limits.KEY_ORDER_PART])


def _followed(order: KeyOrder, commits: Commits, place: Place) -> KeyOrder:
    space, kinds = place
    now = commits.snapshot
    before = Snapshot(now.store, now.branch, commits.after, branch_id=now.branch_id)
    written = [(kind, key) for kind in kinds for key in commits.keys(space, kind)]
    if len(written) > limits.KEY_ORDER_FOLLOWED:
        return _built(now, place)
    gains: dict[int, int] = {}
    for kind, key in written:
        part = order.part_of(key)
        gain = _is_live(now, space, kind, key=key) - _is_live(before, space, kind, key=key)
        gains[part] = gains.get(part, 0) + gain
    followed = order.changed(gains) if any(gains.values()) else order
    return _built(now, place) if followed.is_uneven else followed


def _is_live(snapshot: Snapshot, space: str, kind: str, *, key: str) -> bool:
    record = snapshot.get(space, kind, key)
    return record is not None and not record[2] & GONE
