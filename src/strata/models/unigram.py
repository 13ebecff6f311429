"""The tokenizer of the multilingual model: the likeliest way to cut a text into known pieces.

The 128,000 pieces are kept as sorted hashes, two megabytes of arrays instead of forty of Python
objects, and all substrings of a text are looked up at once. Two pieces never share a hash, which
is checked when the list is built; that a substring which is no piece has the hash of one happens
once in 10**14 look-ups, and would cost one odd token.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.base.normal import normal

if TYPE_CHECKING:
    import numpy as np

# Where a piece ends, how likely it is, and its number.
Match = tuple[int, float, int]

UNKNOWN, FIRST, LAST = 0, 1, 2
# The first numbers are marks, which no text is cut into: it has no magic words.
SPECIAL = 6
_PIECE_CHARACTERS_MAX = 16
_SPACE = "\u2581"
# An odd multiplier with well-mixed bits: the golden ratio of 64 bits.
_BASE = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1
# A first look at 20 bits of a hash rules nine of ten substrings out.
_SHIFT = 44
# What the model's own normaliser takes for a space beyond what NFKC makes one,
_BLANK = re.compile("[\\s\u1680\u200b\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd]+")
# and the one character that it leaves alone where NFKC would not.
_KEPT = "\uff5e"


class Unigram:
    """Turns text into the numbers of its pieces."""

    def __init__(self, path: Path) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        with numpy.load(path) as arrays:
            self._hashes: np.ndarray[Any, Any] = arrays["hashes"]
            self._numbers: np.ndarray[Any, Any] = arrays["numbers"]
            self._scores: np.ndarray[Any, Any] = arrays["scores"]
        self._may_be = numpy.zeros(2 ** (64 - _SHIFT), numpy.bool_)
        self._may_be[self._hashes >> numpy.uint64(_SHIFT)] = True
        self._unknown_score = float(self._scores.min()) - 10.0

    def ids(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a text, without the marks of its ends."""
        text = normalise(text)
        return self._best(len(text), self._matches(text)) if text else [UNKNOWN]

    def _matches(self, text: str) -> list[list[Match]]:
        """Return, for every place, the end, score and number of each piece that begins there."""
        np_ = self._numpy
        codes = np_.frombuffer(text.encode("utf-32-le"), np_.uint32).astype(np_.uint64)
        count = min(len(text), _PIECE_CHARACTERS_MAX)
        hashes = np_.zeros((count, len(text)), np_.uint64)
        row = np_.zeros(len(text), np_.uint64)
        for length in range(count):
            row = row[: len(text) - length] * np_.uint64(_BASE) + codes[length:]
            hashes[length, : len(row)] = row
        lengths, starts = np_.nonzero(self._may_be[hashes >> np_.uint64(_SHIFT)])
        wanted = hashes[lengths, starts]
        found = np_.searchsorted(self._hashes[:-1], wanted)
        is_piece = self._hashes[found] == wanted
        lengths, starts, found = lengths[is_piece], starts[is_piece], found[is_piece]
        columns = (starts + lengths + 1, self._scores[found], self._numbers[found])
        rows: list[Match] = list(zip(*(column.tolist() for column in columns), strict=True))
        places: list[int] = starts.tolist()
        matches: list[list[Match]] = [[] for _ in text]
        for place, row in zip(places, rows, strict=True):
            matches[place].append(row)
        return matches

    def _best(self, length: int, matches: list[list[Match]]) -> list[int]:
        """Find the path with the best sum of scores; the earlier cut wins a tie."""
        best = [0.0] + [float("-inf")] * length
        step = [(0, UNKNOWN)] * (length + 1)
        for start, found in enumerate(matches):
            base = best[start]
            for end, score, number in found:
                if base + score > best[end]:
                    best[end], step[end] = base + score, (start, number)
            has_single = bool(found) and found[0][0] == start + 1
            if not has_single and base + self._unknown_score > best[start + 1]:
                best[start + 1], step[start + 1] = base + self._unknown_score, (start, UNKNOWN)
        path: list[int] = []
        place = length
        while place:
            place, number = step[place]
            path.append(number)
        return path[::-1]


def spelling(path: Path) -> list[str]:
    """Return the pieces by their numbers; reading them takes a few hundredths of a second."""
    import zstandard

    return zstandard.ZstdDecompressor().decompress(path.read_bytes()).decode().split("\n")


def joined(pieces: Iterable[str]) -> str:
    """Return the text that some pieces make up."""
    return "".join(pieces).replace(_SPACE, " ").removeprefix(" ")


def normalise(text: str) -> str:
    """Write a text as the pieces are written: NFKC, and one mark before every word."""
    parts = _BLANK.sub(" ", text).split(_KEPT)
    plain = _KEPT.join(normal("NFKC", part) for part in parts)
    return "".join(_SPACE + word for word in _BLANK.sub(" ", plain).split(" ") if word)


def hash_piece(piece: str) -> int:
    """Return what `Unigram` computes for all substrings at once, for one piece."""
    value = 0
    for character in piece:
        value = (value * _BASE + ord(character)) & _MASK
    return value
