"""The signs of vectors, a bit each: enough to tell which few of a million are near.

A code takes an eighth of its vector, and lies in columns of 64 components, so that numpy compares
one column of all vectors at once. Measured for a million vectors of 384 components: see
`docs/decisions/0047-vectors.md`.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    Array = np.ndarray[Any, Any]

# Embeddings by number that one row of the store has the codes of.
PART = 4096
# Parts that are compared at once: few enough for their distances to stay in the cache.
PARTS = 16
_OFFSET = 2
_WORD = 64


class Codes(NamedTuple):
    """The codes of some embeddings: their numbers, and a row of words a column."""

    numbers: "Array"  # int64, rising
    words: "Array"  # uint64, (columns, count)


def encode(numbers: "Array", vectors: "Array") -> Codes:
    """Return the codes of vectors, which are any numbers with the right signs, one a row."""
    import numpy

    columns = -(-vectors.shape[1] // _WORD)
    bits = numpy.zeros((len(vectors), columns * _WORD), bool)
    bits[:, : vectors.shape[1]] = vectors > 0
    words = numpy.packbits(bits, axis=1, bitorder="little").view("<u8")
    return Codes(numpy.asarray(numbers, numpy.int64), numpy.ascontiguousarray(words.T))


def of_rows(numbers: "Sequence[int]", vectors: "Sequence[bytes]", dimension: int) -> Codes:
    """Return the codes of vectors as they are kept, a byte a component."""
    import numpy

    steps = numpy.frombuffer(b"".join(vectors), numpy.int8).reshape(-1, dimension)
    return encode(numpy.array(numbers, numpy.int64), steps)


def pack(part: int, codes: Codes) -> bytes:
    """Return the codes of one part as they are kept."""
    offsets = (codes.numbers - part * PART).astype("<u2")
    return offsets.tobytes() + codes.words.astype("<u8", copy=False).tobytes()


def unpack(part: int, kept: bytes, dimension: int) -> Codes:
    """Return the codes that `pack` wrote; raise ValueError where it did not."""
    import numpy

    columns = -(-dimension // _WORD)
    count, rest = divmod(len(kept), _OFFSET + 8 * columns)
    if rest:
        raise ValueError(f"the codes of part {part} have {len(kept)} bytes")
    offsets = numpy.frombuffer(kept, "<u2", count).astype(numpy.int64)
    words = numpy.frombuffer(kept, "<u8", offset=_OFFSET * count).reshape(columns, count)
    return Codes(offsets + part * PART, words)


def join(parts: "list[Codes]", columns: int) -> Codes:
    """Return the codes of several parts as one."""
    import numpy

    empty = Codes(numpy.empty(0, numpy.int64), numpy.empty((columns, 0), "<u8"))
    return Codes(
        numpy.concatenate([empty.numbers, *(one.numbers for one in parts)]),
        numpy.concatenate([empty.words, *(one.words for one in parts)], axis=1),
    )


def nearest(query: "Array", chunks: "Sequence[Codes]", count: int) -> "Array":
    """Return the numbers of at least so many embeddings whose signs are nearest to a query's.

    Those that are equally near as the last one come with it, so the order does not matter.
    """
    import numpy

    (wanted,) = encode(numpy.zeros(1), query[None]).words.T
    distances = [_distances(wanted, one.words) for one in chunks]
    most = len(wanted) * _WORD + 1
    reached = numpy.cumsum(sum(numpy.bincount(one, minlength=most) for one in distances))
    limit = numpy.searchsorted(reached, count)
    found = zip(chunks, distances, strict=True)
    return numpy.concatenate([one.numbers[near <= limit] for one, near in found])


def _distances(wanted: "Array", words: "Array") -> "Array":
    """Return in how many signs each code differs from a wanted one."""
    import numpy

    found = numpy.zeros(words.shape[1], numpy.uint16)
    for column, word in zip(words, wanted, strict=True):
        found += numpy.bitwise_count(column ^ word)
    return found
