"""A file of which small parts are read, here and there, without keeping the rest in memory."""

import mmap
from pathlib import Path

# With each part the system brings into memory what lies around it, 64 KB and more: after a few
# hundred parts that is all of a table. What some of them brought is given back together, because
# that takes ten times as long as reading one.
_READS = 16


class Mapped:
    """Reads parts of a file through memory, which lets no other thread in between.

    The system keeps what was given back for the next reader, as long as it has room. Safe to use
    from several threads.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._reads = 0

    def read(self, start: int, size: int) -> bytes:
        """Return a part of the file."""
        part = self._content[start : start + size]
        self._reads += 1
        if self._reads >= _READS:
            self._reads = 0
            self._give_back()
        return part

    def _give_back(self) -> None:
        if hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
            self._content.madvise(mmap.MADV_DONTNEED)
