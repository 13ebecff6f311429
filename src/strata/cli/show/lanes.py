"""Laying out how things grew from each other: rows in time, lanes side by side.

A thing has a row of its own, below everything it grew from. What grows from it runs down a
lane: the first of them straight on, the others beside it, until they come to their own rows.
"""

from collections.abc import Iterable, Sequence
from itertools import count

import msgspec


class LanePlace(msgspec.Struct, frozen=True):
    """The row and the lane of a thing."""

    id: str
    row: int
    lane: int


class Way(msgspec.Struct, frozen=True):
    """What leads from an older thing to a newer one, and the lane that it runs on."""

    older: LanePlace
    newer: LanePlace
    lane: int


class LaneLayout(msgspec.Struct, frozen=True):
    """Places in the order of their rows, and the ways between them."""

    places: tuple[LanePlace, ...]
    ways: tuple[Way, ...]

    @property
    def lanes(self) -> int:
        """How many lanes there are side by side."""
        return 1 + max((one.lane for one in (*self.places, *self.ways)), default=0)


def laid_out(ids: Sequence[str], grown: Iterable[tuple[str, str]]) -> LaneLayout:
    """Place things, given oldest first, with what grew from what as (older, newer).

    Pairs that name anything else, or that go against the order, are left out.
    """
    order = {id_: row for row, id_ in enumerate(ids)}
    children: dict[str, list[str]] = {id_: [] for id_ in ids}
    for older, newer in sorted(set(grown), key=lambda pair: order.get(pair[1], -1)):
        if order.get(older, len(ids)) < order.get(newer, -1):
            children[older].append(newer)
    return _place(ids, children)


def _place(ids: Sequence[str], children: dict[str, list[str]]) -> LaneLayout:
    # Each lane in use, and the way that runs on it: from where to where.
    running: dict[int, tuple[str, str]] = {}
    places: dict[str, LanePlace] = {}
    lanes: dict[tuple[str, str], int] = {}
    for row, id_ in enumerate(ids):
        arriving = sorted(lane for lane, (_older, newer) in running.items() if newer == id_)
        for lane in arriving:
            del running[lane]
        own = arriving[0] if arriving else _free(running)
        places[id_] = LanePlace(id_, row, own)
        for at, child in enumerate(children[id_]):
            lane = own if at == 0 else _free({**running, own: (id_, child)})
            running[lane] = id_, child
            lanes[id_, child] = lane
    ways = (Way(places[older], places[newer], lane) for (older, newer), lane in lanes.items())
    return LaneLayout(tuple(places.values()), tuple(ways))


def _free(taken: Iterable[int]) -> int:
    """Return the first lane that nothing runs on."""
    used = set(taken)
    return next(lane for lane in count() if lane not in used)
