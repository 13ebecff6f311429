"""Entries that no segment holds yet, in memory: what was written last, and what a purge left.

It offers what a segment does. A search looks at all of it, which takes about a millisecond for two
thousand entries.
"""

from typing import TYPE_CHECKING, Any

from strata.search.index.entries import COLUMNS, Entries, Replacements, joined
from strata.search.index.segment import Postings, Runs, begin_groups, run_ends

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


class Tail:
    """Unsealed entries. Items are in the order of their sequences, as those of a segment are."""

    def __init__(self, entries: Entries) -> None:
        import numpy as np_

        self._entries = entries
        # What the default branch shows of it is decided by looking, item by item.
        self.live = self.items = len(entries)
        order = np_.argsort(entries.columns["sequence"], kind="stable")
        self._columns = {name: entries.columns[name][order] for name in COLUMNS}
        columns = self._columns
        begins = begin_groups(columns["sequence"], columns["timestamp"], columns["traits"])
        columns["group"] = np_.cumsum(begins) - 1
        self._place = np_.argsort(order, kind="stable")
        ends = run_ends(columns["sequence"], self.live)
        self.runs = Runs(columns["sequence"][ends - 1], ends, len(ends))

    def __len__(self) -> int:
        return self.items

    @property
    def first(self) -> int:
        """The oldest version that has an item here; 0 for none."""
        versions = self._entries.columns["version"]
        return int(versions[0]) if len(versions) else 0

    @property
    def last(self) -> int:
        """The newest version that has an item here; 0 for none."""
        versions = self._entries.columns["version"]
        return int(versions[-1]) if len(versions) else 0

    def extended(self, entries: Entries) -> "Tail":
        """Return a tail with newer entries behind these."""
        return Tail(joined([self._entries, entries]))

    def column(self, name: str) -> "Array":
        """Return one property of all items, in order."""
        return self._columns[name]

    def take(self, name: str, items: "Array") -> "Array":
        """Return one property of some items."""
        return self._columns[name][items]

    def postings(self, term: int, *, live_only: bool) -> Postings:
        """Return the items that hold a term, in order, and how often."""
        import numpy as np_

        _ = live_only  # all of them count as live
        at = np_.flatnonzero(self._entries.terms == np_.uint32(term))
        items = self._place[self._entries.items[at]]
        order = np_.argsort(items)
        return Postings(items[order], self._entries.counts[at][order])

    def known_labels(self, labels: "Array") -> "Array":
        """Return which of some labels an item carries: their places."""
        import numpy as np_

        return np_.flatnonzero(np_.isin(labels, self._columns["label"]))

    def labelled(self, label: int) -> "Array":
        """Return the items that carry a label."""
        import numpy as np_

        return np_.flatnonzero(self._columns["label"] == np_.uint32(label))

    @property
    def replaced(self) -> Replacements:
        """What these versions have replaced."""
        return self._entries.replaced

    def items_of(self, versions: "Array") -> "tuple[Array, Array]":
        """Return the items of versions that have one here, and which versions those are."""
        import numpy as np_

        known = self._entries.columns["version"]
        if not len(known):
            return self._place, np_.zeros(len(versions), dtype=bool)
        at = np_.minimum(known.searchsorted(versions), len(known) - 1)
        is_here = known[at] == versions
        return self._place[at[is_here]], is_here
