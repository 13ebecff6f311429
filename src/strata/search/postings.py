"""Which items hold a term, and how often; and the growing arrays this is kept in."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# What was added since the last sorting is looked through from end to end; up to this many
# that takes less than sorting everything anew.
_UNSORTED_MIN = 1 << 16


class Postings:
    """Items by term. New ones are appended, and sorted in by the look-up that finds many."""

    def __init__(self) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._terms: Array = numpy.empty(0, dtype="u4")
        self._items: Array = numpy.empty(0, dtype="i4")
        self._counts: Array = numpy.empty(0, dtype="u1")
        self._start_over()

    def _start_over(self) -> None:
        self._new_terms, self._new_items = Column("u4"), Column("i4")
        self._new_counts = Column("u1")

    def add(self, terms: "Array", items: "Array", counts: "Array") -> None:
        """Add postings; the items must be newer than all before."""
        self._new_terms.extend(terms)
        self._new_items.extend(items)
        self._new_counts.extend(counts)

    def _sort(self) -> None:
        np_ = self._numpy
        terms = np_.concatenate((self._terms, self._new_terms.values))
        order = np_.argsort(terms, kind="stable")
        self._terms = terms[order]
        self._items = np_.concatenate((self._items, self._new_items.values))[order]
        self._counts = np_.concatenate((self._counts, self._new_counts.values))[order]
        self._start_over()

    def of(self, term: int) -> "tuple[Array, Array]":
        """Return the items that hold a term, and how often each does."""
        np_ = self._numpy
        if self._new_terms.size > max(_UNSORTED_MIN, len(self._terms) // 4):
            self._sort()
        key = np_.uint32(term)
        low = int(np_.searchsorted(self._terms, key, side="left"))
        high = int(np_.searchsorted(self._terms, key, side="right"))
        if not self._new_terms.size:
            return self._items[low:high], self._counts[low:high]
        at = np_.flatnonzero(self._new_terms.values == key)
        return (
            np_.concatenate((self._items[low:high], self._new_items.values[at])),
            np_.concatenate((self._counts[low:high], self._new_counts.values[at])),
        )

    def only(self, is_kept: "Array") -> "Postings":
        """Return the postings of some of the items."""
        self._sort()
        kept = is_kept[self._items]
        found = Postings()
        found._terms, found._items = self._terms[kept], self._items[kept]
        found._counts = self._counts[kept]
        return found

    def __len__(self) -> int:
        return len(self._terms) + self._new_terms.size

    @property
    def memory_bytes(self) -> int:
        """How much memory the postings take."""
        return 9 * len(self)


class Column:
    """One array of which a part is in use; appending is cheap on average."""

    __slots__ = ("_room", "size")

    def __init__(self, dtype: str) -> None:
        import numpy

        self._room: Array = numpy.empty(1024, dtype=dtype)
        self.size = 0

    @property
    def values(self) -> "Array":
        """The part in use. It is a window: what is appended later does not show."""
        return self._room[: self.size]

    def extend(self, values: "Array") -> None:
        """Append values."""
        import numpy

        end = self.size + len(values)
        if end > len(self._room):
            room = numpy.empty(max(end, 2 * len(self._room)), dtype=self._room.dtype)
            room[: self.size] = self.values
            self._room = room
        self._room[self.size : end] = values
        self.size = end

    @property
    def memory_bytes(self) -> int:
        """How much memory the array takes."""
        return self._room.nbytes
