"""An array that grows at its end."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


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
