"""Whether a replica has taken an update in, in whatever company it came."""

from bisect import bisect_right
from functools import cached_property

from strata.documents.text.replica import Replica
from strata.documents.text.updates import SKIP, Deletion, read_update, read_vector


class KnownUpdates:
    """What a replica knows at one moment."""

    def __init__(self, replica: Replica) -> None:
        self._state = replica.state()
        self._clocks = read_vector(replica.vector())

    def has(self, update: bytes) -> bool:
        """Tell whether an update would change nothing: all of it is known already."""
        said = read_update(update)
        items = (item for item in said.items if item.kind != SKIP)
        is_known = all(
            item.clock + item.length <= self._clocks.get(item.client, 0) for item in items
        )
        return is_known and all(map(self.has_lost, said.deletions))

    @cached_property
    def _gone(self) -> dict[int, list[tuple[int, int]]]:
        """Where each client's deleted units begin and end, in order; none touches the next."""
        found: dict[int, list[tuple[int, int]]] = {}
        for client, clock, length in sorted(read_update(self._state).deletions):
            spans = found.setdefault(client, [])
            if spans and clock <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(spans[-1][1], clock + length))
            else:
                spans.append((clock, clock + length))
        return found

    def has_lost(self, deletion: Deletion) -> bool:
        """Tell whether all that a deletion names is deleted here too."""
        spans = self._gone.get(deletion.client, [])
        at = bisect_right(spans, deletion.clock, key=lambda span: span[0]) - 1
        return at >= 0 and deletion.clock + deletion.length <= spans[at][1]
