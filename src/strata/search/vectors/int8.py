"""Vectors as small integers: a byte a number."""

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    Array = np.ndarray[Any, Any]

# A byte holds -127..127 steps.
STEPS = 127


class Packed(msgspec.Struct, frozen=True):
    """A vector of length 1: each component is the scale times a byte."""

    scale: float
    steps: bytes


def pack(vector: "Array") -> Packed:
    """Return a vector's direction as integers; raise ValueError when it has none."""
    import numpy

    wide = numpy.asarray(vector, numpy.float64)
    length = float(numpy.sqrt(wide @ wide))
    if not numpy.isfinite(length):
        raise ValueError("the vector holds numbers that are not finite")
    wide = wide / (length or 1.0)
    scale = float(numpy.abs(wide).max(initial=0.0)) / STEPS or 1.0
    return Packed(scale, numpy.rint(wide / scale).astype(numpy.int8).tobytes())


def unpack(scales: "Sequence[float]", steps: "Sequence[bytes]", dimension: int) -> "Array":
    """Return vectors as float32 rows, each cosine right to about 0.002."""
    import numpy

    bytes_ = numpy.frombuffer(b"".join(steps), numpy.int8).reshape(-1, dimension)
    rows = bytes_.astype(numpy.float32)
    rows *= numpy.array(scales, numpy.float32)[:, None]
    return rows
