"""Vectors as small integers: a byte a number to search with, another one to be exact with."""

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# The byte that is searched holds -127..127 steps; the other one holds 254ths of a step.
STEPS = 127
PARTS = 254


class Packed(msgspec.Struct, frozen=True):
    """A vector of length 1: each component is scale * (coarse + fine / 254)."""

    scale: float
    coarse: bytes
    fine: bytes


def pack(vector: "Array") -> Packed:
    """Return a vector's direction as integers; raise ValueError when it has none."""
    import numpy

    wide = numpy.asarray(vector, numpy.float64)
    length = float(numpy.sqrt(wide @ wide))
    if not numpy.isfinite(length):
        raise ValueError("the vector holds numbers that are not finite")
    wide = wide / (length or 1.0)
    scale = float(numpy.abs(wide).max(initial=0.0)) / STEPS or 1.0
    steps = wide / scale
    coarse = numpy.rint(steps)
    fine = numpy.rint((steps - coarse) * PARTS)
    return Packed(scale, coarse.astype(numpy.int8).tobytes(), fine.astype(numpy.int8).tobytes())


def unpack(vectors: "list[Packed]", dimension: int) -> "Array":
    """Return the vectors as float32 rows, exact to seven digits."""
    import numpy

    shape = (len(vectors), dimension)
    coarse = numpy.frombuffer(b"".join([vector.coarse for vector in vectors]), numpy.int8)
    fine = numpy.frombuffer(b"".join([vector.fine for vector in vectors]), numpy.int8)
    rows = fine.reshape(shape).astype(numpy.float32)
    rows /= PARTS
    rows += coarse.reshape(shape)
    rows *= numpy.array([vector.scale for vector in vectors], numpy.float32)[:, None]
    return rows
