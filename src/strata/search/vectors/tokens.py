"""The tokens of a text: a vector for each, of two bits a component.

A component is small or large, by the mean square of its vector, and has a sign. The two sizes are
those that lose least of a normal distribution; the length of a vector is made 1 when it is
compared.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# From how many deviations on a component is large, and what the two sizes stand for: 3 and 10 are
# as 0.453 and 1.51 deviations.
_LARGE, _SMALL_SIZE, _LARGE_SIZE = 0.98, 3, 10
# Components in a byte.
_PER_BYTE = 4
# Multiplications that numpy's library does without starting threads.
_PRODUCT = 200_000
# Tokens that are turned into floats at once: as many as stay in the cache.
_BLOCK = 1024


def pack(tokens: "Array") -> bytes:
    """Return token vectors, one a row, as they are kept; four components are one byte."""
    import numpy

    wide = tokens.astype(numpy.float32)
    deviation = numpy.sqrt((wide * wide).mean(axis=1, keepdims=True))
    bits = numpy.stack([wide > 0, numpy.abs(wide) > _LARGE * deviation], axis=2)
    return numpy.packbits(bits.reshape(len(wide), -1), axis=1).tobytes()


def best_matches(query: "Array", kept: Sequence[tuple[bool, bytes]]) -> "Array":
    """Return how near each token of a query comes to one of each text: a row a text.

    NaN for a text without tokens. Each of `kept` is its bytes, and whether they are of an earlier
    kind, with a byte a component.
    """
    import numpy

    count, width = query.shape
    found = numpy.full((len(kept), count), numpy.nan, numpy.float32)
    for is_earlier in (False, True):
        here = [at for at, (kind, blob) in enumerate(kept) if kind == is_earlier and blob]
        if not here:
            continue
        token_bytes = width if is_earlier else width // _PER_BYTE
        joined = b"".join(kept[at][1] for at in here)
        sizes = numpy.array([len(kept[at][1]) // token_bytes for at in here])
        starts = numpy.cumsum(sizes) - sizes
        near = nearness(query, joined, is_earlier=is_earlier)
        found[here] = numpy.maximum.reduceat(near, starts, axis=0)
    return found


def nearness(query: "Array", kept: bytes, *, is_earlier: bool) -> "Array":
    """Return how near each kept token comes to each of a query: a row for each that is kept."""
    import numpy

    if is_earlier:
        rows = numpy.frombuffer(kept, numpy.int8)
    else:
        rows = _components()[numpy.frombuffer(kept, "<u2")].view(numpy.int8)
    return _cosines(rows.reshape(-1, query.shape[1]), query)


def _cosines(rows: "Array", query: "Array") -> "Array":
    """Return how near each row is to each token of a query.

    Multiplied in small pieces: for a large one numpy's library starts threads. They cost more
    than they bring: 8 ms where this takes 0.2, on a busy machine.
    """
    import numpy

    wide = numpy.ascontiguousarray(query.T, numpy.float32)
    step = max(1, _PRODUCT // wide.size)
    found = numpy.empty((len(rows), len(query)), numpy.float32)
    for start in range(0, len(rows), _BLOCK):
        some = rows[start : start + _BLOCK].astype(numpy.float32)
        part = found[start : start + _BLOCK]
        for at in range(0, len(some), step):
            numpy.matmul(some[at : at + step], wide, out=part[at : at + step])
        lengths = numpy.sqrt(numpy.einsum("ij,ij->i", some, some))
        part /= numpy.where(lengths > 0, lengths, 1)[:, None]
    return found


@cache
def _components() -> "Array":
    """Return the eight components that each pair of bytes stands for, as one number of 64 bits."""
    import numpy

    pairs = numpy.arange(1 << 16, dtype="<u2").view(numpy.uint8).reshape(-1, 2)
    bits = numpy.unpackbits(pairs, axis=1).reshape(-1, 2)
    sizes = numpy.where(bits[:, 1], _LARGE_SIZE, _SMALL_SIZE)
    components = numpy.where(bits[:, 0], sizes, -sizes).astype(numpy.int8)
    return components.reshape(-1, 2 * _PER_BYTE).view("<u8").ravel()
