"""Parts of segments, read when they are needed and kept for a while.

It needs no numpy, because a hook must answer before that would be loaded.
"""

from collections import OrderedDict
from collections.abc import Iterable

from strata.base import limits
from strata.base.values import encode
from strata.search.index.parts import PartPlace, unframed
from strata.store import Store


class PartReader:
    """Reads parts of segments, and keeps up to a bound of them in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[PartPlace, memoryview] = OrderedDict()
        self._bytes = 0

    def read(self, place: PartPlace) -> memoryview | None:
        """Return a part of the segment that has a stamp; None if it is not there as written."""
        found = self._kept.get(place)
        if found is not None:
            self._kept.move_to_end(place)
            return found
        row = self._store.connection().row(self._store.queries.segment_part, (place[0],))
        return None if row is None else self._keep(place, row[0])

    def bring(self, wanted: Iterable[PartPlace]) -> None:
        """Read at once what is soon needed, where each statement takes a round trip.

        It changes no answer: what was not brought is read by itself.
        """
        if not self._store.database.foresees:
            return
        missing = {place[0]: place for place in wanted if place not in self._kept}
        if len(missing) > 1:
            statement = self._store.queries.segment_parts_among
            for part, data in self._store.connection().rows(
                statement, (encode([*missing]).decode(),)
            ):
                self._keep(missing[part], data)

    def _keep(self, place: PartPlace, data: bytes) -> memoryview | None:
        found = unframed(data, place[1])
        if found is not None:
            self._kept[place] = found
            self._bytes += len(found)
        while self._bytes > limits.INDEX_CACHE_BYTES:
            self._bytes -= len(self._kept.popitem(last=False)[1])
        return found
