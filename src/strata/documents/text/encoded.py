"""The UTF-8 of a text that is edited again and again: an edit encodes no more than it changes.

Offsets of a replica are bytes, those of everything above it are characters. Between both lies a
list of blocks, which says how many characters and bytes each part of the text has.
"""

from collections.abc import Iterable, Sequence

from strata.documents.text.splice import Splice

_BLOCK = 16_384
# A block that an edit has made longer than this is cut anew, with all others.
_LONG = 4 * _BLOCK
# With more splices than this, encoding the whole text is as quick.
_MANY = 16


class EncodedText:
    """A text beside its UTF-8. It follows edits, each from the text that the one before left."""

    def __init__(self, text: str) -> None:
        self.data = b""
        # Characters and bytes of each part, in order; empty for a text whose offsets are the same.
        self._blocks: list[tuple[int, int]] = []
        self._encode(text)

    def _encode(self, text: str) -> None:
        if text.isascii():
            self.data, self._blocks = text.encode(), []
            return
        starts = range(0, len(text), _BLOCK)
        parts = [text[start : start + _BLOCK].encode() for start in starts]
        ends = (min(start + _BLOCK, len(text)) for start in starts)
        self.data = b"".join(parts)
        self._blocks = [
            (end - start, len(part)) for start, end, part in zip(starts, ends, parts, strict=True)
        ]

    def places(self, text: str, offsets: Iterable[int]) -> list[int]:
        """Return where characters begin, in bytes; they ascend, and `text` is what this encodes."""
        if not self._blocks:
            return list(offsets)
        found: list[int] = []
        number = at = done = 0
        for offset in offsets:
            while at + self._blocks[number][0] < offset:
                characters, size = self._blocks[number]
                number, at, done = number + 1, at + characters, done + size
            found.append(done + len(text[at:offset].encode()))
        return found

    def follow(self, before: str, after: str, splices: Sequence[Splice]) -> None:
        """Take over splices that have made one text of another."""
        if not self._blocks or len(splices) > _MANY:
            self._encode(after)
            return
        offsets = (offset for one in splices for offset in (one.start, one.end))
        ends = self.places(before, offsets)
        spans = list(zip(ends[::2], ends[1::2], strict=True))
        data, pieces, done = memoryview(self.data), list[bytes | memoryview](), 0
        for one, (start, end) in zip(splices, spans, strict=True):
            pieces += (data[done:start], one.text.encode())
            done = end
        self.data = b"".join((*pieces, data[done:]))
        # From the last to the first: what a splice has moved is behind those that are left.
        for one, (start, end) in zip(reversed(splices), reversed(spans), strict=True):
            self._resize(one, len(one.text.encode()) - (end - start))
        if max(characters for characters, _size in self._blocks) > _LONG:
            self._encode(after)

    def _resize(self, splice: Splice, size: int) -> None:
        """Make one block of those that a splice touches, with so many bytes more."""
        blocks, first, at = self._blocks, 0, 0
        while at + blocks[first][0] < splice.start:
            at += blocks[first][0]
            first += 1
        last, end = first, at + blocks[first][0]
        while end < splice.end:
            last += 1
            end += blocks[last][0]
        grown = len(splice.text) - (splice.end - splice.start)
        whole = sum(one[1] for one in blocks[first : last + 1])
        blocks[first : last + 1] = [(end - at + grown, whole + size)]
