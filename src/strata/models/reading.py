"""Reading a text without the main model: nearly the vector that it would give, in a millisecond.

For a process that answers one prompt and ends, such as a hook: loading numpy alone would take as
long as all that it does. A table beside the model's weights has a row for each piece of the
vocabulary, trained so that the sum of the rows of a text's pieces points where the model's vector
does (docs/decisions/0173-quick-reading.md). Only the rows that are needed are read.
"""

import mmap
import struct
import sys
from bisect import bisect_left
from collections import Counter
from functools import partial
from math import sqrt
from operator import mul
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec

from strata.base.errors import Unavailable
from strata.models.files import Files
from strata.models.wordpiece import PieceCutter, ends

_MODEL, _TABLE = "minilm", "reading.bin"
# As packages/strata-embed/train/reading.py writes it: a line of JSON, the checksums of the pieces
# in order, the size of a step of each row, the rows. A byte has three numbers of six steps.
_HEAD_BYTES = 128
_LEVELS, _IN_A_BYTE = 6, 3
_DIGITS = [
    bytes(byte // _LEVELS**place % _LEVELS for byte in range(256)) for place in range(_IN_A_BYTE)
]
# Pieces that are looked at, half of them at the beginning of a text and half at its end.
_PIECES_MAX = 256
_UNKNOWN = -1


class QuickVector(NamedTuple):
    """A text's direction, and how near it is to texts that have nothing to do with it."""

    vector: tuple[float, ...]
    usual: float


class _Head(msgspec.Struct, frozen=True):
    """What a table says of itself: whose vectors it was trained for, and its size."""

    embedder: str
    longest: int
    pieces: int
    dimension: int
    unit: float


class QuickReader:
    """Reads texts in Latin and Hangul by the table of one edition of the main model."""

    def __init__(self, folder: Path) -> None:
        with (folder / _TABLE).open("rb") as file:
            self._data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        head = msgspec.json.decode(bytes(self._data[:_HEAD_BYTES]), type=_Head)
        self.embedder = head.embedder
        self._row_bytes = head.dimension // _IN_A_BYTE
        sizes_at = _HEAD_BYTES + 4 * head.pieces
        rows_at = sizes_at + 2 * head.pieces
        if len(self._data) != rows_at + self._row_bytes * head.pieces:
            raise ValueError(f"{_TABLE} has {len(self._data)} bytes")
        self._sizes = self._data[sizes_at:rows_at].cast("H")
        self._unit = head.unit
        self._rows = self._data[rows_at:]
        self._centre = _numbers(folder / "centre.npy")
        find = partial(_place, self._data[_HEAD_BYTES:sizes_at].cast("I"))
        self._cutter = PieceCutter(find, head.longest, unknown=_UNKNOWN)

    def read(self, text: str) -> QuickVector | None:
        """Return nearly what the model would; None for a text of which it knows too little."""
        pieces = Counter(ends(self._cutter.ids(text), _PIECES_MAX))
        unknown = pieces.pop(_UNKNOWN, 0)
        if unknown >= pieces.total():
            return None
        total = [0.0] * len(self._centre)
        for piece, times in pieces.items():
            size = self._unit * self._sizes[piece] * times
            middle = size * (_LEVELS - 1) / 2
            row = self._row(piece)
            total = [sum_ + size * step - middle for sum_, step in zip(total, row, strict=True)]
        length = sqrt(sum(map(mul, total, total))) or 1.0
        vector = tuple(value / length for value in total)
        return QuickVector(vector, sum(map(mul, vector, self._centre)))

    def _row(self, piece: int) -> bytes:
        """Return the steps of a piece's row, each from 0 up."""
        kept = bytes(self._rows[piece * self._row_bytes : (piece + 1) * self._row_bytes])
        return b"".join(map(kept.translate, _DIGITS))


def quick_reader(files: Files | None = None) -> QuickReader | None:
    """Return what reads texts without the main model; None where its table is not installed."""
    if sys.byteorder != "little":
        return None
    try:
        return QuickReader((files or Files(_MODEL)).folder)
    except (Unavailable, OSError, ValueError):
        return None


def _place(checksums: memoryview, piece: str) -> int | None:
    """Return which row is a piece's, by its checksum among all in order."""
    checksum = crc32(piece.encode("utf-8", "surrogatepass"))
    at = bisect_left(checksums, checksum)
    return at if at < len(checksums) and checksums[at] == checksum else None


def _numbers(path: Path) -> tuple[float, ...]:
    """Return the numbers of a file that numpy wrote: one row of two bytes each."""
    data = path.read_bytes()
    begins = 10 + int.from_bytes(data[8:10], "little")
    return struct.unpack(f"<{(len(data) - begins) // 2}e", data[begins:])
